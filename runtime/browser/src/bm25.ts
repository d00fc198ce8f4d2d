// Scores by words: BM25 of chunks, and how well headings, titles and texts of links say what the query says
// (FORMAT.md §13.1, §13.3). Numbers are rounded to float32 where kdd does, so that near scores come in its order.
import type { Data, Places } from "./data.ts";
import type { Record } from "./postings.ts";
import type { Word } from "./word.ts";

const f = Math.fround;

/** A word of a query and how often the query has it. */
export interface Counted {
  word: Word;
  times: number;
}

/** What tells words apart: how their accents count too. */
const spelling = (w: Word): string => `${w.text}\0${w.accented ? w.exact[0] : ""}\0${w.whole}`;

/** The distinct words of a query, in the order of their first places. */
export function distinct(words: readonly Word[]): Counted[] {
  const found = new Map<string, Counted>();
  for (const word of words) {
    const have = found.get(spelling(word));
    if (have) have.times++;
    else found.set(spelling(word), { word, times: 1 });
  }
  return [...found.values()];
}

// How often chunks have something.
class Frequencies {
  readonly of: Float32Array; // by chunk
  readonly chunks: number[] = []; // that have any, in no order
  readonly #has: Uint8Array;
  constructor(chunks: number) {
    [this.of, this.#has] = [new Float32Array(chunks), new Uint8Array(chunks)];
  }
  add(c: number, more: number): void {
    this.#note(c);
    this.of[c] += more;
  }
  raise(c: number, to: number): void {
    this.#note(c);
    if (this.of[c] < to) this.of[c] = to;
  }
  #note(c: number): void {
    if (this.#has[c]) return;
    this.#has[c] = 1;
    this.chunks.push(c);
  }
}

/** The scores of one query by words. */
export class Scorer {
  readonly data: Data;
  readonly places: Places;
  readonly bm25: Float32Array; // by chunk
  readonly best: Float32Array; // by document, the largest of its chunks
  readonly headings: Float32Array; // by section
  readonly heading: Float32Array; // by document, the largest of its sections
  readonly titles: Float32Array; // by document
  readonly anchors: Float32Array; // by document
  // Of the first 32 distinct words: the chunk or document has the word; it may have it more often than once.
  readonly present: Uint32Array; // by chunk
  readonly often: Uint32Array;
  readonly docPresent: Uint32Array;
  readonly docOften: Uint32Array;
  readonly #bits = new Map<string, number>();
  readonly #words: Counted[];
  readonly #mass: number;
  readonly #allow: Set<number> | undefined;

  constructor(data: Data, words: readonly Word[], allow: Set<number> | undefined) {
    [this.data, this.places, this.#allow, this.#words] = [data, data.places(), allow, distinct(words)];
    const [docs, secs, chunks] = [data.rows("DOCS"), data.rows("SECS"), data.rows("CHNK")];
    [this.bm25, this.best, this.headings] = [new Float32Array(chunks), new Float32Array(docs), new Float32Array(secs)];
    [this.heading, this.titles, this.anchors] = [new Float32Array(docs), new Float32Array(docs), new Float32Array(docs)];
    [this.present, this.often] = [new Uint32Array(chunks), new Uint32Array(chunks)];
    [this.docPresent, this.docOften] = [new Uint32Array(docs), new Uint32Array(docs)];
    let mass = 0;
    for (const w of words) mass += w.idf;
    this.#mass = mass;
    this.#scoreChunks(words);
    if (mass === 0) return;
    this.#scoreHeadings();
    this.#scoreTitles();
    this.#scoreAnchors();
  }

  allowed(d: number): boolean {
    return !this.#allow || this.#allow.has(d);
  }
  #record(t: number): Record {
    return this.data.postings(t);
  }

