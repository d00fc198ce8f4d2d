// The blocks of a file as a step of a search sees them (see now.ts): what it asks for is there, or the step runs again.
import { View, need } from "./bytes.ts";
import type { File } from "./file.ts";
import type { Meta } from "./meta.ts";
import { Missing, type Now } from "./now.ts";
import { positions, record, type Record } from "./postings.ts";
import { Dictionary, Table, keyOf, textOf, upTo, type Key } from "./table.ts";

const kinds: { [tag: string]: [columns: string, extra: number] } = {
  DOCS: ["ppppppppppppppprrrr", 1], SECS: ["pppppppppr", 1], CHNK: ["ppppp", 0], TRLS: ["p", 0], PLST: ["rr", 1],
  TRMP: ["rr", 1], NAMP: ["rr", 1], NMOF: ["r", 1], NMND: ["pp", 0], LNKT: ["ppppp", 0], FCOF: ["r", 1], PAIR: ["pp", 0],
  DUPS: ["ppp", 0], GNOD: ["pppppp", 0], GOUT: ["r", 1], GEDG: ["pppppppp", 0], GINC: ["r", 1], GINE: ["p", 0],
  INCL: ["pppppp", 0], INCF: ["ppp", 0],
};

export const doc = { path: 0, title: 1, node: 2, kind: 4, domain: 5, status: 6, language: 7, date: 8, chunkType: 9,
  titleTokens: 11, root: 12, text: 15, sections: 16, chunks: 17 };
export const sec = { heading: 0, anchor: 1, parent: 2, level: 3, start: 4, bytes: 5, line: 6, more: 7, pathTokens: 8, chunks: 9 };

/** Documents, sections and chunks: which belong to which, and how long they are. */
export interface Places {
  docSections: number[]; // of each document the first; and their number
  docChunks: number[];
  secChunks: number[];
  secTokens: number[]; // of heading paths
  bodyTokens: number[];
  secDoc: Uint32Array;
  chunkSec: Uint32Array;
  chunkDoc: Uint32Array;
  length: Float32Array; // of chunks, titles and paths by their weights
}

/** Strings that follow each other, and the number of the first one. */
export interface Run {
  strings: Key[];
  first: number;
}

/** The blocks of a file for one search. What all searches need is kept in shared. */
export class Data {
  readonly file: File;
  readonly meta: Meta;
  readonly now: Now;
  readonly #shared: Map<string, unknown>;
  readonly #found = new Map<string, string>(); // strings of dictionaries, by their numbers

  constructor(file: File, meta: Meta, now: Now, shared: Map<string, unknown>) {
    [this.file, this.meta, this.now, this.#shared] = [file, meta, now, shared];
  }

  /** What all searches of the file need, made once. */
  keep<T>(key: string, make: () => T): T {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    return this.#shared.get(key) as T;
  }

  table(tag: string): Table {
    return this.keep(tag, () => new Table(this.now, tag, ...kinds[tag]));
  }
  cell(tag: string, column: number, row: number): number {
    return this.table(tag).cell(this.now, column, row);
  }
  span(tag: string, column: number, row: number): [number, number] {
    return this.table(tag).span(this.now, column, row);
  }
  #column(tag: string, number: number): number[] {
    return this.keep(`${tag}.${number}`, () => this.table(tag).range(this.now, number));
  }
  dictionary(tag: string): Dictionary {
    return this.keep(tag, () => new Dictionary(this.now, tag));
  }
  rows(tag: string): number {
    return this.file.blocks.get(tag)?.rows ?? 0;
  }

  /** The string of an ordinal. */
  string(ordinal: number): string {
    return this.keep(`string ${ordinal}`, () => textOf(this.dictionary("STRS").at(this.now, ordinal)));
  }
  docString(d: number, column: number): string {
    return this.string(this.cell("DOCS", column, d));
  }
  secString(s: number, column: number): string {
    return this.string(this.cell("SECS", column, s));
  }

