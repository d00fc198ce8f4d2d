// Names that a query is not quite: how they are written, whether they are other words, and those that have its number.
import { doc, fold, isDoc, joints, named, nearName, path, stemName, titleName } from "#core";
import type { Data } from "./data.ts";
import type { NearMatch } from "./nearnames.ts";

/** A name as its document writes it in its file name, path or title; folded where none of them is the name. */
export function written(data: Data, m: NearMatch): string {
  if (!isDoc(data, m.node)) return m.name;
  const [file, title] = data.now.all(() => path(data, m.node), () => data.docString(m.node, doc.title));
  const stem = file.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const begins = [...stem.matchAll(/[-_ ]/g)].filter((s) => s.index > 0).map((s) => stem.slice(0, s.index));
  return [stem, file, title, ...begins].find((form) => fold(form) === m.name) ?? m.name;
}

const scripts = ["Latin", "Han", "Hangul", "Hiragana", "Katakana", "Cyrillic", "Greek", "Thai", "Arabic"];
const scriptOf = (c: string | undefined): string => (c === undefined ? "" : c === "ー" ? "Katakana" :
  (scripts.find((s) => new RegExp(`^\\p{Script=${s}}`, "u").test(c)) ?? ""));

/** Says that two names are different words although they differ by few edits only. */
export function otherWord(a: string, b: string, edits: number): boolean {
  let [x, y] = [a, b].map((s) => [...s].filter((c) => !joints.has(c)));
  let [first, last] = [0, 0];
  while (first < x.length && first < y.length && x[first] === y[first]) first++;
  while (last < x.length - first && last < y.length - first && x[x.length - 1 - last] === y[y.length - 1 - last]) last++;
  let [more, less] = [x.slice(first, x.length - last), y.slice(first, y.length - last)];
  if (more.length < less.length) [x, more, less] = [y, less, more];
  const han = more.filter((c) => scriptOf(c) === "Han").length;
  if (han > 0 && more.length + han > edits) return true;
  if (less.length > 0 || more.length === 0) return false;
  const [script, end] = [scriptOf(more[0]), first + more.length];
  return script !== "" && (first === 0 || scriptOf(x[first - 1]) !== script) &&
    (end === x.length || scriptOf(x[end]) !== scriptOf(more[more.length - 1])) && more.every((c) => scriptOf(c) === script);
}

/** The documents whose file name begins with the number that a text is or ends in. */
export function numbered(data: Data, entity: string): NearMatch[] {
  const m = /^([^0-9]*)([0-9]{3,7})$/.exec(fold(entity.trim()));
  const word = m?.[1].replace(/[ \-_.#]+$/, "") ?? "";
  if (!m || !/^[a-z]{0,12}$/.test(word)) return [];
  const bare = m[2].replace(/^0+/, "");
  const list: NearMatch[] = [];
  let looked = 0;
  for (let width = bare.length; bare !== "" && width <= Math.max(m[2].length, 4); width++) {
    const head = bare.padStart(width, "0");
    for (const [number, key] of data.prefixed("NAME", head)) {
      if (++looked > 1000) return [];
      if (!joints.has(key[head.length] ?? "") || !/^[^0-9]/.test(key.slice(head.length + 1))) continue;
      for (const name of named(data, number)) {
        if (name.class !== stemName || !isDoc(data, name.node) || list.some((o) => o.node === name.node)) continue;
        if (list.length === 3) return [];
        list.push({ node: name.node, class: nearName + name.class, distance: 0, name: key });
      }
    }
  }
  if (word === "" || list.length === 0) return list;
  const folder = (d: number): string => path(data, d).replace(/\/?[^/]*$/, "");
  const folders = new Set<string>();
  for (const [number, key] of data.prefixed("NAME", word).slice(0, 1000)) {
    if (!/^[ \-_.#]*[0-9]+$/.test(key.slice(word.length))) continue;
    for (const n of named(data, number)) if (n.class < titleName && isDoc(data, n.node)) folders.add(folder(n.node));
  }
  return list.filter((m) => {
    const root = data.meta.roots[data.cell("DOCS", doc.root, m.node)]?.base ?? "";
    const names = [...folder(m.node).split("/"), root, data.docString(m.node, doc.kind)].map(fold);
    return folders.has(folder(m.node)) || names.some((name) => name === word || name === `${word}s`);
  });
}
