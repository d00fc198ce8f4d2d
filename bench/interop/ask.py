"""Asks a kdd server over MCP with the public Python client, and exits with 1 on any answer that is not as it should be.

    python ask.py MODE URL              over HTTP
    python ask.py MODE COMMAND ARG...   over stdio

MODE is auto, legacy, or a protocol version; version 1 of the package knows legacy only. The index is of
testdata/corpora/handbook.
"""

import asyncio
import contextlib
import importlib.metadata
import sys

VERSION = importlib.metadata.version("mcp")
OLD = VERSION.startswith("1.")

if OLD:
    from mcp import ClientSession, McpError as ProtocolError, StdioServerParameters, types
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client
else:
    import mcp_types as types
    from mcp import Client, MCPError as ProtocolError, StdioServerParameters

checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"ask.py: {what}")


@contextlib.asynccontextmanager
async def connected(mode, target):
    """Yields a client and the version of the protocol that was agreed on."""
    http = target[0].startswith("http")
    server = target[0] if http else StdioServerParameters(command=target[0], args=target[1:])
    if not OLD:
        async with Client(server, mode=mode) as client:
            yield client, client.protocol_version
        return
    transport = streamable_http_client(server) if http else stdio_client(server)
    async with transport as streams, ClientSession(streams[0], streams[1]) as session:
        hello = await session.initialize()
        yield session, hello.protocolVersion


def field(value, name):
    """A field of an answer by its name in the protocol: version 2 spells the names in snake_case."""
    if OLD:
        return getattr(value, name)
    return getattr(value, "".join("_" + c.lower() if c.isupper() else c for c in name))


async def ask(mode, target):
    async with connected(mode, target) as (client, version):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        check({"kdd_search", "kdd_read_section", "kdd_list"} <= tools.keys(), f"tools/list: {sorted(tools)}")
        check(all(field(tool, "inputSchema")["type"] == "object" for tool in tools.values()), "tools/list: an input schema of no object")

        # The client itself checks structured content against the tool's output schema.
        found = await client.call_tool("kdd_search", {"query": "how does authentication work", "limit": 3})
        content = field(found, "structuredContent")
        check(not field(found, "isError") and content["schema_version"] == "search_response.v1" and content["count"] == 3, f"kdd_search: {found}")
        check(content["results"][0]["title"] in found.content[0].text, "kdd_search: text and structured content differ")
        for name in ("kdd_stats", "kdd_list", "kdd_doctor", "kdd_schema"):  # not all are listed
            answer = await client.call_tool(name, {})
            check(not field(answer, "isError") and field(answer, "structuredContent"), f"{name}: {answer}")
        read = await client.call_tool("kdd_read_section", {"file": "security/auth.md", "anchor": "refresh"})
        check(not field(read, "isError") and "## " in read.content[0].text, f"kdd_read_section: {read}")
        wrong = await client.call_tool("kdd_search", {"quary": "x"})
        check(field(wrong, "isError") and "invalid_input" in wrong.content[0].text, f"kdd_search with a wrong argument: {wrong}")
        try:
            await client.call_tool("kdd_serch", {})
            check(False, "a tool that is none was answered")
        except ProtocolError as e:
            check("did you mean" in str(e), f"a tool that is none: {e}")

        listed = [str(r.uri) for r in (await client.list_resources()).resources]
        check("kdd://index" in listed, f"resources/list: {listed}")
        templates = [field(t, "uriTemplate") for t in field(await client.list_resource_templates(), "resourceTemplates")]
        check(len(templates) > 0, "resources/templates/list: none")
        for uri in listed + ["kdd://doc/security/auth.md", "kdd://doc/security/auth.md#refresh"]:
            contents = (await client.read_resource(types.AnyUrl(uri) if OLD else uri)).contents
            check(contents and contents[0].text, f"resources/read {uri}: {contents}")
        try:
            await client.read_resource(types.AnyUrl("kdd://doc/none.md") if OLD else "kdd://doc/none.md")
            check(False, "a resource that is none was answered")
        except ProtocolError as e:
            check("none.md" in str(e), f"a resource that is none: {e}")

        path = await client.complete(types.ResourceTemplateReference(type="ref/resource", uri=templates[0]), {"name": "path", "value": "security/"})
        check("security/auth.md" in path.completion.values, f"completion of a path: {path}")
        entity = await client.complete(types.PromptReference(type="ref/prompt", name="impact-review"), {"name": "entity", "value": "RF-"})
        check("RF-AUTH-001" in entity.completion.values, f"completion of an entity: {entity}")

        names = [p.name for p in (await client.list_prompts()).prompts]
        check(names == ["answer-from-docs", "impact-review", "onboard"], f"prompts/list: {names}")
        prompt = await client.get_prompt("impact-review", {"entity": "RF-AUTH-001"})
        check(len(prompt.messages) == 2 and "RF-AUTH-001" in prompt.messages[0].content.text, f"prompts/get: {prompt}")
        many = await asyncio.gather(*(client.call_tool("kdd_search", {"query": f"token {i}"}) for i in range(20)))
        check(all(not field(m, "isError") and field(m, "structuredContent")["query"] == f"token {i}" for i, m in enumerate(many)), "20 calls at once")
    return version


def main():
    mode, target = sys.argv[1], sys.argv[2:]
    version = asyncio.run(asyncio.wait_for(ask(mode, target), 60))
    print(f"python mcp {VERSION}, {'http' if target[0].startswith('http') else 'stdio'}, {mode} ({version}): {checks} checks")


main()
