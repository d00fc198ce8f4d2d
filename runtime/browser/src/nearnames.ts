// Documents whose names are nearly what a query says.
import { bytesOf, fold, joints, named, nearName, titleName } from "#core";
import type { Data } from "./data.ts";
import type { NamingModule } from "./modules.ts";
import type { Match } from "./named.ts";
import { nearStrings } from "./near.ts";

/** A node whose name is near. */
export interface NearMatch extends Match {
  distance: number;
  name: string;
}

/** The nodes whose names differ from a text by the fewest edits, case, accents and joints aside. */
export function nearly(data: Data, entity: string, edits: number): NearMatch[] {
  const all = [...fold(entity.trim())];
  while (all.length > 0 && joints.has(all[0])) all.shift();
  while (all.length > 0 && joints.has(all[all.length - 1])) all.pop();
  const want = all.join("");
  const n = all.filter((c) => !joints.has(c)).length;
  const longest = data.meta.longest_name;
  if (bytesOf(want) > 512 || n < 3 || (longest > 0 && n - edits > longest)) return [];
  const [first, behind] = [all[0], String.fromCodePoint(all[0].codePointAt(0)! + 1)];
  const [from, to] = data.byPage("NAME") ? [first, behind] : ["", ""];
  const found = nearStrings(data, "NAME", want, from, to, edits, joints)
    .filter((m) => m.distance === 0 || !data.now.module<NamingModule>("./naming.js").otherWord(want, m.key, edits));
  const list: (NearMatch & { other: boolean })[] = [];
  for (const m of found) {
    if (list.length > 0 && m.distance > list[0].distance) break;
    const other = [...m.key].find((c) => !joints.has(c)) !== first;
    for (const name of named(data, m.number)) {
      if (name.class <= titleName) {
        list.push({ node: name.node, class: nearName + name.class, distance: m.distance, name: m.key, other });
      }
    }
  }
  list.sort((a, b) => +a.other - +b.other || a.class - b.class || a.node - b.node);
  return list.filter((m, i) => list.findIndex((o) => o.node === m.node) === i).slice(0, 8);
}
