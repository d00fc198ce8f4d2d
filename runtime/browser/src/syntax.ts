// Queries with operators, first half: a text becomes words, phrases and operators. It never fails: what is no operator
// is a word.
import { runeAt, sizeOf, tokens } from "#core";

export const maxItems = 200; // words and operators of a query that has operators
export const maxPaths = 8; // globs and texts that paths are compared with

export type Kind = "word" | "phrase" | "open" | "shut" | "and" | "or" | "not" | "plus" | "minus";

/** A word, phrase or operator as it is written. */
export interface Item {
  kind: Kind;
  text: string; // without marks
  field?: Field | undefined; // that the value is asked of
  mark: "" | "prefix" | "fuzzy"; // what the word ends with
  edits: number; // of fuzzy
  negated: boolean; // found out by the parser
  asked: boolean; // the query says that it must or may stand there
}

/** What a value can be asked of: a field of the index (0 title, 1 heading), or documents by one of their values. */
export interface Field {
  name: string;
  alias?: string;
  text?: number;
  filter?: "kinds" | "tags" | "domains" | "status" | "languages";
}

const fields: Field[] = [
  { name: "title", text: 0 }, { name: "heading", text: 1 }, { name: "path" }, { name: "kind", filter: "kinds" },
  { name: "tag", filter: "tags" }, { name: "domain", filter: "domains" }, { name: "status", filter: "status" },
  { name: "lang", alias: "language", filter: "languages" },
];
const maxField = 12;

/** Whether the values of a field are documents. */
export const ofDocuments = (f: Field | undefined): boolean => f !== undefined && f.text === undefined;

const fieldOf = (name: string): Field | undefined =>
  fields.find((f) => f.name === name.toLowerCase() || f.alias === name.toLowerCase());

const half: { [c: string]: string } = { "＂": '"', "（": "(", "）": ")", "＋": "+", "－": "-", "：": ":", "＊": "*", "ＡＮＤ": "AND",
  "ＯＲ": "OR", "ＮＯＴ": "NOT" };

const isSpace = (c: string): boolean => /^[\s\u0085\p{Cc}]/u.test(c) && !c.startsWith("\ufeff");
const hasTokens = (text: string): boolean => tokens(text).length > 0;

/** What scan found. */
export interface Scanned {
  text: string;
  items: Item[];
  notes: string[];
}

/** Cuts a query into items. */
export function scan(text: string): Scanned {
  const s = new Scanner(text.replace(/ＡＮＤ|ＯＲ|ＮＯＴ|[＂（）＋－：＊]/g, (c) => half[c]));
  s.run();
  return s;
}

