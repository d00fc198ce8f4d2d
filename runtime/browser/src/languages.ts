// What is loaded when it is needed: what a search knows of languages, operators of queries, and how texts are shown.
import { load } from "./load.ts";
import type { Stems } from "./stem.ts";
import type { Stemmer } from "./snowball.ts";

/** language.js: word lists, stems, and what is read into the words of a query. */
export type LanguageModule = typeof import("./language.ts");
/** letters.js: word lists and grammar of languages in other letters than Latin. */
export type LettersModule = typeof import("./letters.ts");
/** operators.js: queries with operators. */
export type OperatorsModule = typeof import("./operators.ts");
/** shown.js: plain text of markdown, and snippets of it. */
export type ShownModule = typeof import("./shown.ts");

/** meaning.js: the encoder of queries, and vectors. */
export type MeaningModule = typeof import("./meaning.ts");
/** trust.js: signatures, and what is kept from visit to visit. */
export type TrustModule = typeof import("./trust.ts");

export const loadLanguage = (): Promise<LanguageModule> => load("./language.js") as Promise<LanguageModule>;
/** Loads letters.js and adds its lists to the others. */
export async function loadLetters(): Promise<LettersModule> {
  const [language, letters] = await Promise.all([loadLanguage(), load("./letters.js") as Promise<LettersModule>]);
  language.words.add(letters.lists);
  return letters;
}

export const loadOperators = (): Promise<OperatorsModule> => load("./operators.js") as Promise<OperatorsModule>;
export const loadShown = (): Promise<ShownModule> => load("./shown.js") as Promise<ShownModule>;

export const loadMeaning = (): Promise<MeaningModule> => load("./meaning.js") as Promise<MeaningModule>;
export const loadTrust = (): Promise<TrustModule> => load("./trust.js") as Promise<TrustModule>;

const stems = new Map<string, Stems>();

// The languages that have a stemmer: words of others are their own stems.
const stemmed = new Set("ar da de en es fi fr ga hu it nl no pt ro ru sv ta tr".split(" "));

/** The stems of a language: those of its stemmer, which is loaded with the first; words themselves where it has none. */
export async function stemsOf(language: string): Promise<Stems> {
  const stemmer = stemmed.has(language) ? load(`./stem/${language}.js`) : undefined;
  const [{ Stems }, of] = await Promise.all([loadLanguage(), stemmer as Promise<{ Stem: Stemmer }> | undefined]);
  if (!stems.has(language)) stems.set(language, new Stems(language, of?.Stem));
  return stems.get(language)!;
}
