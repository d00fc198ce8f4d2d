// Strings of a dictionary that are a few edits away from one that is asked for.
import type { Data } from "./data.ts";
import { keyOf, textOf, upTo } from "#core";

/** A string that is near. */
export interface Near {
  number: number;
  key: string;
  distance: number;
}

/** How many edits a word of n letters may have that nobody knows. */
export const editsOf = (n: number): number => (n < 4 ? 0 : n < 8 ? 1 : 2);

const longest = 128; // characters of what near strings are looked for

/** How many edits make b of a, more than most if that is too many: a character changed, dropped, added or swapped with
 *  its neighbour, none of them twice (optimal string alignment). Rows have what lies within most of the diagonal. */
export function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const far = most + 1;
  let [before, last, row] = [0, 1, 2].map(() => new Array<number>(b.length + 1).fill(far));
  for (let j = 0; j <= Math.min(most, b.length); j++) last[j] = j;
  for (let i = 0; i < a.length; i++) {
    const [low, high] = [Math.max(0, i - most), Math.min(b.length, i + 1 + most)];
    row.fill(far, Math.max(0, low - 1), Math.min(b.length, high + 1) + 1);
    if (i + 1 <= most) row[0] = i + 1;
    let least = row[0];
    for (let j = low; j < high; j++) {
      let cost = a[i] === b[j] ? last[j] : 1 + Math.min(last[j], last[j + 1], row[j]);
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) cost = Math.min(cost, before[j - 1] + 1);
      row[j + 1] = Math.min(cost, far);
      least = Math.min(least, row[j + 1]);
    }
    if (least > most && i > 0) {
      let [some, from] = [false, Math.max(0, low - 1)];
      for (let j = from; j <= high && !some; j++) some = last[j] < most;
      if (!some) return far;
    }
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length], far);
}

/** The strings from one key on, before another ("" is the end), that are at most most edits away, the nearest first.
 *  Characters in skip count as if they were not there. */
export function nearStrings(
  data: Data, tag: "TERM" | "NAME", key: string, from: string, to: string, most: number, skip?: ReadonlySet<string>,
): Near[] {
  const letters = (s: string): string[] => (skip ? [...s].filter((c) => !skip.has(c)) : [...s]);
  const want = letters(key);
  if (want.length === 0 || want.length > longest || most < 0) return [];
  const [low, high] = [keyOf(from), keyOf(to)];
  const { strings, first } = data.run(tag, low, high);
  let i = upTo(strings, low);
  if (i > 0 && strings[i - 1] === low) i--;
  const out: Near[] = [];
  // Nearly each query is compared with names.
  const kept = skip && data.keep(`letters/${tag}`, () => new Map<number, string[]>());
  // Bytes bound characters: of a string that is much longer or shorter nothing is decoded.
  const [least, greatest] = [want.length - most, skip ? Infinity : 4 * (want.length + most)];
  for (; i < strings.length && (high === "" || strings[i] < high); i++) {
    if (strings[i].length < least || strings[i].length > greatest) continue;
    let of = kept?.get(first + i);
    if (!of) {
      of = letters(textOf(strings[i]));
      kept?.set(first + i, of);
    }
    if (Math.abs(of.length - want.length) > most) continue;
    const d = distance(want, of, most);
    if (d <= most) out.push({ number: first + i, key: textOf(strings[i]), distance: d });
  }
  return out.sort((a, b) => a.distance - b.distance || a.number - b.number);
}
