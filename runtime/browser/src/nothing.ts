// What a filter asks for that no document has, and what there is instead: no hits alone look like an answer.
import { bitmap, bytesOf, cutBytes, doc, fold, keyOf, textOf } from "#core";
import { cleanLines } from "./clean.ts";
import type { Data } from "./data.ts";
import { facetFields, notBefore, stringsOf, valuesOf, type Filter } from "./filter.ts";
import { globOf } from "./glob.ts";

const maxWarnings = 5;
const maxNamed = 8; // values that a warning names
const maxKinds = 32; // of a field that usually has few
const maxAlike = 64; // bytes of a value that others are compared with

const byName = (a: string, b: string): number => (keyOf(a) < keyOf(b) ? -1 : 1);
const clean = (s: string): string => cleanLines(s).replace(/[\n\t]/g, " ");
const shorten = (s: string, most: number): string => (bytesOf(s) <= most ? s : `${cutBytes(s, most - 3)}…`);
const clip = (s: string): string => clean(shorten(s, 40));
const quote = (s: string): string => `"${clean(shorten(s, 80))}"`;
const names = (f: Filter): string[] => Object.keys(f.where ?? {}).sort(byName);

/** The values of a filter that no document has. */
export function unknown(data: Data, f: Filter): string[] {
  const out: string[] = [];
  const say = (text: string): void => void (text && out.length < maxWarnings && out.push(text));
  const check = (field: string, what: string, many: string, values: string[]): void => {
    for (const v of values) {
      if (out.length < maxWarnings && data.facet(field, fold(v)).size === 0) {
        say(`no document has ${what} ${quote(v)}${instead(data, field, many, v)}`);
      }
    }
  };
  for (const [key, field, many] of facetFields) check(field, field.replace("_", " "), many, valuesOf(f, key));
  for (const name of names(f)) {
    const fields = [...new Set(facts(data).map((s) => s.split("\0")[0]))];
    if (fields.includes(`.${fold(name)}`)) check(`.${fold(name)}`, clip(name), "values", f.where![name]);
    else {
      const there = fields.filter((s) => s[0] === ".").map((s) => s.slice(1)).sort(byName);
      say(`no document's front matter has the field ${quote(name)}${among("fields", there, name, maxNamed)}`);
    }
  }
  say(noPath(data, f.pathGlob ?? ""));
  say(noDate(data, f.since ?? ""));
  return out;
}

/** What a filter asks of a document, as parts that all have to hold. */
export function asks(f: Filter): string {
  const parts: string[] = [];
  const part = (name: string, values: string[]): void => {
    if (values.length > 0) parts.push(`${name} ${values.slice(0, maxNamed).map(clip).join(" or ")}`);
  };
  for (const [key, field] of facetFields) part(field.replace("_", " "), valuesOf(f, key));
  for (const name of names(f)) part(clip(name), f.where![name]);
  if (f.pathGlob) parts.push(`a path like ${clip(f.pathGlob)}`);
  if (f.since) parts.push(`a date from ${clip(f.since)} on`);
  return parts.slice(0, maxNamed).join(", ");
}

function facts(data: Data): string[] {
  return data.keep("FACT.text", () => data.dictionary("FACT").all(data.now).map(textOf));
}

// instead names the values that a field has, the most frequent first.
function instead(data: Data, field: string, many: string, asked: string): string {
  const [all, start] = [facts(data), `${field}\0`];
  const rows = all.map((_, i) => i).filter((i) => all[i].startsWith(start));
  const counts = data.now.each(rows, (i) => {
    const [from, to] = data.span("FCOF", 0, i);
    return bitmap(data.now.bytes("FBMP", from, to - from), data.rows("DOCS")).size;
  });
  const values = rows.map((row, i) => ({ value: all[row].slice(start.length), count: counts[i] }))
    .map((v) => (field === "chunk_type" ? { ...v, value: v.value.toUpperCase() } : v))
    .sort((a, b) => b.count - a.count || byName(a.value, b.value)).map((v) => v.value);
  return among(many, values, asked, field === "tag" || field[0] === "." ? maxNamed : maxKinds);
}

