// Vectors of chunks and their cosines with that of a query (FORMAT.md §11, VECS to VCLU, and §13.2).
import { View, need } from "#core";
import { type Rounded, type Runs, clamp, dots, estimator, rowsOf, signed, top } from "./cosine.ts";
import type { File } from "./file.ts";
import { readAll } from "./ranges.ts";

// Of a file in memory up to exactRows rows are compared one by one; of more, those that sketches choose.
const exactRows = 32_768;
const sketched = 1000;
// Of a file elsewhere sketches come first, and then the rows of the documents that are likely by them.
const nearest = 112; // rows of each document
const most = 2048; // rows of all
const few = 256; // chunks of a file of which all are compared
const probed = 0.2; // share of the clusters
const wholeBytes = 2 ** 19; // of the sketches that are read before the query is known

/** Says, by estimates of the cosines of all chunks, which documents are likely, the likeliest first. */
export type Likely = (estimates: Float32Array, runs: Runs, starts: readonly number[]) => Promise<Iterable<number>>;

/** The vectors of a file. */
export class Vectors {
  readonly dim: number;
  readonly rows: number;
  private readonly file: File;
  private readonly size: number; // bytes of a sketch, 0 without sketches
  private readonly centroids: Centroids | undefined;
  private whole: Promise<[Int8Array, View]> | undefined;

  private constructor(file: File, dim: number, rows: number, centroids?: Centroids) {
    this.file = file;
    this.dim = dim;
    this.rows = rows;
    this.size = file.blocks.has("VSKT") ? sketchBytes(dim) : 0;
    this.centroids = centroids;
  }

  /** Reads and checks headers, and of a file elsewhere what does not depend on the query, in one round. */
  static async open(file: File): Promise<Vectors> {
    const chunks = file.block("CHNK").rows;
    const has = (tag: string): boolean => file.blocks.has(tag);
    const clustered = has("VCEN") && has("VCLU") && has("VSKT");
    const [dim] = await Promise.all([
      shape(file, "VECS", chunks, (dim) => dim, 4),
      has("VSKT") && shape(file, "VSKT", chunks, sketchBytes, 0),
      clustered && shape(file, "VCLU", chunks, (dim) => sketchBytes(dim) + 4, 0),
      has("VSKT") && !clustered && !file.whole && file.block("VSKT").length <= wholeBytes && file.read("VSKT"),
    ]);
    for (const tag of ["VSKT", "VCLU"]) {
      if (!has(tag) || (tag === "VCLU" && !clustered)) continue;
      const other = new View(await file.read(tag, 0, 4), tag).u32(0);
      need(other === dim, `${tag}: dimension ${other}, the vectors have ${dim}`);
    }
    const centroids = clustered && !file.whole ? await Centroids.open(file, dim, chunks) : undefined;
    return new Vectors(file, dim, chunks, centroids);
  }

  /**
   * The cosines of all chunks of runs. Where sketches come first, what was not compared has an estimate. starts has the
   * first chunk of each document, and behind them the number of all.
   */
  async cosines(
    query: Rounded, runs: Runs, starts: Promise<readonly number[]>, likely: Likely, signal?: AbortSignal,
  ): Promise<Float32Array> {
    const scores = new Float32Array(this.rows);
    if (!this.size || (this.file.whole ? rowsOf(runs) <= exactRows : this.rows <= few)) {
      await this.exact(query, runs, scores, signal);
    } else if (this.file.whole) {
      await this.chosen(query, runs, scores, signal);
    } else {
      await this.estimate(query, runs, scores, signal);
      const first = await starts;
      const docs = await likely(scores, runs, first);
      await this.compare(query, runs, likelyRows(docs, scores, runs, first), scores, signal);
    }
    return scores;
  }

  // exact compares all rows of runs.
  private async exact(q: Rounded, runs: Runs, scores: Float32Array, signal?: AbortSignal): Promise<void> {
    const { dim, rows, file } = this;
    if (file.whole) {
      this.whole ??= Promise.all([file.read("VECS", 64, rows * dim), file.read("VECS", 64 + rows * dim)])
        .then(([values, scales]) => [signed(values), new View(scales, "VECS")]);
      const [values, scales] = await this.whole.catch((err) => {
        this.whole = undefined;
        throw err;
      });
      for (const [from, to] of runs) dots(q, values, from * dim, scales, from, scores, from, to);
      return;
    }
    await Promise.all(runs.map(async ([from, to]) => {
      const [values, scales] = await Promise.all([
        file.read("VECS", 64 + from * dim, (to - from) * dim, signal),
        file.read("VECS", 64 + rows * dim + 4 * from, 4 * (to - from), signal),
      ]);
      dots(q, signed(values), 0, new View(scales, "VECS"), 0, scores, from, to);
    }));
  }

