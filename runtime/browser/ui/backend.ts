// Where answers come from: the artifact itself, read by range, or the API of kddq serve.
import type { Index } from "../src/index.ts";

/** A section that was found. */
export interface Hit {
  path: string;
  anchor: string;
  title: string;
  section: string;
  /** From the title down to the section's own heading; empty where that is not known. */
  headings: string[];
  snippet: string;
  /** Words of the query in the snippet: first character and that behind the last. */
  highlights: [number, number][];
  kind: string;
  language: string;
  match: string[];
  /** Where the section is published, if the answer says so. */
  url?: string;
  /** The name of the artifact, where several answer. */
  index?: string;
}

/** What was found. */
export interface Found {
  query: string;
  hits: Hit[];
  more: boolean;
  notes: string[];
  /** Words that no document has. */
  unknown: string[];
  /** By meaning too. */
  meaning: boolean;
}

/** Values that documents are filtered by. */
export type Filters = { kinds?: string[]; tags?: string[]; languages?: string[] };
export type Facets = Record<keyof Filters, { value: string; count: number }[]>;

/** How a search is done. */
export interface Ask extends Filters {
  limit: number;
  meaning: boolean;
  /** The last word may be the beginning of one. */
  typing: boolean;
  /** The same is likely asked by meaning next. */
  soon: boolean;
  signal: AbortSignal;
}

/** What the component asks. */
export interface Backend {
  /** Nothing that is typed leaves the page. */
  readonly local: boolean;
  search(query: string, ask: Ask): Promise<Found>;
  facets(): Promise<Facets>;
  /** The site's address that the artifact names, "" for none. */
  base(): Promise<string>;
}

type Reader = typeof import("../src/index.ts");
type Global = { kddxModules?: Record<string, unknown>; kddxFiles?: Record<string, string>; kddxData?: unknown };

const world = globalThis as Global;

/** Asks an artifact at an address, which is read as far as questions need it. */
export class Artifact implements Backend {
  readonly local = true;
  readonly #src: URL;
  #index: Promise<Index> | undefined;

  constructor(src: URL) {
    this.#src = src;
  }

  #open(): Promise<Index> {
    this.#index ??= opened(this.#src);
    this.#index.catch(() => (this.#index = undefined));
    return this.#index;
  }

  async search(query: string, ask: Ask): Promise<Found> {
    const { limit, meaning, typing, soon, signal, ...filters } = ask;
    const run = async (): Promise<Found> => {
      const options = { ...filters, limit, typing, signal, mode: meaning ? ("auto" as const) : ("lexical" as const) };
      const index = await this.#open();
      // While typing rests, so that the question by meaning waits for one round of reads less.
      if (soon && index.file.blocks.has("PIEC")) index.encoder().then((e) => e.pieces(query)).catch(() => undefined);
      const found = await index.search(query, options);
      return {
        query,
        hits: found.results,
        more: found.more,
        notes: found.notes,
        unknown: found.unknown,
        meaning: found.mode !== "lexical",
      };
    };
    try {
      return await run();
    } catch (err) {
      if ((err as { code?: string }).code !== "stale_index") throw err;
      this.#index = undefined; // the file was replaced
      return run();
    }
  }

  async facets(): Promise<Facets> {
    return (await this.#open()).facets();
  }

  async base(): Promise<string> {
    return (await this.#open()).meta.base_url ?? "";
  }
}

/** A backend whose answers wait for what has to be known before they are shown. */
export function after(ready: Promise<unknown>, backend: Backend): Backend {
  return {
    local: backend.local,
    search: async (query, ask) => (await Promise.all([backend.search(query, ask), ready]))[0],
    facets: () => backend.facets(),
    base: () => backend.base(),
  };
}

/** A backend in a file of its own that is loaded with its first use. */
export function later(local: boolean, backend: Promise<Backend>): Backend {
  return {
    local,
    search: async (query, ask) => (await backend).search(query, ask),
    facets: async () => (await backend).facets(),
    base: async () => (await backend).base(),
  };
}

/** A module that lies beside the component. */
export async function beside<T>(at: string): Promise<T> {
  return (world.kddxModules?.[at] ?? (await import(new URL(at, import.meta.url).href))) as T;
}

async function opened(src: URL): Promise<Index> {
  const reader = await beside<Reader>("./kddx.js");
  if (src.protocol === "file:") return reader.open(await inlined(src));
  const store = await kept();
  const index = await reader.open(src, store ? { store } : {});
  index.warm().catch(() => undefined); // a question says why it fails
  return index;
}

// kept is where what was read stays from visit to visit; browsers have it on https and localhost only.
async function kept(): Promise<Cache | undefined> {
  try {
    void beside("./trust.js").catch(() => undefined); // which checks what is kept
    return await globalThis.caches?.open("kddx");
  } catch {
    return undefined; // storage is full, or refused
  }
}

// inlined has the bytes of a file that a page at file:// cannot fetch: a script beside it holds them.
async function inlined(src: URL): Promise<Uint8Array> {
  const name = decodeURIComponent(src.pathname.split("/").pop()!);
  const files = (world.kddxFiles ??= {});
  world.kddxData = (file: string, base64: string) => (files[file] = base64);
  if (!(name in files)) {
    await new Promise<void>((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${src.href}.js`;
      script.onload = () => resolve();
      script.onerror = () => reject(Object.assign(new Error(`${name}.js`), { code: "io_error" }));
      document.head.append(script);
    });
  }
  return Uint8Array.from(atob(files[name]), (c) => c.charCodeAt(0));
}
