"""Threads, processes, signals and an event loop in one Python program."""

import asyncio
import os
import signal
import subprocess
import threading
from queue import Queue

results: Queue[int] = Queue()
workers = [threading.Thread(target=lambda n=n: results.put(sum(range(n)))) for n in (100, 200, 300)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
print(sorted(results.get() for _ in workers), flush=True)

if (child := os.fork()) == 0:
    os._exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))

print(
    subprocess.run(
        ["tr", "a-z", "A-Z"], input="from a child", capture_output=True, text=True
    ).stdout
)

signal.signal(signal.SIGUSR1, lambda number, _frame: print("signal", number == signal.SIGUSR1))
os.kill(os.getpid(), signal.SIGUSR1)


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write((await reader.readline()).upper())
    writer.close()


async def talk() -> str:
    server = await asyncio.start_unix_server(echo, "socket")
    reader, writer = await asyncio.open_unix_connection("socket")
    writer.write(b"over a socket\n")
    answer = (await reader.readline()).decode()
    server.close()
    return answer


print(asyncio.run(talk()), end="")
