// An artifact in parts, in a file of its own that is loaded for addresses of manifests (.kddx.json).
import { KddxError, Kept, ask, body, hex, outside, sha256 } from "#core";
import type { Source } from "./source.ts";

const maxManifest = 16 << 20;

interface Manifest {
  schema_version: string;
  bytes: number;
  root: string;
  part_bytes: number;
  parts: string[];
}

const isSum = (s: unknown): s is string => typeof s === "string" && /^[0-9a-f]{64}$/.test(s);

function manifest(text: string, name: string): Manifest {
  let m: Partial<Manifest>;
  try {
    m = JSON.parse(text) as Partial<Manifest>;
  } catch {
    m = {};
  }
  const whole = (v: unknown): v is number => Number.isSafeInteger(v) && (v as number) > 0;
  if (m?.schema_version !== "parts.v1" || !whole(m.bytes) || !isSum(m.root) || !whole(m.part_bytes) ||
    m.part_bytes < 16 << 10 || m.part_bytes > 1 << 20 || !Array.isArray(m.parts) || !m.parts.every(isSum) ||
    m.parts.length !== Math.ceil(m.bytes / m.part_bytes)) {
    throw new KddxError("index_corrupt", `${name}: no manifest of parts, publish it again with "kdd site --parts"`);
  }
  return m as Manifest;
}

/** An artifact in small files that are named by their hash, from a host that need not know ranges. */
export async function fromParts(url: URL, name: string, get: typeof fetch, answer: Response): Promise<Source> {
  const m = manifest(new TextDecoder().decode(await body(answer, name, maxManifest)), name);
  const kept = new Kept(8 << 20);
  const flights = new Map<string, Promise<Uint8Array>>();
  const load = async (i: number): Promise<Uint8Array> => {
    const sum = m.parts[i];
    const size = Math.min(m.part_bytes, m.bytes - i * m.part_bytes);
    const at = new URL(`parts/${sum.slice(0, 2)}/${sum}`, url);
    const bytes = await body(await ask(get, at, at.origin + at.pathname, {}), name, size);
    if (bytes.length !== size || hex(await sha256(bytes)) !== sum) {
      throw new KddxError("index_corrupt", `${name}: part ${i} is not what its name says`);
    }
    kept.put(sum, bytes);
    return bytes;
  };
  // Reads that want the same part wait for one request; that one read gives up does not end it.
  const part = (i: number): Promise<Uint8Array> => {
    const sum = m.parts[i];
    const have = kept.get(sum);
    if (have) return Promise.resolve(have);
    let flight = flights.get(sum);
    if (!flight) {
      flight = load(i).finally(() => flights.delete(sum));
      flights.set(sum, flight);
    }
    return flight;
  };
  return {
    name,
    size: m.bytes,
    root: m.root,
    read: async (at, n, signal) => {
      if (at < 0 || n < 0 || at + n > m.bytes) throw outside(name, at, n, m.bytes);
      const out = new Uint8Array(n);
      const numbers: number[] = [];
      for (let i = Math.floor(at / m.part_bytes); i * m.part_bytes < at + n; i++) numbers.push(i);
      await Promise.all(numbers.map(async (i) => {
        signal?.throwIfAborted();
        const bytes = await part(i);
        const begin = i * m.part_bytes;
        const from = Math.max(0, at - begin);
        out.set(bytes.subarray(from, Math.min(bytes.length, at + n - begin)), begin + from - at);
      }));
      return out;
    },
  };
}
