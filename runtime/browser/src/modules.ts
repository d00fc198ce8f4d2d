// The files beside kddx.js, each loaded when it is needed first. Those of rare needs are asked for in a step of a search,
// as bytes are (now.ts).
import { load } from "./load.ts";
import type { Stems } from "./stem.ts";
import type { Stemmer } from "./snowball.ts";

/** question.js: what any question needs beside the file: its words, stems, names, and how hits are shown. */
export type QuestionModule = typeof import("./question.ts");
/** languages.js: files in other languages than English, and queries that may be. */
export type LanguagesModule = typeof import("./languages.ts");
/** letters.js: word lists and grammar of languages in other letters than Latin. */
export type LettersModule = typeof import("./letters.ts");
/** listing.js: hits by date, and how their scores came about. */
export type ListingModule = typeof import("./listing.ts");
/** misspelling.js: words that the index lacks. */
export type MisspellingModule = typeof import("./misspelling.ts");
/** naming.js: queries that name a document or a section, or nearly do. */
export type NamingModule = typeof import("./naming.ts");
/** operators.js: queries with operators. */
export type OperatorsModule = typeof import("./operators.ts");
/** characters.js: characters that few texts have. */
export type CharactersModule = typeof import("./characters.ts");
/** documents.js: lists of documents and of what they have, and their markdown. */
export type DocumentsModule = typeof import("./documents.ts");
/** meaning.js: the encoder of queries, and vectors. */
export type MeaningModule = typeof import("./meaning.ts");
/** parts.js: artifacts in parts. */
export type PartsModule = typeof import("./parts.ts");
/** trust.js: signatures, and what is kept from visit to visit. */
export type TrustModule = typeof import("./trust.ts");

export const loadQuestion = (): Promise<QuestionModule> => load("./question.js") as Promise<QuestionModule>;
export const loadLetters = (): Promise<LettersModule> => load("./letters.js") as Promise<LettersModule>;
export const loadOperators = (): Promise<OperatorsModule> => load("./operators.js") as Promise<OperatorsModule>;
export const loadDocuments = (): Promise<DocumentsModule> => load("./documents.js") as Promise<DocumentsModule>;
export const loadMeaning = (): Promise<MeaningModule> => load("./meaning.js") as Promise<MeaningModule>;
export const loadParts = (): Promise<PartsModule> => load("./parts.js") as Promise<PartsModule>;
export const loadTrust = (): Promise<TrustModule> => load("./trust.js") as Promise<TrustModule>;

const stems = new Map<string, Stems>();

// The languages that have a stemmer: words of others are their own stems.
const stemmed = new Set("ar da de en es fi fr ga hu it nl no pt ro ru sv ta tr".split(" "));

/** The stems of a language: those of its stemmer, which is loaded with the first; words themselves where it has none. */
export async function stemsOf(language: string): Promise<Stems> {
  const stemmer = stemmed.has(language) ? load(`./stem/${language}.js`) : undefined;
  const languages = language === "en" ? undefined : load("./languages.js");
  const [{ Stems }, of, other] = await Promise.all([loadQuestion(), stemmer as Promise<{ Stem: Stemmer }> | undefined,
    languages as Promise<LanguagesModule> | undefined]);
  if (!stems.has(language)) stems.set(language, new Stems(language, of?.Stem, other?.spell));
  return stems.get(language)!;
}
