// The word lists of languages, by section.
import { words } from "./lists.ts";

export type Lists = { [language: string]: { [section: string]: string } };

/** Words with spaces between them, of words that are written as a number and a rest: the number says how many characters
 *  are those of the word before. */
export function unfolded(written: string): string {
  let word = "";
  return written.replace(/(\d)(\D*)/g, (_, same: string, rest: string) => (word = word.slice(0, +same) + rest) + " ").trimEnd();
}

/** The word lists of languages, by section. */
export class WordLists {
  readonly #lists: Lists[];
  readonly #sets = new Map<string, Set<string>>();
  constructor(lists: Lists) {
    this.#lists = [lists];
  }
  /** Adds the lists of further languages. */
  add(lists: Lists): void {
    this.#lists.push(lists);
    this.#sets.clear();
  }
  /** The words of a section, with spaces between them; "" if the language has none. */
  text(language: string, section: string): string {
    const of = this.#lists.find((lists) => Object.hasOwn(lists, language))?.[language][section] ?? "";
    return /^\d/.test(of) ? unfolded(of) : of;
  }
  /** The same as a set. */
  set(language: string, section: string): Set<string> {
    const key = `${language}/${section}`;
    let set = this.#sets.get(key);
    if (!set) this.#sets.set(key, (set = new Set(this.text(language, section).split(" ").filter(Boolean))));
    return set;
  }
  /** Says whether a folded word is an article, pronoun, preposition or the like. */
  isStop(language: string, word: string): boolean {
    return this.set(language, "stop words").has(word);
  }
}

/** The lists of English, until languages.js and letters.js add those of others. */
export const wordLists = new WordLists({ en: { "stop words": words } });
