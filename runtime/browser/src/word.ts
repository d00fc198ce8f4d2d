// A word of a query: the terms that stand for it, and what it weighs (FORMAT.md §13.1).
import type { Data } from "./data.ts";
import { exactPrefix, exactTerm, stemTerm } from "./fold.ts";
import type { Language } from "./parse.ts";
import type { Stems } from "./stem.ts";
import type { Token } from "./tokens.ts";
import type { Role } from "./roles.ts";

const maxAccents = 16; // forms with accents that a word without is told apart from
const maxExpanded = 1000; // terms that a lone character stands for

/** A word of a query. */
export interface Word {
  text: string; // folded; of a prefix* and of a fuzzy~1 with its mark
  terms: number[];
  near: number[]; // terms that it may be a misspelling of
  pos: number;
  stop: boolean;
  whole: boolean;
  part: boolean;
  df: number;
  idf: number;
  exact: number[]; // forms that differ in accents alone; of a word with accents its own
  fold: number; // the folded form, if exact is not empty
  accented: boolean;
}

/** Lucene's: ln(1 + (n - df + .5) / (df + .5)). */
export function idfOf(n: number, df: number): number {
  df = Math.min(df, n);
  return Math.log(1 + (n - df + 0.5) / (df + 0.5));
}

export function blank(text: string, t: Token, stop: boolean): Word {
  return { text, terms: [], near: [], pos: t.pos, stop, whole: t.whole, part: t.part, df: 0, idf: 0, exact: [], fold: -1,
    accented: false };
}

/** The terms of a token's stems; none where it is looked up as it is. */
export function stemTerms(stems: ReadonlyMap<string, Stems>, known: readonly Language[], t: Token): string[] {
  if (t.whole || t.cjk) return [];
  return [...new Set(known.map((l) => stemTerm(l, stems.get(l)!.of(t.lower))))];
}

/** Posting lists that were taken: terms that have one in common count once. */
export class Lists {
  readonly #taken = new Set<number>();
  readonly #data: Data;
  constructor(data: Data, terms: readonly number[] = []) {
    this.#data = data;
    for (const t of terms) this.add(t);
  }
  /** Says whether the list of a term is new, and takes it. */
  add(term: number): boolean {
    const list = this.#data.listOf(term);
    return !this.#taken.has(list) && this.#taken.add(list) !== undefined;
  }
}

/** Asks for all that look will read of a token. */
export function askWord(data: Data, keys: readonly string[], t: Token): void {
  const plain = !t.whole && !t.cjk;
  data.now.all(
    () => data.now.each([...keys, t.fold, plain ? exactTerm(t) : ""].filter(Boolean), (key) => {
      const id = data.term(key);
      if (id >= 0) data.postings(id);
    }),
    () => plain && data.now.each(data.prefixed("TERM", exactPrefix(t.fold)).slice(0, maxAccents), ([id]) => data.postings(id)),
  );
}

/** Finds the terms of a word; keys are those of its stems. */
export function look(data: Data, w: Word, keys: readonly string[], t: Token, role: Role): void {
  const lists = new Lists(data);
  const add = (key: string): number => {
    const id = data.term(key);
    if (id >= 0 && lists.add(id)) {
      w.terms.push(id);
      w.df = Math.max(w.df, data.postings(id).chunks);
    }
    return id;
  };
  for (const key of keys) add(key);
  const stemmed = w.terms.length;
  const fold = add(t.fold);
  const first = String.fromCodePoint(t.fold.codePointAt(0)!);
  if (t.lone) expand(data, w, t.fold, lists);
  else if (role === "particle" || (role === "perhaps" && w.terms.length === 0)) expand(data, w, first, lists);
  else if (!t.whole && !t.cjk) {
    if (fold >= 0) {
      w.fold = fold;
      accents(data, w, t);
    }
    const n = w.terms.length - 1;
    const alike = t.fold === t.lower && w.exact.length === 0;
    if (stemmed > 0 && n === stemmed && alike && covered(data, w.terms[n])) w.terms.pop();
  }
}

// covered says whether a folded form always stands with the same stem: then it is written without positions.
function covered(data: Data, term: number): boolean {
  const fields = data.postings(term).fields.slice(0, 3);
  return fields.some((p) => p) && !fields.some((p) => p?.placed);
}

function accents(data: Data, w: Word, t: Token): void {
  const own = exactTerm(t);
  if (own !== "") {
    const id = data.term(own);
    if (id >= 0 && data.listOf(id) !== data.listOf(w.fold)) [w.exact, w.accented] = [[id], true];
    return;
  }
  w.exact = data.prefixed("TERM", exactPrefix(t.fold)).slice(0, maxAccents).map(([id]) => id);
  data.now.each(w.exact, (id) => data.postings(id));
}

// expand adds the terms that begin with a lone character of a script that is indexed in pairs.
function expand(data: Data, w: Word, char: string, lists: Lists): void {
  let sum = 0;
  const all = data.prefixed("TERM", char);
  data.now.each(all.slice(0, maxExpanded), ([id]) => data.postings(id));
  for (const [id] of all) {
    if (w.terms.length >= maxExpanded) break;
    if (!lists.add(id)) continue;
    w.terms.push(id);
    sum += data.postings(id).chunks;
  }
  w.df = Math.min(w.df + sum, data.rows("CHNK"));
}

/** The words that are left out of the score since all have too many postings together: those with the most. */
export function unscored(data: Data, all: readonly Word[], stops: boolean, note: (text: string) => void): Set<string> {
  const most = (1 << 20) + 8 * data.rows("CHNK");
  const count = new Map<string, number>();
  for (const w of all) {
    if (count.has(w.text) || (!stops && w.stop)) continue;
    count.set(w.text, [...w.terms, ...w.near].reduce((n, t) => n + data.postings(t).chunks, 0));
  }
  let sum = [...count.values()].reduce((a, b) => a + b, 0);
  const left = new Set<string>();
  const words = [...count].sort((a, b) => b[1] - a[1]);
  for (let i = 0; i < words.length - 1 && sum > most; i++) {
    left.add(words[i][0]);
    sum -= words[i][1];
  }
  if (left.size > 0) {
    const more = left.size > 1 ? ` and ${left.size - 1} more words are` : " is";
    note(`the query is wide: "${words[0][0]}"${more} not scored, since it stands in too many sections`);
  }
  return left;
}
