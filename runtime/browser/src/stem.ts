// Stems (text/ANALYZER.md §6): what the algorithm of a language is given, and what becomes of its answer.
import { bytesOf, foldLower, forms } from "#core";
import type { Forms } from "./fold.ts";
import { runStemmer, type Stemmer } from "./snowball.ts";

const maxStem = 96; // bytes

/** Gives back those accents that the spelling of a folded word tells. */
export type Spell = (language: string, word: Forms) => string;

/** Stems of one language; those that were made are kept. */
export class Stems {
  readonly #kept = new Map<string, string>();
  readonly #language: string;
  readonly #stemmer: Stemmer | undefined;
  readonly #spell: Spell | undefined;
  constructor(language: string, stemmer?: Stemmer, spell?: Spell) {
    [this.#language, this.#stemmer, this.#spell] = [language, stemmer, spell];
  }
  /** The stem of a word in its lower form. */
  of(lower: string): string {
    let stem = this.#kept.get(lower);
    if (stem === undefined) {
      if (this.#kept.size > 8192) this.#kept.clear();
      this.#kept.set(lower, (stem = this.#make(lower)));
    }
    return stem;
  }
  #make(lower: string): string {
    const word = forms(lower);
    const plain = word.fold !== "" && /^[a-z\u0080-\u{10ffff}]*$/u.test(word.fold);
    if (!this.#stemmer || !plain || bytesOf(lower) > maxStem) return word.fold;
    return foldLower(runStemmer(this.#stemmer, this.#spell?.(this.#language, word) ?? word.fold)).replaceAll("'", "") || word.fold;
  }
}
