// Queries with operators, in a file of its own that is loaded with the first query that may have some.
export { holding, narrow } from "./clauses.ts";
export { read } from "./grammar.ts";