  #scoreChunks(all: readonly Word[]): void {
    const w = this.data.meta.weights;
    const { length: lengths, chunkDoc } = this.places;
    let ideal = 0;
    for (const word of all) ideal += word.idf * (w.k1 + 1);
    if (ideal <= 0) return;
    const chunks = this.data.rows("CHNK");
    const average = chunks > 0 && this.data.meta.lengths.chunks > 0 ? f(this.data.meta.lengths.chunks / chunks) : 1;
    const [k1, b] = [f(w.k1), f(w.b)];
    const k = f(k1 * f(1 - b));
    const length = f(f(k1 * b) / average);
    this.#words.forEach(({ word, times }, i) => {
      const idf = f((times * word.idf * (w.k1 + 1)) / ideal);
      const bit = i >= 32 || (word.near.length > 0 && w.typo <= 0) ? 0 : 1 << i;
      if (bit) this.#bits.set(spelling(word), bit);
      const several = word.near.length > 0 || word.terms.filter((t) => this.#record(t).fields[2]?.placed).length > 1;
      const single = word.terms.length === 1 && word.near.length + word.exact.length === 0;
      const freq = single ? this.#weighted(word.terms[0], true) : new Frequencies(chunks);
      const raise = (t: number, weight: number): void => {
        const one = this.#weighted(t);
        for (const c of one.chunks) freq.raise(c, f(weight * one.of[c]));
      };
      if (!single) for (const t of word.terms) raise(t, 1);
      if (w.typo > 0) for (const t of word.near) raise(t, f(w.typo));
      const [variant, less] = this.#variants(word);
      for (const c of freq.chunks) {
        const v = freq.of[c];
        const part = less > 0 ? f(1 - f(less * Math.min(f(variant!.of[c] / v), 1))) : 1;
        this.#add(c, bit, v > (several ? 0 : 1));
        const score = f(f(f(f(idf * v) / f(f(v + k) + f(length * lengths[c]))) * part));
        this.bm25[c] += score;
        const d = chunkDoc[c];
        this.best[d] = Math.max(this.best[d], this.bm25[c]);
      }
    });
  }

  #add(c: number, bit: number, often: boolean): void {
    const d = this.places.chunkDoc[c];
    this.present[c] |= bit;
    this.docPresent[d] |= bit;
    if (!often) return;
    this.often[c] |= bit;
    this.docOften[d] |= bit;
  }

  /** The bit of a word, 0 if it has none. */
  bit(w: Word): number {
    return this.#bits.get(spelling(w)) ?? 0;
  }

  // weighted is the frequency of a term by chunk: titles count in each chunk of their document, headings below them.
  // A word of one term has its text added last, as kdd does.
  #weighted(t: number, textLast = false): Frequencies {
    const [out, w] = [new Frequencies(this.data.rows("CHNK")), this.data.meta.weights];
    const { docChunks, secChunks, chunkDoc } = this.places;
    const fields = [[1, f(w.path)], [0, f(w.title)]];
    for (const [field, weight] of textLast ? [...fields, [2, 1]] : [[2, 1], ...fields]) {
      const p = this.#record(t).fields[field];
      const starts = [docChunks, secChunks][field];
      for (let i = 0, n = p?.rows.length ?? 0; i < n; i++) {
        const row = p!.rows[i];
        const more = f(weight * p!.times[i]);
        for (let c = starts ? starts[row] : row, end = starts ? starts[row + 1] : row + 1; c < end; c++) {
          if (this.allowed(chunkDoc[c])) out.add(c, more);
        }
      }
    }
    return out;
  }

  /** The chunks of a row of a field. */
  chunks(field: number, row: number): [number, number] {
    if (field === 0) return [this.places.docChunks[row], this.places.docChunks[row + 1]];
    return field === 1 ? [this.places.secChunks[row], this.places.secChunks[row + 1]] : [row, row + 1];
  }

  // variants are the occurrences of a word with other accents, and by how much these count less.
  #variants(word: Word): [Frequencies | undefined, number] {
    if (word.exact.length === 0) return [undefined, 0];
    const [out, w] = [new Frequencies(this.data.rows("CHNK")), this.data.meta.weights];
    const sum = (t: number, sign: number): void => {
      const one = this.#weighted(t);
      for (const c of one.chunks) out.add(c, sign * one.of[c]);
    };
    if (word.accented) {
      sum(word.fold, 1);
      sum(word.exact[0], -1);
      return [out, f(1 - f(w.other_accents))];
    }
    for (const t of word.exact) sum(t, 1);
    return [out, f(1 - f(w.plain_accents))];
  }

  // rows are the rows of a field that have a word, ascending.
  #rows(word: Word, field: number): number[] {
    const set = new Set<number>();
    for (const t of [...word.terms, ...word.near]) for (const r of this.#record(t).fields[field]?.rows ?? []) set.add(r);
    return [...set].sort((a, b) => a - b);
  }

  #scoreHeadings(): void {
    const { secDoc, secTokens } = this.places;
    const shared = new Float32Array(this.headings.length); // words of the query that the headings hold
    const touched = new Set<number>();
    for (const { word, times } of this.#words) {
      const share = f((times * word.idf) / this.#mass);
      if (share === 0 && word.whole) continue;
      for (const row of this.#rows(word, 1)) {
        if (!this.allowed(secDoc[row])) continue;
        touched.add(row);
        this.headings[row] += share;
        if (!word.whole) shared[row] += times;
      }
    }
    for (const row of touched) {
      const words = Math.max(1, secTokens[row]);
      this.headings[row] = f(Math.min(1, this.headings[row]) * Math.min(1, f(shared[row] / f(words))));
      const d = secDoc[row];
      this.heading[d] = Math.max(this.heading[d], this.headings[row]);
    }
  }

  #scoreTitles(): void {
    for (const { word, times } of this.#words) {
      const share = f((times * word.idf) / this.#mass);
      for (const d of this.#rows(word, 0)) if (this.allowed(d)) this.titles[d] = Math.min(1, f(this.titles[d] + share));
    }
  }

  #scoreAnchors(): void {
    let total = 0;
    const shared = new Map<number, number>();
    for (const { word, times } of this.#words) {
      if (word.whole) continue;
      const part = times * word.idf;
      total += part;
      for (const row of this.#rows(word, 3)) shared.set(row, (shared.get(row) ?? 0) + part);
    }
    if (total === 0) return;
    const float = new DataView(new ArrayBuffer(4));
    this.data.now.each(shared, ([row, sum]) => {
      const [target, bits] = this.data.now.all(() => this.data.cell("LNKT", 0, row), () => this.data.cell("LNKT", 4, row));
      float.setUint32(0, bits);
      const idf = float.getFloat32(0);
      const d = docOfNode(this.data, target);
      if (idf > 0 && this.allowed(d)) this.anchors[d] = Math.max(this.anchors[d], f(Math.min(1, (sum * sum) / (total * idf))));
    });
  }
}

/** The document that a node is or belongs to. */
export function docOfNode(data: Data, node: number): number {
  const [docs, secs] = [data.rows("DOCS"), data.rows("SECS")];
  if (node < docs) return node;
  return node < docs + secs ? data.places().secDoc[node - docs] : data.cell("GNOD", 4, node - docs - secs);
}