class Scanner implements Scanned {
  readonly text: string;
  readonly items: Item[] = [];
  readonly notes: string[] = [];
  readonly #groups: (Field | undefined)[] = [];
  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    for (let i = 0; i < this.text.length; ) {
      const c = String.fromCodePoint(runeAt(this.text, i));
      if (isSpace(c)) i += c.length;
      else if (c === "(") {
        this.#begin(this.#group());
        i++;
      } else if (c === ")" && this.#groups.length > 0) {
        this.#groups.pop();
        this.#add("shut");
        i++;
      } else i = this.#operand(i);
    }
  }

  #add(kind: Kind, text = "", field?: Field): Item {
    const it: Item = { kind, text, field, mark: "", edits: 0, negated: false, asked: false };
    this.items.push(it);
    return it;
  }
  #begin(of: Field | undefined): void {
    this.#add("open");
    this.#groups.push(of);
  }
  #group(): Field | undefined {
    return this.#groups[this.#groups.length - 1];
  }
  #note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  // operand reads a sign, a field and a value or parenthesis, and returns where it ends.
  #operand(i: number): number {
    const text = this.text;
    let at = i;
    if ("+-−".includes(text[at]) && this.#signed(at + 1, text[at] !== "+")) {
      this.#add(text[at] === "+" ? "plus" : "minus");
      if (text[++at] === "(") return at;
    }
    let [value, of, own] = [at, this.#group(), false];
    const n = text.slice(at, at + maxField).indexOf(":");
    if (n > 0) {
      const [name, rest] = [text.slice(at, at + n), text.slice(at + n + 1)];
      if (rest !== "" && rest[0] !== ":" && !rest.startsWith("()") && !/^[\s\u0085]/.test(rest)) {
        const f = fieldOf(name);
        if (f) [of, own, value] = [f, true, at + n + 1];
        else if (!name.includes(" ")) this.#misspelt(name);
      }
      if (own && rest[0] === "(") {
        this.#begin(of);
        return value + 1;
      }
    }
    const quoted = this.#quoted(value);
    if (quoted) {
      this.#add("phrase", quoted.text, of);
      return quoted.end;
    }
    const end = this.#wordEnd(value);
    const word = text.slice(value, end);
    const kind = !own && ({ AND: "and", OR: "or", NOT: "not" } as const)[word];
    if (kind) this.#add(kind, word);
    else {
      const it = this.#add("word", word, of);
      if (!ofDocuments(of)) {
        this.#marks(it);
        if (of && !hasTokens(it.text)) [it.field, it.text] = [undefined, text.slice(at, end)];
      }
    }
    return end;
  }

  // signed says whether a sign may stand before what follows: a word of letters, a phrase, a field or a group.
  #signed(i: number, minus: boolean): boolean {
    const c = this.text.slice(i, i + 2);
    if (c[0] === "(" || closing(c[0])) return true;
    if (!/^\p{L}/u.test(c)) return false;
    return !minus || new TextEncoder().encode(this.text.slice(i, this.#wordEnd(i))).length > 2;
  }

  // quoted reads a phrase: the closing quote must end a word, and there must be a word between.
  #quoted(i: number): { text: string; end: number } | undefined {
    const marks = closing(this.text[i]);
    if (!marks) return undefined;
    let n = i + 1;
    while (n < this.text.length && !marks.includes(this.text[n])) n++;
    if (n >= this.text.length) {
      this.#note("a quotation mark is not closed: it is left out");
      return undefined;
    }
    const text = this.text.slice(i + 1, n).trim();
    let end = n + 1;
    if (/^[\p{L}\p{Nd}]/u.test(this.text.slice(end, end + 2))) return undefined;
    const distance = /^[~^][0-9.]+/.exec(this.text.slice(end));
    if (distance && hasTokens(text)) {
      this.#note(`"${distance[0]}" after a phrase is left out: its words stand side by side`);
      end += distance[0].length;
    }
    while (end < this.text.length && ".,;:?!~*".includes(this.text[end])) end++;
    return hasTokens(text) ? { text, end } : undefined;
  }

  // wordEnd is the next space, or a parenthesis that closes none of the word's own.
  #wordEnd(i: number): number {
    let inside = 0;
    for (let k = i; k < this.text.length; ) {
      const c = String.fromCodePoint(runeAt(this.text, k));
      if (isSpace(c)) return k;
      if (c === "(") inside++;
      else if (c === ")" && inside > 0) inside--;
      else if (c === ")" && this.#groups.length > 0 && k > i) return k;
      k += sizeOf(c.codePointAt(0)!);
    }
    return this.text.length;
  }

  // marks takes * and ~ from the end of a word.
  #marks(it: Item): void {
    const m = /^(.+)(?:(\*)|~([1-9]?))$/su.exec(it.text);
    if (!m || !/^[\p{L}\p{Nd}\p{M}\-_.@/]+$/u.test(m[1])) return;
    const found = tokens(m[1]);
    if (found.length === 0 || found[0].start !== 0 || (!m[2] && (found.length > 1 || found[0].cjk))) return;
    if (Number(m[3]) > 2) this.#note(`"${it.text}" is read as "${m[1]}~2": a word may be within one or two edits`);
    [it.text, it.mark, it.edits] = [m[1], m[2] ? "prefix" : "fuzzy", Math.min(2, Number(m[3] ?? 0))];
  }

  // misspelt notes a field that is one edit away from one there is.
  #misspelt(name: string): void {
    const known = fields.flatMap((f) => [f.name, f.alias ?? f.name]).find((k) => oneEdit(name, k));
    if (known) this.#note(`there is no field "${name}:", it is read as words; did you mean ${known}:?`);
  }
}

// closing has the marks that may close a quotation that a mark opens.
function closing(c: string | undefined): string {
  return { '"': '"', "“": "”", "”": "”", "„": "“”", "«": "»" }[c ?? ""] ?? "";
}

// oneEdit says whether a is b with one letter changed, dropped, added or swapped with the next.
function oneEdit(a: string, b: string): boolean {
  if (a.length > b.length) [a, b] = [b, a];
  if (a === b || b.length - a.length > 1 || a.length < 3) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  if (a.length < b.length) return a.slice(i) === b.slice(i + 1);
  const swapped = a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2);
  return a.slice(i + 1) === b.slice(i + 1) || swapped;
}
