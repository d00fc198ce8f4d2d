// What is loaded of languages when it is needed: stemmers and word lists.
import { KddxError } from "./bytes.ts";
import { Stems, stemmed } from "./stem.ts";
import type { Stemmer } from "./snowball.ts";

const loaded = new Map<string, Promise<Stems>>();

/** The stems of a language: those of its stemmer, which is loaded with the first; words themselves where it has none. */
export function stemsOf(language: string): Promise<Stems> {
  let stems = loaded.get(language);
  if (!stems) {
    stems = stemmed.has(language) ? load(language) : Promise.resolve(new Stems(language));
    loaded.set(language, stems);
    stems.catch(() => loaded.delete(language));
  }
  return stems;
}

async function load(language: string): Promise<Stems> {
  const at = `./stem/${language}.js`; // not for esbuild to put into the bundle
  return new Stems(language, ((await module(at)) as { Stem: Stemmer }).Stem);
}

async function module(at: string): Promise<unknown> {
  try {
    return await import(at);
  } catch (err) {
    throw new KddxError("io_error", `${at.slice(2)}, which has to lie beside kddx.js: ${String(err)}`);
  }
}

type Lists = { [language: string]: { [section: string]: string } };

/** The word lists of languages, by section. */
export class WordLists {
  private readonly lists: Lists;
  private readonly sets = new Map<string, Set<string>>();
  constructor(lists: Lists) {
    this.lists = lists;
  }
  /** The words of a section, with spaces between them; "" if the language has none. */
  text(language: string, section: string): string {
    return Object.hasOwn(this.lists, language) ? (this.lists[language][section] ?? "") : "";
  }
  /** The same as a set. */
  set(language: string, section: string): Set<string> {
    const key = `${language}/${section}`;
    let set = this.sets.get(key);
    if (!set) this.sets.set(key, (set = new Set(this.text(language, section).split(" ").filter(Boolean))));
    return set;
  }
  /** The words of some sections of all languages. */
  all(...sections: string[]): Set<string> {
    const words = Object.keys(this.lists).flatMap((l) => sections.flatMap((s) => [...this.set(l, s)]));
    return new Set(words);
  }
  /** Says whether a folded word is an article, pronoun, preposition or the like. */
  isStop(language: string, word: string): boolean {
    return this.set(language, "stop words").has(word);
  }
}

let lists: Promise<WordLists> | undefined;

/** The word lists, which are loaded with the first question. */
export function wordLists(): Promise<WordLists> {
  lists ??= module("./words.js").then((m) => new WordLists((m as { lists: Lists }).lists));
  lists.catch(() => (lists = undefined));
  return lists;
}
