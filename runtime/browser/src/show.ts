// Hits as a page shows them: where they stand, and their snippets with the words that matched.
import { Texts, className, doc, groupOf, need, notNamed, sec, stemTerm, tokens } from "#core";
import type { Result } from "./arrange.ts";
import type { Data } from "./data.ts";
import type { Fusion, Hit, Part } from "./fuse.ts";
import { refersBeyond } from "./inline.ts";
import type { CharactersModule, ListingModule } from "./modules.ts";
import type { Query, Reader } from "./parse.ts";
import { endsInCode, readPlain, type Text } from "./plain.ts";
import { highlights, inAddress, snippet, type Span } from "./snippet.ts";
import type { Unpack } from "./text.ts";

const maxShown = 64 << 10; // bytes of a chunk that are read
const maxBelow = 8; // chunks that are tried for one with text
const maxDuplicates = 3;
const maxDocument = 2 ** 26;

// Controls, and what is hidden or changes the order of others: characters.js says which of them are shown.
const suspect = /[\0-\x08\v-\x1f\x7f-\x9f\u2028\u2029\p{Cf}\ufe00-\ufe0f\u{e0000}-\u{e0fff}\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5]/u;

/** One hit. */
export interface SearchHit {
  /** From 0 to 1, comparable between queries. */
  score: number;
  path: string;
  /** Of the section; "" for the beginning of the document. */
  anchor: string;
  /** Of the document. */
  title: string;
  /** Of the section; "" for the beginning of the document. */
  section: string;
  /** From the title down to the section's own heading. */
  headings: string[];
  /** Lines of the best chunk, and of the whole section: first and last. */
  lines: [number, number];
  sectionLines: [number, number];
  snippet: string;
  /** The words of the query in the snippet: first character, and that behind the last. */
  highlights: [number, number][];
  kind: string;
  domain: string;
  status: string;
  date: string;
  language: string;
  /** How it was found: lexical, vector, or the name that the query is. */
  match: string[];
  /** path#anchor of sections that say nearly the same. */
  duplicates: string[];
  /** Behind hits with lower scores: hits of its document stand above. */
  moved: boolean;
  /** The path of the named document that it is related with, if it is here for that. */
  neighbour?: { of: string; relation: string; direction: string };
  /** The best chunk, for vectors and similar things. */
  chunk: number;
  explain?: { raw: number; scale: number; parts: Part[] };
}

/** What shows hits of one query. */
export class Shower {
  readonly #data: Data;
  readonly #fusion: Fusion;
  readonly #query: Query;
  readonly #reader: Reader;
  readonly #unpack: Unpack;
  readonly #terms: Map<string, number>;

  constructor(data: Data, fusion: Fusion, query: Query, reader: Reader, unpack: Unpack) {
    [this.#data, this.#fusion, this.#query, this.#reader, this.#unpack] = [data, fusion, query, reader, unpack];
    this.#terms = this.#asked();
  }

  // asked are the terms of the query's words, and their numbers.
  #asked(): Map<string, number> {
    const terms = new Map<string, number>();
    const { words } = this.#query;
    const names = this.#data.now.each(words, (w) =>
      this.#data.now.each([...w.terms, ...w.near], (t) => this.#data.stringAt("TERM", t)));
    words.forEach((w, i) => {
      const at = terms.get(w.text);
      if (at !== undefined && words[at].terms.join() === w.terms.join() && words[at].near.join() === w.near.join()) return;
      terms.set(w.text, i);
      for (const name of names[i]) terms.set(name, i);
    });
    return terms;
  }

  // read is what is read of a hit.
  #read(h: Hit & Pick<Result, "neighbour">, others: boolean) {
    const data = this.#data;
    const columns = [doc.path, doc.title, doc.kind, doc.domain, doc.status, doc.date, doc.language];
    return data.now.all(
      () => data.now.each(columns, (c) => data.docString(h.doc, c)), () => data.secString(h.section, sec.anchor),
      () => data.secString(h.section, sec.heading), () => this.#headings(h.section),
      () => data.cell("SECS", sec.level, h.section), () => this.#lines("CHNK", 2, h.chunk, h.doc),
      () => this.#lines("SECS", sec.line, h.section, h.doc), () => (others ? this.#duplicates(h) : []),
      () => (h.neighbour ? data.docString(h.neighbour.of, doc.path) : ""), () => this.#chunk(h.chunk, h.doc));
  }

