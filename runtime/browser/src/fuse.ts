// The signals of a section are added to one score (FORMAT.md §13.3), and the best sections are found: documents by
// falling bounds on what they can score, until the next one is below the worst hit (the threshold algorithm, Fagin,
// Lotem & Naor 2003).
import type { Scorer } from "./bm25.ts";
import type { Weights } from "./meta.ts";
import type { Pairs } from "./pairs.ts";

/** The scores of one query. */
export interface Signals {
  scorer: Scorer;
  pairs: Pairs | undefined;
  /** Cosines by chunk; undefined where meaning is not compared. */
  cosines: Float32Array | undefined;
  lexical: number; // weight of BM25 for this query; below 0 where words are not compared
  mode: "lexical" | "vector" | "hybrid";
  only: Uint8Array | undefined; // sections that may be hits
  stale: ReadonlySet<number>;
  aside: ReadonlySet<number>; // documents that stand behind others
  asideSection: ((doc: number, section: number) => boolean) | undefined; // undefined where no section is one
}

/** One section in the ranked list. */
export interface Hit {
  section: number;
  doc: number;
  chunk: number; // the section's best
  score: number; // raw
  own: number; // the section's part
  file: number; // the document's part, unweighted
}

interface Candidate {
  doc: number;
  most: number;
}

/** A part of a hit's raw score: value · weight. */
export interface Part {
  name: string;
  value: number;
  weight: number;
}

const above = (score: number): number => score + 1e-5 * (1 + Math.abs(score));

/** best · the largest of a document's chunks + top3 · the mean of its three largest. */
export function pool(scores: Float32Array, from: number, to: number, w: Weights): number {
  const n = Math.min(3, to - from);
  if (n === 0) return 0;
  let first = -Infinity, second = -Infinity, third = -Infinity;
  for (let c = from; c < to; c++) {
    let v = scores[c];
    if (v > first) {
      const less = first;
      first = v;
      v = less;
    }
    if (v > second) {
      const less = second;
      second = v;
      v = less;
    }
    if (v > third) third = v;
  }
  const sum = first + (n > 1 ? second : 0) + (n > 2 ? third : 0);
  return w.best * first + (w.top3 * sum) / n;
}

/** Scores sections of one query. */
export class Fusion {
  readonly s: Signals;
  readonly w: Weights;
  readonly scale: number; // of raw scores before they are calibrated
  readonly #known: Float32Array | undefined; // cosines with 0 for what was not compared

  constructor(s: Signals, scale: boolean) {
    [this.s, this.w] = [s, s.scorer.data.meta.weights];
    this.#known = s.cosines?.map((v) => v || 0);
    this.scale = scale ? this.#most(this.w.lexical) / this.#most(s.lexical) : 1;
  }

