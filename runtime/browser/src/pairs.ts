// Adjacent words: how much of a query's word order chunks keep (FORMAT.md §13.3). Positions cost more than all else in
// a search by words, so a document is scored when it is asked for, and a bound says how much its pairs can be.
import type { Scorer } from "./bm25.ts";
import type { Data } from "./data.ts";
import { before, common, placed, type Placed } from "./places.ts";
import { idfOf, type Word } from "./word.ts";

const maxPairs = 48; // of a query
const maxPlacedTerms = 32; // of a word in a pair
const leastLooked = 1 << 15; // pairs that are looked up in documents
const lookedPerDoc = 0.5;
const f = Math.fround;
const utf8 = new TextEncoder();

interface Pair {
  a: Word;
  b: Word;
  times: number;
  share: number; // idf over that of all pairs
  bits: number; // of its words
  fields?: { a: Placed; b: Placed; rows: readonly number[] }[]; // rows of each field that have both
}

// pairHash is the hash of a pair of terms (FORMAT.md, PAIR).
function pairHash(first: string, second: string): number {
  let h = 2166136261;
  for (const b of [...utf8.encode(first), 0, ...utf8.encode(second)]) h = Math.imul(h ^ b, 16777619);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ (h >>> 13)) >>> 0;
}

/** The hashes of the pairs of terms that stand for two words. */
export const hashesOf = (first: readonly string[], second: readonly string[]): number[] =>
  first.flatMap((a) => second.map((b) => pairHash(a, b)));

/** In how many chunks a pair stands. */
export const pairOf = (data: Data, hash: number): number => data.now.once(`pair/${hash}`, () => data.pairChunks(hash));

// adjacent are the distinct pairs of neighbours among words.
function adjacent(words: readonly Word[]): Pair[] {
  const found = new Map<string, Pair>();
  for (let i = 1; i < words.length; i++) {
    for (let k = i - 1; k >= 0 && words[k].pos + 1 >= words[i].pos; k--) {
      const [a, b] = [words[k], words[i]];
      if (a.pos + 1 !== b.pos || a.whole || b.whole) continue;
      const key = `${a.text}\0${b.text}`;
      const have = found.get(key);
      if (have) have.times++;
      else found.set(key, { a, b, times: 1, share: 0, bits: 0 });
    }
  }
  return [...found.values()];
}

const placeable = (w: Word): boolean => {
  const n = w.terms.length + w.near.length;
  return n > 0 && n <= maxPlacedTerms;
};

/** The word order of one query. */
export class Pairs {
  readonly scores: Float32Array; // by chunk, of documents that were filled in
  readonly long: boolean; // the query has more pairs than are looked for
  cut = false; // documents were left without word order
  readonly #s: Scorer;
  readonly #pairs: Pair[] = [];
  readonly #done = new Set<number>();
  readonly #k1: number;
  #left: number;

  constructor(s: Scorer, all: readonly Word[]) {
    const data = s.data;
    this.#s = s;
    this.#k1 = f(data.meta.weights.k1);
    this.scores = new Float32Array(data.rows("CHNK"));
    this.#left = leastLooked + Math.floor(lookedPerDoc * data.rows("DOCS"));
    const found = adjacent(all);
    this.long = found.length > maxPairs;
    const pairs = found.slice(0, maxPairs);
    const names = new Map<Word, string[]>();
    const name = (w: Word): string[] => {
      let list = names.get(w);
      if (!list) {
        list = placeable(w) ? data.now.each([...w.terms, ...w.near], (t) => data.stringAt("TERM", t)) : [];
        names.set(w, list);
      }
      return list;
    };
    const dfs = data.now.each(pairs, (p) => {
      const [first, second] = data.now.all(() => name(p.a), () => name(p.b));
      return data.now.each(hashesOf(first, second), (h) => pairOf(data, h)).reduce((x, y) => x + y, 0);
    });
    const idfs = pairs.map((p, i) => idfOf(data.rows("CHNK"), Math.max(1, dfs[i])) * p.times);
    let ideal = 0;
    for (const idf of idfs) ideal += idf;
    if (ideal <= 0) return;
    pairs.forEach((p, i) => {
      if (!placeable(p.a) || !placeable(p.b)) return;
      const [a, b] = [s.bit(p.a), s.bit(p.b)];
      this.#pairs.push({ ...p, share: f(idfs[i] / ideal), bits: a | b });
    });
    this.#pairs.sort((a, b) => b.share - a.share);
  }

