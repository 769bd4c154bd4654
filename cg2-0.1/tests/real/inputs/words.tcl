# Words of a text by how often they occur; procedures, errors, coroutines.
set channel [open text]
foreach word [regexp -all -inline {[a-z]+} [string tolower [read $channel]]] {
    dict incr counts $word
}
close $channel
foreach {word count} [lrange [lsort -stride 2 -index 1 -integer -decreasing $counts] 0 9] {
    puts [format "%-8s %5d" $word $count]
}
proc factorial {n} { expr {$n < 2 ? 1 : $n * [factorial [expr {$n - 1}]]} }
puts [factorial 30]
puts [catch {error thrown} message]$message
proc numbers {} { yield; for {set i 0} {$i < 3} {incr i} { yield $i } }
coroutine next numbers
puts [next][next][next]
