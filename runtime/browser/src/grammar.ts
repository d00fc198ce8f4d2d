// Queries with operators, second half: what a section has to hold, and what is left to rank by.
import { fold } from "#core";
import type { WordLists } from "./wordlists.ts";
import { maxItems, maxPaths, ofDocuments, scan, type Item } from "./syntax.ts";

const maxDepth = 16; // parentheses in parentheses

/** A clause of a query as it is written. */
export interface Node {
  op: "all" | "any" | "not" | "leaf";
  kids: Node[];
  item?: Item;
  sure: boolean; // it is required where it stands alone
  from: number; // item that it begins with
}

/** A query that has been read. */
export interface Reading {
  text: string; // what is looked for, without operators and what must not be there
  plain: boolean;
  parts: { start: number; end: number; item: Item }[];
  root?: Node;
  notes: string[];
}

/** Reads a query; one that cannot be read with its operators is plain words, with a note. */
export function read(text: string, language: string, lists: WordLists): Reading {
  const scanned = scan(text);
  const items = scanned.items;
  const r: Reading = { text, plain: true, parts: [], notes: scanned.notes };
  if (!operators(items)) return r;
  if (items.length > maxItems || items.filter((it) => it.field?.name === "path").length > maxPaths) {
    r.notes.push("the query has too many operators and words: it is read as plain words");
    return r;
  }
  if (prose(items, language, lists)) quotations(items, r.notes);
  if (shouted(items, language, lists)) {
    for (const it of items) if (it.kind === "and" || it.kind === "or" || it.kind === "not") it.kind = "word";
    r.notes.push("AND, OR and NOT are read as words, since other words are in capitals too");
  }
  if (!operators(items)) return r;
  const p = new Parser(items);
  const root = p.query(0, true);
  if (!p.failed && p.at < items.length) p.failed = "a parenthesis is not opened";
  if (!p.failed && !p.positive) p.failed = "there is nothing but what must not be there";
  if (p.failed) {
    r.notes.push(`${p.failed}: the query is read as plain words`);
    return r;
  }
  [r.plain, r.root, r.text] = [false, root, ""];
  for (const item of items) {
    if ((item.kind !== "word" && item.kind !== "phrase") || item.negated || ofDocuments(item.field)) continue;
    if (r.text !== "") r.text += " ";
    const start = r.text.length;
    r.text += item.text;
    r.parts.push({ start, end: r.text.length, item });
  }
  if (r.text === "") r.notes.push("the query only narrows, there is no word to rank by");
  return r;
}

// operators says whether any item is more than a word or a parenthesis.
function operators(items: Item[]): boolean {
  return items.some((it) => !["word", "open", "shut"].includes(it.kind) || it.mark !== "" || it.field !== undefined);
}

// prose says whether the bare words are those of a sentence.
function prose(items: Item[], language: string, lists: WordLists): boolean {
  const bare = items.filter((it) => it.kind === "word" && !it.field);
  return bare.length >= 3 && bare.some((it) => lists.isStop(language, fold(it.text.replace(/[.,;:?!]+$/, ""))));
}

// quotations turns the phrases of a sentence that nothing requires into words, and a - between words into a dash.
function quotations(items: Item[], notes: string[]): void {
  const note = (text: string): void => void (notes.includes(text) || notes.push(text));
  const logic = ["and", "or", "not", "plus", "minus"];
  let bare = false; // a word follows
  for (let i = items.length - 1; i >= 0; i--) {
    const [it, before, after] = [items[i], items[i - 1]?.kind ?? "", items[i + 1]?.kind ?? ""];
    if (it.kind === "minus" && bare) {
      [it.kind, it.text] = ["word", "-"];
      note("a - before a word in a sentence is read as a dash; NOT leaves a word out");
    } else if (it.kind === "phrase" && !it.field && !logic.includes(before) && after !== "and" && after !== "or") {
      it.kind = "word";
      note('quotation marks in a sentence are left out; +"..." requires a phrase');
    } else if (it.kind === "word" && !it.field && !["minus", "plus", "not"].includes(before)) bare = true;
  }
}

