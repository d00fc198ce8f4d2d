// Numbers, bytes and errors: what every other file of the reader needs.
import { load } from "./load.ts";

/** What is wrong with a file or with what was asked of it. */
export class KddxError extends Error {
  /** As in error.v1 of kdd: index_corrupt, index_version, stale_index, invalid_input, not_found or io_error. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "KddxError";
    this.code = code;
  }
  /** A page that loads kddx.js at two addresses has this class twice. */
  static override [Symbol.hasInstance](v: unknown): boolean {
    return v instanceof Error && v.name === "KddxError";
  }
}

/** Throws index_corrupt unless ok. Where that is asked often, damaged costs less: no text is made that nobody reads. */
export function need(ok: boolean, what: string): asserts ok {
  if (!ok) damaged(what);
}

/** Throws index_corrupt. */
export function damaged(what: string): never {
  throw new KddxError("index_corrupt", what);
}

/** A little-endian view of bytes. Reads outside of them are damage, not a RangeError. */
export class View {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #what: string;
  constructor(bytes: Uint8Array, what: string) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#what = what;
  }
  #has(at: number, n: number): void {
    if (!(at >= 0 && at + n <= this.bytes.length)) damaged(`${this.#what}: byte ${at} of ${this.bytes.length} is not there`);
  }
  u8(at: number): number {
    this.#has(at, 1);
    return this.#view.getUint8(at);
  }
  u16(at: number): number {
    this.#has(at, 2);
    return this.#view.getUint16(at, true);
  }
  f32(at: number): number {
    this.#has(at, 4);
    return this.#view.getFloat32(at, true);
  }
  f64(at: number): number {
    this.#has(at, 8);
    return this.#view.getFloat64(at, true);
  }
  u32(at: number): number {
    this.#has(at, 4);
    return this.#view.getUint32(at, true);
  }
  /** A u64 that is a place or a count: above 2^53 it is damage, since no file is so long. */
  u64(at: number): number {
    const v = this.u32(at + 4) * 2 ** 32 + this.u32(at);
    if (v > Number.MAX_SAFE_INTEGER) damaged(`${this.#what}: the number at byte ${at} is above 2^53`);
    return v;
  }
  /** The uvarint at a byte, and the byte behind it. Lengths and counts are below 2^53. */
  uvarint(at: number): [number, number] {
    let v = 0;
    for (let i = 0; i < 8; i++) {
      const b = this.u8(at + i);
      v += (b & 127) * 2 ** (7 * i);
      if (b < 128) {
        if (v > Number.MAX_SAFE_INTEGER) damaged(`${this.#what}: the uvarint at byte ${at} is above 2^53`);
        return [v, at + i + 1];
      }
    }
    throw new KddxError("index_corrupt", `${this.#what}: the uvarint at byte ${at} does not end`);
  }
  slice(at: number, n: number): Uint8Array {
    need(n >= 0, `${this.#what}: a negative length`);
    this.#has(at, n);
    return this.bytes.subarray(at, at + n);
  }
}

/** SHA-256 by WebCrypto, which browsers have on https and localhost only; elsewhere by sha256.js. */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return ((await load("./sha256.js")) as { sha256: (b: Uint8Array) => Uint8Array }).sha256(bytes);
  return new Uint8Array(await subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** Bytes in hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** Below 0, 0 or above 0, as a stands before, is or stands behind b. */
export function compare(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

/** Bytes end to end. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) {
    whole.set(p, at);
    at += p.length;
  }
  return whole;
}

/** What was read last, bounded by the bytes of it. */
export class Kept {
  readonly #kept = new Map<string, Uint8Array>();
  #bytes = 0;
  readonly #limit: number;
  constructor(limit: number) {
    this.#limit = limit;
  }
  get(key: string): Uint8Array | undefined {
    const found = this.#kept.get(key);
    if (found) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
    }
    return found;
  }
  put(key: string, value: Uint8Array): void {
    const before = this.#kept.get(key);
    if (before) this.#bytes -= before.length;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    this.#bytes += value.length;
    for (const [oldest, old] of this.#kept) {
      if (this.#bytes <= this.#limit || oldest === key) break;
      this.#kept.delete(oldest);
      this.#bytes -= old.length;
    }
  }
}

let castagnoli: Uint32Array | undefined;

/** CRC-32C. */
export function crc32c(bytes: Uint8Array): number {
  castagnoli ??= Uint32Array.from({ length: 256 }, (_, n) => {
    for (let i = 0; i < 8; i++) n = (n >>> 1) ^ (n & 1 ? 0x82f63b78 : 0);
    return n >>> 0;
  });
  let c = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) c = (c >>> 8) ^ castagnoli[(c ^ bytes[i]) & 255];
  return (c ^ 0xffffffff) >>> 0;
}
