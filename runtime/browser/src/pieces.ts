// Wordpieces by their text (FORMAT.md §11, PIEC): of a vocabulary that is not read whole, the stretches of a dictionary
// in which the pieces of a text stand.
import { Dictionary, Now, Table, need, stringsOf, upTo } from "#core";
import type { File } from "./file.ts";
import { type Added, Head, utf8, within } from "./vocab.ts";

const blocks = ["PIEC", "PIET", "PIEP", "PIEA"];
const perStretch = 64; // strings
// A word of so many bytes is often no piece; the pages of what it may go on with are read beside its own. Of the questions
// of react 92 in 100 so need no more reads, and 64 without, for 25 KB each.
const longWord = 6;

interface Stretch {
  texts: string[]; // a character each byte
  ids: number[];
}

/** Pieces in the order of their bytes, and where each stretch of them lies. */
export class Pieces extends Head {
  readonly added: readonly Added[];
  readonly #firsts: readonly string[]; // of stretches
  readonly #starts: readonly number[]; // in PIEC
  readonly #strings: number;
  readonly #rows = new Map<number, number>(); // of pieces that were read, and of added ones
  readonly #read = new Map<number, Stretch>();

  private constructor(bytes: Uint8Array, file: File, firsts: string[], starts: number[]) {
    super(bytes, "PIEA");
    const { length, rows } = file.block("PIEC");
    const data = 8 + 4 * Math.ceil(rows / 16);
    const count = Math.ceil(rows / perStretch);
    const fits = firsts.length === count && starts.length === count + 1 && starts[0] === 0 && starts[count] === length - data;
    need(!this.unigram && rows > 0 && fits, `PIEP: ${starts.length} places, ${firsts.length} stretches of ${rows} strings`);
    [this.#firsts, this.#starts, this.#strings] = [firsts, starts.map((at) => data + at), rows];
    this.#rows.set(this.unknown, this.v.u32(this.size) - 1);
    let at = this.size + 4;
    this.added = this.tokens((id) => {
      this.#rows.set(id, this.v.u32(at) - 1);
      const n = this.v.u8(at + 4);
      at += 5 + n;
      return this.v.slice(at - n, n);
    });
    need(at === bytes.length, `PIEA: ${bytes.length} bytes, its tokens have ${at}`);
  }

  /** Whether a file has them. */
  static in(file: File): boolean {
    return blocks.every((tag) => file.blocks.has(tag));
  }

  /** Reads the upper level, which lies among the first bytes of the file. */
  static async open(file: File): Promise<Pieces> {
    const now = new Now(file);
    return now.run(() => {
      for (const tag of blocks.slice(1)) now.ask(tag);
      const [firsts, starts, added] = now.all(() => new Dictionary(now, "PIET").all(now),
        () => new Table(now, "PIEP", "r", 1).range(now, 0), () => now.bytes("PIEA", 0, file.block("PIEA").length));
      return new Pieces(added, file, firsts, starts);
    });
  }

  /** The row of a piece that match found, -1 for none. */
  row(id: number): number {
    const row = this.#rows.get(id);
    need(row !== undefined, `PIEC: the row of piece ${id}, which was not read`);
    return row;
  }

  /** Whether a text is a piece that begins a word. */
  has(text: string, now: Now): boolean {
    const key = String.fromCharCode(...utf8(text).subarray(0, 256));
    if (key.length > 255 || continues(key)) return false;
    const { texts } = this.#stretch(now, key);
    return texts[upTo(texts, key) - 1] === key;
  }

  /** The longest piece of a word from a byte on: its id, -1 if there is none, and its bytes. */
  match(word: Uint8Array, start: number, now: Now): [id: number, n: number] {
    const before = start > 0 ? 2 : 0; // bytes of the mark
    const rest = String.fromCharCode(...word.subarray(start, start + this.longest));
    // Of all strings that are not above a key the last is the longest piece that the key begins with, or has as much in
    // common with the key as any of those has at most.
    for (let key = "##".slice(0, before) + rest, first = start === 0; key.length > before; first = false) {
      if (!this.#ask(now, key)) this.#ahead(now, word, start, first);
      const { texts, ids } = this.#stretch(now, key);
      const i = upTo(texts, key) - 1;
      if (i < 0) break;
      const text = texts[i];
      const n = text.length - before;
      if (!key.startsWith(text)) key = key.slice(0, common(text, key));
      else if (n <= 0) break;
      else if (within(word, start + n) || (!start && continues(text))) key = key.slice(0, text.length - 1);
      else return [ids[i], n];
    }
    return [-1, 0];
  }

  #number(key: string): number {
    return Math.max(0, upTo(this.#firsts, key) - 1);
  }

  #ask(now: Now, key: string): boolean {
    const i = this.#number(key);
    return this.#read.has(i) || now.ask("PIEC", this.#starts[i], this.#starts[i + 1] - this.#starts[i]);
  }

  // ahead asks for what a word may go on with behind a byte. first says that nothing is known of the word: what it begins
  // with is then likely a piece of two bytes or more, of the stretch where the word would stand or the one before.
  #ahead(now: Now, word: Uint8Array, start: number, first: boolean): void {
    if (first && word.length < longWord) return;
    if (first) {
      const key = String.fromCharCode(...word.subarray(0, this.longest));
      const i = this.#number(key);
      const begin = key.slice(0, common(this.#firsts[i], key));
      if (this.#number(begin) === i - 1) this.#ask(now, begin);
    }
    for (let at = first ? 2 : start + 1; at < word.length; at++) {
      if (!within(word, at)) this.#ask(now, `##${String.fromCharCode(...word.subarray(at, at + this.longest))}`);
    }
  }

  // stretch has the strings among which a key stands or would stand.
  #stretch(now: Now, key: string): Stretch {
    const i = this.#number(key);
    const have = this.#read.get(i);
    if (have) return have;
    const strings = stringsOf(now.bytes("PIEC", this.#starts[i], this.#starts[i + 1] - this.#starts[i]), "PIEC");
    need(strings.length === Math.min(perStretch, this.#strings - perStretch * i), "PIEP: other strings are there");
    const wide = this.pieces >= 65_535 ? 4 : 2;
    const stretch: Stretch = { texts: [], ids: [] };
    for (const s of strings) {
      const end = s.indexOf("\0");
      const size = s.length - end - 1 - wide;
      const at = perStretch * i + stretch.ids.length;
      need(end > 0 && (size === 2 || size === 4), `PIEC: string ${at} without id and row`);
      const id = number(s, end + 1, wide);
      need(id < this.pieces, `PIEC: id ${id} of ${this.pieces}`);
      this.#rows.set(id, number(s, end + 1 + wide, size) - 1);
      stretch.texts.push(s.slice(0, end));
      stretch.ids.push(id);
    }
    need(stretch.texts[0] === this.#firsts[i], "PIEP: other strings are there");
    this.#read.set(i, stretch);
    return stretch;
  }
}

// number is that of some characters, a byte each, the lowest first.
function number(s: string, at: number, size: number): number {
  let n = 0;
  for (let i = size - 1; i >= 0; i--) n = 256 * n + s.charCodeAt(at + i);
  return n;
}

const continues = (text: string): boolean => text.length > 2 && text.startsWith("##");

// common is how many bytes two texts begin with alike.
function common(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  return n;
}
