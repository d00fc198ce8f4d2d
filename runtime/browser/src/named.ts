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
