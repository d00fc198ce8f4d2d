// A reader of .kddx files, written from format/FORMAT.md: what an application imports.
import { KddxError, need } from "./bytes.ts";
import type { Store } from "./cache.ts";
import type { Score } from "./cosine.ts";
import { Data, doc, sec } from "./data.ts";
import type { Facets } from "./facets.ts";
import { File } from "./file.ts";
import { loadLanguage, loadMeaning, loadShown, loadTrust, stemsOf } from "./languages.ts";
import { load } from "./load.ts";
import type { Meaning, MeaningOptions } from "./meaning.ts";
import { readMeta, type Meta } from "./meta.ts";
import { Now } from "./now.ts";
import { search, type SearchOptions, type SearchResponse } from "./search.ts";
import { fromBytes, fromWeb, type Source, type WebOptions } from "./source.ts";
import { Texts, unpackBy, type Unpack, type Zstd } from "./text.ts";

export { KddxError, fromBytes, fromWeb };
export { exactTerm, fold } from "./fold.ts";
export { stemsOf } from "./languages.ts";
export { tokens } from "./tokens.ts";
export type { Facets } from "./facets.ts";
export type { Filter } from "./filter.ts";
export type { SearchHit } from "./show.ts";
export type {
  Meaning, MeaningOptions, Score, SearchOptions, SearchResponse, Source, Store, Unpack, WebOptions,
};

/** How an artifact is opened. */
export interface Options extends WebOptions {
  /** Bytes of checked pages that are kept in memory; 16 MiB without it. */
  cacheBytes?: number;
  /** The root hash that the file has to have, 64 hex digits: then it does not matter who serves it. */
  root?: string;
  /** Public keys of minisign or signify, of which one has to have signed the file: lines as their files have them. */
  key?: string | readonly string[];
  /** With key: the names under which the file may be signed; any without them. */
  signedAs?: string | readonly string[];
  /** A Cache of the browser, in which checked bytes stay from visit to visit. */
  store?: Store;
  /** Bytes in store at most, of all files; 64 MiB without it. */
  storeBytes?: number;
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

const maxDocument = 2 ** 26;

// ahead lets something load for which nothing waits yet; whoever needs it is told if that failed.
const ahead = (...loads: Promise<unknown>[]): void => loads.forEach((one) => void one.catch(() => undefined));

/** Opens an artifact: an address, its bytes, or a source of one's own. What a search needs loads beside an address. */
export async function open(from: string | URL | Uint8Array | Source, options: Options = {}): Promise<Index> {
  let source: Source;
  const web = typeof from === "string" || from instanceof URL;
  if (web) ahead(loadLanguage(), loadShown(), ...(options.unpack ? [] : [load("./zstd.js")]));
  if (from instanceof Uint8Array) source = fromBytes(from);
  else if (typeof from === "string" || from instanceof URL) source = await fromWeb(from, options);
  else source = from;
  const file = await File.open(source, options.cacheBytes ?? 16 << 20, options.root, options.signal);
  if (options.key !== undefined || options.store) await (await loadTrust()).trust(file, source, options);
  const index = await Index.of(file, options.unpack);
  if (web) ahead(...index.meta.languages.map((l) => stemsOf(l.language)));
  return index;
}

/** An open artifact. */
export class Index {
  readonly file: File;
  readonly meta: Meta;
  #unpack: Unpack | undefined;
  readonly #shared = new Map<string, unknown>();

