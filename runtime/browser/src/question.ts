// What any question needs beside the file, in a file of its own that is loaded while an artifact is opened: how a query
// becomes words, the names that it may be, and how hits are shown. What it takes of kddx.js is named #core.
export { english } from "./english.ts";
export { refer } from "./inline.ts";
export { askNames, distinct, findDoc, findName, maxPath, namesOf, plainPath } from "./names.ts";
export { editsOf, nearStrings } from "./near.ts";
export { Parse } from "./parse.ts";
export { Shower } from "./show.ts";
export { Stems } from "./stem.ts";
export { unknownWords } from "./unknown.ts";
export { wordLists } from "./wordlists.ts";
