# Words of a text by how often they occur; recursion and sorting.
function depth(n) { return n > 0 ? depth(n - 1) + 1 : 0 }
{ for (i = 1; i <= NF; i++) { count[tolower($i)]++; total += length($i) } }
/[aeiou]$/ { gsub(/[aeiou]/, "_"); odd = odd substr($0, 1, 3) }
END {
   n = asorti(count, names, "@val_num_desc")
   for (i = 1; i <= 3; i++) print count[names[i]]
   print n, total, depth(50), length(odd), sprintf("%.3f", log(total))
}
