// A search, from the question to hits that can be shown. Each step asks for what it reads and runs again once that is
// there (now.ts); what the steps need of languages is loaded beside the first reads.
import { List, onePerDocument, type Arrangement } from "./arrange.ts";
import { Scorer } from "./bm25.ts";
import { KddxError } from "./bytes.ts";
import { sec, type Data } from "./data.ts";
import type { Filter } from "./filter.ts";
import { fold } from "./fold.ts";
import { Fusion, type Signals } from "./fuse.ts";
import { loadLetters, loadOperators, loadQuestion, stemsOf } from "./modules.ts";
import type { Meaning } from "./meaning.ts";
import type { Match } from "./named.ts";
import { Pairs } from "./pairs.ts";
import type { Query, Reader } from "./parse.ts";
import type { SearchHit, Shower } from "./show.ts";
import type { Unpack } from "./text.ts";

const maxLimit = 1000;
const ahead = 24; // hits beyond those that are shown
const likely = 112; // hits, by what estimates of cosines say, whose documents are compared

// What operators of a query are made of; a text without any has none.
const operator = /["“”„«*~:＂（）＋－：＊]|(^|[\s(])[-+−]|AND|OR|NOT|ＡＮＤ|ＯＲ|ＮＯＴ/;

// A character that is neither Latin nor of the punctuation around it.
const otherLetter = /[^\0-\u024f\u1e00-\u1eff\u2000-\u206f]/;

/** How a search is done. */
export interface SearchOptions extends Filter {
  /** How many hits; 5 without it. */
  limit?: number;
  /** How many hits to leave out before them. */
  offset?: number;
  /** lexical, by words alone, without it, and hybrid if cosines are given; auto: hybrid where the file can. */
  mode?: "lexical" | "hybrid" | "vector" | "auto";
  /** Chunks and the cosines of their vectors with the query's, in place of those of the file's encoder. Those that are
   *  not listed are no hits by meaning. */
  cosines?: Iterable<readonly [chunk: number, cosine: number]>;
  /** The least score of a hit. */
  scoreThreshold?: number;
  /** false: near duplicates are hits too, and one document may fill the list. */
  diversity?: boolean;
  /** What a hit is: a section without it. */
  group?: "section" | "document";
  sort?: "relevance" | "date";
  /** Hits tell how their scores came about. */
  explain?: boolean;
  /** The last word of the query is still being typed: it may be the beginning of one. */
  typing?: boolean;
  /** Says of a word that the index lacks that it is none the less no misspelling. */
  isWord?: (word: string) => boolean;
  signal?: AbortSignal;
}

/** What a search found. */
export interface SearchResponse {
  query: string;
  mode: "lexical" | "hybrid" | "vector";
  /** Of the query; "" if nothing tells it. */
  language: string;
  results: SearchHit[];
  /** There are hits behind these. */
  more: boolean;
  /** What a reader should know about how the query was read. */
  notes: string[];
  /** Words that no document has; where the best hit is likely right, only those with a digit or a capital. */
  unknown: string[];
}

interface Checked {
  limit: number;
  offset: number;
  mode: SearchResponse["mode"];
}

function check(data: Data, query: string, o: SearchOptions): Checked {
  const [limit, offset, asked] = [o.limit ?? 5, o.offset ?? 0, o.mode ?? (o.cosines ? "hybrid" : "lexical")];
  const bad = (what: string): KddxError => new KddxError("invalid_input", what);
  if (typeof query !== "string" || query.trim() === "") throw bad("query: it is empty, give a question or keywords");
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) throw bad(`limit: ${limit}, want 1 to ${maxLimit}`);
  if (!Number.isInteger(offset) || offset < 0) throw bad(`offset: ${offset}, want 0 or more`);
  if (!["lexical", "hybrid", "vector", "auto"].includes(asked)) throw bad(`mode: ${asked}, want lexical, hybrid, vector or auto`);
  const embeds = ["VECS", "ETAB", "EVOC"].every((tag) => data.file.blocks.has(tag)) && !data.file.blocks.has("EEXA");
  const mode = asked === "auto" ? (o.cosines || embeds ? "hybrid" : "lexical") : asked;
  if (mode !== "lexical" && !o.cosines && !embeds) {
    throw bad(`mode ${mode}: it needs a file with vectors and the distilled encoder, or cosines; search with mode lexical`);
  }
  return { limit, offset, mode };
}

