// Where words stand in the rows of a field.
import type { Data } from "./data.ts";
import type { Postings } from "./postings.ts";
import type { Word } from "./word.ts";

/** The rows of a field that have a word, and its positions there. */
export interface Placed {
  readonly size: number; // rows at most
  rows(): Iterable<number>;
  has(row: number): boolean;
  /** Its positions in a row, ascending and distinct. */
  at(row: number): number[];
}

// indexOf is the place of a row among ascending ones, -1 if it is not there.
function indexOf(rows: readonly number[], row: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return rows[low] === row ? low : -1;
}

/** The places of a word. Terms without positions are left out, since another term has their positions. */
export function placed(data: Data, w: Word, field: number): Placed {
  return data.now.once(`placed/${field}/${[...w.terms, 0, ...w.near].join()}`, () => {
    const lists: { term: number; p: Postings }[] = [];
    for (const term of [...w.terms, ...w.near]) {
      const p = data.postings(term).fields[field];
      if (p?.placed) lists.push({ term, p });
    }
    const rows = (): Iterable<number> => (lists.length === 1 ? lists[0].p.rows : new Set(lists.flatMap(({ p }) => p.rows)));
    const known = new Map<number, number[]>();
    return {
      size: lists.reduce((n, { p }) => n + p.rows.length, 0),
      rows,
      has: (row) => lists.some(({ p }) => indexOf(p.rows, row) >= 0),
      at: (row) => {
        let list = known.get(row);
        if (!list) {
          const each = data.now.each(lists.filter(({ p }) => indexOf(p.rows, row) >= 0), ({ term, p }) => {
            const i = indexOf(p.rows, row);
            return data.positions(term, field, i >> 7)[i & 127];
          });
          list = each.length === 1 ? each[0] : [...new Set(each.flat())].sort((a, b) => a - b);
          known.set(row, list);
        }
        return list;
      },
    };
  });
}
