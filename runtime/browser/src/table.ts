// Tables (FORMAT.md §6) and dictionaries (§7), of which no more is read than what is asked for.
import { View, compare, need } from "./bytes.ts";
import type { Now } from "./now.ts";

interface Column {
  readonly width: number;
  readonly base: number;
  readonly anchors: number; // place of the anchors; -1 for a plain column
  readonly cells: number;
}

/** A table. kinds has a letter for each column: p plain, r rising. */
export class Table {
  readonly rows: number;
  readonly #tag: string;
  readonly #columns: readonly Column[];

  /** Reads and checks the headers of a table that has extra rows behind what the directory counts. */
  constructor(now: Now, tag: string, kinds: string, extra: number) {
    const b = now.file.block(tag);
    const top = 16 + 16 * kinds.length;
    const v = new View(now.bytes(tag, 0, Math.min(top, b.length)), tag);
    need(v.u32(0) === kinds.length && v.u32(4) === 0, `${tag}: ${v.u32(0)} columns, want ${kinds.length}`);
    const rows = v.u64(8);
    need(rows === b.rows + extra && rows < 2 ** 31, `${tag}: ${rows} rows, the directory has ${b.rows}`);
    const columns: Column[] = [];
    let at = top;
    for (let c = 0; c < kinds.length; c++) {
      const [header, rising] = [16 + 16 * c, kinds[c] === "r"];
      const [width, base] = [v.u8(header + 4), v.u64(header + 8)];
      need(v.u32(header) === c && v.u8(header + 5) === +rising && v.u8(header + 6) + v.u8(header + 7) === 0,
        `${tag}: column ${c} has another header`);
      const fits = width <= 56 && (width > 0 || c > 0) && (!rising || base === 0);
      need(fits, `${tag}: column ${c} has a width of ${width}`);
      const anchors = rising ? at : -1;
      if (rising) at += Math.ceil(rows / 64) * 8;
      columns.push({ width, base, anchors, cells: at });
      at += Math.ceil((rows * width) / 64) * 8 + 8;
    }
    need(at === b.length, `${tag}: ${b.length} bytes, its columns have ${at}`);
    [this.#tag, this.rows, this.#columns] = [tag, rows, columns];
  }

  // place is where the cells of some rows lie, and their anchors.
  #place(column: number, first: number, end: number): { at: number; n: number; group: number; groups: number } {
    const c = this.#columns[column];
    const from = Math.floor((first * c.width) / 8);
    const until = Math.floor(((end - 1) * c.width) / 8) + 8;
    const group = Math.floor(first / 64);
    return { at: from, n: until - from, group, groups: Math.floor((end - 1) / 64) + 1 - group };
  }

