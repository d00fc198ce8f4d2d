// Documents that the whole query names: by id, file name, path, alias or title (FORMAT.md §13.5).
import { bytesOf, fold, isDoc, joints, named, path, pathName, sec, stemName, titleName, trimMarks } from "#core";
import type { Data } from "./data.ts";
import { editsOf } from "./near.ts";
import type { Match } from "./named.ts";
import { nearly, numbered, written } from "./nearnames.ts";
import type { Query } from "./parse.ts";

const sure = 8; // letters of a query of several known words that may still be a misspelt name

function find(data: Data, key: string): Match[] {
  const number = data.find("NAME", key);
  return number < 0 ? [] : named(data, number);
}

function findDoc(data: Data, file: string): number {
  const nodes = find(data, fold(file)).filter((m) => isDoc(data, m.node)).map((m) => m.node);
  const paths = data.now.each(nodes, (d) => path(data, d));
  return nodes.find((_, i) => paths[i] === file) ?? -1;
}

// findFile is the document of a path, with what stands behind # in it.
function findFile(data: Data, file: string): [number, string] | undefined {
  file = file.replace(/^(\.\/)+/, "");
  if (bytesOf(file) > 8192) return undefined;
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

// findName is find, for a file name with an extension too.
function findName(data: Data, entity: string): Match[] {
  const names = find(data, fold(entity));
  const base = entity.replace(/\/+$/, "").split("/").pop() ?? "";
  const dot = base.lastIndexOf(".");
  if (names.length > 0 || dot < 1 || dot === base.length - 1 || bytesOf(entity) > 8192) return names;
  const file = `/${fold(entity.replace(/^\//, ""))}`;
  const stems = find(data, fold(base.slice(0, dot))).filter((m) => m.class === stemName && isDoc(data, m.node));
  const paths = data.now.each(stems, (m) => path(data, m.node));
  return stems.filter((_, i) => `/${fold(paths[i])}`.endsWith(file));
}

/** The nodes that a text names. */
function resolve(data: Data, entity: string): Match[] {
  entity = entity.trim();
  const [at, names] = data.now.all(() => findFile(data, entity.replace(/^doc:/, "")), () => findName(data, entity));
  const node = (s: number): number => data.rows("DOCS") + s;
  if (at) {
    const [d, anchor] = at;
    const s = anchor ? findAnchor(data, d, anchor) : 0;
    if (!anchor || s >= 0) return [{ node: anchor ? node(s) : d, class: pathName }];
  }
  const list = names.filter((m, i) => names.findIndex((o) => o.node === m.node) === i);
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

/** The nodes that a query names, with or without the marks around it; else those that are called nearly so. A note on the
 *  latter is given as a function that reads how they are written, which can wait. */
export function namesOf(data: Data, q: Query, note: (text: () => string) => void): Match[] {
  const bare = trimMarks(q.text);
  for (const raw of new Set([q.text, bare])) {
    const list = raw === "" ? [] : resolve(data, raw);
    if (list.length > 0) return list.filter((m) => m.class <= titleName);
  }
  const raw = bare === "" ? q.text : bare;
  const letters = [...fold(raw)].filter((c) => !joints.has(c)).length;
  const edits = q.unsure || (q.all.length > 1 && letters >= sure) ? editsOf(letters) : 0;
  let near = nearly(data, raw, edits);
  if (raw !== q.text) {
    const asked = nearly(data, q.text, edits);
    if (asked.length > 0 && (near.length === 0 || asked[0].distance < near[0].distance)) near = asked;
  }
  const same = near.length > 0 && near[0].distance === 0;
  const number = same ? [] : numbered(data, raw);
  const list = number.length > 0 ? number : near;
  const read = list.filter((m) => number.length > 0 || (m.distance > 0 && fold(trimMarks(m.name)) !== fold(raw)));
  if (read.length > 0) {
    note(() => {
      const names = new Set(data.now.each(read, (m) => JSON.stringify(written(data, m))));
      return `nothing is named ${JSON.stringify(q.text)}: read as ${[...names].join(" or ")}`;
    });
  }
  return list;
}

/** Asks for what namesOf will most likely read, and returns documents that are named. */
export function askNames(data: Data, text: string): number[] {
  const found = data.now.each(new Set([text, trimMarks(text)]), (raw) => (raw === "" ? [] : resolve(data, raw)));
  return found.flat().filter((m) => m.class <= titleName && isDoc(data, m.node)).slice(0, 3).map((m) => m.node);
}