  #most(lexical: number): number {
    const w = this.w;
    const chunk = Math.max(lexical, 0) + Math.max(w.pairs, 0) + 1;
    return chunk + w.heading + w.file * ((w.best + w.top3) * chunk + w.anchor + w.title_match);
  }

  /** A bound on all scores: a hit that gains so much comes before all others. */
  get bonus(): number {
    return this.#most(this.s.lexical);
  }

  /** A raw score as one of [0, 1] that compares between queries. */
  calibrate(raw: number): number {
    const c = this.w.calibration.find((one) => one.mode === this.s.mode) ?? { a: 1, b: 0, c: 0 };
    const few = Math.max(0, Math.log(this.w.many / Math.max(1, this.s.scorer.data.rows("DOCS"))));
    return 1 / (1 + Math.exp(-(c.a * raw * this.scale + c.b + c.c * few)));
  }

  /** The part of a chunk. */
  #chunk(c: number): number {
    const { scorer, pairs, lexical } = this.s;
    let score = lexical >= 0 && scorer.bm25[c] > 0 ? lexical * scorer.bm25[c] : 0;
    if (pairs) score += this.w.pairs * pairs.scores[c];
    return this.#known ? score + this.#known[c] : score;
  }

  // evidence says whether a signal speaks for a chunk.
  #evidence(c: number): boolean {
    const { scorer, cosines, lexical } = this.s;
    return (lexical >= 0 && scorer.bm25[c] > 0) || (cosines !== undefined && !Number.isNaN(cosines[c]));
  }

  /** A document's part, unweighted. */
  file(d: number): number {
    const { scorer, pairs, lexical } = this.s;
    const [w, [from, to]] = [this.w, scorer.chunks(0, d)];
    let file = 0;
    if (lexical >= 0) file += lexical * pool(scorer.bm25, from, to, w);
    if (pairs) file += w.pairs * pool(pairs.scores, from, to, w);
    if (this.#known) file += pool(this.#known, from, to, w);
    return file + w.anchor * scorer.anchors[d] + w.title_match * scorer.titles[d];
  }

  /** A section's own score, by the chunk that represents it. */
  own(section: number, chunk: number): number {
    return this.#chunk(chunk) + this.w.heading * this.s.scorer.headings[section];
  }

  // total is own and file, less what a stale document or an aside loses.
  #total(d: number, own: number, file: number): number {
    let score = own + this.w.file * file;
    if (this.s.stale.has(d)) score -= this.w.stale;
    if (this.s.aside.has(d)) score -= this.w.aside;
    return score;
  }

  /** The raw score of a hit. */
  score(h: Hit): number {
    const score = this.#total(h.doc, h.own, h.file);
    return this.s.asideSection?.(h.doc, h.section) ? score - this.w.aside : score;
  }

  #sections(d: number): Hit[] {
    const [from, to] = this.s.scorer.chunks(0, d);
    const hits: Hit[] = [];
    for (let c = from; c < to; c++) {
      const section = this.s.scorer.places.chunkSec[c];
      if (!this.#evidence(c) || (this.s.only && !this.s.only[section])) continue;
      const score = this.#chunk(c);
      const last = hits[hits.length - 1];
      if (last?.section !== section) hits.push({ section, doc: d, chunk: c, own: score, score: 0, file: 0 });
      else if (score > last.own) {
        last.own = score;
        last.chunk = c;
      }
    }
    if (hits.length === 0) return hits;
    const file = this.file(d);
    for (const h of hits) {
      h.own += this.w.heading * this.s.scorer.headings[h.section];
      h.file = file;
      h.score = this.score(h);
    }
    return hits;
  }

  // prepare asks for what the scores of documents read.
  #prepare(list: readonly Candidate[]): void {
    const { pairs, scorer } = this.s;
    scorer.data.now.each(list, (c) => scorer.data.now.all(() => pairs?.ask(c.doc), () => this.s.asideSection && this.#sections(c.doc)));
  }

  /** The sections of one document that have any evidence, in their order. */
  document(d: number): Hit[] {
    this.s.pairs?.ask(d);
    this.s.pairs?.fill(d);
    return this.#sections(d);
  }

  // bounds are the documents with any evidence, and what their sections can score at most.
  #bounds(): Candidate[] {
    const { scorer, pairs, cosines, lexical } = this.s;
    const w = this.w;
    const both = 1 + w.file * (w.best + w.top3);
    const list: Candidate[] = [];
    for (let d = 0; d < scorer.best.length; d++) {
      const [from, to] = scorer.chunks(0, d);
      if ((!cosines && scorer.best[d] === 0) || from === to || !scorer.allowed(d)) continue;
      let chunks = this.#known ? this.#known.subarray(from, to).reduce((a, b) => Math.max(a, b)) : 0;
      if (pairs) chunks += w.pairs * pairs.bound(d);
      const most = both * (lexical * scorer.best[d] + chunks) + w.heading * scorer.heading[d] +
        w.file * (w.anchor * scorer.anchors[d] + w.title_match * scorer.titles[d]);
      list.push({ doc: d, most: above(most) });
    }
    return list;
  }

  /** The best sections of the allowed documents, at most limit of them, and whether there are more. keep refuses scores;
   *  it must not refuse one above another that it accepts. */
  top(limit: number, keep: (score: number) => boolean): { hits: Hit[]; more: boolean } {
    const { pairs } = this.s;
    const w = this.w;
    const list: Hit[] = [];
    const better = (a: Hit, b: Hit): number => b.score - a.score || a.section - b.section;
    const full = (): boolean => list.length > limit;
    const reaches = (score: number): boolean => keep(score) && (!full() || score >= list[list.length - 1].score);
    const least = (hits: Hit[]): number => {
      const most = hits.reduce((m, h) => Math.max(m, above(h.score)), -Infinity);
      if (hits.length === 0 || !reaches(most)) return -1;
      if (!full() || w.pairs <= 0) return Infinity;
      return (most - list[list.length - 1].score) / (w.pairs * (1 + w.file * (w.best + w.top3)));
    };
    const score = (d: number): void => {
      if (pairs && !pairs.fill(d, () => least(this.#sections(d)))) return;
      for (const h of this.#sections(d)) if (keep(h.score)) list.push(h);
      list.sort(better);
      list.length = Math.min(list.length, limit + 1);
    };
    const bounds = this.#bounds();
    const first = largest(bounds, limit + 1);
    const total = (c: Candidate): Candidate => ({ doc: c.doc, most: above(this.#total(c.doc, c.most, 0)) });
    const heads = bounds.slice(0, first).filter((c) => keep(total(c).most));
    this.#prepare(heads);
    for (const c of heads) score(c.doc);
    const rest = bounds.slice(first).filter((c) => reaches(c.most)).map(total).filter((c) => reaches(c.most));
    rest.sort((a, b) => b.most - a.most || a.doc - b.doc);
    for (let i = 0, asked = 0; i < rest.length && reaches(rest[i].most); i++) {
      if (i === asked) { // for twice as many each time
        asked = 2 * asked + 16;
        this.#prepare(rest.slice(i, asked).filter((c) => reaches(c.most)));
      }
      score(rest[i].doc);
    }
    return { hits: list.slice(0, limit), more: list.length > limit };
  }
}

// largest moves the n largest bounds to the front, in no order, and returns how many these are (Hoare's selection).
function largest(list: Candidate[], n: number): number {
  if (n >= list.length) return list.length;
  for (let [lo, hi] = [0, list.length - 1]; lo < hi; ) {
    const pivot = list[(lo + hi) >> 1].most;
    let [i, k] = [lo, hi];
    while (i <= k) {
      while (list[i].most > pivot) i++;
      while (list[k].most < pivot) k--;
      if (i > k) break;
      [list[i], list[k]] = [list[k], list[i]];
      i++;
      k--;
    }
    if (n - 1 <= k) hi = k;
    else if (n - 1 >= i) lo = i;
    else break;
  }
  return n;
}
