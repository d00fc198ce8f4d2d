// What a query requires of sections: words, phrases and fields, and clauses of them.
import { common, doc, fold, indexOnly, placed, tokens } from "#core";
import type { Data } from "./data.ts";
import { admitted, byString } from "./filter.ts";
import { globOf } from "./glob.ts";
import type { Node } from "./grammar.ts";
import type { Parse } from "./parse.ts";
import { ofDocuments, type Item } from "./syntax.ts";
import type { Word } from "./word.ts";

const maxPhrase = 64;

/** The sections that fulfil what a query requires, a byte each; undefined if it requires nothing. */
export function holding(p: Parse): Uint8Array | undefined {
  const root = p.reading.root;
  return root && root.kids.length > 0 ? clause(p, root) : undefined;
}

/** The documents that the clauses alone rule out of those that are admitted (undefined: all). */
export function narrow(p: Parse, allowed: Set<number> | undefined): Set<number> | undefined {
  const root = p.reading.root;
  if (!root || root.op !== "all") return allowed;
  for (const kid of root.kids) {
    const leaf = kid.op === "not" ? kid.kids[0] : kid;
    if (leaf.op !== "leaf" || !ofDocuments(leaf.item!.field)) continue;
    const of = documents(p, leaf.item!);
    const all = allowed ?? Array.from({ length: p.data.rows("DOCS") }, (_, d) => d);
    allowed = new Set([...all].filter((d) => of.has(d) === (kid.op !== "not")));
  }
  return allowed;
}

function clause(p: Parse, n: Node): Uint8Array {
  const secs = p.data.rows("SECS");
  if (n.op === "leaf") return leaf(p, n.item!);
  const out = new Uint8Array(secs).fill(n.op === "any" ? 0 : 1);
  for (const set of p.data.now.each(n.kids, (kid) => clause(p, kid))) {
    for (let s = 0; s < secs; s++) out[s] = n.op === "all" ? out[s] & set[s] : n.op === "any" ? out[s] | set[s] : +!set[s];
  }
  return out;
}

function leaf(p: Parse, it: Item): Uint8Array {
  const data = p.data;
  const places = data.places();
  const out = new Uint8Array(data.rows("SECS"));
  const ofDoc = (d: number): void => void out.fill(1, places.docSections[d], places.docSections[d + 1]);
  if (ofDocuments(it.field)) {
    for (const d of documents(p, it)) ofDoc(d);
    return out;
  }
  const row = (field: number, r: number): void => {
    if (field === 0) ofDoc(r);
    else out[field === 1 ? r : places.chunkSec[r]] = 1;
  };
  const words = wordsOf(p, it);
  const fields = it.field?.text !== undefined ? [it.field.text] : [2, 1, 0];
  data.now.each(fields, (field) => {
    if (words.length === 1) {
      for (const t of [...words[0].terms, ...words[0].near]) {
        for (const r of data.postings(t).fields[field]?.rows ?? []) row(field, r);
      }
    } else if (words.length > 1) phrase(data, words, field, (r) => row(field, r));
  });
  return out;
}

// wordsOf are the words of a leaf; those of a phrase stand as far from each other as in the query.
function wordsOf(p: Parse, it: Item): Word[] {
  if (it.mark !== "") return [p.marked(it)];
  const words: Word[] = [];
  for (const t of tokens(it.text)) {
    if (indexOnly(t)) continue;
    if (words.length === maxPhrase) {
      p.note(`a phrase has more than ${maxPhrase} words, the first ones are looked for`);
      break;
    }
    const w = p.word(t, "subject");
    if (w.terms.length === 0 && it.kind === "word") {
      if (t.whole) continue; // its parts, side by side
      p.corrected(w);
    }
    words.push(w);
  }
  return words;
}

function phrase(data: Data, words: readonly Word[], field: number, each: (row: number) => void): void {
  const rows = words.map((w) => placed(data, w, field));
  const all = rows.map((one) => one.rows).reduce(common);
  const hits = data.now.each(all, (r) => {
    const at = rows.map((one) => one.at(r));
    return at[0].some((start) => words.every((w, i) => at[i].includes(start + w.pos - words[0].pos)));
  });
  all.forEach((r, i) => hits[i] && each(r));
}

// documents are those that a field has a value of.
function documents(p: Parse, it: Item): Set<number> {
  const filter = it.field!.filter;
  if (filter) return admitted(p.data, { [filter]: [it.text] }, (text) => p.note(text)) ?? new Set();
  const want = fold(it.text);
  const wild = /[*?[{]/.test(it.text);
  const match = wild ? globOf(it.text) : undefined;
  if (wild && !match) p.note(`path: "${it.text}" is no glob that can be used; it is looked for as text`);
  if (!match) return byString(p.data, doc.path, (path) => fold(path).includes(want));
  return byString(p.data, doc.path, (path) => match(it.text.includes("/") ? path : path.slice(path.lastIndexOf("/") + 1)));
}
