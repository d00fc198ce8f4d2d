// The steps of a Unigram vocabulary's normalisation (FORMAT.md §11, EVOC).
import { KddxError, View, need } from "#core";
import { spacesAfter, spacesBefore, utf8 } from "./vocab.ts";

type Step = (text: string) => string;

/** A normalised text, and whether it begins where the text does: false where spaces before it were stripped. */
export interface Normalized {
  text: string;
  start: boolean;
}

const forms = ["NFC", "NFD", "NFKC", "NFKD"];
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function utf8Text(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new KddxError("index_corrupt", "EVOC: a text of the normalisation is not UTF-8");
  }
}

/** Reads the steps. A text may grow to 16 KiB and 16 times its bytes. */
export function normalizer(bytes: Uint8Array): (text: string) => Normalized {
  const steps: { step: Step; strips: boolean }[] = [];
  const v = new View(bytes, "EVOC");
  let at = 0;
  const number = (): number => ((at += 4), v.u32(at - 4));
  const text = (): string => {
    const n = v.u16(at);
    need(n <= 64, `EVOC: a text of ${n} bytes`);
    at += 2 + n;
    return utf8Text(v.slice(at - n, n));
  };
  while (at < bytes.length) {
    need(steps.length < 16, "EVOC: more than 16 steps");
    const kind = v.u8(at++);
    let [step, strips]: [Step, boolean] = [(t) => t, false];
    if (kind === 1) {
      const n = number();
      step = characters(v.slice(at, n));
      at += n;
    } else if (kind >= 2 && kind <= 5) {
      step = (t) => t.normalize(forms[kind - 2]);
    } else if (kind === 6) {
      const sides = v.u8(at++);
      need(sides <= 3, `EVOC: spaces of sides ${sides}`);
      strips = (sides & 1) === 1;
      step = (t) => {
        const end = sides & 2 ? spacesBefore(t, t.length) : t.length;
        return t.slice(strips ? Math.min(end, spacesAfter(t, 0)) : 0, end);
      };
    } else if (kind === 7) {
      const [before, after] = [text(), text()];
      need(before !== "", "EVOC: an empty text is replaced");
      step = (t) => t.split(before).join(after);
    } else if (kind === 8) {
      const [char, least] = [number(), number()];
      need(least >= 1 && least <= 64 && (char === 0xffffffff || char <= 0x10ffff), "EVOC: runs of a character");
      step = runs(char, least, text());
    } else {
      need(kind === 9, `EVOC: a step of kind ${kind}`);
      const before = text();
      step = (t) => t && before + t;
    }
    steps.push({ step, strips });
  }
  return (text) => {
    const most = 2 ** 14 + 16 * utf8(text).length;
    let start = true;
    for (const { step, strips } of steps) {
      if (strips && spacesAfter(text, 0) > 0) start = false;
      text = step(text);
      if (3 * text.length <= most) continue;
      const all = utf8(text);
      let end = Math.min(most, all.length);
      while (end < all.length && (all[end] & 0xc0) === 0x80) end--;
      text = utf8Text(all.subarray(0, end));
    }
    return { text, start };
  };
}

// runs replaces each run of a character, or of any space, that has a length or more.
function runs(char: number, least: number, by: string): Step {
  const has = (c: string): boolean =>
    char === 0xffffffff ? /\p{White_Space}/u.test(c) : c.codePointAt(0) === char;
  return (text) => {
    let [out, run, n] = ["", "", 0];
    const end = (): void => {
      out += n >= least ? by : run;
      [run, n] = ["", 0];
    };
    for (const c of text) {
      if (has(c)) {
        run += c;
        n++;
        continue;
      }
      end();
      out += c;
    }
    end();
    return out;
  };
}

// characters reads SentencePiece's map: u32 bytes of a trie, the trie (a double array, Aoe 1989), and texts that each
// end at a zero byte. A grapheme cluster of fewer than six bytes is looked up as a whole first.
function characters(bytes: Uint8Array): Step {
  const v = new View(bytes, "EVOC");
  const size = v.u32(0);
  need(size > 0 && size % 4 === 0 && size <= bytes.length - 4, `EVOC: a trie of ${size} bytes`);
  const texts = bytes.subarray(4 + size);
  const unit = (i: number): number => (4 * i < size ? v.u32(4 + 4 * i) : 2 ** 31);
  const offset = (u: number): number => ((u >>> 10) << ((u & 512) >>> 6)) >>> 0;
  // find is what the shortest start of a key becomes that is in the map.
  const find = (key: Uint8Array): string | undefined => {
    let at = offset(unit(0));
    for (const byte of key) {
      if (byte === 0) return undefined;
      at = (at ^ byte) >>> 0;
      const u = unit(at);
      if ((u & 0x800000ff) !== byte) return undefined;
      at = (at ^ offset(u)) >>> 0;
      if (!(u & 256)) continue;
      const from = unit(at) & 0x7fffffff;
      if (from >= texts.length) return undefined;
      let end = from;
      while (end < texts.length && texts[end] !== 0) end++;
      need(end - from <= 64, "EVOC: a character becomes more than 64 bytes");
      return utf8Text(texts.subarray(from, end));
    }
    return undefined;
  };
  return (text) => {
    if (!Intl.Segmenter) throw new KddxError("io_error", "no Intl.Segmenter here, which the query encoder needs");
    let out = "";
    for (const { segment } of new Intl.Segmenter("en").segment(text)) {
      const key = utf8(segment);
      const whole = key.length < 6 ? find(key) : undefined;
      if (whole !== undefined) out += whole;
      else for (const char of segment) out += find(utf8(char)) ?? char;
    }
    return out;
  };
}
