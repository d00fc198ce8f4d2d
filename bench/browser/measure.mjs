// What a question costs in a page, and what it finds: kdd, Pagefind, MiniSearch and Orama over the same documents, in
// headless Chromium, from a server that waits 50 ms before each answer and counts bytes and requests.
//
//   node measure.mjs KDD FILE.kddx QUERIES.tsv QRELS.tsv OUT [QUESTIONS]
//
// KDD is the program, FILE an artifact of documents (for meaning with vectors), the tables as in shared evaluation sets:
// id, text, excluded paths; id, path, anchor, gain; "-" in place of the second: nothing is said of what is found. OUT is a
// folder, for what is served and for the figures.
import { execFileSync } from "node:child_process";
import { X509Certificate, createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";

const [kdd, file, queriesFile, qrelsFile, out, some = "10"] = process.argv.slice(2);
const here = fileURLToPath(new URL(".", import.meta.url));
cpSync(join(here, "../interop/browser/browser.mjs"), join(here, "browser.mjs")); // it has to lie beside node_modules
const { chromium, run } = await import("./browser.mjs");
const rows = (f) => readFileSync(f, "utf8").split("\n").filter(Boolean).map((l) => l.split("\t"));
const modules = join(here, "node_modules");
const wanted = (engine) => new RegExp(process.env.ENGINES ?? "").test(engine); // ENGINES='kdd|Orama' asks some
const [delayOf, slower] = [Number(process.env.DELAY ?? 50), Number(process.env.CPU ?? 1)]; // ms; times as slow

// What is served: the site of the documents, which Pagefind reads too, and an index for each of the others.
const site = join(out, "site");
execFileSync(kdd, ["site", file, "-o", site, "-q", "--inline-below", "0"], { stdio: "inherit" });
const bundle = (from, name) => buildSync({ stdin: { contents: from, resolveDir: here }, bundle: true, minify: true, format: "esm", outfile: join(site, name) });
bundle('export { default } from "minisearch"', "minisearch.js");
bundle('export { create, load, search } from "@orama/orama"; export { stopwords } from "@orama/stopwords/english"', "orama.js");
const lines = execFileSync(kdd, ["export", file, "--to", "jsonl", "-o", "-", "--no-vectors", "-q"], { maxBuffer: 1 << 30 });
const chunks = lines.toString().split("\n").filter(Boolean).map((l) => JSON.parse(l))
  .map((c, id) => ({ id: String(id), path: c.path, anchor: c.anchor ?? "", title: c.title ?? "", headings: (c.headings ?? []).join(" "), text: c.text }));
// Pagefind reads the pages of documents only: the others index no lists of folders and kinds.
const pages = join(out, "pages");
if (wanted("Pagefind")) {
  for (const path of new Set(chunks.map((c) => c.path.replace(/\.mdx?$/, ".html")))) cpSync(join(site, path), join(pages, path));
  execFileSync("node", [join(modules, "pagefind/lib/runner/bin.cjs"), "--site", pages, "--output-path", join(site, "pagefind"), "--root-selector", "article"], { stdio: "pipe" });
}
const fields = ["title", "headings", "text"];
if (wanted("MiniSearch")) {
  const MiniSearch = (await import(join(modules, "minisearch/dist/es/index.js"))).default;
  const mini = new MiniSearch({ fields, storeFields: ["path", "anchor"] });
  mini.addAll(chunks);
  writeFileSync(join(site, "minisearch.json"), JSON.stringify(mini));
}
const orama = await import("@orama/orama");
const { stopwords } = await import("@orama/stopwords/english");
for (const [to, components] of [["orama", {}], ["orama-words", { tokenizer: { stemming: true, stopWords: stopwords } }]]) {
  if (!wanted("Orama")) break;
  const db = orama.create({ schema: { title: "string", headings: "string", text: "string" }, components }); // path is stored, not searched
  await orama.insertMultiple(db, chunks);
  writeFileSync(join(site, `${to}.json`), JSON.stringify(orama.save(db)));
}

const name = file.split("/").pop();
const oramaPage = (index, components) => `import { create, load, search, stopwords } from "/orama.js";
    const index = fetch("/${index}.json").then((r) => r.json()).then((data) => {
      const db = create({ schema: { title: "string", headings: "string", text: "string" }, components: ${components} }); load(db, data); return db; });
    window.ask = async (q, n = 10) => { const found = await search(await index, { term: q, limit: 20 * n, boost: { title: 2, headings: 2 } }); const seen = new Set();
      for (const h of found.hits) { seen.add(h.document.path); if (seen.size === n) break; } return [...seen].map((p) => [p, 0]); };`;
const opened = `import { open } from "/kdd/kddx.js"; const index = caches.open("kddx").then((store) => open("/kdd/${name}", { store }));`;
const engines = {
  "kdd, words": `${opened}
    window.ask = async (q, n = 10) => (await (await index).search(q, { limit: n, group: "document" })).results.map((h) => [h.path, h.score]);`,
  "kdd, meaning": `${opened}
    window.ask = async (q, n = 10) => (await (await index).search(q, { limit: n, group: "document", mode: "auto" })).results.map((h) => [h.path, h.score]);`,
  "Pagefind": `import * as pagefind from "/pagefind/pagefind.js"; await pagefind.init();
    window.ask = async (q, n = 10) => { const found = await pagefind.search(q); const some = await Promise.all(found.results.slice(0, n).map((r) => r.data()));
      return some.map((d) => [decodeURI(d.url).replace(/^\\//, "").replace(/\\.html.*$/, ""), 0]); };`,
  "MiniSearch": `import MiniSearch from "/minisearch.js"; const index = fetch("/minisearch.json").then((r) => r.text())
      .then((t) => MiniSearch.loadJSON(t, { fields: ["title", "headings", "text"], storeFields: ["path", "anchor"] }));
    window.ask = async (q, n = 10) => { const list = (await index).search(q, { boost: { title: 2, headings: 2 }, prefix: true, fuzzy: 0.2 }); const seen = new Set();
      for (const r of list) { seen.add(r.path); if (seen.size === n) break; } return [...seen].map((p) => [p, 0]); };`,
  "Orama": oramaPage("orama", "{}"),
  "Orama, stop words and stems": oramaPage("orama-words", "{ tokenizer: { stemming: true, stopWords: stopwords } }"),
};
for (const e of Object.keys(engines)) if (!wanted(e)) delete engines[e];
// What a page loads ahead, as a page does that is about to ask.
const first = (engine) => (engine.startsWith("kdd") ? ["kdd/kddx.js", "kdd/question.js", "kdd/zstd.js", "kdd/trust.js"] :
  engine === "Pagefind" ? ["pagefind/pagefind.js"] : engine === "MiniSearch" ? ["minisearch.js"] : ["orama.js"]);
mkdirSync(join(site, "engines"), { recursive: true });
Object.entries(engines).forEach(([engine, code], i) => {
  writeFileSync(join(site, `engines/${i}.js`), code);
  writeFileSync(join(site, `engines/${i}.html`), `<!DOCTYPE html><link rel="icon" href="data:,"><title>x</title><script type="module" src="${i}.js"></script>` +
    first(engine).map((at) => `<link rel="modulepreload" href="/${at}">`).join(""));
});

// The server. Texts are packed, as hosts pack them; an artifact is not.
let delay = delayOf;
let seen = { requests: 0, scripts: 0, data: 0 };
const types = { html: "text/html", js: "text/javascript", json: "application/json", css: "text/css", wasm: "application/wasm" };
const [files, packed] = [new Map(), new Map()];
execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", join(out, "key.pem"), "-out", join(out, "cert.pem")], { stdio: "pipe" });
const answer = (request, response) => {
  const path = join(site, decodeURIComponent(new URL(request.url, "http://x").pathname));
  if (!existsSync(path) || statSync(path).isDirectory()) return response.writeHead(404).end();
  const type = types[path.split(".").pop()] ?? "application/octet-stream";
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  const bytes = files.get(path) ?? files.set(path, readFileSync(path)).get(path);
  const headers = { "Content-Type": type, ETag: `"${bytes.length}"`, "Accept-Ranges": "bytes", "Cache-Control": "max-age=3600" };
  let [status, body] = [200, bytes];
  if (range) {
    [status, body] = [206, bytes.subarray(Number(range[1]), Number(range[2]) + 1)];
    headers["Content-Range"] = `bytes ${range[1]}-${Number(range[1]) + body.length - 1}/${bytes.length}`;
  } else if (/text|json|javascript|wasm/.test(type) && type !== "text/html") {
    if (!packed.has(path)) packed.set(path, gzipSync(bytes, { level: 9 }));
    body = packed.get(path);
    headers["Content-Encoding"] = "gzip";
  }
  if (request.headers["if-none-match"] === headers.ETag) [status, body] = [304, Buffer.alloc(0)];
  else headers["Content-Length"] = body.length;
  seen.requests++;
  if (/\.js$|\/wasm\.\w+\.pagefind$/.test(path) && !/engines/.test(path)) seen.scripts += body.length;
  else if (!/\.html$|engines/.test(path)) seen.data += body.length;
  setTimeout(() => response.writeHead(status, headers).end(body), delay);
};
// HTTP/2, as hosts of sites have it; HTTP=1 for the other, of which browsers open six connections to a host.
const old = process.env.HTTP === "1";
const server = old ? createServer(answer) : createSecureServer({ key: readFileSync(join(out, "key.pem")), cert: readFileSync(join(out, "cert.pem")) }, answer);
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const base = `${old ? "http" : "https"}://localhost:${server.address().port}`;

const queries = rows(queriesFile).map(([id, text, without = ""]) => ({ id, text, without: new Set(without.split(/[ ,;]+/)) }));
const gains = new Map();
for (const [id, path, , gain] of qrelsFile === "-" ? [] : rows(qrelsFile)) {
  const of = gains.get(id) ?? gains.set(id, new Map()).get(id);
  of.set(path, Math.max(of.get(path) ?? 0, Number(gain)));
}
const bare = (p) => p.replace(/\.(md|mdx)$/, "").replace(/(^|\/)(index|README)$/i, "$1");
function ndcg(q, found) {
  const of = new Map([...gains.get(q.id)].map(([p, g]) => [bare(p), g]));
  const without = new Set([...q.without].map(bare));
  const list = found.map(([p]) => bare(p)).filter((p) => !without.has(p)).slice(0, 10);
  const dcg = (gs) => gs.reduce((sum, g, i) => sum + g / Math.log2(i + 2), 0);
  return dcg(list.map((p) => of.get(p) ?? 0)) / dcg([...of.values()].sort((a, b) => b - a).slice(0, 10));
}
const median = (list) => list.slice().sort((a, b) => a - b)[Math.floor(list.length / 2)];

await run("browser", async () => {
  // Of a certificate that it is told to ignore the errors of, Chromium keeps nothing in its cache: this one it is told to trust.
  const spki = createHash("sha256").update(new X509Certificate(readFileSync(join(out, "cert.pem"))).publicKey.export({ type: "spki", format: "der" })).digest("base64");
  const browser = await chromium(`--ignore-certificate-errors-spki-list=${spki}`);
  const step = Math.max(1, Math.floor(queries.length / Number(some)));
  const asked = queries.filter((_, i) => i % step === 0).slice(0, Number(some));
  const costs = Object.fromEntries(Object.keys(engines).map((e) => [e, []]));
  for (const [n, q] of asked.entries()) {
    for (const [i, engine] of Object.keys(engines).entries()) {
      const context = await browser.createBrowserContext(); // nothing is kept of the one before
      const ask = (page, text) =>
        page.evaluate(async (t) => { while (!window.ask) await new Promise((r) => setTimeout(r, 1)); return window.ask(t); }, text);
      const cost = async (work) => {
        seen = { requests: 0, scripts: 0, data: 0 };
        const begin = performance.now();
        await work();
        return { ms: performance.now() - begin, ...seen };
      };
      const visit = async (text) => {
        const page = await context.newPage();
        if (slower > 1) await page.emulateCPUThrottling(slower);
        return [await cost(async () => {
          await page.goto(`${base}/engines/${i}.html`, { waitUntil: "domcontentloaded" });
          await ask(page, text);
        }), page];
      };
      const following = asked[(n + 1) % asked.length].text;
      const [cold, page] = await visit(q.text);
      const next = await cost(() => ask(page, following));
      await new Promise((done) => setTimeout(done, 300)); // what is kept is written
      await page.close();
      const [again] = await visit(asked[(n + 2) % asked.length].text); // what was kept is there, another question
      costs[engine].push({ cold, next, again });
      await context.close();
    }
  }
  writeFileSync(join(out, "costs.json"), JSON.stringify(costs, null, 1) + "\n"); // now, for a run that is ended
  // What is found, without the delay.
  delay = 0;
  const quality = {};
  const scores = {};
  for (const [i, engine] of (gains.size ? Object.keys(engines) : []).entries()) {
    const page = await browser.newPage();
    await page.goto(`${base}/engines/${i}.html`);
    let sum = 0;
    for (const q of queries) {
      const found = await page.evaluate(async ([t, n]) => { while (!window.ask) await new Promise((r) => setTimeout(r, 1)); return window.ask(t, n); }, [q.text, 11]);
      sum += ndcg(q, found);
      if (engine.startsWith("kdd")) (scores[engine] ??= {})[q.id] = found;
    }
    quality[engine] = sum / queries.length;
    await page.close();
  }
  const kB = (n) => `${Math.round(n / 1000)}`;
  const table = ["| | scripts kB | data kB | requests | first results ms | next: kB | requests | ms | second visit: kB | requests | ms | nDCG@10 |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|"];
  for (const [engine, list] of Object.entries(costs)) {
    const of = (when, key) => median(list.map((c) => c[when][key]));
    table.push(`| ${engine} | ${kB(of("cold", "scripts"))} | ${kB(of("cold", "data"))} | ${of("cold", "requests")} | ${Math.round(of("cold", "ms"))} | ` +
      `${kB(of("next", "data") + of("next", "scripts"))} | ${of("next", "requests")} | ${Math.round(of("next", "ms"))} | ` +
      `${kB(of("again", "data") + of("again", "scripts"))} | ${of("again", "requests")} | ${Math.round(of("again", "ms"))} | ${quality[engine]?.toFixed(3) ?? ""} |`);
  }
  const docsearch = gzipSync(readFileSync(join(modules, "@docsearch/js/dist/umd/index.js")), { level: 9 }).length;
  table.push("", `DocSearch's client (@docsearch/js, umd): ${kB(docsearch)} kB of script; it asks Algolia's server.`);
  writeFileSync(join(out, "table.md"), table.join("\n") + "\n");
  writeFileSync(join(out, "costs.json"), JSON.stringify(costs, null, 1) + "\n");
  writeFileSync(join(out, "scores.json"), JSON.stringify(scores) + "\n");
  console.log(table.join("\n"));
  return await browser.version();
}, 3_000_000);
process.exit();
