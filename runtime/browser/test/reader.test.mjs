// Compares the reader with what kdd says of the artifacts in KDDX_FIXTURES, which a test of package runtime writes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createHash } from "node:crypto";
import { KddxError, fold, fromBytes, open } from "../kddx.js";
import { blocksOf, headOf, numbers, ranged, seal, served } from "./helpers.mjs";

const folder = process.env.KDDX_FIXTURES;
const fixtures = JSON.parse(await readFile(join(folder, "fixtures.json"), "utf8"));
const bytesOf = async (f) => new Uint8Array(await readFile(join(folder, f.file)));

// How a request of kdd is asked here.
function asked(q) {
  const r = q.request;
  return {
    limit: r.limit, offset: q.offset ?? 0, mode: r.mode, group: r.group ?? "section", sort: r.sort ?? "relevance",
    diversity: r.diversity !== "off", scoreThreshold: r.score_threshold ?? 0, explain: true, kinds: r.kinds ?? [],
    tags: r.tags ?? [], domains: r.domains ?? [], status: r.status ?? [], languages: r.languages ?? [],
    chunkTypes: r.chunk_types ?? [], ...(r.where ? { where: r.where } : {}), ...(r.since ? { since: r.since } : {}),
    ...(r.path_glob ? { pathGlob: r.path_glob } : {}), ...(q.cosines ? { cosines: q.cosines } : {}),
    isWord: (word) => (q.known ?? []).includes(word),
  };
}

const searched = (index, q) => index.search(q.request.query, asked(q));

// What an artifact answers to all that a fixture asks.
async function answers(index, f, queries = f.queries) {
  const out = { id: index.id, documents: await index.documents(), sections: [], found: [] };
  for (const s of f.sections) out.sections.push(await index.section(s.path, s.anchor));
  for (const q of queries) out.found.push(await searched(index, q));
  return out;
}

// Hits are those of kdd, in its order, with scores to 1e-6.
function agree(got, q) {
  const text = JSON.stringify(q.request);
  const place = (h) => `${h.path}#${h.anchor}`;
  assert.deepEqual(got.results.map(place), q.hits.map(place), `${text}: hits`);
  assert.equal(got.more, q.more, `${text}: more`);
  // An alias is named folded here, since where documents write aliases is not read.
  const noted = (list) => list.map((n) => (n.startsWith("nothing is named") ? fold(n) : n));
  assert.deepEqual(noted(got.notes), noted(q.notes), `${text}: notes`);
  q.hits.forEach((want, i) => {
    const hit = got.results[i];
    assert.ok(Math.abs(hit.score - want.score) <= 1e-6, `${text}: score ${hit.score} of hit ${i}, kdd ${want.score}`);
    assert.ok(Math.abs(hit.explain.raw - want.raw) <= 1e-5, `${text}: raw score ${hit.explain.raw} of hit ${i}, kdd ${want.raw}`);
    const sum = hit.explain.parts.reduce((n, p) => n + p.value * p.weight, 0);
    assert.ok(Math.abs(sum - hit.explain.raw) <= 1e-5, `${text}: parts of hit ${i} have ${sum}, the score is ${hit.explain.raw}`);
    for (const key of ["title", "section", "lines", "sectionLines", "snippet", "highlights", "match", "duplicates", "moved"]) {
      assert.deepEqual(hit[key], want[key], `${text}: ${key} of hit ${i}`);
    }
  });
}

// opened is a file as kdd read it: in memory, or by range, where vectors of likely documents are compared only.
async function opened(f) {
  const bytes = await bytesOf(f);
  return open(f.elsewhere ? { name: f.file, size: bytes.length, read: fromBytes(bytes).read } : bytes);
}

for (const f of fixtures) {
  test(`${f.file}: documents, sections and ${f.queries.length} searches are kdd's`, async () => {
    const index = await opened(f);
    const got = await answers(index, f);
    assert.equal(got.id, f.id);
    assert.deepEqual(got.documents, f.documents);
    f.sections.forEach((s, i) => assert.equal(got.sections[i], s.markdown, `${s.path}#${s.anchor}`));
    f.queries.forEach((q, i) => agree(got.found[i], q));
    for (const hit of got.found.flatMap((r) => r.results.slice(0, 1))) {
      assert.deepEqual(await index.placeOf(hit.chunk), { path: hit.path, anchor: hit.anchor });
    }
  });
}