  // each compares single rows, ascending, which are read in one round.
  private async each(q: Rounded, rows: readonly number[], scores: Float32Array, signal?: AbortSignal): Promise<void> {
    const scales = 64 + this.rows * this.dim;
    const parts = await readAll(this.file, "VECS", rows.flatMap((row) =>
      [[64 + row * this.dim, this.dim], [scales + 4 * row, 4]] as [number, number][]), signal);
    rows.forEach((row, i) =>
      dots(q, signed(parts[2 * i]), 0, new View(parts[2 * i + 1], "VECS"), 0, scores, row, row + 1));
  }

  // chosen compares the rows whose sketches differ least from the query's signs; the others get the lowest cosine.
  private async chosen(q: Rounded, runs: Runs, scores: Float32Array, signal?: AbortSignal): Promise<void> {
    const signs = new Uint8Array(this.size);
    q.vector.forEach((x, i) => x > 0 && (signs[i >> 3] |= 1 << (i & 7)));
    const bits = Uint8Array.from({ length: 256 }, (_, b) => b.toString(2).replaceAll("0", "").length);
    const far = new Uint16Array(this.rows);
    const counts = new Uint32Array(8 * this.size + 1);
    const sketches = await this.sketches(runs, signal);
    runs.forEach(([from, to], i) => {
      for (let row = from, at = 0; row < to; row++) {
        for (let k = 0; k < signs.length; k++) far[row] += bits[signs[k] ^ sketches[i][at++]];
        counts[far[row]]++;
      }
    });
    // The distance before which all rows are taken, and how many of that one.
    let [limit, room] = [0, sketched];
    while (limit < counts.length && counts[limit] <= room) room -= counts[limit++];
    const rows: number[] = [];
    for (const [from, to] of runs) {
      for (let row = from; row < to; row++) if (far[row] < limit || (far[row] === limit && room-- > 0)) rows.push(row);
    }
    await this.each(q, rows, scores, signal);
    const cosines = rows.map((row) => scores[row]);
    for (const [from, to] of runs) scores.fill(Math.min(...cosines), from, to);
    rows.forEach((row, i) => (scores[row] = cosines[i]));
  }

  private sketches(runs: Runs, signal?: AbortSignal): Promise<Uint8Array[]> {
    const spans = runs.map(([from, to]) => [64 + from * this.size, (to - from) * this.size] as const);
    return readAll(this.file, "VSKT", spans, signal);
  }

  // estimate writes what sketches say of cosines: of the nearest clusters, or of runs if those are not all chunks.
  private async estimate(q: Rounded, runs: Runs, scores: Float32Array, signal?: AbortSignal): Promise<void> {
    const guess = estimator(q, this.dim, this.size);
    if (this.centroids && rowsOf(runs) === this.rows) {
      scores.fill(NaN);
      let lowest = 1;
      await Promise.all(this.centroids.near(q, probed).map(async (k) => {
        const { rows, sketches } = await this.centroids!.list(k, signal);
        rows.forEach((row, i) => {
          scores[row] = guess(sketches, i * this.size);
          lowest = Math.min(lowest, scores[row]);
        });
      }));
      for (let row = 0; row < this.rows; row++) if (Number.isNaN(scores[row])) scores[row] = lowest;
      return;
    }
    const sketches = await this.sketches(runs, signal);
    runs.forEach(([from, to], i) => {
      for (let row = from; row < to; row++) scores[row] = guess(sketches[i], (row - from) * this.size);
    });
  }

  // compare writes the cosines of rows, and scales the estimates of the others by what these were and are.
  private async compare(
    q: Rounded, runs: Runs, rows: readonly number[], scores: Float32Array, signal?: AbortSignal,
  ): Promise<void> {
    const before = rows.map((row) => scores[row]);
    await this.each(q, rows, scores, signal);
    let [both, square] = [0, 0];
    const cosines = rows.map((row, i) => {
      both += before[i] * scores[row];
      square += before[i] * before[i];
      return scores[row];
    });
    if (both <= 0 || square === 0) return;
    const factor = Math.fround(both / square);
    for (const [from, to] of runs) for (let row = from; row < to; row++) scores[row] = clamp(scores[row] * factor);
    rows.forEach((row, i) => (scores[row] = cosines[i]));
  }
}

