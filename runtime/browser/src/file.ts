// The container (FORMAT.md §2 to §4): header, directory, and pages that are compared with the tree of hashes.
import { KddxError, Kept, View, compare, hex, join, need, sha256 } from "./bytes.ts";
import type { Source } from "./source.ts";

/** A block as the directory has it. */
export interface Block {
  readonly tag: string;
  readonly offset: number;
  readonly length: number;
  readonly rows: number;
  readonly root: Uint8Array;
  readonly page: number; // bytes
  readonly hashes: readonly number[]; // on each level below the root
  readonly places: number[]; // in TREE, of each level
}

// What a reader has to know: a file with another critical block is refused.
const critical = new Set(("CHNK CRCS CSHA DLST DOCS DSHA FACT FBMP FCOF FIND FMFD FMOF GEDG GINC GINE GNOD GOUT LNKT " +
  "META NAME NMND NMOF PLST POSN POST SECS STRS TERM TEXT TREE TRLS UNIT UNOF").split(" "));
const magic = [0x4b, 0x44, 0x44, 0x58, 0x0d, 0x0a, 0x1a, 0x0a];
const smallTree = 1 << 17; // bytes of TREE that are read with the first pages, as it lies beside what is read then
const zero = (b: Uint8Array) => b.every((v) => v === 0);

/** An artifact's blocks. Each byte that read returns was compared with the root hash. */
export class File {
  /** The root hash, 64 hex digits. */
  readonly root: string;
  /** Bytes without trailers. */
  readonly length: number;
  readonly blocks: ReadonlyMap<string, Block>;
  #source: Source;
  readonly #pages: Kept;
  readonly #flights = new Map<string, Promise<Uint8Array>>();
  #tree: Promise<Uint8Array> | undefined; // all of a small one, not compared yet

  private constructor(source: Source, cacheBytes: number, root: string, length: number, blocks: Map<string, Block>) {
    this.#source = source;
    this.#pages = new Kept(cacheBytes);
    this.root = root;
    this.length = length;
    this.blocks = blocks;
  }

  /** Reads header and directory. A root hash that is given is compared with the file's. */
  static async open(source: Source, cacheBytes: number, root?: string, signal?: AbortSignal): Promise<File> {
    const start = new View(await source.read(0, Math.min(16_384, source.size), signal), "header");
    need(start.bytes.length >= 128 && magic.every((v, i) => start.u8(i) === v), `${source.name}: no .kddx file`);
    if (start.u32(8) !== 0 || start.u32(12) !== 0) {
      throw new KddxError("index_version", `${source.name}: version ${start.u32(8)} of the format, want 0`);
    }
    const length = start.u64(16);
    const entries = start.u32(32);
    need(length <= source.size, `header: a length of ${length} bytes, the file has ${source.size}`);
    need(start.u64(24) === 128 && entries >= 1 && entries <= 254 && start.u32(36) === 1, "header: no usable directory");
    need(zero(start.slice(40, 24)) && zero(start.slice(96, 32)), "header: bytes that must be zero are not");
    const head = start.slice(0, 128 + 64 * entries).slice();
    const want = head.slice(64, 96);
    head.fill(0, 64, 96);
    need(compare(await sha256(head), want) === 0, "header: the root hash is another");
    for (const promised of [root, source.root]) {
      if (promised !== undefined && promised !== hex(want)) {
        throw new KddxError("index_untrusted", `${source.name}: root hash ${hex(want)}, want ${promised}`);
      }
    }
    return new File(source, cacheBytes, hex(want), length, directory(new View(head, "directory"), entries, length));
  }

  /** All of it is in memory. */
  get whole(): boolean {
    return this.#source.whole === true;
  }

  /** Reads from another source of the same bytes from now on. */
  through(source: Source): void {
    this.#source = source;
  }

  /** The block with a tag, which has to be there. */
  block(tag: string): Block {
    const b = this.blocks.get(tag);
    need(b !== undefined, `directory: no block ${tag}`);
    return b;
  }

  /** A page of a block, if it is kept. */
  kept(tag: string, i: number): Uint8Array | undefined {
    return this.#pages.get(`${tag}/${i}`);
  }

