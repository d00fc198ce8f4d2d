// What a search knows of languages that are not written in Latin letters, in a file of its own that is loaded with the
// first query that has other letters.
import { wordLists } from "#question";
import { lists } from "./otherlists.ts";

export { roles } from "./roles.ts";
export { main, writingOf } from "./writings.ts";

wordLists.add(lists);
