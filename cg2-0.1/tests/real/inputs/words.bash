# Functions, arrays, recursion, pipes, subshells, a trap and children that exit.
declare -A count
while read -r -a line; do
   for word in "${line[@]}"; do
      word=${word//[^A-Za-z]/}
      [[ $word ]] && ((count[${word,,}]++))
   done
done < <(head -n 60 text)
for word in "${!count[@]}"; do echo "${count[$word]} $word"; done | sort -k1,1nr -k2 | head -n 5
fibonacci() { (($1 < 2)) && echo "$1" || echo $(($(fibonacci $(($1 - 1))) + $(fibonacci $(($1 - 2))))); }
fibonacci 5
trap 'echo caught' USR1
kill -USR1 $$
(exit 7) || echo "status $?"
printf '%s\n' {a..c}{1..3} | tr a-z A-Z | paste -sd,
exec sed -n 5p text
