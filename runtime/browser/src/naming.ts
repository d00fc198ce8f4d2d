// A query that names a document or a section, or nearly does, in a file of its own that is loaded with the first such one.
export { resolveAnchor } from "./anchors.ts";
export { edgesOf } from "./edges.ts";
export { front, neighbour } from "./front.ts";
export { numbered, otherWord, written } from "./numbered.ts";
