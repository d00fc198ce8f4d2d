// Documents that the whole query names: by id, file name, path, alias or title (FORMAT.md §13.5).
import { bytesOf, fold, isDoc, joints, named, path, pathName, stemName, titleName, trimMarks } from "#core";
import type { Data } from "./data.ts";
import type { NamingModule } from "./modules.ts";
import type { Match } from "./named.ts";
import { editsOf } from "./near.ts";
import { nearly } from "./nearnames.ts";
import type { Query } from "./parse.ts";

/** Bytes of a path that is looked for. */
export const maxPath = 8192;
const sure = 8; // letters of a query of several known words that may still be a misspelt name

function find(data: Data, key: string): Match[] {
  const number = data.find("NAME", key);
  return number < 0 ? [] : named(data, number);
}

/** The document of a path; -1 if there is none. */
export function findDoc(data: Data, file: string): number {
  const nodes = find(data, fold(file)).filter((m) => isDoc(data, m.node)).map((m) => m.node);
  const paths = data.now.each(nodes, (d) => path(data, d));
  return nodes.find((_, i) => paths[i] === file) ?? -1;
}

/** The document of a path as somebody may write it; -1 if there is none. */
function findFile(data: Data, entity: string): number {
  const file = plainPath(entity);
  return bytesOf(file) > maxPath ? -1 : findDoc(data, file);
}

/** A path without what may stand before it. */
export const plainPath = (entity: string): string => entity.replace(/^doc:/, "").replace(/^(\.\/)+/, "");

/** Each node once. */
export const distinct = (list: readonly Match[]): Match[] =>
  list.filter((m, i) => list.findIndex((o) => o.node === m.node) === i);

/** The nodes of a name, which may be a file name with an extension. */
export function findName(data: Data, entity: string): Match[] {
  const names = find(data, fold(entity));
  const base = entity.replace(/\/+$/, "").split("/").pop() ?? "";
  const dot = base.lastIndexOf(".");
  if (names.length > 0 || dot < 1 || dot === base.length - 1 || bytesOf(entity) > maxPath) return names;
  const file = `/${fold(entity.replace(/^\//, ""))}`;
  const stems = find(data, fold(base.slice(0, dot))).filter((m) => m.class === stemName && isDoc(data, m.node));
  const paths = data.now.each(stems, (m) => path(data, m.node));
  return stems.filter((_, i) => `/${fold(paths[i])}`.endsWith(file));
}

// resolve are the nodes that a text names; naming.js reads those with an anchor.
function resolve(data: Data, entity: string): Match[] {
  entity = entity.trim();
  if (entity.includes("#")) return naming(data).resolveAnchor(data, entity);
  const [d, names] = data.now.all(() => findFile(data, entity), () => findName(data, entity));
  return d >= 0 ? [{ node: d, class: pathName }] : distinct(names);
}

const naming = (data: Data): NamingModule => data.now.module<NamingModule>("./naming.js");

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
  const number = same || !/^[^0-9]*[0-9]{3,7}$/.test(fold(raw.trim())) ? [] : naming(data).numbered(data, raw);
  const list = number.length > 0 ? number : near;
  const read = list.filter((m) => number.length > 0 || (m.distance > 0 && fold(trimMarks(m.name)) !== fold(raw)));
  if (read.length > 0) {
    note(() => {
      const names = new Set(data.now.each(read, (m) => JSON.stringify(naming(data).written(data, m))));
      return `nothing is named ${JSON.stringify(q.text)}: read as ${[...names].join(" or ")}`;
    });
  }
  return list;
}

/** Asks for what namesOf will most likely read, and for the edges of documents that are named. */
export function askNames(data: Data, text: string): void {
  const found = data.now.each(new Set([text, trimMarks(text)]), (raw) => (raw === "" ? [] : resolve(data, raw)));
  const docs = found.flat().filter((m) => m.class <= titleName && isDoc(data, m.node)).slice(0, 3);
  data.now.each(docs, (m) => naming(data).edgesOf(data, m.node));
}
