// Numbers of vectors: rounded queries, cosines, and the best of them (FORMAT.md §13.2).
import type { View } from "./bytes.ts";

/** A chunk and its cosine with a query. */
export interface Score {
  chunk: number;
  score: number;
}

/** Runs [from, to) of chunks, ascending and apart. */
export type Runs = readonly (readonly [number, number])[];

/** A query's vector, rounded to whole numbers of steps. */
export interface Rounded {
  vector: Float32Array;
  values: Int16Array;
  step: number;
}

/** Rounds a vector of length 1. */
export function rounded(vector: Float32Array): Rounded {
  const largest = vector.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
  const step = Math.fround(largest / 8192);
  return { vector, step, values: Int16Array.from(vector, (x) => (step ? even(Math.fround(x / step)) : 0)) };
}

// even is the nearest whole number, of two the even one.
function even(x: number): number {
  const r = Math.round(x);
  return r - x === 0.5 && r % 2 ? r - 1 : r;
}

/** Keeps a cosine in [-1, 1]; of no number it is -1. */
export const clamp = (x: number): number => (x > -1 ? Math.min(1, x) : -1);

/** The runs of the chunks that are allowed. */
export function runsOf(n: number, allowed?: (chunk: number) => boolean): Runs {
  if (!allowed) return [[0, n]];
  const runs: [number, number][] = [];
  for (let chunk = 0; chunk < n; chunk++) {
    if (!allowed(chunk)) continue;
    const last = runs[runs.length - 1];
    if (last?.[1] === chunk) last[1]++;
    else runs.push([chunk, chunk + 1]);
  }
  return runs;
}

/** The number of chunks of runs. */
export const rowsOf = (runs: Runs): number => runs.reduce((n, [from, to]) => n + to - from, 0);

/** The best of the scores of some chunks, equal ones in the order of the text. */
export function top(scores: Float32Array, runs: Runs, limit: number): Score[] {
  const all = new Float32Array(rowsOf(runs));
  let at = 0;
  for (const [from, to] of runs) {
    all.set(scores.subarray(from, to), at);
    at += to - from;
  }
  const least = limit < at ? all.sort()[at - limit] : -Infinity;
  const best: Score[] = [];
  for (const [from, to] of runs) {
    for (let chunk = from; chunk < to; chunk++) if (scores[chunk] >= least) best.push({ chunk, score: scores[chunk] });
  }
  return best.sort((a, b) => b.score - a.score || a.chunk - b.chunk).slice(0, limit);
}

/** int8 values of bytes. */
export const signed = (bytes: Uint8Array): Int8Array => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);

/** Writes the cosines of rows [from, to), whose values begin at a byte, and their scales at a number. */
export function dots(
  q: Rounded, values: Int8Array, at: number, scales: View, scale: number,
  scores: Float32Array, from: number, to: number,
): void {
  const dim = q.values.length;
  for (let row = from; row < to; row++, at += dim, scale++) {
    let [a, b] = [0, 0];
    let k = 0;
    for (; k + 1 < dim; k += 2) {
      a += q.values[k] * values[at + k];
      b += q.values[k + 1] * values[at + k + 1];
    }
    if (k < dim) a += q.values[k] * values[at + k];
    scores[row] = clamp(Math.fround(Math.fround(Math.fround(a + b) * q.step) * scales.f32(4 * scale)));
  }
}

/** What sketches say of cosines: the sum of the query's values, each with the sign that the row has there. */
export function estimator(q: Rounded, dim: number, size: number): (sketches: Uint8Array, at: number) => number {
  const sums = new Int32Array(256 * size);
  for (let i = 0; i < sums.length; i++) {
    for (let bit = 0; bit < 8; bit++) {
      const x = q.values[(i >> 8) * 8 + bit] ?? 0;
      sums[i] += (i >> bit) & 1 ? x : -x;
    }
  }
  const scale = Math.fround(q.step * Math.fround(Math.sqrt(Math.PI / 2 / dim)));
  return (sketches, at) => {
    let sum = 0;
    for (let k = 0; k < size; k++) sum += sums[(k << 8) | sketches[at + k]];
    return clamp(Math.fround(Math.fround(sum) * scale));
  };
}
