// The language of a query, as kdd tells it (FORMAT.md §13.4).
import { bytesOf, classOf, foldLower, lowerForm, runeAt, sizeOf } from "#core";
import type { Told } from "./english.ts";
import type { LettersModule } from "./modules.ts";
import type { WordLists } from "./wordlists.ts";
import { Class } from "./runes.ts";

type Writings = Pick<LettersModule, "main" | "writingOf">;

const latin = "en es de fr it pt nl sv da no fi hu ro tr ga pl cs vi id ca".split(" ");
const maxListed = 32; // bytes of a word in a list

// Letters that are typical of languages.
const letters = new Map<string, string[]>();
for (const row of ("ñ es,ß de,ä de sv fi,ö de sv fi hu tr,ü de hu tr,å sv da no,æø da no,ãõ pt,ç fr pt tr ca,ê fr pt,è fr it ca," +
  "ìù it,ò it ca,œûëï fr,î fr ro,áí es pt hu cs ga,ó es pt hu pl ga,é fr es pt hu cs,ú es pt hu ga,őű hu,şţ tr ro,ğıİ tr," +
  "ă ro vi,șț ro,ąęłżźśńć pl,ěřůčšžýňťď cs,đơư vi").split(",")) {
  const [of, ...languages] = row.split(" ");
  for (const c of of) letters.set(c, languages);
}

// lettersOf returns the languages that a letter beyond ASCII is typical of, in either case.
function lettersOf(c: string): string[] {
  const r = c.codePointAt(0)!;
  if (r >= 0x1ea0 && r <= 0x1ef9) return ["vi"];
  return letters.get(c === "İ" || r >= 0x250 ? c : c.toLowerCase()) ?? [];
}

/** What a text shows of its language. */
class Evidence {
  readonly #scripts = new Map<string, number>();
  readonly #telling = new Map<string, number>();
  words = 0;
  acronyms = 0;
  readonly score = new Array<number>(latin.length).fill(0);
  readonly hits = new Array<number>(latin.length).fill(0);
  readonly #slavic: [ru: number, bg: number] = [0, 0];
  #lettered = false;
  inverted = false;
  readonly #lists: WordLists;
  readonly #writings: Writings | undefined;
  readonly #capitals: boolean;

  constructor(text: string, lists: WordLists, writings: Writings | undefined, capitals = false) {
    [this.#lists, this.#writings, this.#capitals] = [lists, writings, capitals];
    this.#read(text);
  }

  #read(text: string): void {
    let [line, fenced] = [true, false];
    const next = (i: number): number => (text.indexOf("\n", i) + 1 || text.length);
    for (let i = 0; i < text.length; ) {
      if (line) {
        line = false;
        const fence = /^[ \t]*(```|~~~)/.test(text.slice(i, i + 8));
        if (fence) fenced = !fenced;
        if (fence || fenced) {
          [i, line] = [next(i), true];
          continue;
        }
      }
      const r = runeAt(text, i);
      const c = classOf(r);
      if ((c >= Class.lower && c <= Class.letter) || c >= Class.pair) i = this.#word(text, i);
      else if (c === Class.digit || c === Class.mark) {
        for (let [q, k]: [number, Class] = [r, c]; i < text.length; [q, k] = [runeAt(text, i), classOf(runeAt(text, i))]) {
          if (k !== Class.digit && k !== Class.mark && k !== Class.lower && k !== Class.upper && q !== 0x5f) break;
          i += sizeOf(q);
        }
      } else if (r === 0x60) i = span(text, i);
      else if (text.startsWith("](", i) || text.startsWith("://", i)) {
        const end = Math.min(text.length, i + 1000);
        while (i < end && text.charCodeAt(i) > 32 && !`)>"`.includes(text[i])) i++;
      } else {
        line = r === 10;
        this.inverted = this.inverted || r === 0xbf || r === 0xa1;
        i += sizeOf(r);
      }
    }
  }