  /** Asks for what hits need that may be shown. */
  ask(hits: readonly Hit[], others: boolean): void {
    this.#data.now.each(hits, (h) => this.#read(h, others));
  }

  /** A hit; with explain its score in parts, and with others the sections that say nearly the same. */
  hit(h: Result, explain: boolean, others: boolean): SearchHit {
    const data = this.#data;
    const { scorer, cosines, lexical } = this.#fusion.s;
    const [strings, anchor, heading, headings, level, lines, sectionLines, duplicates, near] = this.#read(h, others);
    const [path, title, kind, domain, status, date, language] = strings;
    const match = h.class === notNamed ? [] : [className(h.class)];
    if (lexical >= 0 && scorer.bm25[h.chunk] > 0) match.push("lexical");
    if (cosines && cosines[h.chunk] >= Math.fround(data.meta.weights.near)) match.push("vector");
    const out: SearchHit = {
      score: h.calibrated, path, anchor, title, section: level >> 1 > 0 ? heading : "", headings: [title, ...headings],
      lines, sectionLines, snippet: "", highlights: [], kind, domain, status, date, language, match, duplicates,
      moved: h.moved, chunk: h.chunk,
    };
    if (h.neighbour) {
      out.neighbour = { of: near, relation: h.neighbour.relation, direction: h.neighbour.direction };
      match.push("neighbour");
    }
    const shown = this.#shown(h, path, heading);
    const piece = snippet(shown, this.#spans(shown.text, language));
    out.snippet = suspect.test(piece) ? this.#characters().cleanLines(piece) : piece;
    out.highlights = highlights(out.snippet, this.#spans(out.snippet, language));
    if (explain) out.explain = this.#data.now.module<ListingModule>("./listing.js").explained(this.#fusion, h);
    return out;
  }

  // headings are those of the sections above one, and its own.
  #headings(section: number): string[] {
    const list: number[] = [];
    for (let s = section; ; ) {
      const back = this.#data.cell("SECS", sec.parent, s);
      if (back === 0) break;
      need(back <= s, `SECS: section ${s} has its parent ${back} back`);
      list.unshift(s);
      s -= back;
    }
    return this.#data.now.each(list, (s) => this.#data.secString(s, sec.heading));
  }

  // lines are first and last, in the document's own file.
  #lines(tag: string, column: number, row: number, d: number): [number, number] {
    const [line, more] = this.#data.now.all(() => this.#data.cell(tag, column, row), () => this.#data.cell(tag, column + 1, row));
    return [this.#ownLine(d, line), this.#ownLine(d, line + more)];
  }

  #ownLine(d: number, line: number): number {
    if (!this.#data.file.blocks.has("INCL")) return line;
    const rows = this.#data.keep("included", () => {
      const table = this.#data.table("INCL");
      return this.#data.now.all(...[0, 1, 2, 3].map((c) => () => table.range(this.#data.now, c)));
    });
    const [docs, lines, counts, own] = rows as number[][];
    let at = -1;
    for (let i = docs.indexOf(d); i >= 0 && i < docs.length && docs[i] === d && lines[i] <= line; i++) at = i;
    if (at < 0) return line;
    const last = counts[at] > 0 ? lines[at] + counts[at] - 1 : lines[at];
    return line <= last ? own[at] : own[at] + line - last;
  }

  // duplicates are sections that say nearly the same, in documents that are admitted.
  #duplicates(h: Hit): string[] {
    const { places } = this.#fusion.s.scorer;
    const found: number[] = [];
    let last = h.section;
    for (const c of groupOf(this.#data, h.chunk)) {
      const s = places.chunkSec[c];
      if (s === h.section || s === last || !this.#fusion.s.scorer.allowed(places.secDoc[s])) continue;
      last = s;
      if (found.push(s) === maxDuplicates) break;
    }
    return this.#data.now.each(found, (s) => {
      const [path, anchor] = this.#data.now.all(() => this.#data.docString(places.secDoc[s], doc.path),
        () => this.#data.secString(s, sec.anchor));
      return anchor ? `${path}#${anchor}` : path;
    });
  }

  // shown is what a reader sees of the hit's chunk, or of the next one in its section that has text.
  #shown(h: Result, path: string, heading: string): Text {
    const { places } = this.#fusion.s.scorer;
    const level = (s: number): number => this.#data.cell("SECS", sec.level, s) >> 1;
    const own = level(h.section);
    for (let c = h.chunk, tries = 0; c < places.docChunks[h.doc + 1] && tries < maxBelow; c++, tries++) {
      const s = places.chunkSec[c];
      if (c > h.chunk && s !== h.section && level(s) <= own) break;
      if (c > h.chunk && places.bodyTokens[c] === 0) continue;
      const text = this.#reading(c, h.doc, path);
      if (text.lines.length > 0) return text;
    }
    return { text: heading, lines: [{ kind: "prose", start: 0, end: heading.length }] };
  }

  #characters(): CharactersModule {
    return this.#data.now.module<CharactersModule>("./characters.js");
  }

  #reading(c: number, d: number, path: string): Text {
    const [chunk, heading] = this.#data.now.all(() => this.#chunk(c, d),
      () => this.#data.secString(this.#fusion.s.scorer.places.chunkSec[c], sec.heading));
    if (refersBeyond(chunk.text)) this.#characters();
    const inCode = endsInCode(chunk.before);
    return readPlain(chunk.text, { heading, scenario: path.endsWith(".feature"), addresses: !this.#prose(), inCode });
  }

  // chunk is a chunk's text, and that of its section before it.
  #chunk(c: number, d: number): { before: string; text: string } {
    const { places } = this.#fusion.s.scorer;
    const first = places.secChunks[places.chunkSec[c]];
    const cell = (c: number, column: number) => () => this.#data.cell("CHNK", column, c);
    const [start, bytes, head] = this.#data.now.all(cell(c, 0), cell(c, 1), cell(first, 0));
    const [before, text] = this.#data.now.all(
      () => (c > first ? this.#text(d, Math.max(head, start - Math.min(start, maxShown)), start) : ""),
      () => this.#text(d, start, start + Math.min(bytes, maxShown)));
    return { before, text };
  }

  // text is the bytes [start, end) of a document's text.
  #text(d: number, start: number, end: number): string {
    const [texts, [from, to]] = this.#data.now.all(() => this.#data.keep("texts", () => new Texts(this.#data.now)),
      () => this.#data.span("DOCS", doc.text, d));
    need(to - from <= maxDocument && start <= end && end <= to - from, `CHNK: a chunk outside of document ${d}`);
    return new TextDecoder().decode(texts.read(this.#data.now, this.#unpack, from + start, from + end));
  }

  #prose(): boolean {
    return !this.#query.text.includes("/");
  }

  // spans are the words of the query in a text.
  #spans(text: string, language: string): Span[] {
    const list = this.#data.meta.languages;
    const all = list.reduce((n, l) => n + l.documents, 0);
    const main = list.length > 0 && list[0].documents * 10 >= all * 9 ? list[0].language : "";
    const own = language || main;
    const out: Span[] = [];
    for (const t of tokens(text)) {
      let i = this.#terms.get(t.fold);
      const stems = own !== "" && !t.whole && !t.cjk ? this.#reader.stems.get(own) : undefined;
      if (i === undefined && stems) i = this.#terms.get(stemTerm(own, stems.of(t.lower)));
      if (i === undefined || (this.#prose() && inAddress(text, t.start, t.end))) continue;
      out.push({ start: t.start, end: t.end, term: i, weight: this.#query.words[i].idf });
    }
    return out;
  }
}