  /** Whether the query has pairs at all. */
  get some(): boolean {
    return this.#pairs.length > 0;
  }

  #limit(p: Pair, present: number, often: number): number {
    if ((present & p.bits) !== p.bits) return 0;
    return (often & p.bits) === p.bits ? p.share : f(p.share / f(1 + this.#k1));
  }

  /** At least the score of each chunk of a document. */
  bound(d: number): number {
    let most = 0;
    for (const p of this.#pairs) most += this.#limit(p, this.#s.docPresent[d], this.#s.docOften[d]);
    return most;
  }

  /** Asks for what fill will read of a document. */
  ask(d: number): void {
    if (this.#done.has(d) || this.cut || !this.#s.allowed(d)) return;
    this.#s.data.now.each(this.#likely(d), (p) => this.#count(p, d));
  }

  #likely(d: number): Pair[] {
    const { present, docPresent, places } = this.#s;
    return this.#pairs.filter((p) => {
      if (p.share === 0 || (docPresent[d] & p.bits) !== p.bits) return false;
      for (let c = places.docChunks[d], to = places.docChunks[d + 1]; c < to; c++) if ((present[c] & p.bits) === p.bits) return true;
      return false;
    });
  }

  /** Writes the scores of a document. On the way they have the bounds of what is not known yet, and slack tells by how
   *  much they may fall before the document does not matter: below zero fill stops and returns false. */
  fill(d: number, slack?: () => number): boolean {
    if (this.#done.has(d)) return true;
    const [from, to] = this.#s.chunks(0, d);
    this.cut = this.cut || (slack !== undefined && this.#left <= 0);
    if (this.cut || !this.#s.allowed(d)) {
      this.scores.fill(0, from, to);
      this.#done.add(d);
      return true;
    }
    const likely = this.#likely(d);
    const { present, often } = this.#s;
    this.scores.fill(0, from, to);
    for (const p of likely) {
      for (let c = from; c < to; c++) this.scores[c] += this.#limit(p, present[c], often[c]);
    }
    const exact = new Float32Array(to - from);
    let left = slack ? -1 : Infinity;
    for (const p of likely) {
      if (left < 0 && (left = slack!()) < 0) return false;
      if (slack) this.#left--;
      const counts = this.#count(p, d);
      let fall = 0;
      for (let c = from; c < to; c++) {
        const n = counts[c - from];
        const part = f(f(p.share * n) / f(n + this.#k1));
        const bound = this.#limit(p, present[c], often[c]);
        exact[c - from] += part;
        this.scores[c] -= f(bound - part);
        fall = Math.max(fall, bound - part);
      }
      left -= fall;
    }
    this.scores.set(exact, from);
    this.#done.add(d);
    return true;
  }

  // count is how often a pair stands in each chunk of a document, a title or heading by its weight.
  #count(p: Pair, d: number): Float32Array {
    const { data, places } = this.#s;
    const { docSections, docChunks, secChunks } = places;
    const weights = [f(data.meta.weights.title), f(data.meta.weights.path), 1];
    const begin = docChunks[d];
    const out = new Float32Array(docChunks[d + 1] - begin);
    p.fields ??= weights.map((_, field) => {
      const [a, b] = [placed(data, p.a, field), placed(data, p.b, field)];
      return { a, b, rows: common(a.rows, b.rows) };
    });
    data.now.each([2, 1, 0], (field) => {
      const { a, b, rows: all } = p.fields![field];
      const starts = [undefined, docSections, docChunks][field];
      const rows = all.slice(before(all, starts ? starts[d] : d), before(all, starts ? starts[d + 1] : d + 1));
      if (rows.length === 0) return;
      const counts = data.now.each(rows, (row) => together(a, b, row));
      rows.forEach((row, i) => {
        const chunks = [docChunks, secChunks][field];
        const n = f(counts[i] * weights[field]);
        for (let c = chunks ? chunks[row] : row, end = chunks ? chunks[row + 1] : row + 1; c < end; c++) out[c - begin] += n;
      });
    });
    return out;
  }
}

// together is how often the second word follows the first directly in a row.
function together(a: Placed, b: Placed, row: number): number {
  const [first, second] = [a.at(row), b.at(row)];
  let n = 0;
  for (let i = 0, k = 0; i < first.length; i++) {
    while (k < second.length && second[k] <= first[i]) k++;
    if (second[k] === first[i] + 1) n++;
  }
  return n;
}

