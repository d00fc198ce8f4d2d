// What a Snowball stemmer works on. The stemmers in stem/ are those that kdd has, printed as JavaScript by
// runtime/browser/snowball; their words are bytes of UTF-8, one in each character, as places count bytes there.
import { keyOf } from "#core";

/** A stemmer. It changes what its environment holds. */
export type Stemmer = (env: Env) => boolean;

type Among = [string, number, number, ((env: Env, context: unknown) => boolean) | null];

const limit = (ok: boolean): void => {
  if (!ok) throw new RangeError("outside of a word");
};

/** The word that a stemmer works on, its place in it, and its marks. */
export class Env {
  #current: string;
  Cursor = 0;
  Limit: number;
  LimitBackward = 0;
  Bra = 0;
  Ket: number;

  constructor(bytes: string) {
    this.#current = bytes;
    this.Limit = this.Ket = bytes.length;
  }
  Current(): string {
    return this.#current;
  }
  /** The characters of the word. */
  letters(): number {
    let n = 0;
    for (let i = 0; i < this.#current.length; i++) n += +((this.#current.charCodeAt(i) & 0xc0) !== 0x80);
    return n;
  }
  #border(at: number): boolean {
    return at <= 0 || at >= this.#current.length || (this.#current.charCodeAt(at) & 0xc0) !== 0x80;
  }
  #replace(bra: number, ket: number, s: string): number {
    const right = Math.max(bra, ket);
    limit(bra >= 0 && bra <= this.#current.length && right <= this.#current.length);
    const more = s.length - (ket - bra);
    this.#current = this.#current.slice(0, bra) + s + this.#current.slice(right);
    this.Limit += more;
    if (this.Cursor >= ket) this.Cursor += more;
    else if (this.Cursor > bra) this.Cursor = bra;
    return more;
  }
  EqS(s: string): boolean {
    if (this.Cursor >= this.Limit || !this.#current.startsWith(s, this.Cursor)) return false;
    this.Cursor += s.length;
    while (!this.#border(this.Cursor)) this.Cursor++;
    return true;
  }
  EqSB(s: string): boolean {
    const at = this.Cursor - s.length;
    if (at < this.LimitBackward || !this.#border(at) || !this.#current.startsWith(s, at)) return false;
    this.Cursor = at;
    return true;
  }
  SliceFrom(s: string): boolean {
    this.#replace(this.Bra, this.Ket, s);
    return true;
  }
  SliceDel(): boolean {
    return this.SliceFrom("");
  }
  SliceTo(): string {
    limit(this.Bra >= 0 && this.Bra <= this.Ket && this.Ket <= this.#current.length);
    return this.#current.slice(this.Bra, this.Ket);
  }
  Insert(bra: number, ket: number, s: string): void {
    const more = this.#replace(bra, ket, s);
    if (bra <= this.Bra) this.Bra += more;
    if (bra <= this.Ket) this.Ket += more;
  }
  NextChar(): void {
    do this.Cursor++;
    while (!this.#border(this.Cursor));
  }
  PrevChar(): void {
    do this.Cursor--;
    while (!this.#border(this.Cursor));
  }
  ByteIndexForHop(delta: number): number {
    let at = this.Cursor;
    for (; delta > 0; delta--) {
      at++;
      while (at <= this.#current.length && !this.#border(at)) at++;
    }
    for (; delta < 0; delta++) {
      at--;
      while (at >= 0 && !this.#border(at)) at--;
    }
    return at;
  }
  // has says whether the character at the cursor is one of a group; undefined if there is no character.
  #has(group: number[], min: number, max: number): boolean | undefined {
    limit(this.Cursor >= 0 && this.Cursor < this.#current.length);
    const at = (i: number): number => this.#current.charCodeAt(this.Cursor + i) & 0x3f;
    const first = this.#current.charCodeAt(this.Cursor);
    let r = first;
    if (first >= 0xf0) r = ((first & 7) << 18) | (at(1) << 12) | (at(2) << 6) | at(3);
    else if (first >= 0xe0) r = ((first & 15) << 12) | (at(1) << 6) | at(2);
    else if (first >= 0xc0) r = ((first & 31) << 6) | at(1);
    else if (first >= 0x80) return undefined;
    return r >= min && r <= max && (group[(r - min) >> 3] & (1 << ((r - min) & 7))) !== 0;
  }
  InGrouping(group: number[], min: number, max: number): boolean {
    if (this.Cursor >= this.Limit || !this.#has(group, min, max)) return false;
    this.NextChar();
    return true;
  }
  OutGrouping(group: number[], min: number, max: number): boolean {
    if (this.Cursor >= this.Limit || this.#has(group, min, max) !== false) return false;
    this.NextChar();
    return true;
  }
  InGroupingB(group: number[], min: number, max: number): boolean {
    return this.#before(group, min, max, true);
  }
  OutGroupingB(group: number[], min: number, max: number): boolean {
    return this.#before(group, min, max, false);
  }
  #before(group: number[], min: number, max: number, want: boolean): boolean {
    if (this.Cursor <= this.LimitBackward) return false;
    this.PrevChar();
    const has = this.#has(group, min, max);
    if (has !== undefined && has !== want) this.NextChar();
    return has === want;
  }
  FindAmong(among: Among[], context: unknown): number {
    return this.#find(among, context, 1, this.Limit);
  }
  FindAmongB(among: Among[], context: unknown): number {
    return this.#find(among, context, -1, this.LimitBackward);
  }
  // find looks for the longest of the strings that stands behind the cursor, or before it.
  #find(among: Among[], context: unknown, way: 1 | -1, end: number): number {
    let i = 0, j = among.length, commonI = 0, commonJ = 0, inspected = false;
    const c = this.Cursor;
    for (;;) {
      const k = i + ((j - i) >> 1);
      const w = among[k][0];
      let diff = 0, common = Math.min(commonI, commonJ);
      while (common < w.length) {
        if (c + way * common === end) {
          diff = -1;
          break;
        }
        const at = way > 0 ? common : w.length - 1 - common;
        diff = this.#current.charCodeAt(way > 0 ? c + common : c - common - 1) - w.charCodeAt(at);
        if (diff !== 0) break;
        common++;
      }
      if (diff < 0) {
        j = k;
        commonJ = common;
      } else {
        i = k;
        commonI = common;
      }
      if (j - i <= 1) {
        if (i > 0 || j === i || inspected) break;
        inspected = true;
      }
    }
    for (;;) {
      const [w, shorter, result, check] = among[i];
      if (commonI >= w.length) {
        this.Cursor = c + way * w.length;
        if (!check) return result;
        const ok = check(this, context);
        this.Cursor = c + way * w.length;
        if (ok) return result;
      }
      i = shorter;
      if (i < 0) return 0;
    }
  }
}

/** Runs a stemmer on a word; one that fails leaves the word as it is. */
export function runStemmer(stem: Stemmer, word: string): string {
  const env = new Env(keyOf(word)); // its bytes, a character each
  try {
    stem(env);
  } catch {
    return word;
  }
  const out = env.Current();
  if (/^[\x00-\x7f]*$/.test(out)) return out;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(out, (c) => c.charCodeAt(0)));
  } catch {
    return "";
  }
}