  private constructor(file: File, meta: Meta, unpack?: Unpack) {
    [this.file, this.meta, this.#unpack] = [file, meta, unpack];
  }

  /** The index of a file's blocks. */
  static async of(file: File, unpack?: Unpack): Promise<Index> {
    return new Index(file, await readMeta(file), unpack);
  }

  /** The first 16 hex digits of the root hash. */
  get id(): string {
    return this.file.root.slice(0, 16);
  }

  // data is the file for one call.
  #data(): Data {
    return new Data(this.file, this.meta, new Now(this.file), this.#shared);
  }

  #unpacker = async (): Promise<Unpack> => (this.#unpack ??= unpackBy((await load("./zstd.js")) as Zstd));

  /** Searches: the hits of kddq search, in its order, with its scores. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    return search(this.#data(), query, options, this.#unpacker, () => this.encoder());
  }

  /** How many documents have each kind, tag, language, domain and status, the most frequent first. */
  async facets(signal?: AbortSignal): Promise<Facets> {
    const [data, { facets }] = [this.#data(), await loadShown()];
    return data.now.run(() => facets(data), signal);
  }

  /** All documents, in the order of their paths. */
  async documents(): Promise<Document[]> {
    const data = this.#data();
    return data.now.run(() => {
      data.now.ask("DOCS");
      data.now.ask("STRS");
      const all = Array.from({ length: this.file.block("DOCS").rows }, (_, d) => d);
      const text = (d: number, column: number) => () => data.docString(d, column);
      return data.now.each(all, (d) => {
        const [path, title, kind, language] = data.now.all(text(d, doc.path), text(d, doc.title), text(d, doc.kind),
          text(d, doc.language));
        return { path, title, kind, language };
      });
    });
  }

  /** The markdown of a section, of the whole document without an anchor. */
  async section(path: string, anchor = "", signal?: AbortSignal): Promise<string> {
    const all = await this.documents();
    const d = all.findIndex((one) => one.path === path);
    if (d < 0) throw new KddxError("not_found", `no document ${JSON.stringify(path)}`);
    const [data, unpack] = [this.#data(), await this.#unpacker()];
    return data.now.run(() => {
      const [[from, to], [first, end]] = data.now.all(() => data.span("DOCS", doc.text, d),
        () => data.span("DOCS", doc.sections, d));
      need(to - from <= maxDocument, `DOCS: a document of ${to - from} bytes`);
      const rows = Array.from({ length: end - first }, (_, i) => first + i);
      const anchors = data.now.each(rows, (s) => data.secString(s, sec.anchor));
      const s = rows[anchors.indexOf(anchor)];
      if (s === undefined) throw new KddxError("not_found", `${path}: no section ${JSON.stringify(anchor)}`);
      const [start, bytes] = data.now.all(() => data.cell("SECS", sec.start, s), () => data.cell("SECS", sec.bytes, s));
      need(start + bytes <= to - from, `SECS: section ${s} lies outside its document`);
      const texts = data.keep("texts", () => new Texts(data.now));
      return new TextDecoder().decode(texts.read(data.now, unpack, from + start, from + start + bytes));
    }, signal);
  }

  /** The file's vectors, and its encoder of queries. */
  async encoder(): Promise<Meaning> {
    const { Meaning } = await loadMeaning();
    return this.#data().keep("meaning", () => new Meaning(this.file, () => {
      const data = this.#data();
      return data.now.run(() => data.places().docChunks);
    }));
  }

  /** The vector of a query by the file's encoder, of length 1; undefined if the encoder knows nothing of it. */
  async vector(query: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    return (await this.encoder()).vector(query, signal);
  }

  /** The chunks nearest in meaning to a query by their cosines (§13.2), the best first; none if it has no vector. */
  async meaning(query: string, options: MeaningOptions = {}): Promise<Score[]> {
    return (await this.encoder()).near(query, options);
  }

  /** The path of the document, and the anchor of the section, that a chunk stands in. */
  async placeOf(chunk: number): Promise<{ path: string; anchor: string }> {
    const [data, n] = [this.#data(), this.file.block("CHNK").rows];
    if (!(chunk >= 0 && chunk < n)) throw new KddxError("invalid_input", `chunk ${chunk}, want 0 to ${n - 1}`);
    return data.now.run(() => {
      const { chunkDoc, chunkSec } = data.places();
      const [path, anchor] = data.now.all(() => data.docString(chunkDoc[chunk], doc.path),
        () => data.secString(chunkSec[chunk], sec.anchor));
      return { path, anchor };
    });
  }
}
