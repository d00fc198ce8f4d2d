// Hits for what a query names: a section of each document, and of a document that is related with the first.
import { docOfNode, fold, resultOf, sec, trimMarks } from "#core";
import type { Result } from "./arrange.ts";
import type { Data } from "./data.ts";
import { edgesOf } from "./edges.ts";
import type { Fusion, Hit } from "./fuse.ts";
import type { Match } from "./named.ts";
import type { Query } from "./parse.ts";

const maxNamed = 200;

/** A section of each document that the whole query names, the strongest class first. */
export function front(data: Data, fusion: Fusion, query: Query, names: readonly Match[]): Result[] {
  const { scorer } = fusion.s;
  const bonus = fusion.bonus;
  const found: Result[] = [];
  const docs = new Set<number>();
  const sections = new Set<number>();
  const matches = data.now.each(names, (m) => ({ m, d: docOfNode(data, m.node) }))
    .filter(({ d }) => !docs.has(d) && scorer.allowed(d) && docs.add(d));
  const hits = data.now.each(matches, ({ m, d }) => frontHit(data, fusion, query, m, d));
  matches.forEach(({ m }, i) => {
    const h = hits[i];
    if (!h || sections.has(h.section)) return;
    sections.add(h.section);
    const score = h.score + bonus;
    found.push({ ...h, score, bonus, class: m.class, calibrated: fusion.calibrate(score), moved: false });
  });
  return found.sort((a, b) => a.class - b.class || b.score - a.score || a.section - b.section).slice(0, maxNamed);
}

// frontHit is the section to show for a named place: of a document its beginning, preferably with more than a
// heading, or its best section if the query is the heading of that.
function frontHit(data: Data, fusion: Fusion, query: Query, m: Match, d: number): Hit | undefined {
  const { places } = fusion.s.scorer;
  const docs = data.rows("DOCS");
  let [first, last] = [places.docChunks[d], places.docChunks[d + 1]];
  const s = m.node - docs;
  if (s >= 0 && s < places.secDoc.length) [first, last] = [places.secChunks[s], places.secChunks[s + 1]];
  else if (s >= 0) {
    const own = data.cell("GNOD", 5, s - places.secDoc.length);
    [first, last] = [places.secChunks[own], places.secChunks[own + 1]];
  }
  if (first === last) return undefined;
  for (let c = first; c < last; c++) {
    if (places.bodyTokens[c] === 0) continue;
    first = c;
    break;
  }
  const section = places.chunkSec[first];
  const hits = fusion.document(d);
  let found = hits.find((h) => h.section === section);
  let best: Hit | undefined;
  for (const h of hits) if (places.bodyTokens[h.chunk] > 0 && (!best || h.score > best.score)) best = h;
  const only = fusion.s.only;
  const bare = (text: string): string => fold(trimMarks(text));
  if (best && m.node < docs) {
    const heading = data.secString(best.section, sec.heading);
    if ((only && !only[section]) || bare(heading) === bare(query.text)) found = best;
  }
  if (found) return found;
  if (only && !only[section]) return undefined;
  const h: Hit = { section, doc: d, chunk: first, own: fusion.own(section, first), file: fusion.file(d), score: 0 };
  h.score = fusion.score(h);
  return h;
}

/** The best section of a document that a typed edge joins with that of a hit, none of those in docs. */
export function neighbour(data: Data, fusion: Fusion, of: Result, docs: ReadonlySet<number>): Result | undefined {
  const { scorer } = fusion.s;
  for (const e of edgesOf(data, of.doc)) {
    const d = docOfNode(data, e.node);
    if (d === of.doc || docs.has(d) || !scorer.allowed(d)) continue;
    const [from, to] = scorer.chunks(0, d);
    if (from === to) continue;
    let best: Hit = { section: scorer.places.chunkSec[from], doc: d, chunk: from, score: 0, own: 0, file: 0 };
    fusion.document(d).forEach((h, i) => {
      if (i === 0 || h.score > best.score) best = h;
    });
    return { ...resultOf(fusion, best), neighbour: { of: of.doc, relation: e.type, direction: e.out ? "outgoing" : "incoming" } };
  }
  return undefined;
}
