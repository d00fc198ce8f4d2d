// Classes of characters (text/ANALYZER.md §1 and §4).

/** What a character does to a word. */
export const enum Class { other, lower, upper, letter, digit, mark, pair, southern }

const eastAsia = [
  0x1100, 0x11ff, 0x2e80, 0x2fd5, 0x3005, 0x3007, 0x3021, 0x3029, 0x3031, 0x3035, 0x3038, 0x303c, 0x3041, 0x3096, 0x309d,
  0x309f, 0x30a1, 0x30fa, 0x30fc, 0x30ff, 0x3105, 0x312f, 0x3131, 0x318e, 0x31a0, 0x31bf, 0x31f0, 0x31ff, 0x3400, 0x4dbf,
  0x4e00, 0x9fff, 0xa000, 0xa48c, 0xa960, 0xa97c, 0xac00, 0xd7a3, 0xd7b0, 0xd7fb, 0xf900, 0xfaff, 0xff66, 0xff9d, 0xffa1,
  0xffdc, 0x16fe3, 0x16fe3, 0x17000, 0x18cff, 0x1aff0, 0x1b16f, 0x20000, 0x323af,
];
const southEastAsia = [
  0x0e01, 0x0edf, 0x1000, 0x109f, 0x1780, 0x17dd, 0x1950, 0x19df, 0x1a20, 0x1aad, 0x1b00, 0x1b7c, 0xa980, 0xa9df, 0xa9e0,
  0xa9fe, 0xaa60, 0xaa7f, 0xaa80, 0xaadf,
];
const points = [0x0610, 0x061a, 0x064b, 0x065f, 0x0670, 0x0670, 0x06d6, 0x06ed, 0x0591, 0x05c7, 0x093c, 0x093c, 0x0a3c,
  0x0a3c, 0x20d0, 0x20f0];
const invisible = [0xad, 0xad, 0x34f, 0x34f, 0x61c, 0x61c, 0x180e, 0x180e, 0xfeff, 0xfeff, 0x200c, 0x200f, 0x202a, 0x202e,
  0x2060, 0x206f, 0xfe00, 0xfe0f, 0xe0000, 0xe0fff, 0x115f, 0x1160, 0x3164, 0x3164];
const apostrophes = new Set([0x27, 0x2019, 0x2018, 0x201b, 0xff07, 0x02bc, 0xb7, 0x05f3, 0x05f4]);
const hyphens = new Set([0x2d, 0x2010, 0x2011, 0xff0d, 0xfe63]);
const spelled = new Set([0x33a7, 0x33a8, 0x33ae, 0x33af, 0x33c2, 0x33c6, 0x33c7, 0x33d8]);

/** Says whether a number lies in one of some ranges. */
export function within(ranges: readonly number[], r: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (r >= ranges[i] && r <= ranges[i + 1]) return true;
  return false;
}

export const isApostrophe = (r: number): boolean => apostrophes.has(r);
export const isHyphen = (r: number): boolean => hyphens.has(r);
export const isInvisible = (r: number): boolean => within(invisible, r);
/** A mark that words are mostly written without. */
export const isPoint = (r: number): boolean => within(points, r);

const known = new Map<number, Class>();

/** The class of a character; of one that is not there (below 0) other. */
export function classOf(r: number): Class {
  if (r < 0x80) {
    if (r >= 0x61 && r <= 0x7a) return Class.lower;
    if (r >= 0x41 && r <= 0x5a) return Class.upper;
    return r >= 0x30 && r <= 0x39 ? Class.digit : Class.other;
  }
  let c = known.get(r);
  if (c === undefined) known.set(r, (c = make(r)));
  return c;
}

function make(r: number): Class {
  const s = String.fromCodePoint(r);
  if (r >= 0x1100 && within(eastAsia, r)) return /^[\p{L}\p{N}]$/u.test(s) ? Class.pair : Class.other;
  if (isApostrophe(r) || r === 0xffa0) return Class.other;
  if (r === 0xff9e || r === 0xff9f) return Class.mark;
  if (/^\p{L}$/u.test(s)) {
    if (within(southEastAsia, r)) return Class.southern;
    if (/^\p{Ll}$/u.test(s)) return Class.lower;
    return /^[\p{Lu}\p{Lt}]$/u.test(s) ? Class.upper : Class.letter;
  }
  if (/^\p{M}$/u.test(s) || isInvisible(r)) return Class.mark;
  const fraction = (r >= 0xbc && r <= 0xbe) || (r >= 0x2150 && r <= 0x215f) || r === 0x2189;
  if (/^\p{N}$/u.test(s) && !fraction) return Class.digit;
  const unit = r >= 0x3371 && r <= 0x33df && !(r >= 0x337b && r <= 0x337f) && !spelled.has(r);
  return unit ? Class.lower : Class.other;
}

/** The character at a place of a text; -1 behind its end. A half of a pair is U+FFFD. */
export function runeAt(text: string, i: number): number {
  const r = i < text.length ? text.codePointAt(i)! : -1;
  return r >= 0xd800 && r <= 0xdfff ? 0xfffd : r;
}

/** The character before a place of a text; -1 before its beginning. */
export function runeBefore(text: string, i: number): number {
  if (i <= 0) return -1;
  const low = text.charCodeAt(i - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && i > 1 ? text.codePointAt(i - 2)! : 0;
  return pair > 0xffff ? pair : runeAt(text, i - 1);
}

/** How many places of a string a character takes. */
export const sizeOf = (r: number): number => (r > 0xffff ? 2 : 1);

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string, from = 0, to = text.length): number {
  let n = to - from;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x80) n += c < 0x800 || (c >= 0xd800 && c <= 0xdfff) ? 1 : 2;
  }
  return n;
}

/** The longest beginning of a text that has no more bytes than most. */
export function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most || bytesOf(text) <= most) return text;
  let n = 0;
  for (let i = 0; i < text.length; ) {
    const r = runeAt(text, i);
    n += r < 0x80 ? 1 : r < 0x800 ? 2 : r < 0x10000 ? 3 : 4;
    if (n > most) return text.slice(0, i);
    i += sizeOf(r);
  }
  return text;
}
