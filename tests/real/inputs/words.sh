#!/bin/sh
# What dash does: functions, here documents, arithmetic, children.
fibonacci() { [ "$1" -lt 2 ] && echo "$1" || echo $(($(fibonacci $(($1 - 1))) + $(fibonacci $(($1 - 2))))); }
fibonacci 6
# shellcheck disable=SC2018,SC2019 # the text has no accents
cat <<TEXT | tr 'a-z' 'A-Z'
$(wc -l <text) lines
TEXT
trap 'echo caught' TERM
kill -TERM $$
n=0
while [ $n -lt 200 ]; do n=$((n + 1)); done
echo $n
(exit 5) &
wait $! || exit $?
