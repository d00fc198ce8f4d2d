// The nodes of names (FORMAT.md §10.7).
import { doc, type Data } from "./data.ts";

/** What the class of a name that is only near has more. */
export const nearName = 100;
/** Classes of names. */
export const [stemName, pathName, titleName] = [2, 4, 6];
/** Characters that only join the words of a name. */
export const joints: ReadonlySet<string> = new Set(" -_./:");

/** A node that a text names. */
export interface Match {
  node: number;
  class: number;
}

export const isDoc = (data: Data, node: number): boolean => node < data.rows("DOCS");
export const path = (data: Data, d: number): string => data.docString(d, doc.path);

/** The nodes of the name with a number, the strongest class first. */
export function named(data: Data, number: number): Match[] {
  const [from, to] = data.span("NMOF", 0, number);
  const table = data.table("NMND");
  const [classes, nodes] = data.now.all(() => table.range(data.now, 0, from, to), () => table.range(data.now, 1, from, to));
  return classes.map((c, i) => ({ class: c, node: nodes[i] }));
}

/** A name without the punctuation and markup around it. */
export function trimMarks(name: string): string {
  const marks = "[\\s\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\"'`´*~,;:!?…¿¡<>|/。、，；：！？؟،؛।]+";
  return name.replace(new RegExp(`^${marks}`, "u"), "").replace(new RegExp(`${marks}$`, "u"), "");
}

/** What the classes of names are called, the strong ones first. */
const classNames = ["node_id", "id", "stem", "id", "path", "alias", "title", "heading"];

/** The class of a hit that the query does not name: behind all others. */
export const notNamed = 255;
/** Says whether a class is of documents that the query names exactly. */
export const isExact = (c: number): boolean => c <= titleName;
/** What a class is called. */
export const className = (c: number): string => (c >= nearName ? `near ${classNames[c - nearName]}` : (classNames[c] ?? "name"));
