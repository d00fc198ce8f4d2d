// Languages but English, in a file of its own that is loaded with files in others, and with queries that may be: their
// words, what tells them apart, and how words are spelled for their stemmers.
import { wordLists } from "#question";
import { lists } from "./latinlists.ts";

export { detectQuery } from "./detect.ts";
export { spell } from "./spell.ts";

wordLists.add(lists);
