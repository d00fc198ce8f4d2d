// Sections that a query names by an anchor or a heading behind # (FORMAT.md §13.5).
import { bytesOf, fold, isDoc, pathName, sec } from "#core";
import { distinct, findDoc, findName, maxPath, plainPath } from "#question";
import type { Data } from "./data.ts";
import type { Match } from "./named.ts";

// findFile is the document of a path, with what stands behind # in it.
function findFile(data: Data, file: string): [number, string] | undefined {
  if (bytesOf(file) > maxPath) return undefined;
  for (let end = file.length, tries = 0; end >= 0 && tries < 64; end = file.lastIndexOf("#", end - 1), tries++) {
    const d = findDoc(data, file.slice(0, end));
    if (d >= 0) return [d, file.slice(end).replace(/^#/, "")];
    if (end === 0) break;
  }
  return undefined;
}

// slug is GitHub's anchor for a heading.
const slug = (heading: string): string => heading.toLowerCase()
  .replace(/[^\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\p{Alphabetic}\- ]/gu, "").replaceAll(" ", "-");

// findAnchor is the section of a document that an anchor or heading names; -1 if there is none.
function findAnchor(data: Data, d: number, anchor: string): number {
  const { docSections } = data.places();
  const all = Array.from({ length: docSections[d + 1] - docSections[d] }, (_, i) => docSections[d] + i);
  const anchors = data.now.each(all, (s) => data.secString(s, sec.anchor));
  const headings = data.now.each(all, (s) => data.secString(s, sec.heading));
  let plain = anchor;
  try {
    plain = decodeURIComponent(anchor);
  } catch {
    // it is no escaped anchor
  }
  const [want, decoded] = [fold(anchor), fold(plain)];
  const ways: ((i: number) => boolean)[] = [(i) => anchors[i] === anchor, (i) => anchors[i] !== "" && fold(anchors[i]) === want,
    (i) => anchors[i] !== "" && fold(anchors[i]) === decoded,
    (i) => i > 0 && want !== "" && (fold(headings[i]) === want || fold(slug(headings[i])) === decoded)];
  for (const way of ways) {
    const i = all.findIndex((_, i) => way(i));
    if (i >= 0) return all[i];
  }
  return -1;
}

/** The nodes that a text with # names: a section of a document or of another node. */
export function resolveAnchor(data: Data, entity: string): Match[] {
  const [at, names] = data.now.all(() => findFile(data, plainPath(entity)), () => findName(data, entity));
  const node = (s: number): number => data.rows("DOCS") + s;
  if (at) {
    const [d, anchor] = at;
    const s = anchor ? findAnchor(data, d, anchor) : 0;
    if (!anchor || s >= 0) return [{ node: anchor ? node(s) : d, class: pathName }];
  }
  const list = distinct(names);
  for (let end = entity.lastIndexOf("#"), tries = 0; end > 0 && list.length === 0 && tries < 8; tries++) {
    let last = -1;
    for (const m of findName(data, entity.slice(0, end))) {
      if (!isDoc(data, m.node) || m.node === last) continue;
      last = m.node;
      const s = findAnchor(data, m.node, entity.slice(end + 1));
      if (s >= 0) list.push({ node: node(s), class: m.class });
    }
    end = entity.lastIndexOf("#", end - 1);
  }
  return list;
}
