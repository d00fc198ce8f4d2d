// A reader of .kddx files, written from format/FORMAT.md: what an application imports.
import { KddxError } from "./bytes.ts";
import type { Store } from "./cache.ts";
import type { Score } from "./cosine.ts";
import { Data } from "./data.ts";
import type { Document, Facets } from "./documents.ts";
import { File } from "./file.ts";
import { loadDocuments, loadMeaning, loadQuestion, loadTrust, stemsOf } from "./modules.ts";
import { load } from "./load.ts";
import type { Meaning, MeaningOptions } from "./meaning.ts";
import { readMeta, type Meta } from "./meta.ts";
import { Now } from "./now.ts";
import { search, type SearchOptions, type SearchResponse } from "./search.ts";
import { fromBytes, fromWeb, type Source, type WebOptions } from "./source.ts";
import { unpackBy, type Unpack, type Zstd } from "./text.ts";

export { KddxError, fromBytes, fromWeb };
export { exactTerm, fold } from "./fold.ts";
export { stemsOf } from "./modules.ts";
export { tokens } from "./tokens.ts";
export type { Document, Facets } from "./documents.ts";
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

// ahead lets something load for which nothing waits yet; whoever needs it is told if that failed.
const ahead = (...loads: Promise<unknown>[]): void => loads.forEach((one) => void one.catch(() => undefined));

/** Opens an artifact: an address, its bytes, or a source of one's own. What a search needs loads beside an address. */
export async function open(from: string | URL | Uint8Array | Source, options: Options = {}): Promise<Index> {
  let source: Source;
  const web = typeof from === "string" || from instanceof URL;
  if (web) ahead(loadQuestion(), ...(options.unpack ? [] : [load("./zstd.js")]));
  if (from instanceof Uint8Array) source = fromBytes(from);
  else if (typeof from === "string" || from instanceof URL) source = await fromWeb(from, options);
  else source = from;
  const file = await File.open(source, options.cacheBytes ?? 16 << 20, options.root, options.signal);
  if (options.key !== undefined || options.store) await (await loadTrust()).trust(file, source, options);
  const index = await Index.of(file, options.unpack);
  if (web) ahead(...index.meta.languages.filter((l) => l.language !== "").map((l) => stemsOf(l.language)));
  return index;
}

/** An open artifact. */
export class Index {
  readonly file: File;
  readonly meta: Meta;
  #unpack: Unpack | undefined;
  #warm: Promise<void> | undefined;
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

  /** Reads what each question needs first, so that the next one waits for less: for a page where somebody is about to ask. */
  warm(): Promise<void> {
    if (!this.#warm) {
      const data = this.#data();
      this.#warm = data.now.run(() => void (data.askFirst(), data.places()));
      this.#warm.catch(() => (this.#warm = undefined));
    }
    return this.#warm;
  }

  /** Searches: the hits of kddq search, in its order, with its scores. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    return search(this.#data(), query, options, this.#unpacker, () => this.encoder(), this.#warm);
  }

  /** How many documents have each kind, tag, language, domain and status, the most frequent first. */
  async facets(signal?: AbortSignal): Promise<Facets> {
    return (await loadDocuments()).facets(this.#data(), signal);
  }

  /** All documents, in the order of their paths. */
  async documents(): Promise<Document[]> {
    return (await loadDocuments()).documents(this.#data());
  }

  /** The markdown of a section, of the whole document without an anchor. */
  async section(path: string, anchor = "", signal?: AbortSignal): Promise<string> {
    const [{ section }, unpack] = await Promise.all([loadDocuments(), this.#unpacker()]);
    return section(this.#data(), unpack, path, anchor, signal);
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
    return (await loadDocuments()).placeOf(this.#data(), chunk);
  }
}
