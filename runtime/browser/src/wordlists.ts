// The word lists of languages, by section.
export type Lists = { [language: string]: { [section: string]: string } };

/** Words with spaces between them, of words that are written as a number and a rest: the number says how many characters
 *  are those of the word before. */
function unfolded(written: string): string {
  let word = "";
  return written.replace(/(\d)(\D*)/g, (_, same: string, rest: string) => (word = word.slice(0, +same) + rest) + " ").trimEnd();
}

/** The word lists of languages, by section. */
export class WordLists {
  readonly #lists: Lists;
  #others: Lists = {};
  readonly #sets = new Map<string, Set<string>>();
  constructor(lists: Lists) {
    this.#lists = lists;
  }
  /** Adds the lists of languages in other letters. */
  add(others: Lists): void {
    if (this.#others === others) return;
    this.#others = others;
    this.#sets.clear();
  }
  /** The words of a section, with spaces between them; "" if the language has none. */
  text(language: string, section: string): string {
    const of = (lists: Lists): string | undefined => (Object.hasOwn(lists, language) ? lists[language][section] : undefined);
    return of(this.#others) ?? unfolded(of(this.#lists) ?? "");
  }
  /** The same as a set. */
  set(language: string, section: string): Set<string> {
    const key = `${language}/${section}`;
    let set = this.#sets.get(key);
    if (!set) this.#sets.set(key, (set = new Set(this.text(language, section).split(" ").filter(Boolean))));
    return set;
  }
  /** The words of some sections of all languages. */
  known(...sections: string[]): Set<string> {
    const key = sections.join();
    const words = (): string[] => Object.keys(this.#lists).flatMap((l) => sections.flatMap((s) => [...this.set(l, s)]));
    if (!this.#sets.has(key)) this.#sets.set(key, new Set(words()));
    return this.#sets.get(key)!;
  }
  /** Says whether a folded word is an article, pronoun, preposition or the like. */
  isStop(language: string, word: string): boolean {
    return this.set(language, "stop words").has(word);
  }
}
