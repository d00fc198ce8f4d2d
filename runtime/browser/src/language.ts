// What a search knows of languages, in a file of its own that is loaded with the first question.
import { lists } from "./lists.ts";
import { WordLists } from "./wordlists.ts";

export { detectQuery } from "./detect.ts";
export { best, candidates, compoundOf, editsOf, spelled } from "./misspelling.ts";
export { askNames, namesOf } from "./names.ts";
export { Stems } from "./stem.ts";

/** The word lists: of languages in Latin letters, until letters.js adds the others. */
export const words = new WordLists(lists);
