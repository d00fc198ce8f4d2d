// Asks a kdd server over MCP with the public TypeScript clients, and exits with 1 on any answer that is not as it should be.
//
//   node ask.mjs PACKAGE MODE URL              over HTTP
//   node ask.mjs PACKAGE MODE COMMAND ARG...   over stdio
//
// PACKAGE is client (version 2) or sdk (version 1). MODE is auto, legacy, or a protocol version; version 1 knows legacy
// only. The index is of testdata/corpora/handbook. The script has to lie beside node_modules.

import { readFileSync } from 'node:fs';

const [packageName, mode, ...target] = process.argv.slice(2);
const old = packageName === 'sdk';
const version = JSON.parse(readFileSync(new URL(`node_modules/@modelcontextprotocol/${packageName}/package.json`, import.meta.url))).version;
const load = old
  ? [import('@modelcontextprotocol/sdk/client/index.js'), import('@modelcontextprotocol/sdk/client/stdio.js'), import('@modelcontextprotocol/sdk/client/streamableHttp.js')]
  : [import('@modelcontextprotocol/client'), import('@modelcontextprotocol/client/stdio')];
const { Client, StdioClientTransport, StreamableHTTPClientTransport } = Object.assign({}, ...(await Promise.all(load)));

let checks = 0;
function check(holds, what, got) {
  checks++;
  if (!holds) {
    console.error(`ask.mjs: ${what}: ${JSON.stringify(got)?.slice(0, 1000)}`);
    process.exit(1);
  }
}

// fails returns the message of the error that a request ends with.
async function fails(request, what) {
  try {
    check(false, `${what} was answered`, await request);
  } catch (e) {
    return String(e.message);
  }
}

const http = target[0].startsWith('http');
const transport = http ? new StreamableHTTPClientTransport(new URL(target[0])) : new StdioClientTransport({ command: target[0], args: target.slice(1) });
const versionNegotiation = { mode: ['auto', 'legacy'].includes(mode) ? mode : { pin: mode } };
const client = new Client({ name: 'interop', version: '1.0.0' }, old ? {} : { versionNegotiation });
client.onerror = (e) => check(false, 'the client reports an error', String(e));
setTimeout(() => check(false, 'no end', 'after 60 s'), 60_000).unref();
await client.connect(transport);

const { tools } = await client.listTools();
const names = tools.map((t) => t.name);
check(['kdd_search', 'kdd_read_section', 'kdd_list'].every((n) => names.includes(n)), 'tools/list', names);

// The client itself checks structured content against the tool's output schema.
const found = await client.callTool({ name: 'kdd_search', arguments: { query: 'how does authentication work', limit: 3 } });
check(!found.isError && found.structuredContent.schema_version === 'search_response.v1' && found.structuredContent.count === 3, 'kdd_search', found);
check(found.content[0].text.includes(found.structuredContent.results[0].title), 'kdd_search: text and structured content differ', found);
for (const name of ['kdd_stats', 'kdd_list', 'kdd_doctor', 'kdd_schema']) { // not all are listed
  const answer = await client.callTool({ name, arguments: {} });
  check(!answer.isError && answer.structuredContent, name, answer);
}
const read = await client.callTool({ name: 'kdd_read_section', arguments: { file: 'security/auth.md', anchor: 'refresh' } });
check(!read.isError && read.content[0].text.includes('## '), 'kdd_read_section', read);
const wrong = await client.callTool({ name: 'kdd_search', arguments: { quary: 'x' } });
check(wrong.isError && wrong.content[0].text.includes('invalid_input'), 'kdd_search with a wrong argument', wrong);
const none = await fails(client.callTool({ name: 'kdd_serch', arguments: {} }), 'a tool that is none');
check(none.includes('did you mean'), 'a tool that is none', none);

const listed = (await client.listResources()).resources.map((r) => r.uri);
check(listed.includes('kdd://index'), 'resources/list', listed);
const templates = (await client.listResourceTemplates()).resourceTemplates.map((t) => t.uriTemplate);
check(templates.length > 0, 'resources/templates/list', templates);
for (const uri of [...listed, 'kdd://doc/security/auth.md', 'kdd://doc/security/auth.md#refresh']) {
  const { contents } = await client.readResource({ uri });
  check(contents[0]?.text, `resources/read ${uri}`, contents);
}
const missing = await fails(client.readResource({ uri: 'kdd://doc/none.md' }), 'a resource that is none');
check(missing.includes('none.md'), 'a resource that is none', missing);

const path = await client.complete({ ref: { type: 'ref/resource', uri: templates[0] }, argument: { name: 'path', value: 'security/' } });
check(path.completion.values.includes('security/auth.md'), 'completion of a path', path);
const entity = await client.complete({ ref: { type: 'ref/prompt', name: 'impact-review' }, argument: { name: 'entity', value: 'RF-' } });
check(entity.completion.values.includes('RF-AUTH-001'), 'completion of an entity', entity);

const prompts = (await client.listPrompts()).prompts.map((p) => p.name);
check(prompts.join() === 'answer-from-docs,impact-review,onboard', 'prompts/list', prompts);
const prompt = await client.getPrompt({ name: 'impact-review', arguments: { entity: 'RF-AUTH-001' } });
check(prompt.messages.length === 2 && prompt.messages[0].content.text.includes('RF-AUTH-001'), 'prompts/get', prompt);
const many = await Promise.all(Array.from({ length: 20 }, (_, i) => client.callTool({ name: 'kdd_search', arguments: { query: `token ${i}` } })));
check(many.every((m, i) => !m.isError && m.structuredContent.query === `token ${i}`), '20 calls at once', many);

const agreed = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? 'initialize';
client.onerror = undefined; // a stream that ends with the client is none
await client.close();
console.log(`typescript ${packageName} ${version}, ${http ? 'http' : 'stdio'}, ${mode} (${agreed}): ${checks} checks`);
