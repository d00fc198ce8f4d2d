// Hits by date, and how their scores came about, in a file of its own that is loaded with the first search that asks so.
import { className, doc, nearName, notNamed, onePerDocument, pool } from "#core";
import type { Arrangement, Result } from "./arrange.ts";
import type { Data } from "./data.ts";
import type { Fusion, Hit, Part } from "./fuse.ts";

/** The newest hits of those with a word of the query and half of the best score; all are all, in the order of scores. */
export function byDate(
  data: Data, fusion: Fusion, all: readonly Result[], how: Arrangement, distinct: (hits: Result[]) => Result[],
): Result[] {
  const best = all.find((h) => h.class === notNamed)?.calibrated ?? 0;
  const floor = Math.max(how.threshold, 0.5 * best);
  const { scorer: { bm25 }, cosines } = fusion.s;
  const near = (h: Result): boolean => bm25[h.chunk] > 0 || (cosines?.[h.chunk] ?? 0) >= data.meta.weights.near;
  const kept = all.filter((h) => h.calibrated >= floor && (h.class !== notNamed || near(h)));
  const dates = data.now.each(kept, (h) => data.docString(h.doc, doc.date));
  let list = kept.map((h, i) => ({ h, date: dates[i] }))
    .sort((a, b) => (a.date === b.date ? 0 : a.date > b.date ? -1 : 1)).map(({ h }) => h);
  if (how.diversity) list = distinct(list);
  return how.group === "document" ? onePerDocument(list) : list;
}

/** How the score of a hit came about. */
export function explained(fusion: Fusion, h: Result): { raw: number; scale: number; parts: Part[] } {
  const parts = partsOf(fusion, h);
  const exact = h.class < nearName ? "exact " : "";
  if (h.class !== notNamed) parts.unshift({ name: exact + className(h.class), value: 1, weight: h.bonus });
  return { raw: h.score, scale: fusion.scale, parts };
}

// partsOf are the parts of a hit's raw score, whose sum is the score but for the name.
function partsOf(fusion: Fusion, h: Hit): Part[] {
  const { scorer, pairs, cosines, lexical, stale, aside, asideSection } = fusion.s;
  const [w, [from, to]] = [fusion.w, scorer.chunks(0, h.doc)];
  const signals: [string, Float32Array, number][] = [];
  if (lexical >= 0) signals.push(["bm25", scorer.bm25, lexical]);
  if (pairs) signals.push(["word pairs", pairs.scores, w.pairs]);
  if (cosines) signals.push(["cosine", cosines.map((v) => v || 0), 1]);
  const parts = signals.map(([name, of, weight]) => ({ name: `section ${name}`, value: of[h.chunk], weight }));
  parts.push({ name: "section headings", value: scorer.headings[h.section], weight: w.heading });
  for (const [name, of, weight] of signals) {
    parts.push({ name: `document ${name}`, value: pool(of, from, to, w), weight: w.file * weight });
  }
  parts.push({ name: "document link texts", value: scorer.anchors[h.doc], weight: w.file * w.anchor });
  parts.push({ name: "document title", value: scorer.titles[h.doc], weight: w.file * w.title_match });
  if (stale.has(h.doc)) parts.push({ name: "no longer in force", value: 1, weight: -w.stale });
  if (aside.has(h.doc) || asideSection?.(h.doc, h.section)) parts.push({ name: "aside", value: 1, weight: -w.aside });
  return parts;
}
