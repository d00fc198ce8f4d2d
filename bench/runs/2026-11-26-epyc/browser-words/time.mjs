// Asks questions of a file behind a server that waits 50 ms before each answer: node time.mjs FILE
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { open } from "../../../../runtime/browser/kddx.js";
const bytes = await readFile(process.argv[2]);
let [n, sum] = [0, 0];
const server = createServer((req, res) => setTimeout(() => {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range).map(Number);
  const part = bytes.subarray(from, to + 1);
  n++; sum += part.length;
  res.writeHead(206, { etag: '"1"', "content-range": `bytes ${from}-${from + part.length - 1}/${bytes.length}` });
  res.end(part);
}, 50));
await new Promise((r) => server.listen(0, "127.0.0.1", r));
const base = `http://127.0.0.1:${server.address().port}/docs.kddx`;
const qs = ["how does state work", "useEffect dependencies", "render a list with keys", "what is suspense", "how to fetch data in an effect", "lifting state up between components", "when should I use a ref", "conditional rendering", "optimistic updates in a form", "why does my effect run twice"];
await (await open(base)).search("warm the engine up");
const rows = [];
for (const q of qs) {
  [n, sum] = [0, 0];
  let t = performance.now();
  const index = await open(base);
  await index.search(q, { limit: 10 });
  const cold = performance.now() - t, [reads, kb] = [n, sum / 1000];
  t = performance.now();
  await index.search(qs[(qs.indexOf(q) + 1) % qs.length], { limit: 10 });
  const next = performance.now() - t;
  t = performance.now();
  await index.search(q, { limit: 10 });
  rows.push([q, reads, kb, cold, next, performance.now() - t]);
}
const median = (i) => rows.map((r) => r[i]).sort((a, b) => a - b)[rows.length >> 1];
for (const r of rows) console.log(`| ${r[0]} | ${r[1]} | ${r.slice(2).map((v) => v.toFixed(0)).join(" | ")} |`);
console.log(`| median | ${median(1)} | ${[2, 3, 4, 5].map((i) => median(i).toFixed(0)).join(" | ")} |`);
process.exit();
