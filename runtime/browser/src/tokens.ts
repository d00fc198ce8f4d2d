// Text becomes tokens (text/ANALYZER.md §2 to §4).
import { forms, type Forms } from "./fold.ts";
import { Class, bytesOf, classOf, cutBytes, isApostrophe, isHyphen, runeAt, runeBefore, sizeOf } from "./runes.ts";

const maxWord = 128; // bytes of a token
const maxSegments = 32;
const maxCluster = 32; // bytes

/** One word of a text, the whole of an identifier, or a part of one. Places are those of the string. */
export interface Token extends Forms {
  pos: number;
  start: number;
  end: number;
  part: boolean;
  whole: boolean;
  cjk: boolean;
  lone: boolean;
}

/** The single last character of a longer run: a query leaves it out. */
export const indexOnly = (t: Token): boolean => t.cjk && t.part;

interface Segment {
  start: number;
  end: number;
  joint: string;
}

const joints = "/.-_";
const elided = new Set(("l d j m t s n c qu jusqu lorsqu puisqu quoiqu presqu quelqu un all dell dall nell sull coll " +
  "quell quest bell sant gl agl degl dagl negl sugl anch senz dov tutt mezz nient null cos").split(" "));

const classAt = (text: string, i: number): Class => (i < text.length ? classOf(runeAt(text, i)) : Class.other);
const starts = (c: Class): boolean => c >= Class.lower && c <= Class.digit;
const inWord = (c: Class): boolean => c >= Class.lower && c <= Class.mark;
const isLetter = (c: Class): boolean => c >= Class.lower && c <= Class.letter;
const startsASCII = (text: string, i: number): boolean => /^[a-zA-Z0-9]$/.test(text[i] ?? "");

// follows says whether a letter belongs to the one before: vowels and finals of Hangul, Thai and Lao.
const follows = (r: number): boolean => (r >= 0x1160 && r <= 0x11ff) || (r >= 0xd7b0 && r <= 0xd7fb) ||
  [0xe30, 0xe32, 0xe33, 0xe45, 0xeb0, 0xeb2, 0xeb3].includes(r);

/** The tokens of a text. */
export function tokens(text: string): Token[] {
  return new Tokenizer(text).run();
}

class Tokenizer {
  readonly #text: string;
  readonly #out: Token[] = [];
  #pos = 0;
  #i = 0;
  constructor(text: string) {
    this.#text = text;
  }