// among ends a warning: what was probably meant, and what there is; of more than most values, those that are like the
// asked one come first.
function among(many: string, values: string[], asked: string, most: number): string {
  if (values.length === 0) return `; there are no ${many}`;
  asked = fold(asked);
  if (values.length > most && bytesOf(asked) <= maxAlike) {
    const likeness = new Map(values.map((v) => [v, alike(keyOf(asked), keyOf(v))]));
    values = [...values].sort((a, b) => likeness.get(b)! - likeness.get(a)!);
  }
  const near = nearest(asked, values);
  const more = values.length - most;
  return `${near && `; did you mean ${quote(near)}?`}; ${many} are ${values.slice(0, most).map(clip).join(", ")}` +
    (more > 0 ? ` and ${more} more` : "");
}

// alike is the percentage of the pairs of bytes that two values share, 0 below a third: sharing few says nothing.
function alike(asked: string, value: string): number {
  let n = 0;
  for (let i = 0; i + 1 < value.length; i++) if (asked.includes(value.slice(i, i + 2))) n += 200;
  n = Math.floor(n / Math.max(1, asked.length + value.length - 2));
  return n >= 33 ? n : 0;
}

// nearest is the value that was most likely meant: case, -, _ and spaces aside the same, with the same beginning, or
// two edits away.
function nearest(asked: string, values: string[]): string {
  const plain = (s: string): string => s.replace(/[-_\s]/g, "").toLowerCase();
  const got = plain(asked);
  const n = bytesOf(got);
  if (n === 0 || n > 64) return "";
  const most = n === 1 ? 0 : n <= 4 ? 1 : 2;
  let [best, least] = ["", 4];
  for (const value of values) {
    const want = plain(value);
    let cost = 4;
    if (want === got) cost = 0;
    else if (n >= 3 && (want.startsWith(got) || (bytesOf(want) >= 3 && got.startsWith(want)))) cost = 2;
    const d = edits([...got], [...want], most);
    if (d <= most && d < Math.max(n, bytesOf(want))) cost = Math.min(cost, d);
    if (cost < least) [best, least] = [value, cost];
  }
  return best;
}

// edits is the number of letters to add, drop or replace; more than most is as good as any.
function edits(a: string[], b: string[], most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let row = b.map((_, j) => j + 1);
  a.forEach((c, i) => {
    let [left, corner] = [i + 1, i];
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + +(c !== b[j]));
      corner = above;
      return left;
    });
  });
  return row[b.length - 1] ?? a.length;
}

function noPath(data: Data, glob: string): string {
  if (glob === "") return "";
  const paths = stringsOf(data, doc.path);
  const any = (glob: string): boolean => paths.some(globOf(glob) ?? (() => false));
  if (any(glob)) return "";
  const plain = glob.replace(/^\.\//, "").replace(/^\/+|\/+$/g, "");
  const slash = plain.indexOf("/");
  const below = slash < 0 ? "" : plain.slice(slash + 1); // the folder that was compiled is no part of the paths
  const meant = [plain, `${plain}/**`, below, `${below}/**`, `**/${plain}`]
    .find((m) => /[^/*]/.test(m) && m !== glob && any(m));
  const warning = `no document has a path like ${quote(glob)}`;
  if (meant) return `${warning}; did you mean ${quote(meant)}?`;
  const folders = [...new Set(paths.filter((p) => p.includes("/")).map((p) => `${p.split("/")[0]}/`))].sort(byName);
  return folders.length === 0 ? warning : warning + among("folders", folders, "", maxNamed);
}

function noDate(data: Data, since: string): string {
  if (since === "") return "";
  const dates = stringsOf(data, doc.date).filter((date) => notBefore(date, "0000"));
  if (dates.some((date) => notBefore(date, since))) return "";
  const newest = dates.reduce((a, b) => (b > a ? b : a), "");
  return `no document is dated on or after ${since}${newest ? `; the newest is of ${clip(newest)}` : ": none has a date"}`;
}