  /** Asks for cells that will be wanted. */
  ask(now: Now, column: number, first: number, end: number): void {
    [first, end] = [Math.max(0, first), Math.min(end, this.rows)];
    if (first >= end) return;
    const [c, p] = [this.#columns[column], this.#place(column, first, end)];
    now.ask(this.#tag, c.cells + p.at, p.n);
    if (c.anchors >= 0) now.ask(this.#tag, c.anchors + 8 * p.group, 8 * p.groups);
  }

  /** The cells of a column from row first on, before row end. */
  range(now: Now, column: number, first = 0, end = this.rows): number[] {
    need(first >= 0 && first <= end && end <= this.rows, `${this.#tag}: rows ${first} to ${end} of ${this.rows}`);
    if (first === end) return [];
    const [c, p] = [this.#columns[column], this.#place(column, first, end)];
    this.ask(now, column, first, end);
    const v = new View(now.bytes(this.#tag, c.cells + p.at, p.n), this.#tag);
    const a = c.anchors < 0 ? undefined : new View(now.bytes(this.#tag, c.anchors + 8 * p.group, 8 * p.groups), this.#tag);
    const out: number[] = [];
    for (let row = first; row < end; row++) {
      const bit = row * c.width;
      const value = word(v, Math.floor(bit / 8) - p.at, bit % 8, c.width);
      out.push(value + (a ? a.u64(8 * (Math.floor(row / 64) - p.group)) : c.base));
      need(!a || row === first || out[row - first] >= out[row - first - 1], `${this.#tag}: column ${column} falls`);
      need(out[row - first] <= Number.MAX_SAFE_INTEGER, `${this.#tag}: a value above 2^53`);
    }
    return out;
  }

  /** One cell. */
  cell(now: Now, column: number, row: number): number {
    return this.range(now, column, row, row + 1)[0];
  }

  /** A rising column's range: where row begins, and where it ends. */
  span(now: Now, column: number, row: number): [number, number] {
    const [a, b] = this.range(now, column, row, row + 2);
    return [a, b];
  }
}

// word is width bits of the eight bytes at a place, behind so many bits.
function word(v: View, at: number, shift: number, width: number): number {
  const lo = v.u32(at);
  const hi = v.u32(at + 4);
  const low = (shift ? (lo >>> shift) | (hi << (32 - shift)) : lo) >>> 0;
  if (width < 32) return low & (2 ** width - 1);
  return low + ((hi >>> shift) % 2 ** (width - 32)) * 2 ** 32;
}

/** A dictionary. */
export class Dictionary {
  readonly strings: number;
  readonly #tag: string;
  readonly #groups: number;

  constructor(now: Now, tag: string) {
    const b = now.file.block(tag);
    const v = new View(now.bytes(tag, 0, Math.min(8, b.length)), tag);
    const [strings, groups] = [v.u32(0), v.u32(4)];
    need(strings === b.rows && strings < 2 ** 31 && groups === Math.ceil(strings / 16) && b.length >= 8 + 4 * groups,
      `${tag}: ${strings} strings in ${groups} groups, the directory has ${b.rows}`);
    [this.#tag, this.strings, this.#groups] = [tag, strings, groups];
  }

  /** All strings, in their order. */
  all(now: Now): Uint8Array[] {
    const at = 8 + 4 * this.#groups;
    const found = parse(now.bytes(this.#tag, at, now.file.block(this.#tag).length - at), this.#tag);
    need(found.length === this.strings, `${this.#tag}: ${found.length} strings, want ${this.strings}`);
    return found;
  }

  /** The string with an ordinal. */
  at(now: Now, ordinal: number): Uint8Array {
    need(ordinal >= 0 && ordinal < this.strings, `${this.#tag}: string ${ordinal} of ${this.strings}`);
    const group = Math.floor(ordinal / 16);
    const some = Math.min(2, this.#groups - group);
    const places = new View(now.bytes(this.#tag, 8 + 4 * group, 4 * some), this.#tag);
    const data = now.file.block(this.#tag).length - 8 - 4 * this.#groups;
    const [from, to] = [places.u32(0), some > 1 ? places.u32(4) : data];
    const found = now.once(`${this.#tag}/group/${group}`, () => this.between(now, from, to));
    need(ordinal % 16 < found.length, `${this.#tag}: a group of ${found.length} strings`);
    return found[ordinal % 16];
  }

  /** The strings of the groups in a range of the data's bytes. */
  between(now: Now, from: number, to: number): Uint8Array[] {
    return parse(now.bytes(this.#tag, 8 + 4 * this.#groups + from, to - from), this.#tag);
  }
}

// A few bytes may stand for a string of 64 KiB, so strings are bounded and not what they are packed into.
const maxStrings = 2 ** 28;

// parse reads whole groups.
function parse(bytes: Uint8Array, tag: string): Uint8Array[] {
  const v = new View(bytes, tag);
  const found: Uint8Array[] = [];
  let last = new Uint8Array(0);
  let total = 0;
  for (let at = 0; at < bytes.length; ) {
    let [shared, rest] = [0, 0];
    if (found.length % 16) [shared, at] = v.uvarint(at);
    [rest, at] = v.uvarint(at);
    total += shared + rest;
    need(total <= maxStrings, `${tag}: strings of more than ${maxStrings} bytes`);
    need(shared <= last.length && shared + rest <= 65_536, `${tag}: a string of ${shared + rest} bytes`);
    const next = new Uint8Array(shared + rest);
    next.set(last.subarray(0, shared));
    next.set(v.slice(at, rest), shared);
    need(found.length === 0 || compare(last, next) < 0, `${tag}: strings out of order`);
    at += rest;
    found.push((last = next));
  }
  return found;
}

/** The number of strings in ascending order that do not stand behind key. */
export function upTo(strings: readonly Uint8Array[], key: Uint8Array): number {
  let [low, high] = [0, strings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(strings[middle], key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