/** Searches a file. data sees it for this search alone; meaning has its vectors; warm reads what all searches do. */
export async function search(
  data: Data, query: string, o: SearchOptions, unpack: () => Promise<Unpack>, meaning: () => Promise<Meaning>,
  warm?: Promise<void>,
): Promise<SearchResponse> {
  let { limit, offset, mode } = check(data, query, o);
  const [now, text, wanted] = [data.now, query.trim(), offset + limit];
  const how: Arrangement = { diversity: o.diversity ?? true, group: o.group ?? "section", sort: o.sort ?? "relevance",
    threshold: o.scoreThreshold ?? 0 };
  const known = [...new Set(data.meta.languages.map((l) => l.language).filter(Boolean))];
  const plain = !operator.test(query);
  const filtered = o.pathGlob || o.since || o.where || facetNames.some((name) => o[name]?.length);
  const embeds = mode !== "lexical" && !o.cosines ? meaning() : undefined;
  const vocabulary = embeds?.then((m) => m.vocabulary(now));

  // Words, filters and names.
  const words = (async () => {
    const begin = (): Promise<unknown> => now.run(() => (data.askFirst(), data.places()), o.signal);
    const first = warm ? warm.then(begin, begin) : begin();
    const [question, letters, operators, stems, unpacker] = await Promise.all([loadQuestion(),
      otherLetter.test(query) ? loadLetters() : undefined, plain && !filtered ? undefined : loadOperators(),
      Promise.all(known.map(stemsOf)), unpack(), first]);
    const reader: Reader = { letters, operators, stems: new Map(known.map((l, i) => [l, stems[i]])), isWord: o.isWord,
      typing: o.typing && !/\s$/.test(query) };
    const asked = (o.languages ?? []).map((l) => operators!.languageOf(l));
    const readOnce = (): Promise<Read> => now.run(() => {
      const notes: string[] = [];
      let readAs: Read["readAs"];
      const [parse, allow] = now.all(() => new question.Parse(data, text, reader, asked),
        () => operators?.admitted(data, o, (text) => notes.push(text)), () => question.askNames(data, text),
        () => data.facet("stale", "yes"), () => asides(data, query));
      const [q, only, docs] = now.all(() => parse.query(), () => operators?.holding(parse),
        () => (operators ? operators.narrow(parse, allow) : allow));
      const names = mode === "vector" ? [] : question.namesOf(data, q, (text) => (readAs = text));
      return { query: q, allow: docs, only, names, notes, readAs };
    }, o.signal);
    let read = await readOnce();
    if (vocabulary && read.query.unsure && !reader.isWord) {
      // Once more, as the encoder knows words that the index lacks: what is read is there already.
      reader.isWord = await vocabulary;
      read = await readOnce();
    }
    const shower = (fusion: Fusion): Shower => new question.Shower(data, fusion, read.query, reader, unpacker);
    return { ...read, shower, question };
  })();

  // Of a file elsewhere, the documents of the hits that there would be by estimates of cosines are compared. What may be
  // shown of them is read at the same time.
  let shown: Promise<void> | undefined;
  const guess = async (estimates: Float32Array): Promise<number[]> => {
    const read = await words;
    const { hits } = await now.run(() =>
      fuse(data, read, mode, estimates).top(Math.max(wanted + ahead, likely), () => true), o.signal);
    const page = (how.group === "document" ? onePerDocument(hits) : hits).slice(offset, wanted);
    shown = now.run(() => read.shower(fuse(data, read, mode, estimates)).ask(page, how.diversity), o.signal);
    shown.catch(() => undefined); // it is awaited below
    return hits.map((h) => h.doc);
  };
  const near = async (asked: string, allow?: Set<number>): Promise<Float32Array | undefined> => {
    const m = await embeds!;
    const { chunkDoc } = allow ? data.places() : { chunkDoc: undefined };
    const allowed = allow && chunkDoc && ((chunk: number): boolean => allow.has(chunkDoc[chunk]));
    const starts = async (): Promise<number[]> => (await words, data.places().docChunks);
    return m.cosines(asked, guess, starts, { ...(allowed && { allowed }), ...(o.signal && { signal: o.signal }) });
  };
  // By words and by meaning at the same time, where the words do not say what may be compared.
  const early = embeds && plain && !filtered ? near(text) : undefined;
  const soon = early ?? embeds?.then((m) => m.ahead(text));
  for (const p of [soon, vocabulary, words]) p?.catch(() => undefined); // it is awaited below
  const read = await words;
  let cosines = o.cosines ? cosinesOf(data, o.cosines) : embeds && (await (early ?? near(read.query.text, read.allow)));
  await shown;
  if (embeds && !cosines) { // the query has no vector
    read.query.notes.push(`the query encoder knows no word of the query${mode === "hybrid" ? ": lexical only" : ""}`);
    if (mode === "hybrid") mode = "lexical";
    else cosines = cosinesOf(data, []);
  }

  // Scores.
  const fusion = await now.run(() => fuse(data, read, mode, cosines), o.signal);
  const list = new List(data, fusion, read.query, read.names, how);
  const { hits, more } = await now.run(() => list.hits(wanted), o.signal);

  // What is shown.
  const page = hits.slice(offset, wanted);
  const [results, readAs] = await now.run(() => {
    const shower = now.once("shower", () => read.shower(fusion));
    return now.all(() => now.each(page, (h) => now.once(`hit/${h.chunk}`, () => shower.hit(h, o.explain ?? false, how.diversity))),
      () => read.readAs?.());
  }, o.signal);
  if (readAs) read.query.notes.push(readAs);
  if (fusion.s.pairs?.long) read.query.notes.push("the query is long: the order of its first words counts, of the others their number");
  if (fusion.s.pairs?.cut) {
    read.query.notes.push("the words of the query stand in too many documents: their order counts in those that match best");
  }
  const unknown = read.question.unknownWords(read.query, text, results);
  return { query, mode, language: read.query.language, results, more, notes: [...new Set([...read.notes, ...read.query.notes])], unknown };
}

