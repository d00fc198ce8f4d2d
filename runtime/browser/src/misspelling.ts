// Words that the index does not have: what they may be misspellings of, and compounds (FORMAT.md §13.4).
import { Lists, bytesOf, exactPrefix, fold, stemTerm, textOf } from "#core";
import { editsOf, nearStrings } from "#question";
import type { Data } from "./data.ts";
import type { Parse } from "./parse.ts";
import type { Token } from "./tokens.ts";
import type { Word } from "./word.ts";

const maxCorrections = 3;
const maxWalks = 4; // over the dictionary, for the words of one query

const twoEdits = 9; // letters that a word needs so that two edits of it make a misspelling
const firstLeftOut = 6; // or a first letter that is left out

/** A term that a word may stand for. */
export interface Candidate {
  id: number;
  text: string;
  distance: number;
  other: boolean; // another first letter
  df: number;
}

// candidates are those of a word at most most edits away, the best first; with misspelt those it is likely a misspelling
// of. ask asks for what else will be read of a form.
function candidates(
  data: Data, word: string, most: number, misspelt: boolean, ask: (form: string) => void,
): Candidate[] {
  const first = [...word][0];
  const found = misspelt ? misspelled(data, word, most) : nearStrings(data, "TERM", word, "\x03", "", most);
  const near = found.filter((n) => n.distance > 0);
  const dfs = data.now.each(near, (n) => data.now.all(() => data.postings(n.number).chunks, () => ask(n.key))[0]);
  return near
    .map((n, i) => ({ id: n.number, text: n.key, distance: n.distance, other: [...n.key][0] !== first, df: dfs[i] }))
    .filter((c) => c.df > 0)
    .sort((a, b) => a.distance - b.distance || +a.other - +b.other || b.df - a.df || a.id - b.id);
}

// misspelling says whether a word is more likely typed wrong than one that the index merely lacks.
function misspelling(word: readonly string[], of: readonly string[], edits: number): boolean {
  const same = word[0] === of[0];
  if (edits > 1) return same && word.length >= twoEdits;
  if (word.length === of.length) return [...word].sort().join() === [...of].sort().join() || (same && word.length >= 5);
  return word.length < of.length ? same || word.length >= firstLeftOut : same && word.length >= 5;
}

function misspelled(data: Data, word: string, most: number): { number: number; key: string; distance: number }[] {
  const letters = [...word];
  const [first, rest] = [letters[0], letters.slice(1)];
  const behind = String.fromCodePoint(first.codePointAt(0)! + 1);
  const found = nearStrings(data, "TERM", word, first, behind, letters.length < twoEdits ? 1 : most)
    .filter((n) => misspelling(letters, [...n.key], n.distance));
  if (most > 1 && found.length > 0) return found;
  const keys: string[] = [];
  if (rest.length > 0 && rest[0] !== first) keys.push(rest[0] + first + rest.slice(1).join(""));
  if (letters.length >= firstLeftOut) for (const c of firstLetters(data)) if (c !== first) keys.push(c + word);
  const ids = data.now.each(keys, (key) => data.term(key));
  keys.forEach((key, i) => ids[i] >= 0 && found.push({ number: ids[i], key, distance: 1 }));
  return found;
}

// firstLetters are the characters that folded forms begin with.
function firstLetters(data: Data): string[] {
  return data.now.once("first letters", () => {
    const { strings } = data.run("TERM", "\x03", "");
    return [...new Set(strings.filter((s) => s >= "\x03").map((s) => [...textOf(s.slice(0, 4))][0]))];
  });
}

// best are the candidates that an unknown word is read as: those with the fewest edits and the same first letter.
function best(list: readonly Candidate[], most: number): Candidate[] {
  let same = list.filter((c) => !c.other);
  if (same.length === 0) same = [...list];
  return same.filter((c) => c.distance <= same[0].distance).slice(0, most);
}

// spelled is a folded form as most chunks that have it spell it.
function spelled(data: Data, c: Candidate): string {
  let [best, most] = [c.text, Math.floor(data.postings(c.id).chunks / 2)];
  const forms = data.prefixed("TERM", exactPrefix(c.text)).slice(0, 16);
  const counts = data.now.each(forms, ([id]) => data.postings(id).chunks);
  forms.forEach(([, key], i) => {
    if (counts[i] > most) [best, most] = [key.slice(exactPrefix(c.text).length), counts[i]];
  });
  return best;
}

const links = ["s", "", "ns", "es", "en", "er", "n", "e"]; // between the parts of a compound

