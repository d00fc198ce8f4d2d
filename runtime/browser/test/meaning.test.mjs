// Compares pieces, vectors and cosines with what kdd says in meaning.json, which a test of package runtime writes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { KddxError, fromBytes, open } from "../kddx.js";
import { blocksOf, numbers, ranged, seal, served } from "./helpers.mjs";

const folder = process.env.KDDX_FIXTURES;
const fixtures = JSON.parse(await readFile(join(folder, "meaning.json"), "utf8"));
const bytesOf = async (file) => new Uint8Array(await readFile(join(folder, file)));

// elsewhere is a source that does not say that it is in memory.
const elsewhere = (bytes) => ({ name: "elsewhere", size: bytes.length, read: fromBytes(bytes).read });

function near(got, want, what) {
  assert.equal(got.length, want.length, what);
  got.forEach((x, i) => assert.ok(Math.abs(x - want[i]) <= 1e-6, `${what}: number ${i} is ${x}, kdd ${want[i]}`));
}

function agree(got, want, what) {
  near(got.map((s) => s.score), want.map((s) => s.score), what);
  assert.deepEqual(got.map((s) => s.chunk), want.map((s) => s.chunk), what);
}

for (const f of fixtures) {
  test(`${f.file}: pieces and vectors of ${f.queries.length} texts are kdd's`, async () => {
    const index = await open(await bytesOf(f.file));
    const encoder = await index.encoder();
    for (const q of f.queries) {
      assert.deepEqual(await encoder.pieces(q.text), q.ids, JSON.stringify(q.text));
      if (!q.whole) continue;
      const vector = await index.vector(q.text);
      assert.equal(vector === undefined, q.vector === undefined, q.text);
      if (vector) near([...vector], q.vector, q.text);
    }
  });

  test(`${f.file}: the nearest chunks are kdd's, in memory and elsewhere, all and some`, async () => {
    const bytes = await bytesOf(f.file);
    const [here, there] = [await open(bytes), await open(elsewhere(bytes))];
    let asked = 0;
    for (const q of f.queries) {
      for (const n of q.near ?? []) {
        const allowed = n.modulo > 1 ? { allowed: (chunk) => chunk % n.modulo === 0 } : {};
        const got = await (n.elsewhere ? there : here).meaning(q.text, { limit: 50, ...allowed });
        agree(got, n.scores, `${q.text}: ${n.modulo}, ${n.elsewhere}`);
        asked++;
      }
    }
    assert.ok(asked > 20, `${asked} lists`);
  });
}

const fixture = (name) => fixtures.find((f) => f.file === `${name}.kddx`);

test("by range: few rounds, and rows of what the query needs only", async () => {
  const bytes = await bytesOf("vast.kddx");
  const { text } = fixture("vast").queries.find((q) => q.vector);
  const want = await (await open(elsewhere(bytes))).meaning(text);
  await served(ranged(bytes), async (base, seen) => {
    const index = await open(`${base}/docs.kddx`);
    assert.deepEqual(await index.meaning(text), want);
    assert.ok(seen.bytes < bytes.length * 0.6, `${seen.bytes} of ${bytes.length} bytes`);
    const before = seen.requests;
    assert.deepEqual(await index.meaning(text), want);
    assert.equal(seen.requests, before, "requests for what is kept");
  });
});

// logged is a source that counts the rounds of its reads, and their bytes by block. The first 64 KiB are one read, as on
// the web.
function logged(bytes) {
  const blocks = blocksOf(bytes);
  const seen = { rounds: 0, bytes: {} };
  let [flying, begun] = [0, false];
  const read = async (at, n) => {
    if (at + n > 65_536 || !begun) {
      begun = true;
      if (flying++ === 0) seen.rounds++;
      for (const b of blocks) {
        const both = Math.min(at + n, b.offset + b.length) - Math.max(at, b.offset);
        if (both > 0 && at + n > 65_536) seen.bytes[b.tag] = (seen.bytes[b.tag] ?? 0) + both;
      }
      await new Promise((done) => setTimeout(done, 20));
      flying--;
    }
    return bytes.slice(at, at + n);
  };
  return [{ name: "logged", size: bytes.length, read }, seen];
}

test("by range: wordpieces by text are read in place of the vocabulary, in as many rounds", async () => {
  const cost = async (file, text) => {
    const [source, seen] = logged(await bytesOf(file));
    const index = await open(source);
    assert.equal(seen.rounds, 1);
    return [await index.meaning(text), seen, index];
  };
  const words = "how does a token expire when the session of an account ends";
  const [want, whole] = await cost("many.kddx", words);
  const [got, listed, index] = await cost("listed-many.kddx", words);
  assert.deepEqual(got, want);
  assert.equal(whole.bytes.PIEC, undefined);
  for (const tag of ["EVOC", "PIET", "PIEP", "PIEA"]) assert.equal(listed.bytes[tag], undefined, tag);
  assert.ok(listed.bytes.PIEC < whole.bytes.EVOC * 0.5, `${listed.bytes.PIEC} bytes in place of ${whole.bytes.EVOC}`);
  assert.ok(listed.rounds <= whole.rounds + 1, `${listed.rounds} rounds, ${whole.rounds} with the whole vocabulary`);
  const before = listed.rounds;
  assert.deepEqual(await index.meaning(words), want);
  assert.equal(listed.rounds, before, "rounds for what is kept");
});

