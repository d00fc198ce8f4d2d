// Tables (FORMAT.md §6) and dictionaries (§7), of which no more is read than what is asked for.
import { View, damaged, need } from "./bytes.ts";
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
    const out = new Array<number>(end - first);
    for (let row = first, base = c.base, last = 0; row < end; row++) {
      const bit = row * c.width;
      if (a && (row === first || row % 64 === 0)) base = a.u64(8 * (Math.floor(row / 64) - p.group));
      const value = base + word(v, Math.floor(bit / 8) - p.at, bit % 8, c.width);
      if (a && value < last) damaged(`${this.#tag}: column ${column} falls`);
      if (value > Number.MAX_SAFE_INTEGER) damaged(`${this.#tag}: a value above 2^53`);
      out[row - first] = last = value;
    }
    return out;
  }

  /** One cell. */
  cell(now: Now, column: number, row: number): number {
    const c = this.#columns[column];
    if (c.anchors >= 0) return this.range(now, column, row, row + 1)[0];
    need(row >= 0 && row < this.rows, `${this.#tag}: row ${row} of ${this.rows}`);
    const bit = row * c.width;
    const value = c.base + word(new View(now.bytes(this.#tag, c.cells + Math.floor(bit / 8), 8), this.#tag), 0, bit % 8, c.width);
    need(value <= Number.MAX_SAFE_INTEGER, `${this.#tag}: a value above 2^53`);
    return value;
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

/** A string of a dictionary: its bytes of UTF-8, a character each. So strings compare as their bytes do. */
export type Key = string;

const [utf8, text] = [new TextEncoder(), new TextDecoder()];

/** The bytes of a text as dictionaries have them. */
export function keyOf(s: string): Key {
  return /^[\x00-\x7f]*$/.test(s) ? s : chars(utf8.encode(s));
}

/** The text of a string of a dictionary. */
export function textOf(key: Key): string {
  return /^[\x00-\x7f]*$/.test(key) ? key : text.decode(Uint8Array.from(key, (c) => c.charCodeAt(0)));
}

function chars(bytes: Uint8Array): string {
  if (bytes.length <= 4096) return String.fromCharCode.apply(null, bytes as unknown as number[]);
  return chars(bytes.subarray(0, 4096)) + chars(bytes.subarray(4096));
}

/** A dictionary. */
export class Dictionary {
  readonly strings: number;
  readonly groups: number;
  readonly #tag: string;
  readonly #data: number; // bytes of the groups

  constructor(now: Now, tag: string) {
    const b = now.file.block(tag);
    const v = new View(now.bytes(tag, 0, Math.min(8, b.length)), tag);
    const [strings, groups] = [v.u32(0), v.u32(4)];
    need(strings === b.rows && strings < 2 ** 31 && groups === Math.ceil(strings / 16) && b.length >= 8 + 4 * groups,
      `${tag}: ${strings} strings in ${groups} groups, the directory has ${b.rows}`);
    [this.#tag, this.strings, this.groups, this.#data] = [tag, strings, groups, b.length - 8 - 4 * groups];
  }

  /** All strings, in their order. */
  all(now: Now): Key[] {
    const found = this.between(now, 0, this.#data);
    need(found.length === this.strings, `${this.#tag}: ${found.length} strings, want ${this.strings}`);
    return found;
  }

  #place(now: Now, group: number): number {
    return group === this.groups ? this.#data : new View(now.bytes(this.#tag, 8 + 4 * group, 4), this.#tag).u32(0);
  }

  /** The first string of a group. */
  first(now: Now, group: number): Key {
    const at = 8 + 4 * this.groups + this.#place(now, group);
    const left = 8 + 4 * this.groups + this.#data - at;
    const v = new View(now.bytes(this.#tag, at, Math.min(left, 3)), this.#tag);
    const [n, head] = v.uvarint(0);
    need(n <= 65_536, `${this.#tag}: a string of ${n} bytes`);
    return chars(now.bytes(this.#tag, at + head, n));
  }

  /** The strings of a group. */
  group(now: Now, group: number): Key[] {
    return now.once(`${this.#tag}/group/${group}`, () => {
      const found = this.between(now, this.#place(now, group), this.#place(now, group + 1));
      const want = Math.min(16, this.strings - 16 * group);
      need(found.length === want, `${this.#tag}: a group of ${found.length} strings, want ${want}`);
      return found;
    });
  }

  /** The string with an ordinal. */
  at(now: Now, ordinal: number): Key {
    need(ordinal >= 0 && ordinal < this.strings, `${this.#tag}: string ${ordinal} of ${this.strings}`);
    return this.group(now, ordinal >> 4)[ordinal & 15];
  }

  /** The number of groups that do not begin behind a key. */
  upTo(now: Now, key: Key): number {
    let [low, high] = [0, this.groups];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.first(now, middle) <= key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The strings of the groups in a range of the data's bytes. */
  between(now: Now, from: number, to: number): Key[] {
    return parse(now.bytes(this.#tag, 8 + 4 * this.groups + from, to - from), this.#tag);
  }
}

// A few bytes may stand for a string of 64 KiB, so strings are bounded and not what they are packed into.
const maxStrings = 2 ** 28;

/** The strings of whole groups. */
export function parse(bytes: Uint8Array, tag: string): Key[] {
  const v = new View(bytes, tag);
  const found: Key[] = [];
  let last = "", total = 0, at = 0;
  const length = (): number => {
    if (bytes[at] < 128) return bytes[at++];
    const [n, end] = v.uvarint(at);
    at = end;
    return n;
  };
  while (at < bytes.length) {
    const shared = found.length % 16 ? length() : 0;
    const rest = length();
    total += shared + rest;
    if (total > maxStrings) damaged(`${tag}: strings of more than ${maxStrings} bytes`);
    if (shared > last.length || shared + rest > 65_536) damaged(`${tag}: a string of ${shared + rest} bytes`);
    const next = last.slice(0, shared) + chars(v.slice(at, rest));
    if (found.length > 0 && last >= next) damaged(`${tag}: strings out of order`);
    at += rest;
    found.push((last = next));
  }
  return found;
}

/** The number of strings in ascending order that do not stand behind key. */
export function upTo(strings: readonly Key[], key: Key): number {
  let [low, high] = [0, strings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (strings[middle] <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