  run(): Token[] {
    while (this.#i < this.#text.length) this.#next();
    return this.#out;
  }

  #next(): void {
    const [text, i] = [this.#text, this.#i];
    const r = runeAt(text, i);
    const c = classOf(r);
    if (c >= Class.pair) return this.#pairs(c);
    if (starts(c)) return this.#identifier(i, i);
    if (r === 0x40 && !this.#wordBefore(i) && this.#scopeAt(i + 1)) return this.#identifier(i, i + 1);
    if (r === 0x2d || r === 0x5f) {
      let end = i + 1;
      while (text.charCodeAt(end) === r) end++;
      if (end - i === 2 && starts(classAt(text, end)) && !this.#wordBefore(i)) return this.#identifier(i, end);
      this.#i = end;
      return;
    }
    this.#i += sizeOf(r);
  }

  #wordBefore(i: number): boolean {
    const r = runeBefore(this.#text, i);
    return r >= 0 && r !== 0xfffd && (classOf(r) !== Class.other || r === 0x5f || isHyphen(r));
  }

  #scopeAt(i: number): boolean {
    if (!startsASCII(this.#text, i)) return false;
    for (let end = i; end < this.#text.length && end - i <= maxWord; end++) {
      if (this.#text[end] === "/") return startsASCII(this.#text, end + 1);
      if (!/[a-zA-Z0-9_-]/.test(this.#text[end])) return false;
    }
    return false;
  }

  #emit(start: number, end: number, whole: boolean, part: boolean, cjk = false): boolean {
    const word = forms(this.#text.slice(start, end));
    if (word.fold === "") return false;
    this.#out.push({ fold: word.fold, lower: word.lower, pos: this.#pos, start, end, part, whole, cjk, lone: false });
    return true;
  }

  #identifier(start: number, first: number): void {
    const text = this.#text;
    let scoped = start < first && text[start] === "@";
    const segs: Segment[] = [];
    let i = first;
    for (let joint = "-"; joint !== ""; ) {
      const [seg, resume] = this.#segment(i);
      [i, joint] = [resume, ""];
      if (seg.end === resume && segs.length < maxSegments - 1) [joint, i] = this.#jointAt(resume, scoped);
      seg.joint = joint;
      segs.push(seg);
      scoped = scoped && joint !== "/";
    }
    let end = segs[segs.length - 1].end;
    let part = false;
    if (start < first && !scoped) {
      if (text[start] === "_") {
        while (text[end] === "_") end++;
        i = Math.max(i, end);
      }
      if (bytesOf(text, start, end) <= maxWord) part = this.#emit(start, end, true, false);
    } else if (start === first && segs.length === 1 && end === start + 1 && text.charCodeAt(start) < 0x80) {
      const suffix = this.#operatorAt(end);
      if (suffix > 0) {
        part = this.#emit(start, end + suffix, true, false);
        i = end + suffix;
      }
    }
    this.#level(segs, 0, part);
    this.#i = i;
  }

  // segment reads a run of word characters, and says where to go on.
  #segment(start: number): [Segment, number] {
    const text = this.#text;
    let [i, first, last] = [start, true, Class.other];
    while (i < text.length) {
      const r = runeAt(text, i);
      const c = classOf(r);
      if (inWord(c) && !isApostrophe(r)) {
        if (c !== Class.mark) last = c;
        i += sizeOf(r);
        continue;
      }
      if (!isApostrophe(r) || !isLetter(last) || !isLetter(classAt(text, i + 1))) break;
      const word = text.slice(start, i);
      if (first && /^[a-zA-Z]{1,8}$/.test(word) && elided.has(word.toLowerCase())) {
        return [{ start, end: i, joint: "" }, i + 1];
      }
      [first, last] = [false, Class.other];
      i++;
    }
    return [{ start, end: i, joint: "" }, i];
  }

  #jointAt(i: number, scoped: boolean): [string, number] {
    const r = runeAt(this.#text, i);
    let [joint, after] = ["", i + 1];
    if (r === 0x5f) {
      joint = "_";
      while (this.#text[after] === "_") after++;
    } else if (r === 0x2e) joint = ".";
    else if (isHyphen(r)) joint = "-";
    else if (r === 0x2f && scoped) joint = "/";
    return joint && starts(classAt(this.#text, after)) ? [joint, after] : ["", i];
  }

  #operatorAt(i: number): number {
    const size = this.#text.startsWith("++", i) ? 2 : this.#text[i] === "#" ? 1 : 0;
    return size === 0 || /^[^\x00-\x7f]|^[a-zA-Z0-9+#_]/.test(this.#text.slice(i + size, i + size + 1)) ? 0 : size;
  }

  // level emits the tokens of segments that joints from depth on join: the whole, then each piece.
  #level(segs: Segment[], depth: number, part: boolean): void {
    const last = segs.length - 1;
    if (depth === joints.length) return this.#word(segs[0].start, segs[0].end, part);
    const joint = joints[depth];
    if (!segs.some((s, i) => i < last && s.joint === joint)) return this.#level(segs, depth + 1, part);
    if (joint !== "/" && bytesOf(this.#text, segs[0].start, segs[last].end) <= maxWord) {
      this.#emit(segs[0].start, segs[last].end, true, part);
      part = true;
      const version = /^[vV][0-9]+$/.test(this.#text.slice(segs[0].start, segs[0].end)) && segs[0].joint === ".";
      if (joint === "." && version && /[0-9]/.test(this.#text[segs[1].start])) {
        segs[0] = { ...segs[0], start: segs[0].start + 1 };
        this.#emit(segs[0].start, segs[last].end, true, part);
      }
    }
    for (let i = 0, from = 0; i <= last; i++) {
      if (i !== last && segs[i].joint !== joint) continue;
      this.#level(segs.slice(from, i + 1), depth + 1, part);
      from = i + 1;
    }
  }

  #word(start: number, end: number, part: boolean): void {
    if (bytesOf(this.#text, start, end) > maxWord) {
      while (start < end) {
        const piece = cutBytes(this.#text.slice(start, end), maxWord).length;
        if (this.#emit(start, start + piece, false, part)) this.#pos++;
        start += piece;
      }
      return;
    }
    const bounds = this.#capitals(start, end);
    if (bounds.length > 0) {
      this.#emit(start, end, true, part);
      for (const to of [...bounds, end]) {
        if (this.#emit(start, to, false, true)) this.#pos++;
        start = to;
      }
    } else if (this.#emit(start, end, false, part)) this.#pos++;
  }

  // capitals returns the places where a capital starts a new part.
  #capitals(start: number, end: number): number[] {
    const places: number[] = [];
    let [previous, hasLower, noisy] = [Class.other, false, 2];
    for (let i = start; i < end; ) {
      const r = runeAt(this.#text, i);
      const [c, size] = [classOf(r), sizeOf(r)];
      if (c === Class.upper && starts(previous)) {
        const [after, next] = this.#letterAt(i + size, end);
        let follows = after === Class.lower;
        if (follows && previous === Class.upper) follows = this.#letterAt(next, end)[0] === Class.lower;
        if (previous === Class.lower || follows || (previous === Class.digit && hasLower)) {
          places.push(i);
          hasLower = false;
        }
      }
      if (c === Class.digit) noisy = 4;
      if (c !== Class.mark) {
        previous = c;
        hasLower = hasLower || c === Class.lower;
      }
      i += size;
    }
    const n = places.length;
    const random = n > 15 || (n > 3 && Math.floor(bytesOf(this.#text, start, end) / (n + 1)) < noisy);
    return random ? [] : places;
  }

  #letterAt(i: number, end: number): [Class, number] {
    while (i < end) {
      const r = runeAt(this.#text, i);
      i += sizeOf(r);
      if (classOf(r) !== Class.mark) return [classOf(r), i];
    }
    return [Class.other, end];
  }

  // pairs reads a run of characters of a script without spaces.
  #pairs(c: Class): void {
    const one = (start: number, end: number, tail: boolean): boolean => {
      if (!this.#emit(start, end, false, tail, true)) return false;
      this.#pos++;
      return true;
    };
    let [start, end, next] = this.#cluster(this.#i, c);
    for (let n = 0; ; n++) {
      if (classAt(this.#text, next) !== c || end < next) {
        if (one(start, end, n > 0)) this.#out[this.#out.length - 1].lone = true;
        this.#i = next;
        return;
      }
      const [from, to, after] = this.#cluster(next, c);
      one(start, to, false);
      [start, end, next] = [from, to, after];
    }
  }

  // cluster returns a character with the marks that belong to it, and where the next one starts.
  #cluster(start: number, c: Class): [number, number, number] {
    let [i, end, bytes, joined] = [start, start, 0, c === Class.southern];
    for (;;) {
      const r = runeAt(this.#text, i);
      const found = r < 0 ? Class.other : classOf(r);
      if (i === start) joined = joined && ((r >= 0xe40 && r <= 0xe44) || (r >= 0xec0 && r <= 0xec4));
      else if (found === Class.mark) joined = [0x1039, 0x17d2, 0x1a60, 0x1b44, 0xa9c0].includes(r);
      else if (!follows(r)) {
        if (!joined || found !== c) return [start, end, i];
        joined = false;
      }
      i += sizeOf(r);
      bytes += bytesOf(this.#text, i - sizeOf(r), i);
      if (bytes <= maxCluster) end = i;
      else if (found !== Class.mark) return [start, end, i];
    }
  }
}
