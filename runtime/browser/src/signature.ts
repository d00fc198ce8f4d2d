// Signatures of minisign and signify in the trailer of a file (FORMAT.md §5).
import { KddxError, View, compare, need, sha256 } from "#core";
import type { File } from "./file.ts";
import type { Source } from "./source.ts";

const maxTrailer = 2 ** 20;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Key {
  number: Uint8Array; // by which a signature names it
  key: CryptoKey;
}

/** Refuses a file that none of the keys has signed, under one of the names if there are any. */
export async function trusted(
  file: File, source: Source, keys: string | readonly string[], names?: string | readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  const untrusted = (why: string): KddxError => new KddxError("index_untrusted", `${source.name}: ${why}`);
  const list = await Promise.all([keys].flat().flatMap(lines).map(publicKey));
  if (!list.length) throw new KddxError("invalid_input", "key: no public key of minisign");
  const payloads = await trailers(file, source, signal);
  const signatures = signaturesOf(payloads.get("SIGN"));
  if (!signatures.length) throw untrusted("it is not signed");
  const [, commit, date] = provenance(payloads.get("PROV"));
  const end = `${commit && `commit ${commit}\n`}${date && `date ${date}\n`}`;
  let why = "none of its signatures is by a key that is trusted";
  for (const { statement, kind, signature } of signatures) {
    for (const key of list) {
      if (!await (kind === "minisign" ? byMinisign : bySignify)(key, encode(statement), signature)) continue;
      const name = /^name (.*)$/m.exec(statement)?.[1] ?? "";
      if (statement !== `kddx 0\nroot ${file.root}\nlength ${file.length}\nname ${name}\n${end}`) {
        why = "its signature is of another file";
      } else if (names !== undefined && ![names].flat().includes(name)) {
        const want = [names].flat().map((n) => JSON.stringify(n)).join(" or ");
        why = `it is signed as ${JSON.stringify(name)}, want ${want}`;
      } else if (name !== "") {
        return;
      }
    }
  }
  throw untrusted(why);
}

// lines are those of a file of public keys that have one.
function lines(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line && !/^(#|untrusted comment:)/.test(line));
}

// base64 decodes so many bytes; undefined if it is something else.
function base64(text: string, n: number): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/\r/g, "")), (c) => c.charCodeAt(0));
    return bytes.length === n ? bytes : undefined;
  } catch {
    return undefined;
  }
}

async function publicKey(line: string): Promise<Key> {
  const raw = base64(line, 42);
  if (raw?.[0] !== 0x45 || raw[1] !== 0x64) {
    const start = JSON.stringify(line.slice(0, 60));
    throw new KddxError("invalid_input", `key: ${start} is no public key of minisign or signify`);
  }
  const subtle = globalThis.crypto?.subtle;
  try {
    const key = await subtle.importKey("raw", raw.slice(10), { name: "Ed25519" }, false, ["verify"]);
    return { number: raw.slice(2, 10), key };
  } catch (err) {
    throw new KddxError("io_error", `signatures need Ed25519 of WebCrypto, which is not here: ${String(err)}`);
  }
}

// trailers reads what follows the file's length.
async function trailers(file: File, source: Source, signal?: AbortSignal): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const n = source.size - file.length;
  need(n <= 2 * (48 + maxTrailer), `${source.name}: ${n} bytes after the end that are no trailers`);
  const v = new View(n ? await source.read(file.length, n, signal) : new Uint8Array(0), "trailer");
  for (let at = 0; at < n; ) {
    const [tag, size] = [String.fromCharCode(...v.slice(at, 4)), v.u64(at + 8)];
    need(found.size < 2 && v.u32(at + 4) === 0 && size <= maxTrailer && !found.has(tag), "trailer: malformed");
    const payload = v.slice(at + 48, size);
    const own = new Uint8Array(16 + size);
    own.set(v.slice(at, 16));
    own.set(payload, 16);
    need(compare(await sha256(own), v.slice(at + 16, 32)) === 0, `trailer: ${tag} does not have the hash it says`);
    found.set(tag, payload);
    at += 48 + size;
  }
  return found;
}

interface Signature {
  statement: string;
  kind: string;
  signature: string;
}

function json(bytes: Uint8Array | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value ? value as Record<string, unknown> : {};
  } catch {
    return {};
  }
}

function signaturesOf(bytes: Uint8Array | undefined): Signature[] {
  const list = json(bytes).signatures;
  if (!Array.isArray(list)) return [];
  need(list.length <= 32, `SIGN: ${list.length} signatures`);
  return (list as Partial<Signature>[]).filter((s): s is Signature => typeof s?.statement === "string" &&
    s.statement.length <= 2048 && typeof s.signature === "string" && s.signature.length <= 2 ** 14 &&
    (s.kind === "minisign" || s.kind === "signify"));
}

