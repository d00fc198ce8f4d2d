// The word lists of languages, by section.
type Lists = { [language: string]: { [section: string]: string } };

/** The word lists of languages, by section. */
export class WordLists {
  readonly #lists: Lists;
  readonly #sets = new Map<string, Set<string>>();
  constructor(lists: Lists) {
    this.#lists = lists;
  }
  /** The words of a section, with spaces between them; "" if the language has none. */
  text(language: string, section: string): string {
    return Object.hasOwn(this.#lists, language) ? (this.#lists[language][section] ?? "") : "";
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
