// How many documents have a value in a field: what an interface offers as filters.
import { bitmap, need, textOf } from "#core";
import type { Data } from "./data.ts";

/** A value, folded as filters compare it, and how many documents have it. */
export interface Facet {
  value: string;
  count: number;
}

const fields = { kinds: "kind", tags: "tag", languages: "language", domains: "domain", status: "status" } as const;

/** Values by the names of filters, the most frequent first. */
export type Facets = Record<keyof typeof fields, Facet[]>;

/** The values of all documents. */
export function facets(data: Data): Facets {
  const [all, spans] = data.now.all(() => data.keep("FACT.all", () => data.dictionary("FACT").all(data.now)),
    () => data.table("FCOF").range(data.now, 0));
  need(spans.length === all.length + 1, "FCOF: other values than FACT has");
  const out = {} as Facets;
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    const start = `${fields[name]}\0`;
    const rows = all.map((_, i) => i).filter((i) => all[i].startsWith(start));
    const counts = data.now.each(rows, (i) => bitmap(data.now.bytes("FBMP", spans[i], spans[i + 1] - spans[i]), data.rows("DOCS")).size);
    out[name] = rows.map((row, i) => ({ value: textOf(all[row]).slice(start.length), count: counts[i] }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  }
  return out;
}
