// The distilled query encoder (FORMAT.md §11, ETAB): a sum of rows of pieces and of pairs of pieces.
import { KddxError, type Now, View, need } from "#core";
import type { File } from "./file.ts";
import { Pieces } from "./pieces.ts";
import { readAll } from "./ranges.ts";
import { unigram } from "./unigram.ts";
import { type Tokenizer, Vocab, utf8 } from "./vocab.ts";
import { wordPiece } from "./wordpiece.ts";

// Rows of one form, and where in the block their parts begin.
interface Section {
  form: number;
  rows: number;
  rank: number;
  stride: number; // bytes of a row's values
  basis: number;
  scales: number;
  shares: number;
  values: number;
}

const headBytes = 64 + 16 * 8;
const keyBytes = 20 << 10; // of the keys of pairs that are read with the header

/** What turns texts into ids: all of a vocabulary, or the pieces by text. */
export interface Tokens {
  readonly pieces: number;
  /** The ids of a text's pieces. */
  readonly ids: Tokenizer;
  /** Whether a text is one piece. */
  readonly has: (text: string, now: Now) => boolean;
  /** The row of a piece that ids gave, -1 for none; nothing without the pieces by text. */
  readonly row?: (id: number) => number;
}

async function tokens(file: File): Promise<Tokens> {
  if (Pieces.in(file)) {
    const list = await Pieces.open(file);
    const [has, row]: [Tokens["has"], Tokens["row"]] = [(text, now) => list.has(text, now), (id) => list.row(id)];
    return { pieces: list.pieces, ids: wordPiece(list), has, row };
  }
  const vocab = new Vocab(await file.read("EVOC"));
  const ids = vocab.unigram ? unigram(vocab) : wordPiece(vocab);
  return { pieces: vocab.pieces, ids, has: (text) => vocab.find(utf8(text)) >= 0 };
}

/** An encoder of queries. Its parts are read at the same time. */
export class Encoder {
  readonly tokens: Promise<Tokens>;
  readonly #rows: Promise<Rows>;

  constructor(file: File) {
    if (file.blocks.has("EEXA")) {
      throw new KddxError("not_found", "the query encoder is a transformer, which this reader does not run: " +
        "build the file with --encoder distilled");
    }
    if (!file.blocks.has("ETAB") || !file.blocks.has("EVOC")) {
      throw new KddxError("not_found", "no query encoder in this index");
    }
    this.tokens = tokens(file);
    this.#rows = Rows.open(file, this.tokens);
  }

