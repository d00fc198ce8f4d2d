// The vocabulary of the query encoder (FORMAT.md §11, EVOC): its pieces, and the added tokens.
import { type Now, View, need } from "#core";

/** An added token. */
export interface Added {
  text: string;
  id: number;
  before: boolean; // it takes the spaces before it
  after: boolean; // it takes the spaces after it
  normalized: boolean; // it is looked for in normalised text
  word: boolean; // it must not touch a word
}

/** Turns a text into the ids of its pieces. Of a file elsewhere it asks for the pages that have them. */
export type Tokenizer = (text: string, now: Now) => number[];

const basis = 2166136261;
const encode = new TextEncoder();
const decode = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a vocabulary says beside its pieces: its header, and numbers of added tokens, with which its bytes begin. */
export class Head {
  readonly unigram: boolean;
  readonly pieces: number;
  readonly flags: number;
  readonly extra: number; // characters of the longest word; of Unigram the marker
  readonly unknown: number;
  readonly longest: number; // bytes of the longest piece without ##
  readonly unknownScore: number;
  /** Bytes of it. */
  readonly size: number;
  protected readonly v: View;
  protected readonly slots: number;
  protected readonly probes: number;

  /** Reads what the bytes of a block begin with. */
  constructor(bytes: Uint8Array, tag: string) {
    const v = new View(bytes, tag);
    this.v = v;
    need(bytes.length >= 64 && (v.u32(0) === 1 || v.u32(0) === 2), `${tag}: neither WordPiece nor Unigram`);
    this.unigram = v.u32(0) === 2;
    this.pieces = v.u32(4);
    this.slots = v.u32(12);
    this.probes = v.u32(20);
    this.flags = v.u32(24);
    this.extra = v.u32(28);
    this.unknown = v.u32(32);
    this.longest = v.u32(48);
    this.unknownScore = this.unigram ? v.f64(56) : 0;
    const [n, added] = [this.pieces, v.u32(44)];
    need(n >= 1 && n <= 2 ** 24 && this.slots > n && this.slots <= 2 ** 26 && this.probes >= 1 && this.probes <= 128 &&
      this.flags < (this.unigram ? 128 : 16) && this.longest <= 255 && added <= 1024, `${tag}: a header out of bounds`);
    need(this.unknown < n && v.u32(36) < n && v.u32(40) < n, `${tag}: a special piece that is not there`);
    need(Number.isFinite(this.unknownScore), `${tag}: the unknown score is no number`);
    if (!this.unigram) need(this.extra >= 1 && this.extra <= 1000, `${tag}: words of ${this.extra} characters`);
    const marker = this.unigram && this.flags & 8;
    need(!this.unigram || (marker ? this.extra > 32 && this.extra <= 0x10ffff && this.extra >> 11 !== 27 :
      this.extra === 0 && !(this.flags & 112)), `${tag}: marker ${this.extra} with flags ${this.flags}`);
    this.size = 64 + 4 * added;
  }

  /** The added tokens, whose texts are asked for in their order. */
  protected tokens(textOf: (id: number) => Uint8Array): Added[] {
    return Array.from({ length: (this.size - 64) / 4 }, (_, i) => {
      const u = this.v.u32(64 + 4 * i);
      const id = u & (2 ** 28 - 1);
      need(id < this.pieces && (this.unigram || !(u & (3 << 28))), `EVOC: added token ${id}`);
      const has = (bit: number): boolean => ((u >>> bit) & 1) === 1;
      const text = decode.decode(textOf(id));
      return { text, id, after: has(28), before: has(29), normalized: has(30), word: has(31) };
    });
  }
}

/** Pieces and their hash table. */
export class Vocab extends Head {
  readonly added: readonly Added[];
  readonly steps: Uint8Array; // of Unigram's normalisation
  private readonly start: number; // of hashes
  // Where the places, the slots, the lengths, the texts and the scores begin.
  private readonly at: readonly number[];

  constructor(bytes: Uint8Array) {
    super(bytes, "EVOC");
    const { v, pieces: n } = this;
    this.start = basis ^ v.u32(16);
    const slots = n >= 65_535 ? 4 * this.slots : (2 * this.slots + 3) & ~3;
    const scores = this.unigram ? n * (this.flags & 1 ? 8 : 4) : 0;
    const at = [this.size];
    for (const size of [4 * Math.ceil(n / 16), slots, n, v.u32(8), scores]) at.push(at[at.length - 1] + size);
    this.at = at;
    const steps = this.unigram ? v.u32(52) : 0;
    need(at[5] + steps === bytes.length, `EVOC: ${bytes.length} bytes, its header says ${at[5] + steps}`);
    this.steps = v.slice(at[5], steps);
    this.added = this.tokens((id) => this.piece(id));
  }

  /** The bytes of a piece. */
  private piece(id: number): Uint8Array {
    const first = id & ~15;
    let at = this.v.u32(this.at[0] + first / 4);
    for (let i = first; i < id; i++) at += this.v.u8(this.at[2] + i);
    const n = this.v.u8(this.at[2] + id);
    need(this.at[3] + at + n <= this.at[4], `EVOC: piece ${id} lies outside`);
    return this.v.slice(this.at[3] + at, n);
  }

