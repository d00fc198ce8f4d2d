// Scores by words (FORMAT.md §13.1).
import { need } from "./bytes.ts";
import type { Record } from "./postings.ts";

/** A word of a query as the analyzer makes it: its folded form, and its stem in each language of the documents. */
export interface Word {
  folded: string;
  stems?: { [language: string]: string };
  /** As it was typed, in lower case, if folding takes accents from it and they count. */
  written?: string;
  /** An identifier as a whole, whose parts are words of the query too. */
  whole?: boolean;
  /** A pair of Chinese, Japanese or Korean characters that is rather grammar than subject. */
  grammar?: boolean;
}

/** A word and what the index has of it. */
export interface Found {
  word: Word;
  records: Record[]; // of its terms
  folded: Record | undefined;
  accents: Record[]; // of the forms that folding takes accents from
  written: Record | undefined; // of those, the form that was typed
}

/** A chunk and its BM25, from 0 to 1. */
export interface Score {
  chunk: number;
  score: number;
}

/** Those of META's weights that BM25 is made with. */
export interface Weights {
  k1: number;
  b: number;
  title: number;
  path: number;
  plain_accents: number;
  other_accents: number;
  whole: number;
  grammar: number;
}

/** Lengths of titles, heading paths and bodies, and which chunks documents and sections have. */
export interface Lengths {
  titles: number[];
  paths: number[];
  bodies: number[];
  ofDocs: number[];
  ofSecs: number[];
  sum: number; // over chunks
}

/** Checks the weights that this reader scores with. */
export function weightsOf(w: Weights | undefined): void {
  for (const key of ["k1", "b", "title", "path", "plain_accents", "other_accents", "whole", "grammar"] as const) {
    const [v, most] = [w?.[key], key === "b" || key.endsWith("accents") ? 1 : 1000];
    need(typeof v === "number" && v >= 0 && v <= most, `META: weight ${key} is ${v}`);
  }
}

/** BM25 of the chunks that have one of a query's words. */
export function scores(words: Found[], l: Lengths, w: Weights): Score[] {
  const n = l.bodies.length;
  const lengths = l.bodies.slice();
  const weight = [w.title, w.path, 1];
  const spans = [l.ofDocs, l.ofSecs];
  [l.titles, l.paths].forEach((tokens, field) => {
    const starts = spans[field];
    for (let row = 0; row + 1 < starts.length; row++) {
      for (let c = starts[row]; c < starts[row + 1]; c++) lengths[c] += weight[field] * tokens[row];
    }
  });
  // often adds up how often a term stands in chunks, so many times.
  const often = (r: Record | undefined, out: Map<number, number>, times = 1): Map<number, number> => {
    for (let field = 0; r && field < 3; field++) {
      const p = r.fields[field];
      p?.rows.forEach((row, i) => {
        const first = field < 2 ? spans[field][row] : row;
        const end = field < 2 ? spans[field][row + 1] : row + 1;
        for (let c = first; c < end; c++) out.set(c, (out.get(c) ?? 0) + times * weight[field] * p.times[i]);
      });
    }
    return out;
  };
  const sums = new Map<number, number>();
  let ideal = 0;
  for (const { word, records, folded, accents, written } of words) {
    const df = Math.max(0, ...records.map((r) => r.chunks));
    const idf = Math.log(1 + (n - df + 0.5) / (df + 0.5)) * (word.whole ? w.whole : 1) * (word.grammar ? w.grammar : 1);
    ideal += idf;
    const counts = new Map<number, number>();
    for (const r of records) for (const [c, v] of often(r, new Map())) counts.set(c, Math.max(v, counts.get(c) ?? 0));
    const other = new Map<number, number>(); // occurrences with other accents
    if (word.written === undefined) for (const r of accents) often(r, other);
    else if (written) often(written, often(folded, other), -1);
    const least = word.written === undefined ? w.plain_accents : w.other_accents;
    for (const [c, f] of counts) {
      const share = 1 - (1 - least) * Math.min(Math.max(0, other.get(c) ?? 0) / f, 1);
      const norm = w.k1 * (1 - w.b + (w.b * lengths[c] * n) / (l.sum || 1));
      sums.set(c, (sums.get(c) ?? 0) + (idf * share * f) / (f + norm));
    }
  }
  return [...sums].map(([chunk, v]) => ({ chunk, score: v / (ideal || 1) }))
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk);
}
