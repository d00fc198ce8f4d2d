// Typed edges of documents (FORMAT.md §10.8).
import { sec } from "#core";
import type { Data } from "./data.ts";

const contains = "CONTAINS"; // edges by which documents contain their sections

/** An edge of a document to another node. */
export interface Edge {
  node: number;
  type: string;
  out: boolean;
}

/** The typed edges of a document and its sections to others, those of most weight first. */
export function edgesOf(data: Data, d: number): Edge[] {
  return data.now.once(`edges/${d}`, () => edges(data, d));
}

function edges(data: Data, d: number): Edge[] {
  const { now, meta } = data;
  const [docs, secs] = [data.rows("DOCS"), data.rows("SECS")];
  const { docSections, secDoc } = data.places();
  const followed = new Set(meta.edge_types.filter((t) => t.impact === "follow").map((t) => t.name));
  const runs: [number, number][] = [[d, d + 1], [docs + docSections[d], docs + docSections[d + 1]]];
  const inside = (n: number): boolean => runs.some(([first, end]) => n >= first && n < end);
  const owner = (n: number, type: string): number =>
    type !== contains && n >= docs && n < docs + secs ? secDoc[n - docs] : n;
  const nodes = docs + secs + data.rows("GNOD");
  // count is how many edges leave or reach the nodes that a node stands for.
  const count = (n: number): number => {
    let of: [number, number][] = [[n, n + 1]];
    if (n < docs) of.push([docs + docSections[n], docs + docSections[n + 1]]);
    else if (n < docs + secs) {
      const level = data.cell("SECS", sec.level, n - docs) >> 1;
      let end = n - docs + 1;
      while (end < docSections[secDoc[n - docs] + 1] && data.cell("SECS", sec.level, end) >> 1 > level) end++;
      of = [[n, docs + end]];
    }
    return now.each(of, ([from, to]) => between("GOUT", from, to).n + between("GINC", from, to).n).reduce((a, b) => a + b, 0);
  };
  const between = (tag: string, from: number, to: number): { first: number; n: number } => {
    const [a, b] = now.all(() => data.cell(tag, 0, from), () => data.cell(tag, 0, Math.min(to, nodes)));
    return { first: a, n: b - a };
  };
  const found: (Edge & { weight: number; degree: number })[] = [];
  const reached = new Set<string>();
  const starts = data.keep("GOUT.all", () => data.table("GOUT").range(now, 0));
  const visit = (edge: number, out: boolean): void => {
    const t = data.cell("GEDG", 1, edge);
    const kind = meta.edge_types[t >> 1];
    if (!kind || !followed.has(kind.name)) return;
    const node = out ? data.cell("GEDG", 0, edge) : upperBound(starts, edge) - 1;
    if (kind.name !== contains && inside(node)) return;
    const target = owner(node, kind.name);
    const key = `${target} ${kind.name} ${out}`;
    if (target === d || reached.has(key)) return;
    reached.add(key);
    if (t & 1) return;
    found.push({ node, type: kind.name, out, weight: kind.weight, degree: count(node) });
  };
  for (const tag of ["GEDG", "GINE"]) now.ask(tag, 0, Math.min(data.file.block(tag).length, 1 << 14)); // one round less
  const numbers = (s: { first: number; n: number }): number[] => Array.from({ length: s.n }, (_, i) => s.first + i);
  const list = now.each(runs, ([from, to]) => {
    const [leaving, coming] = now.all(() => between("GOUT", from, to), () => between("GINC", from, to));
    return [...numbers(leaving).map((e) => [e, true] as const),
      ...now.each(numbers(coming), (p) => [data.cell("GINE", 0, p), false] as const)];
  });
  now.each(list.flat(), ([edge, out]) => visit(edge, out));
  return found.sort((a, b) => b.weight - a.weight || b.degree - a.degree || a.node - b.node);
}

// upperBound is the number of values in rising order that are not above v.
function upperBound(list: readonly number[], v: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= v) low = middle + 1;
    else high = middle;
  }
  return low;
}
