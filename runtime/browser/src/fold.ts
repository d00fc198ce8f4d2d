// Forms of words (text/ANALYZER.md §5 and §7).
import { Class, bytesOf, classOf, cutBytes, isApostrophe, isHyphen, isInvisible, isPoint, within } from "./runes.ts";

const maxTerm = 255; // bytes
const maxExact = 64; // bytes of a word whose accents are remembered

const special = new Map<string, string>();
for (const row of ("ß ss,æǽǣ ae,œ oe,þ th,øǿ o,ł l,đð d,ħ h,ŧ t,ŋ n,ı i,ȷ j,ς σ,ёѐ е,ѝ и,أإآٱ ا,ىی ي,ک ك,ة ه,ऩ न,ऱ र," +
  "ऴ ळ").split(",")) {
  const [from, to] = row.split(" ");
  for (const c of from) special.set(c, to);
}

const latin = [0, 0x2af, 0x1d00, 0x1eff, 0x2c60, 0x2c7f, 0xa720, 0xa7ff, 0xab30, 0xab6f];
const greek = [0x370, 0x3ff, 0x1f00, 0x1fff];
const cyrillic = [0x400, 0x52f, 0x1c80, 0x1c8f, 0x2de0, 0x2dff, 0xa640, 0xa69f];

/** In lower case and NFKC, accents kept. Of a word all that belongs in none is dropped, of a text nothing. */
export function lowerForm(s: string, text: boolean): string {
  if (/^[a-z0-9]*$/.test(s)) return s;
  let out = "";
  for (const c of s.normalize("NFKC")) {
    const r = c.codePointAt(0)!;
    if (r < 0x80) {
      if (text || /[a-zA-Z0-9.\-_/@'+#]/.test(c)) out += c.toLowerCase();
    } else if (r === 0xfffd || r === 0x640 || isInvisible(r) || (r >= 0xd800 && r <= 0xdfff)) continue;
    else if (isApostrophe(r)) out += "'";
    else if (isHyphen(r)) out += "-";
    else {
      const low = lowerOf(c);
      if (text || classOf(low.codePointAt(0)!) !== Class.other) out += low;
    }
  }
  return out.normalize("NFKC");
}

/** The simple lower case of a character. */
export function lowerOf(c: string): string {
  const low = c.toLowerCase();
  return String.fromCodePoint(low.codePointAt(0)!);
}

/** What lowerForm gives, without accents. */
export function foldLower(s: string): string {
  if (/^[\x00-\x7f]*$/.test(s)) return s;
  let [out, accents, seen] = ["", false, false]; // whether marks are accents: after Latin, Greek and Cyrillic
  for (const c of s) {
    const r = c.codePointAt(0)!;
    if (r >= 0x80 && /^[\p{Mn}\p{Me}]$/u.test(c)) {
      if (!(seen && accents) && !isPoint(r)) out += r === 0x901 ? "\u0902" : c;
      continue;
    }
    const [isLatin, isGreek] = [within(latin, r), within(greek, r)];
    [seen, accents] = [true, isLatin || isGreek || within(cyrillic, r)];
    const plain = special.get(c);
    if (r < 0x80) out += c;
    else if (plain !== undefined) out += plain;
    else if (isLatin || isGreek) {
      const base = String.fromCodePoint(c.normalize("NFKD").codePointAt(0)!);
      out += special.get(base) ?? base;
    } else out += decimal(c);
  }
  return out === s ? s : out.normalize("NFKC");
}

// decimal is the ASCII digit of a decimal digit of any script: each has ten that follow each other.
function decimal(c: string): string {
  if (!/^\p{Nd}$/u.test(c)) return c;
  const r = c.codePointAt(0)!;
  if (r >= 0x1d7ce && r <= 0x1d7ff) return String((r - 0x1d7ce) % 10);
  let n = 0;
  while (n < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(r - n - 1))) n++;
  for (const two of [0x19d0, 0x1a80]) if (r >= two && r < two + 10) n = r - two; // the digits before are others
  return String(n);
}

/** The folded form of a whole string, as names, titles and ids have it. */
export function fold(s: string): string {
  return foldLower(lowerForm(s, true)).split(/[\s\u0085]+/).filter(Boolean).join(" ");
}

/** The two forms of a word. */
export interface Forms {
  fold: string;
  lower: string;
}

const kept = new Map<string, Forms>();

/** The forms of a word or identifier. */
export function forms(word: string): Forms {
  if (word.length < maxTerm && /^[a-z0-9]*$/.test(word)) return { fold: word, lower: word };
  let found = kept.get(word);
  if (!found) {
    if (kept.size > 8192) kept.clear();
    const lower = cutBytes(lowerForm(word, false), maxTerm);
    const folded = foldLower(lower.replace(/'s$/, "").replaceAll("'", ""));
    kept.set(word, (found = { lower, fold: cutBytes(folded, maxTerm) }));
  }
  return found;
}

/** The lower form, folded but for its accents. */
export function accented(lower: string): string {
  lower = lower.replace(/'s$/, "");
  if (!/[^\x00-\x7f]|'/.test(lower)) return lower;
  let out = "";
  for (const c of lower) {
    const r = c.codePointAt(0)!;
    if (c !== "'" && !isPoint(r)) out += r < 0x80 ? c : decimal(c);
  }
  return out;
}

/** What a term begins with that has the accents of a word. */
export const exactPrefix = (folded: string): string => `\x02${folded}\x02`;

/** The term of a word as it is written; "" if folding leaves it as it is. */
export function exactTerm(t: Forms & { whole: boolean; cjk: boolean }): string {
  if (t.fold === t.lower || t.whole || t.cjk || bytesOf(t.lower) > maxExact) return "";
  const form = accented(t.lower);
  return form === t.fold ? "" : exactPrefix(t.fold) + form;
}

/** The term of a stem. */
export const stemTerm = (language: string, stem: string): string => `\x01${language}\x01${stem}`;