test("a query is embedded as kdd does where it has no cosines", async () => {
  let compared = 0;
  for (const f of fixtures) {
    const index = await opened(f);
    for (const q of f.queries.filter((q) => q.cosines)) {
      const { cosines: _, isWord: _own, ...options } = asked(q);
      const got = await index.search(q.request.query, options);
      agree(got, q);
      assert.equal(got.mode, q.request.mode);
      if (q.request.mode !== "hybrid") continue;
      assert.deepEqual(await index.search(q.request.query, { ...options, mode: "auto" }), got);
      compared++;
    }
  }
  assert.ok(compared >= 20, `${compared} queries`);
  const words = await open(await bytesOf(fixtures[0]));
  assert.equal((await words.search("token", { mode: "auto" })).mode, "lexical", "a file without vectors");
  await assert.rejects(words.search("token", { mode: "hybrid" }), { code: "invalid_input" });
});

// slow is a source of bytes that counts in how many rounds it is read.
function slow(bytes) {
  const seen = { rounds: 0 };
  let flying = 0;
  const read = async (at, n) => {
    if (flying++ === 0) seen.rounds++;
    await new Promise((done) => setTimeout(done, 1));
    flying--;
    return bytes.subarray(at, at + n);
  };
  return [{ name: "slow", size: bytes.length, read }, seen];
}

test("by range, words and meaning are read at the same time", async () => {
  const f = fixtures.find((f) => f.queries.some((q) => q.cosines));
  const [source, seen] = slow(await bytesOf(f));
  const query = f.queries.find((q) => q.request.mode === "hybrid").request.query;
  const index = await open(source);
  await index.search(query, { mode: "hybrid" });
  assert.ok(seen.rounds <= 8, `${seen.rounds} rounds`);
});

test("a warm file answers a first question in less rounds, and the same", async () => {
  const f = fixtures[0];
  const bytes = await bytesOf(f);
  const [query, rounds] = ["how do accounts lock", []];
  const want = await (await open(bytes)).search(query);
  for (const warm of [false, true]) {
    const [source, seen] = slow(bytes);
    const index = await open(source);
    if (warm) await index.warm();
    const before = seen.rounds;
    assert.deepEqual(await index.search(query), want);
    rounds.push(seen.rounds - before);
  }
  assert.ok(rounds[1] < rounds[0], `${rounds}`);
  const [source, seen] = slow(bytes);
  const index = await open(source);
  const [, found] = await Promise.all([index.warm(), index.search(query)]);
  assert.deepEqual(found, want);
  assert.ok(seen.rounds <= 5, `${seen.rounds} rounds while it is warmed`);
});

test("a file that cannot be warmed is asked all the same", async () => {
  const bytes = await bytesOf(fixtures[0]);
  let fails = false;
  const source = fromBytes(bytes);
  const index = await open({ name: "x", size: bytes.length, read: async (at, n) => {
    if (fails) throw new KddxError("io_error", "no network");
    return source.read(at, n);
  } });
  fails = true;
  await assert.rejects(index.warm(), { code: "io_error" });
  await assert.rejects(index.search("accounts"), { code: "io_error" });
  fails = false;
  assert.ok((await index.search("accounts")).results.length > 0);
});

test("the last word may still be typed", async () => {
  const index = await open(await bytesOf(fixtures[0])); // of the handbook
  const found = async (query, typing = true) => (await index.search(query, { typing })).results.map((h) => h.path);
  const words = new Set();
  for (const typed of ["lo", "lock", "locko", "lockou"]) {
    const paths = await found(`account ${typed}`);
    assert.ok(paths.includes("security/auth.md") || paths.includes("requirements/RF-AUTH-002.md"), `${typed}: ${paths}`);
    const { results, notes } = await index.search(`account ${typed}`, { typing: true });
    assert.deepEqual(notes.filter((n) => n.includes("not in the index")), [], typed);
    for (const h of results) for (const [from, to] of h.highlights) words.add([...h.snippet].slice(from, to).join("").toLowerCase());
  }
  assert.ok(words.has("lockout"), `highlighted: ${[...words]}`);
  assert.deepEqual(await found("account lockou "), await found("account lockou ", false), "a space ends a word");
  assert.deepEqual(await found("account lockout"), await found("account lockout", false), "a whole word");
});

test("words that no document has are named", async () => {
  const index = await open(await bytesOf(fixtures[0]));
  const unknown = async (query) => (await index.search(query)).unknown;
  assert.deepEqual(await unknown("Zzyzx qwertzuiop"), ["Zzyzx", "qwertzuiop"]);
  assert.deepEqual(await unknown("how long are access tokens valid"), []);
});

