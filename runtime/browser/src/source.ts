// Where the bytes of an artifact come from. What a source returns is hostile: File compares it with hashes.
import { KddxError, join } from "./bytes.ts";
import { loadParts } from "./modules.ts";

/** One version of an artifact that can be read by range, several ranges at a time. */
export interface Source {
  /** For messages. */
  readonly name: string;
  /** Bytes of the file, trailers included. */
  readonly size: number;
  /** The root hash that the source promises, 64 hex digits. */
  readonly root?: string;
  /** All of it is in memory, so that it costs nothing to read much. */
  readonly whole?: boolean;
  /** The n bytes from byte at on, all of them or an error. */
  read(at: number, n: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Is told of bytes that are those of the root hash. */
  keep?(at: number, bytes: Uint8Array): void;
}

/** An artifact that is in memory. */
export function fromBytes(bytes: Uint8Array, name = "bytes"): Source {
  return {
    name,
    size: bytes.length,
    whole: true,
    read: async (at, n) => {
      if (at < 0 || n < 0 || at + n > bytes.length) throw outside(name, at, n, bytes.length);
      return bytes.subarray(at, at + n);
    },
  };
}

/** How a host is asked. */
export interface WebOptions {
  /** In place of the global fetch. */
  fetch?: typeof fetch;
  signal?: AbortSignal;
}

const maxWhole = 64 << 20; // of a file that is read whole, since its host has no ranges

/** An artifact at an address: by range, whole from a host without ranges, or in parts if it ends with .kddx.json. */
export async function fromWeb(address: string | URL, options: WebOptions = {}): Promise<Source> {
  const url = new URL(address, (globalThis as { location?: { href: string } }).location?.href);
  const get = options.fetch ?? globalThis.fetch.bind(globalThis);
  const name = url.origin + url.pathname;
  if (url.pathname.endsWith(".kddx.json")) {
    const [{ fromParts }, manifest] = await Promise.all([loadParts(), ask(get, url, name, {}, options.signal)]);
    return fromParts(url, name, get, manifest);
  }
  const first = await ask(get, url, name, { headers: { range: "bytes=0-65535" }, cache: "no-cache" }, options.signal);
  const start = await body(first, name, maxWhole);
  if (first.status === 200) return fromBytes(start, name);
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(first.headers.get("content-range") ?? "") ?? [];
  const size = Number(total);
  if (first.status !== 206 || from !== "0" || Number(to) + 1 !== start.length || !Number.isSafeInteger(size)) {
    throw new KddxError("io_error", `${name}: status ${first.status} and no usable content-range, want 206`);
  }
  const tag = first.headers.get("etag");
  const read: Source["read"] = async (at, n, signal) => {
    if (at < 0 || n < 0 || at + n > size) throw outside(name, at, n, size);
    if (at + n <= start.length) return start.subarray(at, at + n);
    if (at < start.length) return join([start.subarray(at), await read(start.length, at + n - start.length, signal)]);
    // Past the cache, which Chromium locks for a whole address: one read would wait for the other.
    const how: RequestInit = { headers: { range: `bytes=${at}-${at + n - 1}` }, cache: "no-store" };
    const answer = await ask(get, url, name, how, signal);
    const got = answer.headers.get("content-range") ?? "";
    if (tag !== answer.headers.get("etag") || (answer.status === 206 && !got.endsWith(`/${size}`))) {
      throw new KddxError("stale_index", `${name}: the file was replaced, open it again`);
    }
    if (answer.status !== 206) throw new KddxError("io_error", `${name}: status ${answer.status}, want 206`);
    const bytes = await body(answer, name, n);
    if (bytes.length !== n || !got.startsWith(`bytes ${at}-${at + n - 1}/`)) {
      throw new KddxError("io_error", `${name}: ${bytes.length} bytes of "${got}", want ${n} from byte ${at} on`);
    }
    return bytes;
  };
  return { name, size, read };
}

/** The error of a read outside of a file. */
export function outside(name: string, at: number, n: number, size: number): KddxError {
  return new KddxError("index_corrupt", `${name}: ${n} bytes from byte ${at} on of a file of ${size} bytes`);
}

/** Asks a host; an answer that it has none is an error. */
export async function ask(get: typeof fetch, url: URL, name: string, how: RequestInit, signal?: AbortSignal) {
  let answer: Response;
  try {
    answer = await get(url, { ...how, ...(signal ? { signal } : {}) });
  } catch (err) {
    if (signal?.aborted) throw err;
    throw new KddxError("io_error", `${name}: ${err instanceof Error ? err.message : String(err)}`);
  }
  if (!answer.ok) {
    throw new KddxError(answer.status === 404 ? "not_found" : "io_error", `${name}: status ${answer.status}`);
  }
  return answer;
}

/** Reads an answer, but no more of it than limit. */
export async function body(answer: Response, name: string, limit: number): Promise<Uint8Array> {
  const reader = answer.body?.getReader();
  const parts: Uint8Array[] = [];
  let n = 0;
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    n += value.length;
    if (n > limit) {
      await reader.cancel();
      throw new KddxError("io_error", `${name}: more than ${limit} bytes`);
    }
    parts.push(value);
  }
  const out = new Uint8Array(n);
  parts.reduce((at, p) => (out.set(p, at), at + p.length), 0);
  return out;
}
