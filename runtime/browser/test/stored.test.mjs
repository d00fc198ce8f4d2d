// Signatures, and the cache from visit to visit.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../kddx.js";
import { ranged, served } from "./helpers.mjs";

const folder = process.env.KDDX_FIXTURES;
const bytesOf = async (file) => new Uint8Array(await readFile(join(folder, file)));
const list = JSON.parse(await readFile(join(folder, "signed.json"), "utf8"));

for (const s of list) {
  test(`${s.file}: its signature ${s.ok ? "counts" : "does not count"}`, async () => {
    const opened = open(await bytesOf(s.file), { key: s.key, ...(s.name && { signedAs: s.name }) });
    if (s.ok) assert.equal(typeof (await opened).id, "string");
    else await assert.rejects(opened, { code: "index_untrusted" });
  });
}

test("keys that are none, two keys, a changed trailer, by range", async () => {
  const { file, key } = list.find((s) => s.file === "hashed.kddx");
  const other = list.find((s) => s.file === "other-key.kddx").key;
  const bytes = await bytesOf(file);
  for (const bad of ["", "# nothing", "RWQ", "ssh-ed25519 AAAA", key.replace("RW", "RX")]) {
    await assert.rejects(open(bytes, { key: bad }), { code: "invalid_input" }, bad);
  }
  await open(bytes, { key: [other, key] });
  await served(ranged(bytes), async (base) => {
    await open(`${base}/docs.kddx`, { key });
  });
  bytes[bytes.length - 9] ^= 1;
  await assert.rejects(open(bytes, { key }), { code: "index_corrupt" });
});

// A stand-in for a Cache, which lists entries in the order that they came in.
class Stand {
  entries = new Map();
  match(url) {
    const found = this.entries.get(url);
    return Promise.resolve(found && new Response(found));
  }
  async put(url, response) {
    this.entries.delete(url);
    this.entries.set(url, new Uint8Array(await response.arrayBuffer()));
  }
  delete(url) {
    return Promise.resolve(this.entries.delete(url));
  }
  keys() {
    return Promise.resolve([...this.entries.keys()].map((url) => ({ url })));
  }
  get bytes() {
    return [...this.entries.values()].reduce((n, b) => n + b.length, 0);
  }
}

const settled = () => new Promise((done) => setTimeout(done, 100));
const query = "render state";

test("a second visit reads from the store, and what was changed there from the host again", async () => {
  const bytes = await bytesOf("many.kddx");
  const want = await (await open(bytes)).meaning(query, { limit: 3 });
  const store = new Stand();
  await served(ranged(bytes), async (base, seen) => {
    const visit = async (text = query) => {
      const before = { ...seen };
      const index = await open(`${base}/docs.kddx`, { store });
      const got = await index.meaning(text, { limit: 3 });
      await settled();
      return { got, requests: seen.requests - before.requests, bytes: seen.bytes - before.bytes };
    };
    const first = await visit();
    assert.deepEqual(first.got, want);
    assert.ok(first.requests > 3 && store.bytes > 10_000, `${first.requests} requests, ${store.bytes} bytes`);
    const second = await visit();
    assert.deepEqual(second.got, want);
    assert.equal(second.requests, 1, "but the header");
    const third = await visit("token session login");
    assert.ok(third.bytes < first.bytes, `${third.bytes} of ${first.bytes} bytes`);
    for (const entry of store.entries.values()) entry[entry.length >> 1] ^= 1;
    const again = await visit();
    assert.deepEqual(again.got, want);
    assert.ok(again.requests > 1);
    assert.equal((await visit()).requests, 1, "what was changed is there again");
  });
});

test("a store is bounded, may be full or broken, and knows one file from another", async () => {
  const bytes = await bytesOf("many.kddx");
  const other = await bytesOf("few.kddx");
  const want = await (await open(bytes)).meaning(query);
  const store = new Stand();
  const small = { store, storeBytes: 40_000 };
  await served((req, res) => ranged(req.url === "/a.kddx" ? bytes : other)(req, res), async (base) => {
    for (const name of ["a", "b", "a"]) {
      const got = await (await open(`${base}/${name}.kddx`, small)).meaning(query);
      if (name === "a") assert.deepEqual(got, want);
      await settled();
      assert.ok(store.bytes <= 40_000, `${store.bytes} bytes`);
      assert.ok(store.bytes > 0);
    }
    const full = Object.assign(new Stand(), { put: () => Promise.reject(new Error("no room")) });
    assert.deepEqual(await (await open(`${base}/a.kddx`, { store: full })).meaning(query), want);
    await settled();
    const fails = () => Promise.reject(new Error("broken"));
    const broken = { match: fails, put: fails, delete: fails, keys: fails };
    assert.deepEqual(await (await open(`${base}/a.kddx`, { store: broken })).meaning(query), want);
    await settled();
  });
});