// provenance is what the trailer says of the sources: whether it could be read, commit and date.
function provenance(bytes: Uint8Array | undefined): [boolean, string, string] {
  const { source_commit: commit = "", source_date: date = "", dirty = false } = json(bytes);
  if (typeof commit !== "string" || typeof date !== "string") return [false, "", ""];
  return [true, dirty === true ? `${commit}-dirty` : commit, date];
}

const verify = (key: Key, signature: Uint8Array, text: Uint8Array): Promise<boolean> => crypto.subtle.verify(
  { name: "Ed25519" }, key.key, signature as Uint8Array<ArrayBuffer>, text as Uint8Array<ArrayBuffer>);

async function byMinisign(key: Key, text: Uint8Array, signature: string): Promise<boolean> {
  const [comment, line, second, ...rest] = signature.split("\n");
  const [raw, over] = [base64(line ?? "", 74), base64(rest.join(""), 64)];
  const trustedComment = second?.replace(/\r+$/, "") ?? "";
  if (!comment.startsWith("untrusted comment: ") || !trustedComment.startsWith("trusted comment: ") || !raw || !over) {
    return false;
  }
  const hashed = raw[1] === 0x44; // "ED", not "Ed"
  if (raw[0] !== 0x45 || (raw[1] !== 0x64 && !hashed) || compare(raw.subarray(2, 10), key.number) !== 0) return false;
  const said = encode(trustedComment.slice("trusted comment: ".length));
  const both = new Uint8Array(64 + said.length);
  both.set(raw.subarray(10));
  both.set(said, 64);
  return await verify(key, raw.subarray(10), hashed ? blake2b(text) : text) && await verify(key, over, both);
}

async function bySignify(key: Key, text: Uint8Array, signature: string): Promise<boolean> {
  const [comment, line] = signature.split("\n");
  const raw = base64((line ?? "").trim(), 74);
  return comment.startsWith("untrusted comment:") && raw?.[0] === 0x45 && raw[1] === 0x64 &&
    compare(raw.subarray(2, 10), key.number) === 0 && verify(key, raw.subarray(10), text);
}

const mask = 2n ** 64n - 1n;
const initial = ("6a09e667f3bcc908 bb67ae8584caa73b 3c6ef372fe94f82b a54ff53a5f1d36f1 510e527fade682d1 " +
  "9b05688c2b3e6c1f 1f83d9abfb41bd6b 5be0cd19137e2179").split(" ").map((digits) => BigInt("0x" + digits));
const sigma = ("0123456789abcdef ea489fd61c02b753 b8c052fdae367194 7931dcbe265a40f8 905724afe1bc683d " +
  "2c6a0b834d75fe19 c51fed4a0763928b db7ec13950f4862a 6fe9b308c2d714a5 a2847615fb9e3cd0").split(" ");

/** BLAKE2b of 64 bytes (RFC 7693), for texts of a few KiB. */
export function blake2b(text: Uint8Array): Uint8Array {
  const h = initial.slice();
  h[0] ^= 0x01010040n;
  for (let at = 0; at === 0 || at < text.length; at += 128) {
    const block = new DataView(new ArrayBuffer(128));
    text.subarray(at, at + 128).forEach((b, i) => block.setUint8(i, b));
    const v = [...h, ...initial];
    v[12] ^= BigInt(Math.min(at + 128, text.length));
    if (at + 128 >= text.length) v[14] ^= mask;
    const turn = (a: number, b: number, by: bigint): void => {
      const x = v[a] ^ v[b];
      v[a] = ((x >> by) | (x << (64n - by))) & mask;
    };
    const mix = (a: number, b: number, c: number, d: number, i: string, j: string): void => {
      const word = (k: string): bigint => block.getBigUint64(8 * parseInt(k, 16), true);
      v[a] = (v[a] + v[b] + word(i)) & mask;
      turn(d, a, 32n);
      v[c] = (v[c] + v[d]) & mask;
      turn(b, c, 24n);
      v[a] = (v[a] + v[b] + word(j)) & mask;
      turn(d, a, 16n);
      v[c] = (v[c] + v[d]) & mask;
      turn(b, c, 63n);
    };
    for (let round = 0; round < 12; round++) {
      const s = sigma[round % 10];
      for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, s[2 * i], s[2 * i + 1]);
      for (let i = 0; i < 4; i++) {
        mix(i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3), s[8 + 2 * i], s[9 + 2 * i]);
      }
    }
    for (let i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
  }
  const out = new DataView(new ArrayBuffer(64));
  h.forEach((x, i) => out.setBigUint64(8 * i, x, true));
  return new Uint8Array(out.buffer);
}
