// Queries with operators, in a file of its own that is loaded with the first query that may have some
// or a filter by path.
export { holding, narrow } from "./clauses.ts";
export { globOf } from "./glob.ts";
export { read } from "./grammar.ts";