  /** Asks for what each search reads first: tables of a block or two. */
  askFirst(): void {
    for (const [tag, most] of [["DOCS", 1 << 17], ["SECS", 1 << 17], ["CHNK", 1 << 17], ["TRLS", 1 << 16], ["PLST", 1 << 16], ["FCOF", 1 << 13],
      ["FACT", 1 << 14], ["DUPS", 1 << 13], ["NMOF", 1 << 13], ["NMND", 1 << 14], ["LNKT", 1 << 14]] as const) {
      if (this.file.blocks.has(tag)) this.now.ask(tag, 0, Math.min(this.file.block(tag).length, most));
    }
    if (this.file.blocks.has("TEXT")) this.now.ask("TEXT", 0, Math.min(16 + 12 * this.rows("TEXT"), 1 << 14)); // frames
    for (const tag of ["PAIR", "STRS", "TERM", "NAME", "GOUT", "GINC", "INCL"]) {
      if (this.file.blocks.has(tag)) this.now.ask(tag, 0, 4096);
    }
    this.#askKeys("TERM");
    this.#askKeys("NAME");
  }

  /** Documents, sections and chunks. */
  places(): Places {
    return this.keep("places", () => {
      const column = (tag: string, c: number) => () => this.#column(tag, c);
      const [titles, docSections, docChunks, secTokens, secChunks, bodyTokens] = this.now.all(
        column("DOCS", doc.titleTokens), column("DOCS", doc.sections), column("DOCS", doc.chunks),
        column("SECS", sec.pathTokens), column("SECS", sec.chunks), column("CHNK", 4));
      const [docs, secs, chunks] = [this.rows("DOCS"), this.rows("SECS"), this.rows("CHNK")];
      need(docSections[docs] === secs && docChunks[docs] === chunks && secChunks[secs] === chunks,
        "DOCS: other sections or chunks than there are");
      const w = this.meta.weights;
      const p: Places = { docSections, docChunks, secChunks, secTokens, bodyTokens, secDoc: new Uint32Array(secs),
        chunkSec: new Uint32Array(chunks), chunkDoc: new Uint32Array(chunks), length: new Float32Array(chunks) };
      const f = Math.fround;
      for (let d = 0; d < docs; d++) {
        need(docChunks[d] === secChunks[docSections[d]], "DOCS: chunks of another document");
        const title = f(f(w.title) * f(titles[d]));
        for (let s = docSections[d]; s < docSections[d + 1]; s++) {
          p.secDoc[s] = d;
          const length = f(title + f(f(w.path) * f(secTokens[s])));
          for (let c = secChunks[s]; c < secChunks[s + 1]; c++) {
            p.length[c] = length + bodyTokens[c];
            [p.chunkSec[c], p.chunkDoc[c]] = [s, d];
          }
        }
      }
      return p;
    });
  }