// compoundOf are the parts of a word that the index lacks, each of which it has; undefined if there are none.
function compoundOf(word: string, known: (part: string) => boolean, most = 3): string[] | undefined {
  const letters = [...word];
  for (let at = letters.length - 1; most > 1 && at > 0; at--) {
    if (letters.length - at < 4) continue;
    const [head, tail] = [letters.slice(0, at).join(""), letters.slice(at).join("")];
    for (const link of links) {
      if (!head.endsWith(link)) continue;
      const first = head.slice(0, head.length - link.length);
      if ([...first].length < 4 || !known(first)) continue;
      if (known(tail)) return [first, tail];
      const rest = compoundOf(tail, known, most - 1);
      if (rest) return [first, ...rest];
    }
  }
  return undefined;
}

// partToken is the token of a part of a compound.
function partToken(part: string): Token {
  return { fold: fold(part), lower: part, pos: 0, start: 0, end: 0, part: false, whole: false, cjk: false, lone: false };
}

/** What the words of one query that the index lacks are read as; they have bounds together. */
export class Corrections {
  readonly #p: Parse;
  readonly #known = new Map<string, Candidate[]>(); // by words
  #walks = 0;
  #similar = false;

  constructor(p: Parse) {
    this.#p = p;
  }

  /** Terms that a word is similar to. */
  near(word: string, most: number, misspelt: boolean): Candidate[] {
    const p = this.#p;
    if (++this.#walks > maxWalks) {
      if (!misspelt || this.#similar) {
        p.note(`the first ${maxWalks} words that are unknown or end in ~ are read as similar words too, the others as they stand`);
      }
      return [];
    }
    const list = candidates(p.data, word, most, misspelt, (form) => {
      p.data.now.each(p.known, (l) => {
        const id = this.#stem(l, form);
        if (id >= 0) p.data.postings(id);
      });
    });
    this.#similar = this.#similar || list.length > 0;
    return list;
  }

  // stem is the term of a form's stem in a language; -1 if the index lacks it.
  #stem(language: string, form: string): number {
    return this.#p.data.term(stemTerm(language, this.#p.reader.stems.get(language)!.of(form)));
  }

  /** Gives a word the terms that it may be a misspelling of. */
  correct(w: Word, t: Token): void {
    const { data, reader } = this.#p;
    const edits = editsOf([...t.fold].length);
    const correctable = !t.whole && !t.cjk && !w.stop && /^\p{L}+$/u.test(t.fold);
    if (edits === 0 || !correctable || data.meta.weights.typo <= 0 || reader.isWord?.(t.fold)) return;
    if (!this.#known.has(t.fold)) {
      const list = best(this.near(t.fold, edits, true), maxCorrections);
      this.#known.set(t.fold, list);
      if (list.length > 0) {
        const read = [...new Set(list.map((c) => `"${spelled(data, c)}"`))];
        this.#p.note(`"${t.lower}" is not in the index: read as ${read.join(" or ")}`);
      }
    }
    this.again(w);
  }

  /** Gives a word the terms of what it was read as before, their stems too. */
  again(w: Word): void {
    const { data, known } = this.#p;
    const list = (this.#known.get(w.text) ?? []).slice(0, maxCorrections);
    this.#p.addNear(w, list, maxCorrections);
    const lists = new Lists(data, [...w.terms, ...w.near]);
    for (const id of list.flatMap((c) => known.map((l) => this.#stem(l, c.text)))) {
      if (id < 0 || !lists.add(id)) continue;
      w.near.push(id);
      w.df = Math.max(w.df, data.postings(id).chunks);
    }
  }

  /** The parts of a compound. */
  compound(t: Token): string[] | undefined {
    const language = this.#p.language || this.#p.known[0] || "";
    const short = bytesOf(t.lower) <= 64 && [...t.lower].length >= 9;
    if (t.whole || t.part || t.cjk || !short || !["de", "nl", "sv", "da", "no"].includes(language)) return undefined;
    const known = new Map<string, boolean>();
    return compoundOf(t.lower, (part) => {
      let is = known.get(part);
      if (is === undefined) {
        const w = this.#p.word(partToken(part), "subject");
        known.set(part, (is = !w.stop && w.terms.length > 0));
      }
      return is;
    });
  }

  /** Tokens with the parts of a compound behind it. */
  unfold(list: readonly Token[], at: number, parts: readonly string[]): Token[] {
    const t = list[at];
    const own = parts.map((p, i) => ({ ...partToken(p), pos: t.pos + i, start: t.start, end: t.end }));
    const rest = list.slice(at + 1).map((o) => ({ ...o, pos: o.pos + parts.length - 1 }));
    this.#p.note(`"${t.lower}" is not in the index: read as ${parts.map((p) => `"${p}"`).join(" and ")}`);
    return [...list.slice(0, at + 1), ...own, ...rest];
  }
}
