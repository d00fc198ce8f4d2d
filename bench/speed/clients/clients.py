"""Times kdd_search through the public Python client, version 2, and prints a line a call: phase, milliseconds until the
client had the answer, milliseconds that the answer says the search took.

    python clients.py stdio|http PROCESSES ROUNDS QUERIES COMMAND [ARG...]

COMMAND is a server and is started PROCESSES times; its first call is of phase cold. The last process is asked all queries
ROUNDS times more, which is phase warm. QUERIES is a file with a query a line: id and text separated by a tab. Over HTTP the
command says on standard error where it listens.
"""

import asyncio
import contextlib
import re
import subprocess
import sys
import time

from mcp import Client, StdioServerParameters

PROTOCOL = "2026-07-28"


@contextlib.contextmanager
def serving(kind, command):
    """Yields what the client connects to."""
    if kind == "stdio":
        yield StdioServerParameters(command=command[0], args=command[1:])
        return
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stderr.readline()
            yield re.search(r"http://[\d.:]+", line)[0] + "/mcp"
        finally:
            process.terminate()


async def timed(client, phase, query):
    start = time.perf_counter()
    answer = await client.call_tool("kdd_search", {"query": query})
    took = (time.perf_counter() - start) * 1e3
    if answer.is_error:
        sys.exit(f"clients.py: {answer.content[0].text}")
    print(f"{phase}\t{took:.3f}\t{answer.structured_content['time_ms']}")


async def process(kind, command, queries, first, rounds):
    """Starts the command and asks it."""
    with serving(kind, command) as server:
        async with Client(server, mode=PROTOCOL) as client:
            await client.list_tools()  # as hosts do; the client wants the schema before the first answer
            await timed(client, "cold", queries[first % len(queries)])
            for _ in range(rounds):
                for query in queries:
                    await timed(client, "warm", query)


def main():
    kind, count, rounds, file, *command = sys.argv[1:]
    with open(file, encoding="utf-8") as lines:
        queries = [line.rstrip("\n").split("\t")[1] for line in lines if line.strip()]
    for i in range(int(count)):
        asyncio.run(process(kind, command, queries, i, int(rounds) if i + 1 == int(count) else 0))


main()