  // askKeys asks for a dictionary, or its upper level if it has one.
  #askKeys(tag: "TERM" | "NAME"): void {
    if (!this.byPage(tag)) this.now.ask(tag);
    else for (const upper of tag === "TERM" ? ["TRMT", "TRMP"] : ["NAMT", "NAMP"]) this.now.ask(upper);
  }

  /** The strings of a dictionary among which those from one key to another ("" is the end) stand or would stand. */
  run(tag: "TERM" | "NAME", from: Key, to: Key): Run {
    const [top, places] = tag === "TERM" ? ["TRMT", "TRMP"] : ["NAMT", "NAMP"];
    const dictionary = this.dictionary(tag);
    if (!this.byPage(tag)) {
      if (!this.now.ask(tag)) throw new Missing();
      const first = Math.max(0, dictionary.upTo(this.now, from) - 1);
      const end = to === "" ? dictionary.groups : Math.max(first + 1, dictionary.upTo(this.now, to));
      const strings: Key[] = [];
      for (let g = first; g < Math.min(end, dictionary.groups); g++) {
        strings.push(...this.keep(`${tag}/${g}`, () => dictionary.group(this.now, g)));
      }
      return { strings, first: 16 * first };
    }
    const firsts = this.keep(`${top}.all`, () => this.dictionary(top).all(this.now));
    need(firsts.length === Math.ceil(dictionary.strings / 256), `${top}: other strings than ${tag} has`);
    const first = Math.max(0, upTo(firsts, from) - 1);
    const end = to === "" ? firsts.length : Math.max(first + 1, upTo(firsts, to));
    const upper = this.table(places);
    const stop = Math.min(end, firsts.length);
    const [starts, rows] = this.now.all(() => upper.range(this.now, 0, first, stop + 1), () => upper.range(this.now, 1, first, stop + 1));
    const [row, last] = [rows[0], rows[rows.length - 1] + 1];
    if (tag === "TERM") {
      this.table("TRLS").ask(this.now, 0, 256 * first, 256 * stop);
      for (const column of [0, 1]) this.table("PLST").ask(this.now, column, row, last);
    } else {
      this.table("NMOF").ask(this.now, 0, 256 * first, 256 * stop + 1);
      for (const column of [0, 1]) this.table("NMND").ask(this.now, column, row, last);
    }
    const runs = this.now.each(starts.slice(1).map((_, i) => i), (i) => this.now.once(`${tag}/${first + i}`, () => {
      const strings = dictionary.between(this.now, starts[i], starts[i + 1]);
      const fits = strings.length === Math.min(256, dictionary.strings - 256 * (first + i));
      need(fits && strings[0] === firsts[first + i], `${places}: other strings are there`);
      return strings;
    }));
    return { strings: runs.length === 1 ? runs[0] : runs.flat(), first: 256 * first };
  }

  /** Whether a dictionary is read in parts. */
  byPage(tag: "TERM" | "NAME"): boolean {
    return this.file.blocks.has(tag === "TERM" ? "TRMT" : "NAMT") && this.file.blocks.has(tag === "TERM" ? "TRMP" : "NAMP");
  }

  /** The number of a string of a dictionary; -1 if it lacks it. */
  find(tag: "TERM" | "NAME", key: string): number {
    return this.now.once(`${tag}=${key}`, () => {
      const want = keyOf(key);
      const { strings, first } = this.run(tag, want, want);
      const i = upTo(strings, want) - 1;
      if (i < 0 || strings[i] !== want) return -1;
      this.#found.set(`${tag}/${first + i}`, key);
      return first + i;
    });
  }
  term(key: string): number {
    return this.find("TERM", key);
  }

  /** The strings of a dictionary that begin so, with their numbers. */
  prefixed(tag: "TERM" | "NAME", prefix: string): [number, string][] {
    return this.now.once(`${tag}^${prefix}`, () => {
      const from = keyOf(prefix);
      const { strings, first } = this.run(tag, from, `${from}\xff`);
      const out: [number, string][] = [];
      let i = upTo(strings, from);
      if (i > 0 && strings[i - 1] === from) i--;
      for (; i < strings.length && strings[i].startsWith(from); i++) out.push([first + i, textOf(strings[i])]);
      for (const [number, s] of out) this.#found.set(`${tag}/${number}`, s);
      return out;
    });
  }

  /** The string of a number. */
  stringAt(tag: "TERM" | "NAME", number: number): string {
    return this.#found.get(`${tag}/${number}`) ?? textOf(this.dictionary(tag).at(this.now, number));
  }

  /** The posting list of a term. */
  listOf(term: number): number {
    return this.now.once(`list/${term}`, () => {
      const list = this.cell("TRLS", 0, term);
      need(list + 1 < this.table("PLST").rows, `TRLS: list ${list} of ${this.table("PLST").rows - 1}`);
      return list;
    });
  }

  #stretch(term: number): { post: [number, number]; posn: [number, number] } {
    const list = this.listOf(term);
    const [post, posn] = this.now.all(() => this.span("PLST", 0, list), () => this.span("PLST", 1, list));
    if (posn[1] - posn[0] <= 1 << 15) this.now.ask("POSN", posn[0], posn[1] - posn[0]);
    return { post, posn };
  }

  /** A term's postings in all fields. */
  postings(term: number): Record {
    return this.now.once(`post/${this.listOf(term)}`, () => {
      const [from, to] = this.#stretch(term).post;
      const rows = ["DOCS", "SECS", "CHNK", "LNKT"].map((tag) => this.rows(tag));
      return record(this.now.bytes("POST", from, to - from), rows);
    });
  }

  /** The positions of a block of a term's postings in a field. */
  positions(term: number, field: number, block: number): number[][] {
    return this.now.once(`posn/${this.listOf(term)}/${field}/${block}`, () => {
      const p = this.postings(term).fields[field]!;
      const [from, to] = this.#stretch(term).posn;
      let at = from + p.at;
      for (let i = 0; i < block; i++) at += p.blocks[i];
      const size = p.blocks[block] < 0 ? to - at : p.blocks[block];
      need(at + size <= to, "POSN: positions outside of their list");
      const times = p.times.slice(128 * block, 128 * block + 128);
      return positions(this.now.bytes("POSN", at, size), field, p.rows.length, times);
    });
  }

  /** In how many chunks a pair stands, by its hash: an interpolation search, as hashes are spread evenly. */
  pairChunks(hash: number): number {
    const n = this.rows("PAIR");
    if (n === 0) return 0;
    const table = this.table("PAIR");
    const at = Math.floor((hash / 2 ** 32) * n);
    for (let around = Math.ceil(1.25 * Math.sqrt(n)) + 1; ; around *= 4) {
      const [from, to] = [Math.max(0, at - around), Math.min(n, at + around)];
      table.ask(this.now, 1, from, to);
      const hashes = table.range(this.now, 0, from, to);
      const i = hashes.indexOf(hash);
      if (i >= 0) return Math.min(table.cell(this.now, 1, from + i), this.rows("CHNK"));
      if ((from === 0 || hashes[0] < hash) && (to === n || hashes[hashes.length - 1] > hash)) return 0;
    }
  }

  /** The documents that have a value in a field. */
  facet(field: string, value: string): Set<number> {
    return this.now.once(`facet/${field}=${value}`, () => {
      const all = this.keep("FACT.all", () => this.dictionary("FACT").all(this.now));
      const key = keyOf(`${field}\0${value}`);
      const i = upTo(all, key) - 1;
      if (i < 0 || all[i] !== key) return new Set<number>();
      const [from, to] = this.span("FCOF", 0, i);
      return bitmap(this.now.bytes("FBMP", from, to - from), this.rows("DOCS"));
    });
  }
}

