#!/bin/sh
# A script as people write them around Callgrind, for the directory of dropin.c. The
# name of the tool is the only parameter; nothing else says which it is. What it
# prints, and the names of the files, must not depend on it.
# shellcheck disable=SC2086,SC2012 # as people write it: names have no blanks, and ls lists them
tool=$1
set -eu

gcc -g -O0 -pthread -static -o app dropin.c

status() # COMMAND...
{
   "$@" || echo "exit status $?"
}

step() # NAME
{
   echo "== $1"
   mkdir "$1"
}

functions() # FILE: those of the program, as callgrind_annotate shows them
{
   callgrind_annotate --auto=no --threshold=100 "$1" >annotated
   grep -c 'PROGRAM TOTALS' annotated
   sed -nE "s/^ *([0-9,]+) .*dropin.c:((work|region|recur)[^ ]*).*/\1 \2/p" annotated | sort
}

step plain
status valgrind --tool=$tool -q --callgrind-out-file=plain/callgrind.out.%p ./app plain
for file in plain/callgrind.out.*; do
   functions "$file"
done

step options
status valgrind --tool=$tool --callgrind-out-file=options/all --log-file=options/log.%p \
   --dump-line=yes --dump-instr=yes --compress-strings=no --compress-pos=no --collect-jumps=yes \
   --separate-recs=3 --separate-callers2=work \
   --skip-plt=yes --fn-skip='nosuch*' --instr-atstart=yes ./app plain
grep -o 'Collected : ' options/log.*

step skipped
status valgrind --tool=$tool -q --callgrind-out-file=skipped/%p --fn-skip=region --skip-direct-rec=yes \
   --separate-recs1='rec*' --fn-group1=work --pop-on-jump=work --skip-plt=no --dump-every-bb=0 ./app plain

step default
(
   cd default
   status valgrind --tool=$tool ../app plain 2>../log
   ls $tool.out.* | wc -l
   grep -cE '^==[0-9]+== (Events    : Ir|Collected : [0-9]+|I   refs:      [0-9,]+)$' ../log
)

echo "== refused"
for option in --separate-recs=many --dump-line=perhaps --nosuch=yes; do
   status valgrind --tool=$tool $option ./app plain 2>log
   grep ' option: ' log
done

step environment
RUN=nightly VALGRIND_OPTS='--separate-recs=1 -q --callgrind-out-file=environment/%q{RUN}.%%.%n' \
   export RUN VALGRIND_OPTS
status valgrind --tool=$tool ./app plain
unset VALGRIND_OPTS

step parts
status valgrind --tool=$tool -q --callgrind-out-file=parts/part.%p --dump-before=recur --dump-after=region \
   ./app plain
for part in parts/part.*.[0-9]; do
   grep '^desc: Trigger' "$part"
done

step toggled
status valgrind --tool=$tool -q --callgrind-out-file=toggled/%p --toggle-collect=region ./app plain

step zeroed
status valgrind --tool=$tool -q --callgrind-out-file=zeroed/%p --zero-before=recur ./app plain

step requests
status valgrind --tool=$tool -q --callgrind-out-file=requests/out.%p --instr-atstart=no ./app requests

step threads
status valgrind --tool=$tool -q --callgrind-out-file=threads/out.%p --separate-threads=yes ./app threads
for file in threads/out.*.[0-9]-[0-9][0-9] threads/out.*-[0-9][0-9]; do
   [ -s "$file" ] && grep -E '^(thread|part):' "$file" | paste -sd' '
done

step fork
status valgrind --tool=$tool -q --callgrind-out-file=fork/out.%p ./app fork

step exec
status valgrind --tool=$tool -q --callgrind-out-file=exec/out.%p --trace-children=yes ./app exec

step controlled
valgrind --tool=$tool -q --vgdb-poll=50 --callgrind-out-file=controlled/out.%p ./app wait &
pid=$!
ready()
{
   while [ ! -e ready ]; do
      kill -0 $pid
      sleep 0.05
   done
}
ready
${tool}_control | grep "^PID $pid:"
${tool}_control -s $pid | grep -E 'PID|threads|Events'
${tool}_control -e -b $pid | grep -oE '(main|controlled|waiting) \(1 x\)'
${tool}_control -d loaded $pid
rm ready
ready
${tool}_control -z $pid
${tool}_control -i off $pid
rm ready
ready
${tool}_control -i on $pid
${tool}_control --dump=again $pid
rm ready
status wait $pid