test("facets count documents", async () => {
  for (const f of fixtures) {
    const [source, seen] = slow(await bytesOf(f));
    const index = await open(source);
    const opened = seen.rounds;
    const { kinds, languages } = await index.facets();
    assert.ok(seen.rounds <= opened + 2, `${f.file}: ${seen.rounds - opened} rounds`);
    for (const [list, field] of [[kinds, "kind"], [languages, "language"]]) {
      const want = {};
      for (const d of f.documents) if (d[field]) want[d[field]] = (want[d[field]] ?? 0) + 1;
      const got = Object.fromEntries(list.filter((v) => v.value !== "unknown").map((v) => [v.value, v.count]));
      assert.deepEqual(got, want, `${f.file}: ${field}`);
      assert.deepEqual(list.map((v) => v.count), list.map((v) => v.count).sort((a, b) => b - a));
    }
  }
});

test("what a question does not need is not loaded", async () => {
  const asked = new Set();
  globalThis.kddxModules = new Proxy({}, { get: (_, at) => void asked.add(at) }); // where kddx.js looks first
  let n = 0;
  const opened = async (f) => (await import(`../kddx.js?fresh${n++}`)).open(f);
  const during = async (run) => {
    asked.clear();
    await run();
    return [...asked].sort();
  };
  try {
    const any = ["./question.js", "./stem/en.js", "./zstd.js"];
    const english = await bytesOf(fixtures.find((f) => f.documents.every((d) => ["en", ""].includes(d.language))));
    let index = await opened(english);
    const loads = (...search) => during(() => index.search(...search));
    assert.deepEqual(await loads("how long is an access token valid"), any);
    assert.deepEqual(await loads("access tokens expire"), []);
    assert.deepEqual(await loads("access tokens expi", { typing: true }), []);
    assert.deepEqual(await loads("access token"), ["./naming.js"]);
    assert.deepEqual(await loads("tokan"), ["./misspelling.js"]);
    assert.deepEqual(await loads("por que"), ["./languages.js"]);
    assert.deepEqual(await loads("token -session", { typing: true }), ["./operators.js"]);
    assert.deepEqual(await loads("access tokens expire", { explain: true, sort: "date" }), ["./listing.js"]);
    assert.deepEqual(await during(() => index.documents()), ["./documents.js"]);
    await served(ranged(english), async (base) => {
      assert.deepEqual(await during(() => opened(`${base}/docs.kddx`)), any, "as an English file at an address is opened");
    });
    const several = await bytesOf(fixtures[0]); // in English, German and Spanish
    index = await opened(several);
    const first = ["./languages.js", "./question.js", "./stem/de.js", "./stem/en.js", "./stem/es.js", "./zstd.js"];
    assert.deepEqual(await loads("how long is an access token valid"), first);
    assert.deepEqual(await loads("größe token"), ["./misspelling.js"]);
    assert.deepEqual(await loads("токен"), ["./letters.js"]);
    assert.deepEqual(await loads("token", { kinds: ["guide"] }), ["./operators.js"]);
    await served(ranged(several), async (base) => {
      assert.deepEqual(await during(() => opened(`${base}/docs.kddx`)), first, "as a file at an address is opened");
    });
  } finally {
    delete globalThis.kddxModules;
  }
});

test("without WebCrypto hashes are computed here, and what is damaged is refused", async () => {
  const bytes = await bytesOf(fixtures[0]);
  const want = await (await open(bytes)).search("token");
  const crypto = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
  try {
    assert.deepEqual(await (await open(bytes)).search("token"), want);
    const damaged = bytes.slice();
    for (const b of blocksOf(bytes)) damaged[b.offset + (b.length >> 1)] ^= 1;
    await assert.rejects(async () => (await open(damaged)).search("token"), { code: "index_corrupt" });
  } finally {
    Object.defineProperty(globalThis, "crypto", crypto);
  }
});

const whole = fixtures[1]; // the largest
const few = whole.queries.slice(0, 5);

test("by range: the same answers for less than the file, and none of it is read twice", async () => {
  const bytes = await bytesOf(whole);
  const want = await answers(await open(bytes), whole, few);
  await served(ranged(bytes), async (base, seen) => {
    const index = await open(`${base}/docs.kddx`);
    const first = await searched(index, few[0]);
    assert.deepEqual(first, want.found[0]);
    assert.ok(seen.bytes < 0.8 * bytes.length, `${seen.bytes} of ${bytes.length} bytes for one query`);
    assert.deepEqual(await answers(index, whole, few), want);
    const before = seen.requests;
    assert.deepEqual(await answers(index, whole, few), want);
    assert.equal(seen.requests, before, "requests for what is kept");
  });
  await served(ranged(bytes), async (base, seen) => {
    const index = await open(`${base}/docs.kddx`, { cacheBytes: 4096 });
    assert.deepEqual(await answers(index, whole, few), want, "with a cache of one page");
    assert.ok(seen.requests > 10);
  });
});

