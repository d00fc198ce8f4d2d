// Answers of kddq serve.
import type { Ask, Backend, Facets, Found, Hit } from "./backend.ts";

interface ApiHit extends Partial<Hit> {
  path: string;
  title: string;
}

/** Asks the API of kddq serve at an address such as /api/v1. */
export class Api implements Backend {
  readonly local = false;
  readonly #at: URL;

  constructor(at: URL) {
    this.#at = at;
  }

  /** Runs an operation; values are its parameters. */
  async get<T>(operation: string, values: Record<string, string | undefined>, signal?: AbortSignal): Promise<T> {
    const url = new URL(`${this.#at.pathname.replace(/\/$/, "")}/${operation}`, this.#at);
    for (const [name, value] of Object.entries(values)) if (value) url.searchParams.set(name, value);
    const response = await fetch(url, signal ? { signal } : {});
    const body = (await response.json()) as T & { code?: string; message?: string };
    if (!response.ok)
      throw Object.assign(new Error(body.message ?? response.statusText), { code: body.code ?? "io_error" });
    return body;
  }

  async search(query: string, ask: Ask): Promise<Found> {
    const found = await this.get<{ results: ApiHit[]; truncated?: boolean; warnings?: string[]; mode: string }>(
      "search",
      {
        query,
        limit: String(ask.limit),
        detail: "full",
        max_bytes: "65536",
        mode: ask.meaning ? undefined : "lexical",
        kinds: ask.kinds?.join(),
        tags: ask.tags?.join(),
        languages: ask.languages?.join(),
      },
      ask.signal,
    );
    const hits = found.results.map((h): Hit => ({
      anchor: "",
      section: "",
      snippet: "",
      highlights: [],
      kind: "",
      language: "",
      match: [],
      headings: [],
      ...h,
    }));
    return {
      query,
      hits,
      more: found.truncated ?? false,
      notes: found.warnings ?? [],
      unknown: [],
      meaning: found.mode !== "lexical",
    };
  }

  async facets(): Promise<Facets> {
    type Counts = { value: string; count: number }[];
    const { facets } = await this.get<{ facets?: { kind?: Counts; tag?: Counts; language?: Counts } }>("list", {
      limit: "1",
      facets: "true",
    });
    return { kinds: facets?.kind ?? [], tags: facets?.tag ?? [], languages: facets?.language ?? [] };
  }

  async base(): Promise<string> {
    return "";
  }
}