test("words that are pieces, with the vocabulary and by text", async () => {
  for (const name of ["many", "wordpiece"]) {
    const [a, b] = await Promise.all([`${name}.kddx`, `listed-${name}.kddx`].map(async (file) =>
      (await open(elsewhere(await bytesOf(file)))).encoder()));
    let found = 0;
    const words = new Set(fixture(name).queries.slice(0, 600).flatMap((q) => q.text.toLowerCase().split(/\s+/)));
    for (const word of ["", "#", "##", "##a", "##ing", "\0", "a\0", "\ud800", "x".repeat(300), ...words]) {
      const is = await a.isWord(word);
      assert.equal(await b.isWord(word), is, JSON.stringify(word));
      found += is;
    }
    assert.ok(found > 5 && found < words.size, `${found} of ${words.size}`);
  }
});

test("limits, texts and files that cannot be", async () => {
  const index = await open(await bytesOf("few.kddx"));
  const { text } = fixture("few").queries.find((q) => q.vector);
  assert.equal((await index.meaning(text)).length, 10);
  assert.equal((await index.meaning(text, { limit: 1e9 })).length, fixture("few").chunks);
  assert.deepEqual(await index.meaning(text, { allowed: () => false }), []);
  assert.deepEqual(await index.meaning(""), []);
  await assert.rejects(index.meaning(text, { limit: 0 }), { code: "invalid_input" });
  await assert.rejects(index.meaning("a".repeat(20_000)), { code: "invalid_input" });
});

// What is asked of a damaged file.
async function answers(source, texts) {
  const index = await open(source);
  const out = [];
  for (const text of texts) out.push(await index.meaning(text), [...(await index.vector(text)) ?? []]);
  return out;
}

const damaged = [["few", "EVOC ETAB VECS VSKT"], ["unigram", "EVOC ETAB VECS VSKT"], ["vast", "VCEN VCLU VSKT"],
  ["listed-wordpiece", "PIEC PIET PIEP PIEA"]];
for (const [name, tags] of damaged) {
  test(`${name}: mutated pages whose hashes fit give an error or an answer, nothing else`, async () => {
    const before = await bytesOf(`${name}.kddx`);
    const texts = fixture(name).queries.filter((q) => q.vector).slice(0, 2).map((q) => q.text);
    const blocks = blocksOf(before).filter((b) => tags.split(" ").includes(b.tag));
    assert.equal(blocks.length, tags.split(" ").length);
    const random = numbers(11);
    let [errors, answered] = [0, 0];
    for (let i = 0; i < (name === "vast" ? 60 : 600); i++) {
      const bad = before.slice();
      const b = blocks[i % blocks.length];
      const most = Math.min(b.length, i % 3 ? 128 : b.length);
      for (let n = random(3); n >= 0; n--) bad[b.offset + random(most)] = random(256);
      seal(bad);
      try {
        for (const list of await answers(i % 2 ? fromBytes(bad) : elsewhere(bad), texts)) {
          for (const x of list) assert.ok(Number.isFinite(x.score ?? x), `${b.tag}: ${JSON.stringify(x)}`);
        }
        answered++;
      } catch (err) {
        assert.ok(err instanceof KddxError, `${b.tag}: ${err.stack}`);
        errors++;
      }
    }
    assert.ok(errors > 5 && answered > 5, `${errors} errors, ${answered} answers`);
  });
}

const flipped = "EVOC ETAB VECS VSKT PIEC PIET PIEP PIEA".split(" ");
for (const name of ["few", "listed-wordpiece"]) test(`${name}: 2,000 flips of a bit change no answer`, async () => {
  const bytes = await bytesOf(`${name}.kddx`);
  const texts = [fixture(name).queries.find((q) => q.vector).text];
  const want = JSON.stringify(await answers(fromBytes(bytes), texts));
  const blocks = blocksOf(bytes).filter((b) => flipped.includes(b.tag));
  const random = numbers(5);
  let [errors, same] = [0, 0];
  for (let i = 0; i < 2000; i++) {
    const b = blocks[i % blocks.length];
    const at = i % 5 ? b.offset + random(b.length) : random(bytes.length);
    const bit = 1 << random(8);
    bytes[at] ^= bit;
    try {
      assert.equal(JSON.stringify(await answers(i % 2 ? fromBytes(bytes) : elsewhere(bytes), texts)), want);
      same++;
    } catch (err) {
      assert.ok(err instanceof KddxError, `byte ${at}: ${err.stack}`);
      errors++;
    }
    bytes[at] ^= bit;
  }
  assert.ok(errors > 500 && same > 10, `${errors} errors, ${same} answers`);
});
