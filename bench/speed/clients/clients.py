"""Times kdd_search through the public Python client, version 2, and prints a line a call: number of the server, phase,
milliseconds until the client had the answer, milliseconds that the answer says the search took.

    python clients.py stdio|http PROCESSES ROUNDS QUERIES COMMAND [ARG...] [-- COMMAND [ARG...]]...

Each COMMAND is a server and is started PROCESSES times; its first call is of phase cold. The last processes of all of them
run together: they are asked all queries ROUNDS times more, each query of one server after the other, which is phase warm.
QUERIES is a file with a query a line: id and text parted by a tab. Over HTTP a command says on standard error where it
listens.
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


async def timed(client, server, phase, query):
    start = time.perf_counter()
    answer = await client.call_tool("kdd_search", {"query": query})
    took = (time.perf_counter() - start) * 1e3
    if answer.is_error:
        sys.exit(f"clients.py: {answer.content[0].text}")
    print(f"{server}\t{phase}\t{took:.3f}\t{answer.structured_content['time_ms']}")


async def processes(kind, commands, queries, first, rounds):
    """Starts each command; without rounds one after the other has ended."""
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for i, command in enumerate(commands):
            server = stack.enter_context(serving(kind, command))
            client = await stack.enter_async_context(Client(server, mode=PROTOCOL))
            await client.list_tools()  # as hosts do; the client wants the schema before the first answer
            await timed(client, i, "cold", queries[first % len(queries)])
            clients.append(client)
            if not rounds:
                await stack.aclose()
        for _ in range(rounds):
            for query in queries:
                for i, client in enumerate(clients):
                    await timed(client, i, "warm", query)


def main():
    kind, count, rounds, file, *rest = sys.argv[1:]
    commands = [[]]
    for word in rest:
        if word == "--":
            commands.append([])
        else:
            commands[-1].append(word)
    with open(file, encoding="utf-8") as lines:
        queries = [line.rstrip("\n").split("\t")[1] for line in lines if line.strip()]
    for i in range(int(count)):
        asyncio.run(processes(kind, commands, queries, i, int(rounds) if i + 1 == int(count) else 0))


main()
