// How texts are shown, in a file of its own that is loaded with the first hits.
export { cleanLines } from "./clean.ts";
export { endsInCode, readPlain } from "./plain.ts";
export { highlights, inAddress, snippet, snippetLength } from "./snippet.ts";
export { facets } from "./facets.ts";
export { unknownWords } from "./unknown.ts";