const sketchBytes = (dim: number): number => Math.ceil(dim / 64) * 8;

// shape checks a header, whose rows have so many bytes and tail at the block's end; it returns the dimension.
async function shape(
  file: File, tag: string, rows: number, bytes: (dim: number) => number, tail: number,
): Promise<number> {
  const b = file.block(tag);
  need(b.length >= 64, `${tag}: ${b.length} bytes`);
  const v = new View(await file.read(tag, 0, Math.min(4096, b.length)), tag);
  const [dim, size, n] = [v.u32(0), v.u32(4), v.u64(8)];
  need(dim >= 1 && dim <= 1024 && size === bytes(dim), `${tag}: rows of ${size} bytes for dimension ${dim}`);
  need(n === rows && n === b.rows && 64 + n * (size + tail) === b.length, `${tag}: ${n} rows, want ${rows}`);
  return dim;
}

/** The document of a chunk. */
export function documentOf(starts: readonly number[], chunk: number): number {
  let [d, end] = [0, starts.length - 1];
  while (d + 1 < end) {
    const middle = (d + end) >> 1;
    if (starts[middle] <= chunk) d = middle;
    else end = middle;
  }
  return d;
}

// likelyRows are the rows, ascending, that are compared: of likely documents the nearest ones.
function likelyRows(docs: Iterable<number>, scores: Float32Array, runs: Runs, starts: readonly number[]): number[] {
  const rows: number[] = [];
  for (const d of new Set(docs)) {
    const own = runs.map(([from, to]) => [Math.max(from, starts[d]), Math.min(to, starts[d + 1])] as const)
      .filter(([from, to]) => from < to);
    const best = top(scores, own, nearest);
    if (rows.length + best.length > most) break;
    rows.push(...best.map((s) => s.chunk));
  }
  return rows.sort((a, b) => a - b);
}

// The clusters of vectors.
class Centroids {
  private readonly file: File;
  private readonly dim: number;
  private readonly rows: number;
  private readonly starts: readonly number[]; // rows of the clusters before, and of all
  private readonly values: Int8Array;
  private readonly scales: View;

  private constructor(file: File, dim: number, rows: number, starts: number[], values: Int8Array, scales: View) {
    [this.file, this.dim, this.rows] = [file, dim, rows];
    [this.starts, this.values, this.scales] = [starts, values, scales];
  }

  static async open(file: File, dim: number, rows: number): Promise<Centroids> {
    const { length, rows: count } = file.block("VCEN");
    const all = file.read("VCEN");
    need(count >= 1 && await shape(file, "VCEN", count, (d) => d, 8) === dim, `VCEN: other vectors than ${dim} long`);
    const bytes = await all;
    const counts = new View(bytes.subarray(length - 4 * count), "VCEN");
    const starts = [0];
    for (let k = 0; k < count; k++) starts.push(starts[k] + counts.u32(4 * k));
    need(starts[count] === rows, `VCEN: clusters of ${starts[count]} rows, want ${rows}`);
    const end = 64 + count * dim;
    const [values, scales] = [signed(bytes.subarray(64, end)), new View(bytes.subarray(end), "VCEN")];
    return new Centroids(file, dim, rows, starts, values, scales);
  }

  /** The nearest clusters, a share of all. */
  near(q: Rounded, share: number): number[] {
    const n = this.starts.length - 1;
    const scores = new Float32Array(n);
    dots(q, this.values, 0, this.scales, 0, scores, 0, n);
    return top(scores, [[0, n]], Math.ceil(share * n)).map((s) => s.chunk);
  }

  /** The rows of a cluster, and their sketches. */
  async list(k: number, signal?: AbortSignal): Promise<{ rows: number[]; sketches: Uint8Array }> {
    const [size, n] = [sketchBytes(this.dim) + 4, this.starts[k + 1] - this.starts[k]];
    const bytes = await this.file.read("VCLU", 64 + this.starts[k] * size, n * size, signal);
    const v = new View(bytes, "VCLU");
    const rows = Array.from({ length: n }, (_, i) => v.u32(4 * i));
    need(rows.every((row) => row < this.rows), `VCLU: cluster ${k} has a row above ${this.rows}`);
    return { rows, sketches: bytes.subarray(4 * n) };
  }
}
