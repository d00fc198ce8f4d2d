// The list that is read, of the hits in the order of their scores: what the query names first, near duplicates once, a
// document that has hits above a little less, or once (FORMAT.md §13.6).
import { docOfNode } from "./bm25.ts";
import { doc, type Data } from "./data.ts";
import { edgesOf } from "./edges.ts";
import { fold } from "./fold.ts";
import type { Fusion, Hit } from "./fuse.ts";
import { isExact, notNamed, trimMarks, type Match } from "./named.ts";
import type { Query } from "./parse.ts";
import { sec } from "./data.ts";

const maxNamed = 200;
const furtherShare = 0.97; // what each further hit of a document counts of the one before it

/** A hit in the list. */
export interface Result extends Hit {
  calibrated: number;
  class: number; // of the name that the query is; notNamed if it is none
  bonus: number; // the part of score for the name
  moved: boolean; // behind hits with lower scores, since hits of its document stand above
  neighbour?: { of: number; relation: string; direction: "outgoing" | "incoming" };
}

/** How a list is arranged. */
export interface Arrangement {
  diversity: boolean;
  group: "section" | "document";
  sort: "relevance" | "date";
  threshold: number;
}

/** Makes the list of one query. */
export class List {
  readonly #data: Data;
  readonly #fusion: Fusion;
  readonly #query: Query;
  readonly #names: Match[];
  readonly #how: Arrangement;

