// Where words stand in the rows of a field.
import type { Data } from "./data.ts";
import type { Postings } from "./postings.ts";
import type { Word } from "./word.ts";

/** The rows of a field that have a word, and its positions there. */
export interface Placed {
  readonly rows: readonly number[]; // ascending
  /** Its positions in a row, ascending and distinct. */
  at(row: number): number[];
}

/** How many of ascending rows stand before one. */
export function before(rows: readonly number[], row: number): number {
  let low = 0, high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows that two words have in common, ascending. */
export function common(a: readonly number[], b: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    if (a[i] === b[k]) out.push(a[i]);
    if (a[i] <= b[k]) i++;
    else k++;
  }
  return out;
}

/** The places of a word. Terms without positions are left out, since another term has their positions. */
export function placed(data: Data, w: Word, field: number): Placed {
  return data.now.once(`placed/${field}/${[...w.terms, 0, ...w.near].join()}`, () => {
    const lists: { term: number; p: Postings }[] = [];
    for (const term of [...w.terms, ...w.near]) {
      const p = data.postings(term).fields[field];
      if (p?.placed) lists.push({ term, p });
    }
    const rows = lists.length === 1 ? lists[0].p.rows : [...new Set(lists.flatMap(({ p }) => p.rows))].sort((a, b) => a - b);
    const known = new Map<number, number[]>();
    return {
      rows,
      at: (row) => {
        let list = known.get(row);
        if (!list) {
          const each = data.now.each(lists.filter(({ p }) => p.rows[before(p.rows, row)] === row), ({ term, p }) => {
            const i = before(p.rows, row);
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
