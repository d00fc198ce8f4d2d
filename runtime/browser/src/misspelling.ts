// Words that the index does not have: what they may be misspellings of, and compounds (FORMAT.md §13.4).
import type { Data } from "./data.ts";
import { exactPrefix, textOf } from "#core";
import { nearStrings } from "./near.ts";

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

/** How many edits a word of n letters may have that nobody knows. */
export const editsOf = (n: number): number => (n < 4 ? 0 : n < 8 ? 1 : 2);

/** The candidates of a word at most most edits away, the best first; with misspelt those it is likely a misspelling of.
 *  ask asks for what else will be read of a form. */
export function candidates(
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

/** The candidates that an unknown word is read as: those with the fewest edits and the same first letter. */
export function best(list: readonly Candidate[], most: number): Candidate[] {
  let same = list.filter((c) => !c.other);
  if (same.length === 0) same = [...list];
  return same.filter((c) => c.distance <= same[0].distance).slice(0, most);
}

/** A folded form as most chunks that have it spell it. */
export function spelled(data: Data, c: Candidate): string {
  let [best, most] = [c.text, Math.floor(data.postings(c.id).chunks / 2)];
  const forms = data.prefixed("TERM", exactPrefix(c.text)).slice(0, 16);
  const counts = data.now.each(forms, ([id]) => data.postings(id).chunks);
  forms.forEach(([, key], i) => {
    if (counts[i] > most) [best, most] = [key.slice(exactPrefix(c.text).length), counts[i]];
  });
  return best;
}

const links = ["s", "", "ns", "es", "en", "er", "n", "e"]; // between the parts of a compound

/** The parts of a word that the index lacks, each of which it has; undefined if there are none. */
export function compoundOf(word: string, known: (part: string) => boolean, most = 3): string[] | undefined {
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