  constructor(data: Data, fusion: Fusion, query: Query, names: Match[], how: Arrangement) {
    [this.#data, this.#fusion, this.#query, this.#names, this.#how] = [data, fusion, query, names, how];
  }

  /** At least want hits if there are so many, and whether there are more. */
  hits(want: number): { hits: Result[]; more: boolean } {
    if (this.#how.sort === "date") return this.#byDate(want);
    for (let limit = want + 24; ; limit *= 4) {
      const { hits, more } = this.#ranked(limit, this.#how.threshold);
      let list = this.#listed(hits, more);
      const exact = hits.findIndex((h) => !isExact(h.class));
      const settled = !more || exact >= 0;
      if (this.#how.diversity && this.#how.group === "section") list = spread(list, !more);
      if (!more || (settled && list.length > want)) return { hits: list, more: list.length > want };
    }
  }

  // ranked are the first hits by score, behind those that the query names.
  #ranked(want: number, threshold: number): { hits: Result[]; more: boolean } {
    const keep = (raw: number): boolean => threshold <= 0 || this.#fusion.calibrate(raw) >= threshold;
    const named = this.#front();
    const moved = new Set(named.map((h) => h.section));
    const { hits, more } = this.#fusion.top(want + moved.size, keep);
    const front = named.filter((h) => keep(h.score));
    const others = hits.filter((h) => !moved.has(h.section)).map((h) => this.#result(h));
    const all = [...front, ...others];
    return { hits: all.slice(0, want), more: more || all.length > want };
  }

  #result(h: Hit): Result {
    return { ...h, calibrated: this.#fusion.calibrate(h.score), class: notNamed, bonus: 0, moved: false };
  }

  // front are a section of each document that the whole query names, the strongest class first.
  #front(): Result[] {
    const { scorer } = this.#fusion.s;
    const bonus = this.#fusion.bonus;
    const found: Result[] = [];
    const docs = new Set<number>();
    const sections = new Set<number>();
    const matches = this.#data.now.each(this.#names, (m) => ({ m, d: docOfNode(this.#data, m.node) }))
      .filter(({ d }) => !docs.has(d) && scorer.allowed(d) && docs.add(d));
    const hits = this.#data.now.each(matches, ({ m, d }) => this.#frontHit(m, d));
    matches.forEach(({ m }, i) => {
      const h = hits[i];
      if (!h || sections.has(h.section)) return;
      sections.add(h.section);
      const score = h.score + bonus;
      found.push({ ...h, score, bonus, class: m.class, calibrated: this.#fusion.calibrate(score), moved: false });
    });
    return found.sort((a, b) => a.class - b.class || b.score - a.score || a.section - b.section).slice(0, maxNamed);
  }

  // frontHit is the section to show for a named place: of a document its beginning, preferably with more than a
  // heading, or its best section if the query is the heading of that.
  #frontHit(m: Match, d: number): Hit | undefined {
    const { places } = this.#fusion.s.scorer;
    const docs = this.#data.rows("DOCS");
    let [first, last] = [places.docChunks[d], places.docChunks[d + 1]];
    const s = m.node - docs;
    if (s >= 0 && s < places.secDoc.length) [first, last] = [places.secChunks[s], places.secChunks[s + 1]];
    else if (s >= 0) {
      const own = this.#data.cell("GNOD", 5, s - places.secDoc.length);
      [first, last] = [places.secChunks[own], places.secChunks[own + 1]];
    }
    if (first === last) return undefined;
    for (let c = first; c < last; c++) {
      if (places.bodyTokens[c] === 0) continue;
      first = c;
      break;
    }
    const section = places.chunkSec[first];
    const hits = this.#fusion.document(d);
    let found = hits.find((h) => h.section === section);
    let best: Hit | undefined;
    for (const h of hits) if (places.bodyTokens[h.chunk] > 0 && (!best || h.score > best.score)) best = h;
    const only = this.#fusion.s.only;
    const bare = (text: string): string => fold(trimMarks(text));
    if (best && m.node < docs) {
      const heading = this.#data.secString(best.section, sec.heading);
      if ((only && !only[section]) || bare(heading) === bare(this.#query.text)) found = best;
    }
    if (found) return found;
    if (only && !only[section]) return undefined;
    const h: Hit = { section, doc: d, chunk: first, own: this.#fusion.own(section, first), file: this.#fusion.file(d), score: 0 };
    h.score = this.#fusion.score(h);
    return h;
  }

  // listed are hits with a neighbour of what the query names, without near duplicates, of each document one if asked.
  #listed(hits: Result[], more: boolean): Result[] {
    const { diversity, group } = this.#how;
    if (group === "document") {
      if (diversity) hits = this.#distinct(hits);
      hits = onePerDocument(hits);
    }
    if (diversity) hits = this.#distinct(this.#expand(hits, more));
    return group === "document" ? onePerDocument(hits) : hits;
  }

  #distinct(hits: Result[]): Result[] {
    if (!this.#data.file.blocks.has("DUPS")) return hits;
    const seen = new Set<number>();
    return hits.filter((h) => {
      const leader = leaderOf(this.#data, h.chunk);
      return leader < 0 || (!seen.has(leader) && seen.add(leader));
    });
  }

  // expand puts below the last document that the query names one that a typed edge joins with it.
  #expand(hits: Result[], more: boolean): Result[] {
    const at = hits.findIndex((h) => !isExact(h.class));
    const named = at < 0 ? hits.length : at;
    if (named === 0 || (at < 0 && more)) return hits;
    const list = hits.slice(0, named);
    const docs = new Set(list.map((h) => h.doc));
    // kdd asks for a neighbour of the first only
    const near = this.#neighbour(list[0], docs);
    const rest = hits.slice(named);
    if (!near) return hits;
    return [...list, near, ...rest.filter((h) => h.section !== near.section)];
  }

  #neighbour(of: Result, docs: ReadonlySet<number>): Result | undefined {
    const { scorer } = this.#fusion.s;
    for (const e of edgesOf(this.#data, of.doc)) {
      const d = docOfNode(this.#data, e.node);
      if (d === of.doc || docs.has(d) || !scorer.allowed(d)) continue;
      const [from, to] = scorer.chunks(0, d);
      if (from === to) continue;
      let best: Hit = { section: scorer.places.chunkSec[from], doc: d, chunk: from, score: 0, own: 0, file: 0 };
      this.#fusion.document(d).forEach((h, i) => {
        if (i === 0 || h.score > best.score) best = h;
      });
      return { ...this.#result(best), neighbour: { of: of.doc, relation: e.type, direction: e.out ? "outgoing" : "incoming" } };
    }
    return undefined;
  }

  // byDate are the newest hits of those with a word of the query and half of the best score.
  #byDate(want: number): { hits: Result[]; more: boolean } {
    const chunks = this.#data.rows("CHNK");
    const all = this.#ranked(chunks + 1, 0).hits;
    const best = all.find((h) => h.class === notNamed)?.calibrated ?? 0;
    const floor = Math.max(this.#how.threshold, 0.5 * best);
    const { bm25 } = this.#fusion.s.scorer;
    const { cosines } = this.#fusion.s;
    const near = (h: Result): boolean => bm25[h.chunk] > 0 || (cosines?.[h.chunk] ?? 0) >= this.#data.meta.weights.near;
    const kept = all.filter((h) => h.calibrated >= floor && (h.class !== notNamed || near(h)));
    const dates = this.#data.now.each(kept, (h) => this.#data.docString(h.doc, doc.date));
    let list = kept.map((h, i) => ({ h, date: dates[i] }))
      .sort((a, b) => (a.date === b.date ? 0 : a.date > b.date ? -1 : 1)).map(({ h }) => h);
    if (this.#how.diversity) list = this.#distinct(list);
    if (this.#how.group === "document") list = onePerDocument(list);
    return { hits: list, more: list.length > want };
  }
}

/** The first hit of each document. */
export function onePerDocument<T extends Hit>(hits: readonly T[]): T[] {
  const seen = new Set<number>();
  return hits.filter((h) => !seen.has(h.doc) && seen.add(h.doc));
}

/** The first chunk of the group of near duplicates that a chunk belongs to; -1 if it has none. */
export function leaderOf(data: Data, chunk: number): number {
  const rows = duplicates(data);
  const row = rows.at.get(chunk);
  return row === undefined ? -1 : rows.leaders[row];
}

/** The chunks of the group of a chunk, ascending; none if it has no near duplicate. */
export function groupOf(data: Data, chunk: number): number[] {
  const leader = leaderOf(data, chunk);
  if (leader < 0) return [];
  const { chunks, leaders } = duplicates(data);
  return chunks.filter((_, i) => leaders[i] === leader);
}

function duplicates(data: Data): { chunks: number[]; leaders: number[]; at: Map<number, number> } {
  return data.keep("duplicates", () => {
    if (!data.file.blocks.has("DUPS")) return { chunks: [], leaders: [], at: new Map<number, number>() };
    const table = data.table("DUPS");
    const [chunks, leaders] = data.now.all(() => table.range(data.now, 0), () => table.range(data.now, 1));
    return { chunks, leaders, at: new Map(chunks.map((c, i) => [c, i])) };
  });
}

interface Waiting {
  hits: Result[]; // a hit, and the neighbours that stand below it
  at: number; // in the ranking
  counts: number; // what its score counts
}

// spread brings hits in the order of what their scores count: each further hit of a document less. What the query names
// stays where it is, and neighbours stay below their hit. Unless complete, what may have another place is left out.
function spread(hits: readonly Result[], complete: boolean): Result[] {
  const [list, shares]: [Result[], Map<number, number>] = [[], new Map()];
  let [wait, last]: [Waiting[], number] = [[], -1];
  const release = (score: number): void => {
    wait.sort((a, b) => b.counts - a.counts || a.at - b.at);
    const n = wait.findIndex((w) => w.counts < score);
    for (const w of n < 0 ? wait : wait.slice(0, n)) {
      list.push({ ...w.hits[0], moved: w.at < last }, ...w.hits.slice(1));
      last = Math.max(last, w.at);
    }
    wait = n < 0 ? [] : wait.slice(n);
  };
  for (let i = 0, end = 0; i < hits.length; i = end) {
    for (end = i + 1; end < hits.length && hits[end].neighbour; ) end++;
    const w: Waiting = { hits: hits.slice(i, end), at: i, counts: hits[i].calibrated };
    if (hits[i].class !== notNamed) {
      list.push(...w.hits);
      last = i;
    } else {
      release(w.counts); // those that follow count no more
      w.counts *= shares.get(hits[i].doc) ?? 1;
      wait.push(w);
    }
    for (const h of w.hits) shares.set(h.doc, (shares.get(h.doc) ?? 1) * furtherShare);
  }
  if (complete) release(-Infinity);
  return list;
}
