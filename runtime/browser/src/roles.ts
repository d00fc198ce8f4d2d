// What tokens of scripts without spaces do in a query, where a stop word cannot be seen as a word (FORMAT.md §13.4).
import type { WordLists } from "./wordlists.ts";
import type { Token } from "./tokens.ts";

/** subject: what the query is about; grammar; particle: two Hangul syllables whose first is the noun; perhaps: likewise. */
export type Role = "subject" | "grammar" | "particle" | "perhaps";

/** The role of each token of a query in a language. */
export function roles(language: string, tokens: readonly Token[], lists: WordLists): Role[] {
  const out = tokens.map((): Role => "subject");
  for (let i = 0; i < tokens.length; ) {
    let end = i + 1;
    if (!tokens[i].cjk) {
      i = end;
      continue;
    }
    while (end < tokens.length && tokens[end].cjk && tokens[end].start < tokens[end - 1].end) end++;
    const attached = i > 0 && tokens[i - 1].end === tokens[i].start;
    korean(tokens.slice(i, end), out, i, attached, lists);
    for (let k = i; k < end; k++) if (isGrammar(language, tokens[k].fold, lists)) out[k] = "grammar";
    i = end;
  }
  return out;
}

// korean tells the roles in a run of Hangul syllables: a noun keeps two, or one before a particle that is sure.
function korean(run: readonly Token[], out: Role[], at: number, attached: boolean, lists: WordLists): void {
  const syllables = run.map((t) => [...t.fold][0]);
  const last = run[run.length - 1];
  if (!last.lone) syllables.push([...last.fold][1] ?? "");
  if (!syllables.every((s) => s >= "\uac00" && s <= "\ud7a3")) return;
  const word = syllables.join("");
  const particles = [...lists.set("ko", "particles")];
  if (lists.set("ko", "grammar words").has(word) || (attached && particles.includes(word))) {
    run.forEach((_, i) => (out[at + i] = "grammar"));
    return;
  }
  let root = word.length;
  for (let twice = 0; twice < 2; twice++) {
    const p = particles.find((p) => root - p.length >= 2 && word.slice(0, root).endsWith(p));
    if (p) root -= p.length;
  }
  if (word.length >= 3 && root === word.length) {
    const sure = [...lists.set("ko", "sure particles")];
    if (sure.some((p) => word.length === 1 + p.length && word.endsWith(p))) root = 1;
  }
  run.forEach((_, i) => {
    if (i + 1 >= root && root < word.length) out[at + i] = "grammar";
  });
  if (root === 1 && word.length > 1) out[at] = "particle";
  else if (word.length === 2 && "을를".includes(word[1])) out[at] = "particle";
  else if (word.length === 2 && "은는이가의에와과로도만".includes(word[1])) out[at] = "perhaps";
}

const isHiragana = (c: string): boolean => c >= "\u3041" && c <= "\u309f";

// isGrammar reports whether a pair of Japanese or Chinese characters is grammar; a lone character never is.
function isGrammar(language: string, fold: string, lists: WordLists): boolean {
  const [first, second] = [...fold];
  if (second === undefined) return false;
  const particle = (c: string): boolean => lists.text("ja", "particles").includes(c);
  if (isHiragana(first) && isHiragana(second)) return true;
  if (isHiragana(first)) return particle(first);
  if (isHiragana(second)) return particle(second);
  return language === "zh" && (lists.set("zh", "grammar words").has(fold) ||
    lists.text("zh", "first characters").includes(first) || lists.text("zh", "second characters").includes(second));
}