/** Reads a Roaring bitmap of document numbers below n, and checks all of it. */
export function bitmap(bytes: Uint8Array, n: number): Set<number> {
  const v = new View(bytes, "FBMP");
  const u16 = (at: number): number => v.u8(at) + 256 * v.u8(at + 1);
  const cookie = v.u32(0);
  const runs = (cookie & 0xffff) === 12347;
  need(runs || cookie === 12346, "FBMP: no bitmap");
  const count = runs ? (cookie >>> 16) + 1 : v.u32(4);
  need(count >= 1 && count <= 65_536, `FBMP: ${count} containers`);
  let at = runs ? 4 + Math.ceil(count / 8) : 8;
  const heads = at;
  at += 4 * count;
  const offsets = !runs || count >= 4;
  if (offsets) at += 4 * count;
  const out = new Set<number>();
  let last = -1;
  const add = (id: number): void => {
    need(id > last && id < n, `FBMP: document ${id} of ${n}`);
    out.add((last = id));
  };
  for (let i = 0; i < count; i++) {
    const [key, size] = [u16(heads + 4 * i) * 65_536, u16(heads + 4 * i + 2) + 1];
    need(!offsets || v.u32(heads + 4 * count + 4 * i) === at, "FBMP: a container lies elsewhere");
    const before = out.size;
    if (runs && (v.u8(4 + (i >> 3)) >> (i & 7)) & 1) {
      const n = u16(at);
      for (let k = 0; k < n; k++) {
        const [first, more] = [u16(at + 2 + 4 * k), u16(at + 4 + 4 * k)];
        need(first + more < 65_536 && (k === 0 || key + first > last + 1), "FBMP: runs that touch");
        for (let id = first; id <= first + more; id++) add(key + id);
      }
      at += 2 + 4 * n;
    } else if (size <= 4096) {
      for (let k = 0; k < size; k++) add(key + u16(at + 2 * k));
      at += 2 * size;
    } else {
      for (let k = 0; k < 65_536; k++) if ((v.u8(at + (k >> 3)) >> (k & 7)) & 1) add(key + k);
      at += 8192;
    }
    need(out.size - before === size, "FBMP: another number of documents");
  }
  need(at === bytes.length, "FBMP: bytes behind a bitmap");
  return out;
}