// shouted says whether a query has AND, OR or NOT beside stop words in capitals.
function shouted(items: Item[], language: string, lists: WordLists): boolean {
  const loud = (it: Item): boolean => it.kind === "word" && /^\p{Lu}{3,}$/u.test(it.text) &&
    (lists.isStop("en", fold(it.text)) || lists.isStop(language, fold(it.text)));
  return items.some((it) => ["and", "or", "not"].includes(it.kind)) && items.some(loud);
}

// Parser reads items by recursive descent. The first thing that is wrong is kept.
class Parser {
  readonly #items: Item[];
  at = 0;
  #odd = false; // within an odd number of negations
  positive = false; // something is not negated
  failed = "";
  constructor(items: Item[]) {
    this.#items = items;
  }

  #fail(what: string): Node {
    this.failed ||= what;
    this.at = this.#items.length;
    return { op: "all", kids: [], sure: false, from: 0 };
  }
  #is(kind: string): boolean {
    return this.#items[this.at]?.kind === kind;
  }

  /** Clauses side by side. */
  query(depth: number, top: boolean): Node {
    if (depth > maxDepth) return this.#fail("there are too many parentheses within each other");
    const n: Node = { op: "all", kids: [], sure: false, from: 0 };
    const may: Node[] = [];
    while (this.at < this.#items.length && !this.#is("shut")) {
      const kid = this.#or(depth);
      (kid.sure ? n.kids : may).push(kid);
    }
    n.sure = n.kids.length > 0;
    if (!top && n.kids.every((kid) => kid.op === "not") && may.length > 0) {
      n.kids.push({ op: "any", kids: may, sure: false, from: 0 });
    }
    return n;
  }

  #or(depth: number): Node {
    let n = this.#and(depth);
    while (this.#is("or")) {
      this.at++;
      const other = this.#and(depth);
      if (n.op !== "any") n = { op: "any", kids: [n], sure: true, from: n.from };
      n.kids.push(other);
      this.#ask(n);
    }
    return n;
  }

  #and(depth: number): Node {
    let [n, joined] = [this.#unary(depth), false];
    while (this.#is("and")) {
      this.at++;
      const other = this.#unary(depth);
      if (!joined) [n, joined] = [{ op: "all", kids: [n], sure: true, from: n.from }, true];
      n.kids.push(other);
      this.#ask(n);
    }
    return n;
  }

  #ask(n: Node): void {
    for (let i = n.from; i < Math.min(this.at, this.#items.length); i++) this.#items[i].asked = true;
  }

  #unary(depth: number): Node {
    const from = this.at;
    let [times, sign] = [0, false];
    for (; this.at < this.#items.length; this.at++) {
      if (this.#is("plus")) sign = true;
      else if (this.#is("not") || this.#is("minus")) times++;
      else break;
    }
    const odd = this.#odd;
    this.#odd = odd !== (times % 2 === 1);
    const n = this.#primary(depth);
    this.#odd = odd;
    n.from = from;
    if (sign) {
      n.sure = true;
      this.#ask(n);
    }
    return times % 2 === 1 ? { op: "not", kids: [n], sure: true, from } : n;
  }

  #primary(depth: number): Node {
    const item = this.#items[this.at];
    if (!item) return this.#fail("the query ends in an operator");
    this.at++;
    if (item.kind === "open") {
      const n = this.query(depth + 1, false);
      if (!this.#is("shut")) return this.#fail("a parenthesis is not closed");
      this.at++;
      return n.kids.length === 0 ? this.#fail("there is nothing in parentheses") : n;
    }
    if (item.kind === "word" || item.kind === "phrase") {
      item.negated = this.#odd;
      item.asked = item.kind === "phrase" || item.field !== undefined;
      this.positive = this.positive || !this.#odd;
      return { op: "leaf", kids: [], item, sure: item.asked, from: 0 };
    }
    const name = item.kind === "and" || item.kind === "or" ? item.kind.toUpperCase() : "a parenthesis";
    return this.#fail(`${name} has nothing to join`);
  }
}
