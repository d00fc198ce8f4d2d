// The list that is read, of the hits in the order of their scores: what the query names first, near duplicates once, a
// document that has hits above a little less, or once (FORMAT.md §13.6).
import type { Data } from "./data.ts";
import type { Fusion, Hit } from "./fuse.ts";
import type { ListingModule, NamingModule } from "./modules.ts";
import { isExact, notNamed, type Match } from "./named.ts";
import type { Query } from "./parse.ts";

const furtherShare = 0.97; // what each further hit of a document counts of the one before it

/** A hit in the list. */
export interface Result extends Hit {
  calibrated: number;
  class: number; // of the name that the query is; notNamed if it is none
  bonus: number; // the part of score for the name
  moved: boolean; // behind hits with lower scores, since hits of its document stand above
  neighbour?: { of: number; relation: string; direction: "outgoing" | "incoming" };
}

/** A hit that the query does not name. */
export function resultOf(fusion: Fusion, h: Hit): Result {
  return { ...h, calibrated: fusion.calibrate(h.score), class: notNamed, bonus: 0, moved: false };
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
    if (this.#how.sort === "date") {
      const { byDate } = this.#data.now.module<ListingModule>("./listing.js");
      const all = this.#ranked(this.#data.rows("CHNK") + 1, 0).hits;
      const list = byDate(this.#data, this.#fusion, all, this.#how, (hits) => this.#distinct(hits));
      return { hits: list, more: list.length > want };
    }
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
    const others = hits.filter((h) => !moved.has(h.section)).map((h) => resultOf(this.#fusion, h));
    const all = [...front, ...others];
    return { hits: all.slice(0, want), more: more || all.length > want };
  }

  // front are a section of each document that the whole query names, the strongest class first.
  #front(): Result[] {
    return this.#names.length === 0 ? [] : this.#naming().front(this.#data, this.#fusion, this.#query, this.#names);
  }

  #naming(): NamingModule {
    return this.#data.now.module<NamingModule>("./naming.js");
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
    const near = this.#naming().neighbour(this.#data, this.#fusion, list[0], docs);
    const rest = hits.slice(named);
    if (!near) return hits;
    return [...list, near, ...rest.filter((h) => h.section !== near.section)];
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