  #add(map: Map<string, number>, key: string): void {
    map.set(key, (map.get(key) ?? 0) + 1);
  }

  // word adds the run of letters at a place, and returns its end.
  #word(text: string, start: number): number {
    let [i, count] = [start, 0];
    const hints = new Set<string>();
    while (i < text.length) {
      const r = runeAt(text, i);
      const k = classOf(r);
      if (k === Class.other || k === Class.digit) {
        if (k === Class.digit || r === 0x5f || r === 0x28) count = 0;
        break;
      }
      if (k !== Class.mark) {
        const [writing, c] = [this.#writings?.writingOf(r) ?? "latin", String.fromCodePoint(r)];
        this.#add(this.#scripts, writing);
        if (writing === "latin") {
          count++;
          if (r >= 0x80) for (const l of lettersOf(c)) hints.add(l);
        } else if (writing === "cyrillic" || writing === "arabic") this.#add(this.#telling, c.toLowerCase());
      }
      i += sizeOf(r);
    }
    const word = text.slice(start, i);
    const long = bytesOf(word) > maxListed;
    if (count === 0 || long) {
      if (this.#writings?.writingOf(runeAt(word, 0)) === "cyrillic" && !long) {
        const folded = foldLower(lowerForm(word, false));
        const [ru, bg] = [this.#lists.isStop("ru", folded), this.#lists.isStop("bg", folded)];
        if (ru !== bg) this.#slavic[bg ? 1 : 0]++;
      }
      return i;
    }
    if (/^[A-Z]{2,}$/.test(word) && !this.#capitals) {
      this.acronyms++;
      return i;
    }
    this.words++;
    this.#count(foldLower(lowerForm(word, false)), [...hints], /^['’]/.test(text.slice(i, i + 1)));
    return i;
  }

  #count(word: string, hints: string[], elided: boolean): void {
    const of = latin.filter((l) => {
      const own = this.#lists.set(l, "function words");
      return (own.size ? own : this.#lists.set(l, "stop words")).has(word);
    }).filter((l) => !(word.length === 1 && !elided && !"aeioy".includes(word) && (l === "fr" || l === "it")));
    const share = (languages: string[], weight: number): void => {
      for (const l of languages) this.score[latin.indexOf(l)] += weight / languages.length;
    };
    share(of, 1);
    share(hints, 0.5);
    this.#lettered = this.#lettered || hints.length > 0;
    for (const l of of) this.hits[latin.indexOf(l)]++;
  }

  /** The language of the script other than Latin that weighs most, its weight and that of all letters. */
  main(): [string, number, number] {
    return this.#writings?.main(this.#scripts, this.#telling, this.#slavic) ?? ["", 0, this.#scripts.get("latin") ?? 0];
  }

  /** Whether a query may be in any language: no letter and at most one function word tells. */
  open(best: number): boolean {
    return this.words > 0 && !this.#lettered && this.hits[best] <= 1;
  }
}

// span is the end of the code span at a place, or of its back-quotes if none ends on the line.
function span(text: string, i: number): number {
  const line = text.slice(i, i + 400).split("\n")[0];
  const width = /^`+/.exec(line)![0].length;
  const n = line.indexOf(line.slice(0, width), width);
  return n >= 0 ? i + n + width : i + width;
}

const kin: { [language: string]: string[] } = {
  zh: ["ja"], ru: ["uk", "bg", "sr", "mk", "be", "kk"], bg: ["ru", "mk"], uk: ["be"], sr: ["mk"], ar: ["fa", "ur"], fa: ["ur"],
};

/** The language of a query; writings is there if it has other letters than Latin. */
export function detectQuery(text: string, known: readonly string[], lists: WordLists, writings?: Writings): Told {
  let e = new Evidence(text, lists, writings);
  if (e.acronyms >= 3 && e.acronyms > 2 * e.words) e = new Evidence(text, lists, writings, true);
  const [main, weight, total] = e.main();
  if (weight * 3 >= total && weight > 0) {
    const other = known.includes(main) ? main : known.find((l) => kin[main]?.includes(l));
    return { language: other ?? main, open: false };
  }
  if (e.inverted) return { language: "es", open: false };
  latin.forEach((l, i) => {
    const at = known.indexOf(l);
    if (at >= 0) {
      e.score[i] *= 1.5;
      if (e.score[i] > 0) e.score[i] += 0.05 / (at + 1);
    } else if (known.length > 0) e.score[i] *= 0.75;
  });
  let [best, first, second] = [0, 0, 0];
  e.score.forEach((s, i) => {
    if (s > first) [best, first, second] = [i, s, first];
    else if (s > second) second = s;
  });
  if (first <= second) return { language: "", open: e.open(best) };
  if (!known.includes(latin[best])) {
    const several = e.hits[best] >= 2 && e.hits[best] >= 0.1 * e.words && first >= 1.15 * second;
    if (!several && !(first >= 1.5 && first >= 1.5 * second)) return { language: "", open: e.open(best) };
  }
  return { language: latin[best], open: false };
}
