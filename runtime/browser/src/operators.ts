// Queries with operators, and filters, in a file of its own that is loaded with the first query that has some.
export { holding, narrow } from "./clauses.ts";
export { admitted, languageOf } from "./filter.ts";
export { read } from "./grammar.ts";
export { Marks } from "./marks.ts";
