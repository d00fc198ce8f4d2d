// Where words stand in the rows of a field.
import type { Data } from "./data.ts";
import type { Word } from "./word.ts";

/** The rows of a field that have a word, and its positions there. */
export interface Placed {
  readonly size: number;
  rows(): Iterable<number>;
  has(row: number): boolean;
  /** Its positions in a row, ascending and distinct. */
  at(row: number): number[];
}

/** The places of a word. Terms without positions are left out, since another term has their positions. */
export function placed(data: Data, w: Word, field: number): Placed {
  return data.now.once(`placed/${field}/${[...w.terms, 0, ...w.near].join()}`, () => {
    const rows = new Map<number, [term: number, index: number][]>();
    for (const term of [...w.terms, ...w.near]) {
      const p = data.postings(term).fields[field];
      if (!p?.placed) continue;
      p.rows.forEach((row, i) => {
        const list = rows.get(row);
        if (list) list.push([term, i]);
        else rows.set(row, [[term, i]]);
      });
    }
    const known = new Map<number, number[]>();
    return {
      size: rows.size,
      rows: () => rows.keys(),
      has: (row) => rows.has(row),
      at: (row) => {
        let list = known.get(row);
        if (!list) {
          const each = data.now.each(rows.get(row) ?? [], ([term, i]) => data.positions(term, field, i >> 7)[i & 127]);
          list = each.length === 1 ? each[0] : [...new Set(each.flat())].sort((a, b) => a - b);
          known.set(row, list);
        }
        return list;
      },
    };
  });
}
