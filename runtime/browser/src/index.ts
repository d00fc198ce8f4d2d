// A reader of .kddx files, written from format/FORMAT.md: what an application imports.
import { KddxError, compare, need } from "./bytes.ts";
import { File } from "./file.ts";
import { fields, record, type Record } from "./postings.ts";
import { scores, weightsOf, type Lengths, type Score, type Weights, type Word } from "./bm25.ts";
import { fromBytes, fromWeb, type Source, type WebOptions } from "./source.ts";
import { Dictionary, Table, upTo } from "./table.ts";
import { Texts, unpackBy, type Unpack } from "./text.ts";

export { KddxError, fromBytes, fromWeb };
export { exactTerm, fold } from "./fold.ts";
export { stemsOf } from "./languages.ts";
export { tokens } from "./tokens.ts";
export type { Score, Source, Unpack, WebOptions, Word };

/** How an artifact is opened. */
export interface Options extends WebOptions {
  /** Bytes of checked pages that are kept in memory; 16 MiB without it. */
  cacheBytes?: number;
  /** The root hash that the file has to have, 64 hex digits: then it does not matter who serves it. */
  root?: string;
  /** Unpacks zstd frames; without it zstd.js beside this file does, loaded when a text is read first. */
  unpack?: Unpack;
}

/** What a list says of a document. */
export interface Document {
  path: string;
  title: string;
  kind: string;
  language: string;
}

interface Meta {
  title?: string;
  analyzer: number;
  weights: Weights;
  lengths: { chunks: number };
}

// Terms that follow each other, the number of the first one, and what follows the last one.
interface Near {
  terms: Uint8Array[];
  first: number;
  next?: Uint8Array;
}

const docs = { path: 0, title: 1, kind: 4, language: 7, titleTokens: 11, text: 15, sections: 16, chunks: 17 };
const secs = { anchor: 1, start: 4, bytes: 5, pathTokens: 8, chunks: 9 };
const bodyTokens = 4; // of CHNK
const maxDocument = 2 ** 26;

/** Opens an artifact: an address, its bytes, or a source of one's own. */
export async function open(from: string | URL | Uint8Array | Source, options: Options = {}): Promise<Index> {
  let source: Source;
  if (from instanceof Uint8Array) source = fromBytes(from);
  else if (typeof from === "string" || from instanceof URL) source = await fromWeb(from, options);
  else source = from;
  const file = await File.open(source, options.cacheBytes ?? 16 << 20, options.root, options.signal);
  return Index.of(file, options.unpack);
}

/** An open artifact. */
export class Index {
  readonly file: File;
  readonly meta: Meta;
  private unpack: Unpack | undefined;
  private readonly opened = new Map<string, Promise<unknown>>();

  private constructor(file: File, meta: Meta, unpack?: Unpack) {
    this.file = file;
    this.meta = meta;
    this.unpack = unpack;
  }

