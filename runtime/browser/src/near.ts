// Strings of a dictionary that are a few edits away from one that is asked for.
import type { Data } from "./data.ts";
import { compare } from "./bytes.ts";
import { upTo } from "./table.ts";

/** A string that is near. */
export interface Near {
  number: number;
  key: string;
  distance: number;
}

const longest = 128; // characters of what near strings are looked for

/** How many edits make b of a, more than most if that is too many: a character changed, dropped, added or swapped with
 *  its neighbour, none of them twice (optimal string alignment). */
export function distance(a: readonly string[], b: readonly string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const row = [i + 1];
    let least = i + 1;
    for (let j = 0; j < b.length; j++) {
      let cost = a[i] === b[j] ? last[j] : 1 + Math.min(last[j], last[j + 1], row[j]);
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) cost = Math.min(cost, before[j - 1] + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most && Math.min(...last) >= most) return most + 1;
    [before, last] = [last, row];
  }
  return Math.min(last[b.length], most + 1);
}

/** The strings from one key on, before another ("" is the end), that are at most most edits away, the nearest first.
 *  Characters in skip count as if they were not there. */
export function nearStrings(
  data: Data, tag: "TERM" | "NAME", key: string, from: string, to: string, most: number, skip?: ReadonlySet<string>,
): Near[] {
  const letters = (s: string): string[] => (skip ? [...s].filter((c) => !skip.has(c)) : [...s]);
  const want = letters(key);
  if (want.length === 0 || want.length > longest || most < 0) return [];
  const utf8 = new TextEncoder();
  const [low, high] = [utf8.encode(from), to === "" ? undefined : utf8.encode(to)];
  const { strings, first } = data.run(tag, low, high);
  let i = upTo(strings, low);
  if (i > 0 && compare(strings[i - 1], low) === 0) i--;
  const out: Near[] = [];
  const text = new TextDecoder();
  // Bytes bound characters: of a string that is much longer or shorter nothing is decoded.
  const [least, greatest] = [want.length - most, skip ? Infinity : 4 * (want.length + most)];
  for (; i < strings.length && (!high || compare(strings[i], high) < 0); i++) {
    if (strings[i].length < least || strings[i].length > greatest) continue;
    const s = text.decode(strings[i]);
    const d = distance(want, letters(s), most);
    if (d <= most) out.push({ number: first + i, key: s, distance: d });
  }
  return out.sort((a, b) => a.distance - b.distance || a.number - b.number);
}
