// The reader gives the same answers in Node, in Deno, and in workers of both, from a server. KDDX_FILE is an artifact
// with vectors.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { open } from "../kddx.js";
import { ranged, served } from "./helpers.mjs";

const bytes = new Uint8Array(await readFile(process.env.KDDX_FILE));
const index = await open(bytes);
const place = (found) => found.results.map((h) => `${h.path}#${h.anchor}: ${h.snippet}`);

const queries = [
  ["how do access tokens expire", { limit: 3 }], ["access tokens", { mode: "hybrid" }], ["tokan rotaton", {}],
  ["認証 トークン", {}], ["token NOT session", { kinds: ["guide", "adr"] }],
];
const want = await Promise.all(queries.map(([query, options]) => index.search(query, options)));
assert.ok(want.filter((found) => found.results.length > 0).length >= 3, "queries with hits");

// An answer by range may have the cosines of likely chunks only: its hits are compared, not its scores.
const agree = (got) => got.forEach((found, i) => {
  if (want[i].mode === "lexical") assert.deepEqual(found, want[i]);
  else assert.deepEqual(place(found).slice(0, 1), place(want[i]).slice(0, 1), queries[i][0]);
});

test("from a server", async () => {
  await served(ranged(bytes), async (base) => {
    const far = await open(`${base}/docs.kddx`);
    agree(await Promise.all(queries.map(([query, options]) => far.search(query, options))));
  });
});

// worker starts worker.mjs: of the platform, or a thread of Node.
async function worker() {
  const at = new URL("./worker.mjs", import.meta.url);
  if (globalThis.Worker) return new globalThis.Worker(at, { type: "module" });
  const { Worker } = await import("node:worker_threads");
  return new Worker(at);
}

test("in a worker", async () => {
  const w = await worker();
  try {
    await served(ranged(bytes), async (base) => {
      const got = [];
      for (const [query, options] of queries) {
        got.push(await new Promise((done, fail) => {
          w.onmessage = ({ data }) => (data.found ? done(data.found) : fail(new Error(data.failed)));
          w.onerror = fail;
          if (w.on) w.removeAllListeners().on("message", (data) => w.onmessage({ data })).on("error", fail);
          w.postMessage({ address: `${base}/docs.kddx`, query, options });
        }));
      }
      agree(got);
    });
  } finally {
    await w.terminate();
  }
});