test("a question takes few rounds of reads", async () => {
  for (const f of fixtures.filter((f) => !f.elsewhere)) { // random words are misspellings of each other
    const bytes = await bytesOf(f);
    const plain = f.queries.filter((q) => Object.keys(q.request).length === 3);
    for (const q of plain.filter((_, i) => i % 4 === 0)) {
      const [source, seen] = slow(bytes);
      const index = await open(source);
      const found = await index.search(q.request.query, { limit: q.request.limit });
      // a name, a path, a misspelling and a character that stands for many terms take more
      const known = found.notes.length === 0 && found.results.length > 0 && /^[\p{L} ]{2,}$/u.test(q.request.query);
      const usual = known && found.results.every((h) => h.match[0] === "lexical");
      assert.ok(seen.rounds <= (usual ? 5 : 9), `${f.file}: ${JSON.stringify(q.request)}: ${seen.rounds} rounds`);
      const first = seen.rounds;
      assert.deepEqual(await index.search(q.request.query, { limit: q.request.limit }), found);
      assert.equal(seen.rounds, first, "rounds for what is kept");
    }
  }
});

test("a host without ranges, and one of parts", async () => {
  const bytes = await bytesOf(whole);
  const want = await answers(await open(bytes), whole, few);
  await served((_, res) => (res.writeHead(200), bytes), async (base, seen) => {
    assert.deepEqual(await answers(await open(`${base}/docs.kddx`), whole, few), want);
    assert.equal(seen.requests, 1);
  });
  const parts = new Map();
  for (let at = 0; at < bytes.length; at += 16384) {
    const part = bytes.subarray(at, at + 16384);
    parts.set(createHash("sha256").update(part).digest("hex"), part);
  }
  const root = createHash("sha256").update(headOf(bytes)).digest("hex");
  const names = [];
  for (let at = 0; at < bytes.length; at += 16384) {
    names.push(createHash("sha256").update(bytes.subarray(at, at + 16384)).digest("hex"));
  }
  const [schema_version, name] = ["parts.v1", "docs.kddx"];
  const manifest = { schema_version, name, bytes: bytes.length, root, part_bytes: 16384, parts: names };
  const handle = (req, res) => {
    if (req.url === "/docs.kddx.json") return Buffer.from(JSON.stringify(manifest));
    const part = parts.get(req.url.slice(-64));
    if (!part || req.url !== `/parts/${req.url.slice(-64, -62)}/${req.url.slice(-64)}`) res.writeHead(404);
    return part;
  };
  await served(handle, async (base) => {
    assert.deepEqual(await answers(await open(`${base}/docs.kddx.json`), whole, few), want);
    parts.set(names[1], parts.get(names[0])); // another part under its name
    const wrong = open(`${base}/docs.kddx.json`).then((index) => answers(index, whole, few));
    await assert.rejects(wrong, { code: "index_corrupt" });
    manifest.root = "0".repeat(64);
    await assert.rejects(open(`${base}/docs.kddx.json`), { code: "index_untrusted" });
    manifest.parts = [];
    await assert.rejects(open(`${base}/docs.kddx.json`), { code: "index_corrupt" });
  });
});

test("a replaced file, a missing one, another root hash, a read that is given up", async () => {
  const bytes = await bytesOf(whole);
  let tag = '"1"';
  await served((req, res) => ranged(bytes, tag)(req, res), async (base) => {
    const index = await open(`${base}/docs.kddx`);
    tag = '"2"';
    await assert.rejects(searched(index, few[0]), { code: "stale_index" });
    await new Promise((done) => setTimeout(done, 100)); // until no read with the other tag is under way
    tag = '"1"';
    assert.deepEqual(await searched(index, few[0]), await searched(await open(bytes), few[0]), "after an error");
    await assert.rejects(open(`${base}/docs.kddx`, { root: "0".repeat(64) }), { code: "index_untrusted" });
    await assert.rejects(open(`${base}/docs.kddx`, { signal: AbortSignal.abort() }), { name: "AbortError" });
  });
  await served((_, res) => (res.writeHead(404), Buffer.from("no")), async (base) => {
    await assert.rejects(open(`${base}/docs.kddx`), { code: "not_found" });
  });
  await assert.rejects(open(new Uint8Array(10)), { code: "index_corrupt" });
  await assert.rejects(open(new TextEncoder().encode("# markdown\n".repeat(100))), { code: "index_corrupt" });
});

