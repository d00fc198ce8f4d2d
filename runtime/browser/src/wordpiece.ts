// WordPiece (FORMAT.md §11, EVOC): BERT's normalisation, its words, and the longest pieces of each.
import type { Now } from "#core";
import { type Added, type Head, type Tokenizer, cut, utf8, wellFormed } from "./vocab.ts";

const [lower, strip, clean, apart] = [1, 2, 4, 8]; // flags

const spaces = /[\t-\r\p{Z}\x85]/u;
const controls = /[\p{Cc}\p{Cf}\p{Co}\ufffd]/u;
const marks = /\p{Mn}/u;
const punctuation = /[!-/:-@[-`{-~\p{P}]/u;

// Categories and decompositions are those of Unicode 8. These characters have come since then: from the one before, in
// base 36, how far it is, and how many more follow.
const lateRuns = "17h dc 43+1 6+8 17+o 7v+1 3c 3o+5 2e 4v 1k 1n d 3g 1n+1 1x 8p k 1tt 3a+1 ft+u 3+b 2r+1 1a+2 hj+5 " +
  "37s+c 3+b o27 49 1m 5a i6k r 1fk+3 1u+5 8t+2 z 16+5 1z+a 5+4 15+7 6f 3+1 26 b 70 6 33 3 6y 20 2 9 3 " +
  "16+5 5 2+1 6 2 2 2+1 2+1 9+1 2e+7 3+2 2 5+4 b+1 2+1 ea+c 25 ae+8 2+2 71 3+1 2 5+3 3y+3 3+1 5 2 v+9 " +
  "15+5 3+c a+5 3+2 1b+c 2+4 2+4 2m+9 2f 2+2 2 3f 27+6 2+5 2 2+4 17+1 x+l 3+6 2+1 2+1 3f+5 4 2+1 2+6 2 " +
  "21+1 4 2 9o+1 3+1 8+1 1h+4 6 2+d b 4l 35e+1 u6+g 7+e 8uh+b 4+2 2ex+2 3+2 88+3 51 43 2 isc+19 3+m " +
  "3ay+6 2+g 3+6 2+1 2+4 2t 4h+6 ag 1q+3 e5+3 73+1 g 6c 3 8+1 6 gf+6 k+1";
let lateSet: Set<number> | undefined;

function late(c: number): boolean {
  if (c < 0x7fd) return false;
  if (!lateSet) {
    lateSet = new Set();
    let at = 0;
    for (const run of lateRuns.split(" ")) {
      const [gap, more = 0] = run.split("+").map((digits) => parseInt(digits, 36));
      at += gap;
      for (const end = at + more; at <= end; at++) lateSet.add(at);
      at--;
    }
  }
  return lateSet.has(c);
}

const isMark = (c: number, char: string): boolean =>
  c === 0x1734 || c === 0x1171e || (marks.test(char) && !late(c));
const isPunctuation = (c: number, char: string): boolean =>
  c === 0x166d || c === 0x111c9 || (punctuation.test(char) && !late(c));
const isChinese = (c: number): boolean => (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
  (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b73f) ||
  (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) || (c >= 0x2f800 && c <= 0x2fa1f);

// plain is what is left of a character without its accents.
function plain(c: number, char: string): string {
  if (c < 0xc0 || late(c)) return char;
  return [...char.normalize("NFD")].filter((part) => !isMark(part.codePointAt(0)!, part)).join("");
}

/** A text after BERT's normalisation, with spaces around Chinese characters. */
function normalize(text: string, flags: number): string {
  let out = "";
  for (const char of text) {
    const c = char.codePointAt(0)!;
    if (flags & clean) {
      if (controls.test(char) && !late(c) && !/[\t\n\r]/.test(char)) continue;
      if (spaces.test(char)) {
        out += " ";
        continue;
      }
    }
    let left = flags & strip ? plain(c, char) : char;
    if (flags & lower) left = left.toLowerCase();
    out += flags & apart && isChinese(c) ? ` ${left} ` : left;
  }
  return out;
}

/** A vocabulary that finds the longest piece of a word from a byte on: its id, -1 if there is none, and its bytes. */
export interface Words extends Head {
  readonly added: readonly Added[];
  match(word: Uint8Array, start: number, now: Now): [id: number, n: number];
}

/** The tokenizer of a vocabulary. */
export function wordPiece(vocab: Words): Tokenizer {
  const raw = vocab.added.filter((t) => !t.normalized);
  const normalized = vocab.added.filter((t) => t.normalized)
    .map((t) => ({ ...t, text: normalize(t.text, vocab.flags) }));
  return (text, now) => {
    const found: (number | string)[] = []; // ids and words
    const emit = (id: number): unknown => found.push(id);
    cut(wellFormed(text), raw, emit, (part) => {
      cut(normalize(part, vocab.flags), normalized, emit, (words) => split(words, vocab, found));
    });
    // Each word asks for its pages before the first of them is read.
    return now.each(found, (one) => (typeof one === "number" ? [one] : pieces(utf8(one), vocab, now))).flat();
  };
}

// split adds the words of a text: white space ends one, a punctuation mark is one.
function split(text: string, vocab: Head, found: (number | string)[]): void {
  let [word, characters] = ["", 0];
  const end = (): void => {
    if (characters) found.push(characters > vocab.extra ? vocab.unknown : word);
    [word, characters] = ["", 0];
  };
  for (const char of text) {
    if (spaces.test(char)) {
      end();
      continue;
    }
    const alone = isPunctuation(char.codePointAt(0)!, char);
    if (alone) end();
    word += char;
    characters++;
    if (alone) end();
  }
  end();
}

// pieces cuts a word: the longest piece that it begins with, of the rest the longest continuation, and so on.
function pieces(word: Uint8Array, vocab: Words, now: Now): number[] {
  const ids: number[] = [];
  for (let start = 0; start < word.length; ) {
    const [id, n] = vocab.match(word, start, now);
    if (id < 0) return [vocab.unknown];
    ids.push(id);
    start += n;
  }
  return ids;
}