const facetNames = ["kinds", "chunkTypes", "domains", "tags", "status", "languages"] as const;

interface Read {
  query: Query;
  allow: Set<number> | undefined;
  only: Uint8Array | undefined;
  names: Match[];
  notes: string[]; // on the filters
  readAs: (() => string) | undefined; // a note on names
}

// fuse scores chunks by words, and joins what is known of their meaning.
function fuse(data: Data, r: Read, mode: SearchResponse["mode"], cosines: Float32Array | undefined): Fusion {
  const w = data.meta.weights;
  const words = mode !== "vector";
  const scorer = data.now.once("scorer", () => new Scorer(data, words ? r.query.words : [], r.allow));
  const pairs = words ? data.now.once("pairs", () => new Pairs(scorer, r.query.all)) : undefined;
  const { aside, asideSection } = asides(data, r.query.text);
  let [lexical, scale] = [words ? w.lexical : -1, false];
  if (mode === "hybrid") {
    const languages = data.meta.model?.languages ?? [];
    const knows = (l: string): boolean => l === "" || languages.length === 0 || languages.includes(l);
    const short = r.query.all.some((x) => x.whole) && r.query.all.filter((x) => !x.part).length <= 2;
    const documents = (is: (l: string) => boolean): number =>
      data.meta.languages.reduce((n, l) => n + (l.language !== "" && is(l.language) ? l.documents : 0), 0);
    const strange = documents(knows) * 2 < documents(() => true);
    if (!knows(r.query.language) || short) [lexical, scale] = [w.lexical_only, true];
    else if (strange) [lexical, scale] = [Math.max(lexical, w.lexical_text), true];
  }
  const s: Signals = {
    scorer, pairs: pairs?.some ? pairs : undefined, cosines: mode === "lexical" ? undefined : cosines,
    lexical, mode, only: r.only, stale: data.facet("stale", "yes"), aside, asideSection,
  };
  return new Fusion(s, scale);
}

// cosinesOf are cosines by chunk, no number where none is given.
function cosinesOf(data: Data, list: Iterable<readonly [number, number]>): Float32Array {
  const n = data.rows("CHNK");
  const out = new Float32Array(n).fill(NaN);
  for (const [chunk, cosine] of list) {
    if (!(chunk >= 0 && chunk < n && Number.isInteger(chunk) && Math.abs(cosine) <= 1.001)) {
      throw new KddxError("invalid_input", `cosines: ${cosine} of chunk ${chunk}, want -1 to 1 of a chunk below ${n}`);
    }
    out[chunk] = cosine;
  }
  return out;
}

const dated = /\bv?[0-9]+\.[0-9]+(\.[0-9]+)*\b|\b(19|20)[0-9]{2}\b/;
const plainWords = (s: string): string => ` ${fold(s).split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean).join(" ")} `;

// asides are documents and sections that stand behind the rest: none of a kind that the query asks for.
function asides(data: Data, query: string): Pick<Signals, "aside" | "asideSection"> {
  const [docs, all, sections] = [new Set<number>(), new Set<number>(), new Map<number, Set<string>>()];
  const none = { aside: new Set<number>(), asideSection: undefined };
  const list = data.meta.asides ?? [];
  if (dated.test(query)) return none;
  const words = plainWords(query);
  const kinds = data.now.each(list, (a) => data.facet("kind", fold(a.kind)));
  list.forEach((a, i) => {
    const whole = !a.headings?.length;
    if (whole) for (const d of kinds[i]) all.add(d);
    if ([a.kind, ...(a.asked ?? []), ...(a.headings ?? [])].some((w) => words.includes(plainWords(w)))) return;
    for (const d of kinds[i]) {
      if (whole) docs.add(d);
      else sections.set(d, new Set(a.headings));
    }
  });
  if (all.size >= data.rows("DOCS")) docs.clear();
  if (sections.size === 0) return { aside: docs, asideSection: undefined };
  const asideSection = (d: number, s: number): boolean => sections.get(d)?.has(fold(data.secString(s, sec.heading))) ?? false;
  return { aside: docs, asideSection };
}