  /** The index of a file's blocks. */
  static async of(file: File, unpack?: Unpack): Promise<Index> {
    need(file.block("META").length <= 2 ** 20, "META: more than 2^20 bytes");
    let meta: Meta;
    try {
      meta = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await file.read("META"))) as Meta;
    } catch (err) {
      if (err instanceof KddxError) throw err;
      throw new KddxError("index_corrupt", "META: no JSON");
    }
    if (meta?.analyzer !== 2) throw new KddxError("index_version", `META: analyzer ${meta?.analyzer}, want 2`);
    weightsOf(meta.weights);
    need(Number.isSafeInteger(meta.lengths?.chunks) && meta.lengths.chunks >= 0, "META: lengths");
    return new Index(file, meta, unpack);
  }

  /** The first 16 hex digits of the root hash. */
  get id(): string {
    return this.file.root.slice(0, 16);
  }

  // once opens something when it is asked for first, and again if that failed.
  private once<T>(what: string, make: () => Promise<T>): Promise<T> {
    let have = this.opened.get(what) as Promise<T> | undefined;
    if (!have) {
      have = make();
      this.opened.set(what, have);
      have.catch(() => this.opened.delete(what));
    }
    return have;
  }

  private table(tag: string, kinds: string, extra: number): Promise<Table> {
    return this.once(tag, () => Table.open(this.file, tag, kinds, extra));
  }
  private docs(): Promise<Table> {
    return this.table("DOCS", "ppppppppppppppprrrr", 1);
  }
  private secs(): Promise<Table> {
    return this.table("SECS", "pppppppppr", 1);
  }
  private dictionary(tag: string): Promise<Dictionary> {
    return this.once(tag, () => Dictionary.open(this.file, tag));
  }
  private column(name: string, table: Promise<Table>, number: number): Promise<number[]> {
    return this.once(`${name}.${number}`, async () => (await table).range(number));
  }

  private async string(ordinal: number): Promise<string> {
    const bytes = await (await this.dictionary("STRS")).at(ordinal);
    return new TextDecoder().decode(bytes);
  }

  /** All documents, in the order of their paths. */
  async documents(): Promise<Document[]> {
    const n = this.file.block("DOCS").rows;
    const [strings, ...columns] = await Promise.all([
      this.once("STRS.all", async () => (await this.dictionary("STRS")).all()),
      ...[docs.path, docs.title, docs.kind, docs.language].map((c) => this.column("DOCS", this.docs(), c)),
    ]);
    const text = (ordinal: number): string => {
      need(ordinal < strings.length, `DOCS: string ${ordinal} of ${strings.length}`);
      return new TextDecoder().decode(strings[ordinal]);
    };
    const [path, title, kind, language] = columns;
    return Array.from({ length: n }, (_, d) =>
      ({ path: text(path[d]), title: text(title[d]), kind: text(kind[d]), language: text(language[d]) }));
  }

  /** The markdown of a section, of the whole document without an anchor. */
  async section(path: string, anchor = "", signal?: AbortSignal): Promise<string> {
    const all = await this.documents();
    const d = all.findIndex((doc) => doc.path === path);
    if (d < 0) throw new KddxError("not_found", `no document ${JSON.stringify(path)}`);
    const [table, secs1] = await Promise.all([this.docs(), this.secs()]);
    const [[from, to], [first, end]] = await Promise.all([table.span(docs.text, d), table.span(docs.sections, d)]);
    need(to - from <= maxDocument, `DOCS: a document of ${to - from} bytes`);
    const anchors = await secs1.range(secs.anchor, first, end);
    for (let i = 0; i < anchors.length; i++) {
      if ((await this.string(anchors[i])) !== anchor) continue;
      const [start, bytes] = await Promise.all([secs1.cell(secs.start, first + i), secs1.cell(secs.bytes, first + i)]);
      need(start + bytes <= to - from, `SECS: section ${first + i} lies outside its document`);
      return this.text(from + start, from + start + bytes, signal);
    }
    throw new KddxError("not_found", `${path}: no section ${JSON.stringify(anchor)}`);
  }

  private async text(start: number, end: number, signal?: AbortSignal): Promise<string> {
    const texts = await this.once("TEXT", () => Texts.open(this.file));
    this.unpack ??= unpackBy(await import("./zstd.js"));
    return new TextDecoder().decode(await texts.read(this.unpack, start, end, signal));
  }

  /** What the dictionary has of a term: in how many chunks it stands, and where; undefined if no text has it. */
  async postings(term: string, signal?: AbortSignal): Promise<Record | undefined> {
    const key = new TextEncoder().encode(term);
    const near = await this.near(key, signal);
    const i = upTo(near.terms, key) - 1;
    if (i < 0 || compare(near.terms[i], key) !== 0) return undefined;
    return this.list(near.first + i, signal);
  }

  /** The postings of all terms that begin so. */
  async prefixed(prefix: string, signal?: AbortSignal): Promise<Record[]> {
    const key = new TextEncoder().encode(prefix);
    const begins = (term: Uint8Array): boolean => compare(term.subarray(0, key.length), key) === 0;
    const found: Promise<Record>[] = [];
    let near = await this.near(key, signal);
    for (;;) {
      near.terms.forEach((term, i) => begins(term) && found.push(this.list(near.first + i, signal)));
      if (!near.next || !begins(near.next)) return Promise.all(found);
      near = await this.near(near.next, signal);
    }
  }

  // near reads the terms among which one stands or would stand, by the first of each 256 where the file has those.
  private async near(key: Uint8Array, signal?: AbortSignal): Promise<Near> {
    const dictionary = await this.dictionary("TERM");
    if (!this.file.blocks.has("TRMT") || !this.file.blocks.has("TRMP")) {
      return { terms: await this.once("TERM.all", () => dictionary.all()), first: 0 };
    }
    const [firsts, places] = await Promise.all([
      this.once("TRMT.all", async () => (await this.dictionary("TRMT")).all()),
      this.table("TRMP", "rr", 1),
    ]);
    need(firsts.length === Math.ceil(dictionary.strings / 256), "TRMT: other strings than TERM has");
    const i = upTo(firsts, key) - 1;
    const next = i + 1 < firsts.length ? { next: firsts[i + 1] } : {};
    if (i < 0) return { terms: [], first: 0, ...next };
    const [from, to] = await places.span(0, i, signal);
    const terms = await dictionary.between(from, to, signal);
    const fits = terms.length === Math.min(256, dictionary.strings - 256 * i) && compare(terms[0], firsts[i]) === 0;
    need(fits, "TRMP: other terms are there");
    return { terms, first: 256 * i, ...next };
  }

  private async list(term: number, signal?: AbortSignal): Promise<Record> {
    const [lists, places] = await Promise.all([this.table("TRLS", "p", 0), this.table("PLST", "rr", 1)]);
    const number = await lists.cell(0, term, signal);
    need(number + 1 < places.rows, `TRLS: list ${number} of ${places.rows - 1}`);
    const [from, to] = await places.span(0, number, signal);
    const rows = fields.map((tag) => this.file.block(tag).rows);
    return record(await this.file.read("POST", from, to - from, signal), rows);
  }

  /** BM25 of all chunks that have one of the words, the best first, equal ones in the order of the text (§13.1). */
  async words(words: readonly Word[], signal?: AbortSignal): Promise<Score[]> {
    const n = this.file.block("CHNK").rows;
    const [titles, paths, bodies, ofDocs, ofSecs] = await Promise.all([
      this.column("DOCS", this.docs(), docs.titleTokens),
      this.column("SECS", this.secs(), secs.pathTokens),
      this.column("CHNK", this.table("CHNK", "ppppp", 0), bodyTokens),
      this.column("DOCS", this.docs(), docs.chunks),
      this.column("SECS", this.secs(), secs.chunks),
    ]);
    need(ofDocs[ofDocs.length - 1] === n && ofSecs[ofSecs.length - 1] === n, "CHNK: other chunks than documents have");
    const lengths: Lengths = { titles, paths, bodies, ofDocs, ofSecs, sum: this.meta.lengths.chunks };
    const found = await Promise.all(words.map(async (word) => {
      const stems = Object.entries(word.stems ?? {}).map(([language, stem]) => `\x01${language}\x01${stem}`);
      const accented = `\x02${word.folded}\x02`;
      const [terms, accents, written] = await Promise.all([
        Promise.all([word.folded, ...stems].map((t) => this.postings(t, signal))),
        word.written === undefined ? this.prefixed(accented, signal) : [],
        word.written === undefined ? undefined : this.postings(accented + word.written, signal),
      ]);
      return { word, records: terms.filter((r) => r !== undefined), folded: terms[0], accents, written };
    }));
    return scores(found, lengths, this.meta.weights);
  }

  /** The path of the document, and the anchor of the section, that a chunk stands in. */
  async placeOf(chunk: number): Promise<{ path: string; anchor: string }> {
    const [ofDocs, ofSecs] = await Promise.all([
      this.column("DOCS", this.docs(), docs.chunks),
      this.column("SECS", this.secs(), secs.chunks),
    ]);
    const n = this.file.block("CHNK").rows;
    if (!(chunk >= 0 && chunk < n)) throw new KddxError("invalid_input", `chunk ${chunk}, want 0 to ${n - 1}`);
    const holds = (starts: number[]): number => starts.findIndex((s, i) => s <= chunk && chunk < starts[i + 1]);
    const [d, s] = [await this.docs(), await this.secs()];
    const [path, anchor] = await Promise.all([d.cell(docs.path, holds(ofDocs)), s.cell(secs.anchor, holds(ofSecs))]);
    return { path: await this.string(path), anchor: await this.string(anchor) };
  }
}
