// Words of a query that no document has.
import { fold } from "#core";
import type { Query } from "./parse.ts";
import type { SearchHit } from "./show.ts";

const reliable = 0.5; // of the best score: kddq's MinReliable

/** The words, as typed; where the best hit is likely right, only those with a digit or a capital. */
export function unknownWords(q: Query, text: string, results: readonly SearchHit[]): string[] {
  const sure = results.length > 0 && results[0].score >= reliable;
  const words = q.all
    .filter((w) => !w.stop && !w.part && !/[*~]/.test(w.text) && w.terms.length + w.near.length === 0)
    .map((w) => w.text);
  const typed = text.split(/[\s"“”()]+/);
  const asTyped = (word: string): string => typed.find((t) => fold(t) === word) ?? word;
  return [...new Set(words.map(asTyped))].filter((w) => !sure || /\p{Lu}|\p{N}/u.test(w));
}