  /** Ends when all parts are there. */
  async ready(): Promise<void> {
    await Promise.all([this.tokens, this.#rows]);
  }

  /** The vector of a text's pieces, of length 1; undefined if none has a row. Rows are read in one round. */
  async vector(ids: readonly number[], signal?: AbortSignal): Promise<Float32Array | undefined> {
    return (await this.#rows).vector(ids, signal);
  }
}

// The rows of pieces and of pairs.
class Rows {
  private readonly file: File;
  private readonly dim: number;
  private readonly rows: number;
  private readonly pairs: number;
  private readonly pairRow: number;
  private readonly sections: readonly Section[];
  private readonly own: (id: number) => number; // rows of pieces
  private readonly keys: View; // of pairs

  private constructor(
    file: File, table: { head: View; own: (id: number) => number; keys: View; sections: Section[] },
  ) {
    const { head } = table;
    this.file = file;
    [this.dim, this.pairs, this.pairRow] = [head.u32(4), head.u32(16), head.u32(20)];
    this.sections = table.sections;
    this.rows = table.sections.reduce((n, s) => n + s.rows, 0);
    [this.own, this.keys] = [table.own, table.keys];
  }

  /** Reads the header, the keys of pairs, and the rows of pieces if the tokens lack them; in one round unless there are
   *  many pairs. */
  static async open(file: File, tokens: Promise<Tokens>): Promise<Rows> {
    const { length, rows } = file.block("ETAB");
    const lists = Pieces.in(file);
    const until = (end: number): number => Math.min(length, headBytes + end);
    const ahead = lists && file.read("ETAB", until(2 * rows - 64), until(2 * rows + keyBytes) - until(2 * rows - 64));
    const [first] = await Promise.all([file.read("ETAB", 0, until(lists ? 0 : 2 * rows + keyBytes)), ahead]);
    const head = new View(first, "ETAB");
    const [dim, pieces, count, pairs] = [head.u32(4), head.u32(8), head.u32(12), head.u32(16)];
    need(head.u32(0) === 3 && dim >= 1 && dim <= 1024 && pieces >= 1 && pieces <= 2 ** 24 && count >= 1 && count <= 8 &&
      pairs <= 2 ** 22 && head.slice(24, 40).every((b) => b === 0), "ETAB: a header out of bounds");
    let [all, end] = [0, 64 + 16 * count];
    // part is where the next part of so many bytes begins.
    const part = (size: number): number => {
      if (size === 0) return end;
      const at = Math.ceil(end / 64) * 64;
      end = at + size;
      return at;
    };
    const shapes = Array.from({ length: count }, (_, i) => {
      const at = 64 + 16 * i;
      const [form, rows, rank] = [head.u32(at), head.u32(at + 4), head.u32(at + 8)];
      all += rows;
      need(form >= 1 && form <= 4 && all <= 2 ** 24 && (form === 4) === rank > 0 && rank <= Math.min(dim, 256) &&
        head.u32(at + 12) === 0, `ETAB: section ${i}`);
      return { form, rows, rank };
    });
    need(pairs + head.u32(20) <= all, "ETAB: rows of pairs that are not there");
    const width = all >= 65_535 ? 4 : 2;
    const [map, keys] = [part(width * pieces), part(8 * pairs)];
    const sections = shapes.map(({ form, rows, rank }) => {
      const groups = Math.ceil(dim / 32);
      const stride = [0, dim, groups * 16, Math.ceil(dim / 8), rank][form];
      const basis = part(4 * rank * dim);
      const scales = part(4 * rows);
      const shares = part(form === 2 ? rows * groups : 0);
      return { form, rows, rank, stride, basis, scales, shares, values: part(rows * stride) };
    });
    need(end === length, `ETAB: ${length} bytes, its header says ${end}`);
    const [of, keyed, mapped] = await Promise.all([
      tokens, file.read("ETAB", keys, 8 * pairs), lists ? undefined : file.read("ETAB", map, width * pieces),
    ]);
    need(pieces === of.pieces, `ETAB: ${pieces} pieces, the vocabulary has ${of.pieces}`);
    const cells = mapped && new View(mapped, "ETAB");
    const own = of.row ?? ((id: number): number => (width === 4 ? cells!.u32(4 * id) : cells!.u16(2 * id)) - 1);
    return new Rows(file, { head, own, keys: new View(keyed, "ETAB"), sections });
  }

  async vector(ids: readonly number[], signal?: AbortSignal): Promise<Float32Array | undefined> {
    const rows: number[] = [];
    let known = 0;
    ids.forEach((id, i) => {
      const own = this.row(id);
      if (own >= 0) known = rows.push(own);
      const pair = i > 0 ? this.pair(ids[i - 1], id) : -1;
      if (pair >= 0) rows.push(pair);
    });
    if (!known) return undefined;
    const sum = await this.sum(rows, signal);
    let square = 0;
    for (const x of sum) square += x * x;
    const scale = Math.fround(1 / Math.sqrt(square));
    if (!(square > 0) || !Number.isFinite(scale)) return undefined;
    return sum.map((x) => x * scale);
  }

  // row is that of a piece, -1 for none.
  private row(id: number): number {
    const row = this.own(id);
    need(row < this.rows, `ETAB: piece ${id} has row ${row} of ${this.rows}`);
    return row;
  }

  // pair is the row of two pieces side by side, -1 for none.
  private pair(first: number, second: number): number {
    let [low, high] = [0, this.pairs];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = this.keys.u32(8 * middle + 4) - first || this.keys.u32(8 * middle) - second;
      if (order === 0) return this.pairRow + middle;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return -1;
  }

  // sum adds up rows, in float32 and in their order.
  private async sum(rows: readonly number[], signal?: AbortSignal): Promise<Float32Array> {
    const places = rows.map((row) => {
      let i = 0;
      for (; row >= this.sections[i].rows; i++) row -= this.sections[i].rows;
      return { s: this.sections[i], row };
    });
    const groups = Math.ceil(this.dim / 32);
    const parts = await readAll(this.file, "ETAB", places.flatMap(({ s, row }) => [
      [s.scales + 4 * row, 4], [s.values + row * s.stride, s.stride],
      [s.shares + row * groups, s.form === 2 ? groups : 0], [s.basis, 4 * s.rank * this.dim],
    ] as [number, number][]), signal);
    const sum = new Float32Array(this.dim);
    places.forEach(({ s }, i) => add(sum, s, parts.slice(4 * i, 4 * i + 4)));
    return sum;
  }
}

// add adds a row of a section: its scale, values, shares and basis.
function add(sum: Float32Array, s: Section, [scaleBytes, values, shares, basisBytes]: Uint8Array[]): void {
  const scale = new View(scaleBytes, "ETAB").f32(0);
  need(Number.isFinite(scale), `ETAB: a scale of ${scale}`);
  const { fround } = Math;
  const int8 = new Int8Array(values.buffer, values.byteOffset, values.length);
  if (s.form === 1) {
    for (let k = 0; k < sum.length; k++) sum[k] += fround(scale * int8[k]);
  } else if (s.form === 2) {
    for (let k = 0; k < sum.length; k++) {
      const step = fround(fround(scale * shares[k >> 5]) / 255);
      sum[k] += fround(step * (((values[k >> 1] >> (4 * (k & 1))) & 15) - 8));
    }
  } else if (s.form === 3) {
    for (let k = 0; k < sum.length; k++) sum[k] += (values[k >> 3] >> (k & 7)) & 1 ? -scale : scale;
  } else {
    const basis = new View(basisBytes, "ETAB");
    for (let j = 0; j < s.rank; j++) {
      if (int8[j] === 0) continue;
      const c = fround(scale * int8[j]);
      for (let k = 0; k < sum.length; k++) {
        const b = basis.f32(4 * (j * sum.length + k));
        need(Number.isFinite(b), `ETAB: ${b} in a basis`);
        sum[k] += fround(c * b);
      }
    }
  }
}