  /** The logarithm of a piece's probability. */
  score(id: number): number {
    const score = this.flags & 1 ? this.v.f64(this.at[4] + 8 * id) : this.v.f32(this.at[4] + 4 * id);
    need(Number.isFinite(score), `EVOC: the score of piece ${id} is ${score}`);
    return score;
  }

  /** The id of the piece with these bytes that begins a word; -1 if there is none. */
  find(text: Uint8Array): number {
    return this.among(text, this.hashes(text, false), text.length, false);
  }

  /** The longest piece of a word from a byte on: its id, -1 if there is none, and its bytes. */
  match(word: Uint8Array, start: number): [id: number, n: number] {
    const rest = word.subarray(start, start + this.longest);
    const hashes = this.hashes(rest, start > 0);
    for (let n = rest.length; n > 0; n--) {
      if (within(word, start + n)) continue;
      const id = this.among(rest, hashes, n, start > 0);
      if (id >= 0) return [id, n];
    }
    return [-1, 0];
  }

  /** The hashes of all starts of some bytes, before their last steps. */
  hashes(text: Uint8Array, continued: boolean): Uint32Array {
    const all = new Uint32Array(text.length);
    let h = this.start ^ (continued ? 0x9e3779b9 : 0);
    for (let i = 0; i < text.length; i++) all[i] = h = Math.imul(h ^ text[i], 16777619);
    return all;
  }

  /** The id of the piece of the first n bytes, whose hashes are known; -1 if there is none. */
  among(text: Uint8Array, hashes: Uint32Array, n: number, continued: boolean): number {
    const size = continued ? n + 2 : n;
    if (size > 255 || n === 0) return -1;
    let h = hashes[n - 1];
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = (h ^ (h >>> 13)) >>> 0;
    let slot = Math.floor(h * this.slots / 2 ** 32);
    for (let probe = 0; probe < this.probes; probe++) {
      const wide = this.pieces >= 65_535;
      const id = (wide ? this.v.u32(this.at[1] + 4 * slot) : this.v.u16(this.at[1] + 2 * slot)) - 1;
      if (id < 0) return -1;
      need(id < this.pieces, `EVOC: a slot of piece ${id}`);
      if (this.v.u8(this.at[2] + id) === size) {
        const piece = this.piece(id);
        const skip = continued ? 2 : 0;
        if (!skip || (piece[0] === 35 && piece[1] === 35)) {
          let i = 0;
          while (i < n && piece[i + skip] === text[i]) i++;
          if (i === n) return id;
        }
      }
      if (++slot === this.slots) slot = 0;
    }
    return -1;
  }
}

/** Whether a place in a text lies inside of a character. */
export const within = (text: Uint8Array, at: number): boolean => at < text.length && (text[at] & 0xc0) === 0x80;

/** The bytes of a text. */
export const utf8 = (text: string): Uint8Array => encode.encode(text);

/** A text with U+FFFD for what is no character. */
export const wellFormed = (text: string): string => decode.decode(encode.encode(text));

const wordly = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;
const spaced = /\p{White_Space}/u;

/** The place before the spaces that end at a place, but none before from. */
export function spacesBefore(text: string, at: number, from = 0): number {
  while (at > from && spaced.test(text[at - 1])) at--;
  return at;
}

/** The place behind the spaces that begin at a place. */
export function spacesAfter(text: string, at: number): number {
  while (at < text.length && spaced.test(text[at])) at++;
  return at;
}

// touches says whether a character of words ends before a place, or begins there.
function touches(text: string, start: number, end: number): boolean {
  const low = start > 1 && /[\udc00-\udfff]/.test(text[start - 1]) ? 2 : 1;
  return wordly.test(text.slice(Math.max(0, start - low), start)) ||
    wordly.test(String.fromCodePoint(text.codePointAt(end) ?? 0));
}

/** Finds added tokens in a text, the longest at each place. between gets what lies between them, and if it is first. */
export function cut(
  text: string, added: readonly Added[], found: (id: number) => void, between: (part: string, first: boolean) => void,
): void {
  let from = 0;
  const starts = new Set(added.map((t) => t.text[0]));
  for (let i = 0; i < text.length; ) {
    let best: Added | undefined;
    if (starts.has(text[i])) {
      for (const t of added) {
        if (text.startsWith(t.text, i) && t.text.length > (best?.text.length ?? 0)) best = t;
      }
    }
    const end = i + (best?.text.length ?? 1);
    if (!best || (best.word && touches(text, i, end))) {
      i = end;
      continue;
    }
    const start = best.before ? spacesBefore(text, i, from) : i;
    if (from < start) between(text.slice(from, start), from === 0);
    found(best.id);
    from = i = best.after ? spacesAfter(text, end) : end;
  }
  if (from < text.length) between(text.slice(from), from === 0);
}