test("a search that cannot be done says what it wants", async () => {
  const index = await open(await bytesOf(fixtures.at(-1)));
  for (const [query, options] of [["", {}], [" ", {}], ["a", { limit: 0 }], ["a", { limit: 1e9 }], ["a", { offset: -1 }],
    ["a", { mode: "fast" }], ["a", { mode: "hybrid" }], ["a", { cosines: [[1e9, 0.5]] }], ["a", { cosines: [[0, 7]] }],
    ["a", { since: "2026-13" }], ["a", { since: "2026-02-30" }], ["a", { pathGlob: "{a" }], ["a", { pathGlob: "[" }],
    ["a", { pathGlob: "*".repeat(1000) }]]) {
    await assert.rejects(index.search(query, options), { code: "invalid_input" }, `${query} ${JSON.stringify(options)}`);
  }
  const stopped = index.search("kdd", { signal: AbortSignal.abort() });
  await assert.rejects(stopped, { name: "AbortError" });
  const none = await index.search("kdd", { kinds: ["no such kind"], languages: ["xx"], where: { owner: ["me"] } });
  assert.deepEqual(none.results, []);
  assert.equal(none.notes.length, 3);
  const long = await index.search("word ".repeat(2000));
  assert.match(long.notes.join(), /are read/);
});

test("globs admit what they say", async () => {
  const index = await open(await bytesOf(fixtures[1]));
  const all = (await index.documents()).map((d) => d.path);
  for (const [glob, want] of [["**", /./], ["*.md", /^[^/]*$/], ["**/*.md", /./], ["*/**", /\//], ["**/[A-F]*.md", /(^|\/)[A-F][^/]*$/],
    ["{nothing,**/*1*}.md", /1[^/]*\.md$/], ["{nothing/**,specs/**}", /^specs\//], ["**/[!A]*", /(^|\/)[^A/][^/]*$/]]) {
    const found = await index.search("documento índice requisito caso de uso", { limit: 1000, pathGlob: glob, group: "document", diversity: false });
    for (const hit of found.results) assert.match(hit.path, want, glob);
    assert.ok(found.results.length > 0 || !all.some((p) => want.test(p)), `${glob}: nothing of ${all.length}`);
  }
});

test("1,000 mutated pages whose hashes fit give an error or an answer, nothing else", async () => {
  const small = fixtures.at(-1);
  const bytes = await bytesOf(small);
  const before = bytes.slice();
  seal(bytes);
  assert.deepEqual(bytes, before, "what is sealed again is the same");
  const read = blocksOf(bytes).filter((b) => b.length && !["TREE", "CRCS"].includes(b.tag));
  const asked = { ...small, sections: small.sections.slice(0, 1), queries: small.queries.slice(0, 2) };
  const random = numbers(7);
  let [errors, answered] = [0, 0];
  for (let i = 0; i < 1000; i++) {
    const bad = before.slice();
    const b = read[i % read.length];
    const most = Math.min(b.length, i % 2 ? 64 : b.length);
    for (let n = random(3); n >= 0; n--) bad[b.offset + random(most)] = random(256);
    seal(bad);
    try {
      await answers(await open(bad), asked);
      answered++;
    } catch (err) {
      assert.ok(err instanceof KddxError, `${b.tag}: ${err.stack}`);
      errors++;
    }
  }
  assert.ok(errors > 100 && answered > 100, `${errors} errors, ${answered} answers`);
});

test("2,000 flips of a bit give an error or the same answer", async () => {
  const small = fixtures.at(-1);
  const bytes = await bytesOf(small);
  const asked = { ...small, sections: small.sections.slice(0, 1), queries: small.queries.slice(0, 1) };
  const want = JSON.stringify(await answers(await open(bytes), asked));
  const random = numbers(1);
  let [errors, same] = [0, 0];
  for (let i = 0; i < 2000; i++) {
    const at = i % 4 ? random(bytes.length) : random(4096); // header and directory more often
    const bit = 1 << random(8);
    bytes[at] ^= bit;
    try {
      const got = JSON.stringify(await answers(await open(fromBytes(bytes)), asked));
      assert.ok(got === want, `another answer with bit ${bit} of byte ${at} flipped`);
      same++;
    } catch (err) {
      assert.ok(err instanceof KddxError, `byte ${at}: ${err.stack}`);
      errors++;
    }
    bytes[at] ^= bit;
  }
  assert.ok(errors > 500 && same > 100, `${errors} errors, ${same} answers`);
});
