// Postings (FORMAT.md §9): records, lists and Rice codes.
import { View, damaged, need } from "./bytes.ts";

/** The fields of a record, and the blocks that count their rows. */
export const fields = ["DOCS", "SECS", "CHNK", "LNKT"] as const;

/** Where one field has a term: rows, ascending, how often, and where the positions of its blocks of 128 lie. */
export interface Postings {
  readonly rows: number[];
  readonly times: number[];
  readonly placed: boolean;
  at: number; // of its positions, among those of the record
  readonly blocks: number[]; // bytes of the positions of each block; -1: all that is left
}

/** What a record says of a term: in how many chunks it stands, and its postings by field. */
export interface Record {
  readonly chunks: number;
  readonly fields: (Postings | undefined)[];
}

/** Limited Rice codes, §9.2. */
export class Bits {
  readonly #bytes: Uint8Array;
  readonly #tag: string;
  #at = 0;
  constructor(bytes: Uint8Array, tag = "POST") {
    [this.#bytes, this.#tag] = [bytes, tag];
  }
  #bit(): number {
    const byte = this.#at >>> 3;
    if (byte >= this.#bytes.length) damaged(`${this.#tag}: codes end too early`);
    return (this.#bytes[byte] >>> (this.#at++ & 7)) & 1;
  }
  next(k: number): number {
    let ones = 0;
    while (ones < 16 && this.#bit()) ones++;
    if (ones === 16) {
      ones = 0;
      k = 32;
    }
    let low = 0;
    for (let got = 0; got < k; ) {
      const [byte, from] = [this.#at >>> 3, this.#at & 7];
      const n = Math.min(8 - from, k - got);
      if (byte >= this.#bytes.length) damaged(`${this.#tag}: codes end too early`);
      low += ((this.#bytes[byte] >>> from) & ((1 << n) - 1)) * 2 ** got;
      got += n;
      this.#at += n;
    }
    const v = ones * 2 ** k + low;
    if (v >= 2 ** 32) damaged(`${this.#tag}: a code above 2^32`);
    return v;
  }
  /** What is left has to be less than a byte, of zeros. */
  end(): void {
    need(this.#bytes.length - (this.#at >>> 3) <= (this.#at & 7 ? 1 : 0), `${this.#tag}: bytes behind the codes`);
    while (this.#at & 7) need(this.#bit() === 0, `${this.#tag}: bits behind the codes`);
  }
}

/** Reads a record. rows has the rows of each field's table. */
export function record(bytes: Uint8Array, rows: readonly number[]): Record {
  const v = new View(bytes, "POST");
  const has = v.u8(0);
  need((has & 15) > 0 && ((has >> 4) & ~has & 15) === 0, "POST: a record with other fields");
  let [at, chunks] = [1, 0];
  if (has & 3) [chunks, at] = v.uvarint(at);
  const lists: { field: number; n: number; size: number; placed: boolean; positions: number }[] = [];
  for (let field = 0; field < 4; field++) {
    if (!((has >> field) & 1)) continue;
    let [n, size] = [0, -1];
    [n, at] = v.uvarint(at);
    need(n >= 1 && n <= rows[field], `POST: ${n} postings in a table of ${rows[field]} rows`);
    if ((has & 15) >> (field + 1)) [size, at] = v.uvarint(at);
    const placed = ((has >> (field + 4)) & 1) === 1;
    let positions = -1;
    if (placed && has >> (field + 5)) [positions, at] = v.uvarint(at);
    lists.push({ field, n, size, placed, positions });
  }
  const found: (Postings | undefined)[] = [undefined, undefined, undefined, undefined];
  let place = 0; // of the positions
  for (const { field, n, size, placed, positions } of lists) {
    const end = size < 0 ? bytes.length : at + size;
    const one = list(new View(v.slice(at, end - at), "POST"), n, rows[field], placed);
    [found[field], one.at] = [one, place];
    if (placed) place += Math.max(0, positions);
    if (placed && one.blocks.length === 0) one.blocks.push(positions);
    at = end;
  }
  need(at === bytes.length, "POST: bytes behind a record");
  if (!(has & 3)) chunks = found[2]?.rows.length ?? 0;
  need(chunks <= rows[2], `POST: a term in ${chunks} chunks of ${rows[2]}`);
  return { chunks, fields: found };
}

const bitsOf = (x: number): number => 32 - Math.clz32(x);

// list reads the postings of one field, §9.3.
function list(v: View, n: number, rows: number, placed: boolean): Postings {
  const out: Postings = { rows: [], times: [], placed, at: 0, blocks: [] };
  const skips: { size: number; last: number }[] = [];
  let [at, row] = [0, 0];
  for (let i = 0; n > 128 && i < Math.ceil(n / 128); i++) {
    let [step, size] = [0, 0];
    [step, at] = v.uvarint(at);
    [size, at] = v.uvarint(at);
    let positions = 0;
    if (placed) [positions, at] = v.uvarint(at);
    if (placed) out.blocks.push(positions);
    v.u8(at++); // impact: an upper bound, which nothing here needs
    row += step;
    skips.push({ size, last: row });
  }
  if (skips.length === 0) skips.push({ size: v.bytes.length, last: -1 });
  let next = 0;
  for (const { size, last } of skips) {
    let [block, gap, often] = [v.slice(at, size), Math.max(1, bitsOf(Math.floor(rows / (n + 1)))) - 1, 0];
    at += size;
    if (n >= 16) {
      need(size > 0, "POST: a block without parameters");
      [gap, often, block] = [block[0] & 31, block[0] >> 5, block.subarray(1)];
      need(gap <= 28, `POST: a parameter of ${gap}`);
    }
    const [bits, count] = [new Bits(block), Math.min(128, n - out.rows.length)];
    for (let i = 0; i < count; i++) {
      next += bits.next(gap);
      if (next >= rows) damaged(`POST: row ${next} of ${rows}`);
      out.rows.push(next++);
    }
    for (let i = 0; i < count; i++) out.times.push(n >= 16 && often === 7 ? 1 : bits.next(often) + 1);
    bits.end();
    need(last < 0 || last === next - 1, "POST: a block ends with another row than its skip entry says");
  }
  need(at === v.bytes.length || n <= 128, "POST: bytes behind a list");
  return out;
}

// The parameters of positions in lists of less than 16: of first ones, and of distances; by field.
const few = [[1, 2], [2, 2], [5, 4], [5, 4]];

/** The positions of the postings of one block, §9.3: of each as many as its frequency. */
export function positions(bytes: Uint8Array, field: number, n: number, times: readonly number[]): number[][] {
  let [first, more] = few[field];
  if (n >= 16) {
    need(bytes.length > 0, "POSN: a block without parameters");
    [first, more, bytes] = [bytes[0] & 15, bytes[0] >> 4, bytes.subarray(1)];
  }
  const bits = new Bits(bytes, "POSN");
  const all = times.map((often) => {
    const list: number[] = [];
    for (let i = 0, at = 0; i < often; i++) {
      at += bits.next(i ? more : first);
      list.push(at);
    }
    return list;
  });
  bits.end();
  return all;
}