  /** Reads pages of blocks, and the hashes above them, in one round; what lies near each other in one request. */
  async load(wanted: ReadonlyMap<string, ReadonlySet<number>>, signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
    const spans: [number, number][] = [];
    const runs: [string, number, number][] = [];
    for (const [tag, set] of wanted) {
      const b = this.block(tag);
      const numbers = [...set].sort((x, y) => x - y);
      for (const i of numbers) {
        spans.push([b.offset + i * b.page, b.offset + Math.min(b.length, (i + 1) * b.page)]);
        const last = runs[runs.length - 1];
        if (last?.[0] === tag && last[2] === i) last[2]++;
        else runs.push([tag, i, i + 1]);
        for (let level = 0, node = i; level < b.hashes.length; level++) {
          node >>= 7;
          if (!this.#tree && !this.#pages.get(`${tag}/${level}/${node}`)) spans.push(this.#nodeAt(b, level, node));
        }
      }
    }
    const tree = this.block("TREE");
    const small = !this.#tree && tree.length <= smallTree && runs.some(([tag]) => this.block(tag).hashes.length);
    if (small) spans.push([tree.offset, tree.offset + tree.length]);
    const reading = gathered(this.#source, spans, signal);
    if (small) {
      this.#tree = reading.then(async (from) => (await from.read(tree.offset, tree.length, signal)).slice());
      this.#tree.catch(() => (this.#tree = undefined));
    }
    const from = await reading;
    const found = new Map<string, Uint8Array>();
    await Promise.all(runs.map(async ([tag, first, end]) => {
      const b = this.block(tag);
      const bytes = await this.read(tag, first * b.page, Math.min(end * b.page, b.length) - first * b.page, signal, from);
      for (let i = first; i < end; i++) {
        found.set(`${tag}/${i}`, bytes.subarray((i - first) * b.page, (i - first + 1) * b.page));
      }
    }));
    return found;
  }

  /** The n bytes of a block from byte at on, all that follow without n. Pages that lie apart are read in parallel. */
  async read(
    tag: string, at = 0, n = this.block(tag).length - at, signal?: AbortSignal, from = this.#source,
  ): Promise<Uint8Array> {
    const b = this.block(tag);
    need(at >= 0 && n >= 0 && at + n <= b.length, `${tag}: bytes ${at} to ${at + n} of ${b.length}`);
    if (n === 0) return new Uint8Array(0);
    const first = Math.floor(at / b.page);
    const last = Math.floor((at + n - 1) / b.page);
    const pages: Promise<Uint8Array>[] = [];
    for (let i = first; i <= last; i++) {
      const have = this.#page(b, i);
      if (have) {
        pages.push(have);
        continue;
      }
      let end = i;
      while (end < last && !this.#page(b, end + 1)) end++;
      pages.push(...this.#fetch(from, b, i, end, signal));
      i = end;
    }
    return join(await Promise.all(pages)).subarray(at - first * b.page, at - first * b.page + n);
  }

  #page(b: Block, i: number): Promise<Uint8Array> | undefined {
    const key = `${b.tag}/${i}`;
    const have = this.#pages.get(key);
    return have ? Promise.resolve(have) : this.#flights.get(key);
  }

  // fetch reads pages first to last in one request, and the hashes above them at the same time.
  #fetch(from: Source, b: Block, first: number, last: number, signal?: AbortSignal): Promise<Uint8Array>[] {
    const begin = first * b.page;
    const all = from.read(b.offset + begin, Math.min((last + 1) * b.page, b.length) - begin, signal);
    const pages: Promise<Uint8Array>[] = [];
    for (let i = first; i <= last; i++) {
      const key = `${b.tag}/${i}`;
      const page = (async () => {
        const [bytes, want] = await Promise.all([all, this.#hash(from, b, 0, i, signal)]);
        const own = bytes.slice(i * b.page - begin, Math.min((i + 1) * b.page, b.length) - begin);
        need(compare(await sha256(own), want) === 0, `${b.tag}: page ${i} is not what the hash above it says`);
        this.#pages.put(key, own);
        this.#source.keep?.(b.offset + i * b.page, own);
        return own;
      })().finally(() => this.#flights.delete(key));
      // A read that somebody may give up is nobody else's.
      if (!signal) this.#flights.set(key, page);
      pages.push(page);
    }
    return pages;
  }

  // hash returns the hash of node i of a level, level 0 being that of pages.
  async #hash(from: Source, b: Block, level: number, i: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (level === b.hashes.length) return b.root;
    const node = i >> 7;
    const key = `${b.tag}/${level}/${node}`;
    let bytes = this.#pages.get(key);
    if (!bytes) {
      let flight = this.#flights.get(key);
      if (!flight) {
        flight = this.#node(from, b, level, node, signal).finally(() => this.#flights.delete(key));
        if (!signal) this.#flights.set(key, flight);
      }
      bytes = await flight;
      this.#pages.put(key, bytes);
    }
    return bytes.subarray((i & 127) * 32, (i & 127) * 32 + 32);
  }

  // nodeAt says where a node of 128 hashes lies in the file.
  #nodeAt(b: Block, level: number, node: number): [number, number] {
    const at = this.block("TREE").offset + b.places[level] + node * 4096;
    return [at, at + Math.min(128, b.hashes[level] - node * 128) * 32];
  }

  async #node(
    from: Source, b: Block, level: number, node: number, signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const [at, end] = this.#nodeAt(b, level, node);
    const above = this.#hash(from, b, level + 1, node, signal);
    const begin = at - this.block("TREE").offset;
    const tree = await this.#tree?.catch(() => undefined);
    const read = tree?.subarray(begin, begin + end - at) ?? from.read(at, end - at, signal);
    const [bytes, want] = await Promise.all([read, above]);
    const right = compare(await sha256(bytes), want) === 0;
    if (!right) this.#tree = undefined; // it may be read better
    need(right, `${b.tag}: hashes are not what the hash above them says`);
    this.#source.keep?.(at, bytes);
    return bytes.slice();
  }
}

const near = 8 << 10; // bytes between what is read in one request

// gathered reads spans of a source, those near each other together, and is a source of what was read.
async function gathered(source: Source, spans: [number, number][], signal?: AbortSignal): Promise<Source> {
  const wide: [number, number][] = [];
  for (const [at, end] of spans.sort((a, b) => a[0] - b[0])) {
    const last = wide[wide.length - 1];
    if (last && at <= last[1] + near) last[1] = Math.max(last[1], end);
    else wide.push([at, end]);
  }
  const parts = await Promise.all(wide.map(([at, end]) => source.read(at, end - at, signal)));
  const read: Source["read"] = async (at, n, signal) => {
    const i = wide.findIndex(([begin, end]) => begin <= at && at + n <= end);
    return i < 0 ? source.read(at, n, signal) : parts[i].subarray(at - wide[i][0], at - wide[i][0] + n);
  };
  return { ...source, read };
}

function directory(v: View, entries: number, length: number): Map<string, Block> {
  const blocks = new Map<string, Block>();
  let before = "";
  for (let i = 0, at = 128; i < entries; i++, at += 64) {
    const tag = String.fromCharCode(...v.slice(at, 4));
    const flags = v.u32(at + 4);
    const bits = flags >>> 8;
    need(/^[ -~]{4}$/.test(tag) && tag > before, `directory: entry ${i} has a tag out of order`);
    need((flags & 254) === 0 && [0, 10, 12, 16].includes(bits), `directory: ${tag} has unknown flags`);
    if (flags & 1 && !critical.has(tag)) {
      throw new KddxError("index_version", `directory: a critical block ${tag} that this reader does not know`);
    }
    const [offset, size] = [v.u64(at + 8), v.u64(at + 16)];
    const single = tag === "TREE" || tag === "CRCS";
    need(single === (bits === 0), `directory: ${tag} has pages of another size`);
    need(offset % 4096 === 0 && offset >= 128 + 64 * entries && offset + size <= length,
      `directory: ${tag} lies outside`);
    const page = single ? Math.max(1, size) : 2 ** bits;
    const hashes = [Math.ceil(size / page)];
    while (hashes[hashes.length - 1] > 1) hashes.push(Math.ceil(hashes[hashes.length - 1] / 128));
    hashes.pop();
    const [rows, root] = [v.u64(at + 24), v.slice(at + 32, 32)];
    blocks.set(tag, { tag, offset, length: size, rows, root, page, hashes, places: [] });
    before = tag;
  }
  for (const tag of critical) need(blocks.has(tag), `directory: no block ${tag}`);
  const ordered = [...blocks.values()].sort((a, b) => a.offset - b.offset || a.length - b.length);
  let [end, place] = [0, 0];
  for (const b of ordered) {
    need(b.offset >= end, `directory: ${b.tag} overlaps another block`);
    end = b.offset + b.length;
  }
  need(end === length, "directory: the last block does not end where the file does");
  for (let level = Math.max(...ordered.map((b) => b.hashes.length)) - 1; level >= 0; level--) {
    for (const b of ordered) {
      if (level >= b.hashes.length) continue;
      b.places[level] = place;
      place += 32 * b.hashes[level];
    }
  }
  need(place === blocks.get("TREE")!.length, "directory: TREE has another length");
  return blocks;
}
