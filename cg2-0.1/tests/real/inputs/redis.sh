#!/bin/sh
# A server, and clients that talk to it over a socket. The package redis-tools
# has the server's program under another name.
ln -sf "$(command -v redis-check-rdb)" redis-server
./redis-server --port 0 --unixsocket socket --save '' --appendonly no >server.log &
server=$!
while [ ! -S socket ] && kill -0 $server; do sleep 0.1; done
redis-cli -s socket <<COMMANDS
set counter 41
incr counter
lpush list a b c
sort list alpha desc
hset hash one 1 two 2
hgetall hash
zadd set 3 c 1 a 2 b
zrange set 0 -1 withscores
eval "local sum = 0 for i = 1, 1000 do sum = sum + i end return sum" 0
get list
COMMANDS
redis-cli -s socket shutdown nosave
wait $server
echo $?
