// Where a sentence of a paragraph ends.
import { abbreviations } from "./lists.ts";
import { unfolded } from "./wordlists.ts";

const maxNested = 300; // after so many characters a span of code or a parenthesis counts as never closed

/** Where the sentence that begins at a place ends: behind its mark and what closes with it. */
export function sentenceEnd(text: string, from: number): number {
  let [code, depth, opened] = [false, 0, from];
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (/[ a-zA-Z]/.test(c)) continue;
    if (i - opened > maxNested) [code, depth] = [false, 0];
    if (c === "`") [code, opened] = [!code, i];
    else if (!code && "(（「『".includes(c)) [depth, opened] = [depth + 1, i];
    else if (!code && ")）」』".includes(c)) depth = Math.max(0, depth - 1);
    if (code || depth > 0) continue;
    if ("。！？｡．؟۔।॥։።".includes(c)) {
      const end = skip(text, i + 1, "”’»");
      const emphasis = skip(text, end, "*_");
      const mark = text.slice(end, emphasis);
      return mark !== "" && text.slice(from, end).split(mark).length % 2 === 0 ? emphasis : end;
    }
    if (!".!?…".includes(c)) continue;
    const next = skip(text, i + 1, ".!?");
    const end = skip(text, next, "\"')”’»*_");
    if (end === text.length) return end;
    const abbreviation = c === "." && end === i + 1 && abbreviated(text.slice(from, i));
    if (/^[\s\u0085]/.test(text[end]) && opens(text.slice(end, end + 80)) && !abbreviation) return end;
    i = next - 1;
  }
  return text.length;
}

function skip(text: string, at: number, set: string): number {
  while (at < text.length && set.includes(text[at])) at++;
  return at;
}

// opens says whether a sentence may begin with a text: not with a small letter, but with code.
function opens(rest: string): boolean {
  rest = rest.replace(/^[ \n\r\t>]+/, "");
  return rest === "" || rest[0] === "`" || !/^\p{Ll}/u.test(rest.replace(/^[*_"'“‘«([`¿¡]+/, ""));
}

let known: Set<string> | undefined;

function abbreviated(before: string): boolean {
  const last = before.split(/[ \n\t(]/).pop()!.replace(/^[("'[«“]+/, "");
  const word = last.toLowerCase();
  known ??= new Set(unfolded(abbreviations).split(" ")); // of all languages, since documents have any
  if ([...word].length === 1 && /^\p{Lu}$/u.test(last) && last !== "I") return true;
  return known.has(word);
}
