// The language of a query where English is the only language of the documents: mostly the stop words of English tell it,
// and that no other language has the query's words. languages.js, which can tell all, is loaded where they do not.
import { others } from "./lists.ts";
import type { WordLists } from "./wordlists.ts";

/** What a query shows of its language, "" if nothing does. open says that it may then be in any of the known languages. */
export interface Told {
  language: string;
  open: boolean;
}

const maxListed = 32; // letters of a word in a list

// What detect.ts reads otherwise: other letters, blocks of code, addresses.
const beyond = /[^ -~‘’“”–—…]|```|~~~|\]\(|:\/\//;
const maxRead = 400;

// A span of code, a number with what it ends in, or a word that is no part of an identifier or a call.
const runs = /(`+)(?!`)(?:.*?\1)?|[0-9]\w*|([a-z]+)(?![a-z0-9_(])/gi;

let filter: string | undefined;

// may says whether a word may be a function word of another language that is written in Latin letters: a Bloom filter of
// them, which has each and one in sixteen other words. runtime/browser/languages makes it.
function may(word: string): boolean {
  filter ??= atob(others);
  for (let seed = 1; seed <= 4; seed++) {
    let hash = seed;
    for (let i = 0; i < word.length; i++) {
      hash = Math.imul(hash ^ word.charCodeAt(i), 0x5bd1e995);
      hash ^= hash >>> 15;
    }
    const bit = (hash >>> 0) % (8 * filter.length);
    if (!((filter.charCodeAt(bit >> 3) >> (bit & 7)) & 1)) return false;
  }
  return true;
}

/** The language of a query as detectQuery tells it; undefined if only that can. */
export function english(text: string, known: readonly string[], lists: WordLists): Told | undefined {
  if (known.join() !== "en" || text.length > maxRead || beyond.test(text)) return undefined;
  const found = [...text.matchAll(runs)].map((m) => m[2] ?? "").filter((word) => word !== "" && word.length <= maxListed);
  let words = found.filter((word) => !/^[A-Z]{2,}$/.test(word));
  const acronyms = found.length - words.length;
  if (acronyms >= 3 && acronyms > 2 * words.length) words = found;
  let [own, shared, other] = [0, 0, 0];
  for (const word of words.map((w) => w.toLowerCase())) {
    if (lists.isStop("en", word)) [own, shared] = may(word) ? [own, shared + 1] : [own + 1, shared];
    else if (may(word)) other++;
  }
  // A word counts 1.5 for English and .75 for another language, both divided by the number of languages that have it.
  if (own + shared > 0 && other <= 2 * own) return { language: "en", open: false };
  // One word alone settles no language that the documents are not in.
  return shared + other <= 1 ? { language: "", open: words.length > 0 } : undefined;
}
