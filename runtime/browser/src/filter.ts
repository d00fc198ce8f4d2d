// What a filter admits: documents by their facets, path and date.
import { KddxError, doc, fold } from "#core";
import type { Data } from "./data.ts";
import { globOf } from "./glob.ts";
import { asks, unknown } from "./nothing.ts";

/** A filter: of each field one of the values, case and accents aside; all fields have to hold. */
export interface Filter {
  kinds?: string[];
  chunkTypes?: string[];
  domains?: string[];
  tags?: string[];
  status?: string[];
  languages?: string[];
  /** Fields of the front matter. */
  where?: { [name: string]: string[] };
  /** A glob over paths: guides/**, *.md, {a,b}/?.md. */
  pathGlob?: string;
  /** 2006, 2006-01 or 2006-01-02: documents dated then or later. */
  since?: string;
}

/** A field of a filter, the facet that it asks, and what its values are called. */
export const facetFields = [["kinds", "kind", "kinds"], ["chunkTypes", "chunk_type", "chunk types"],
  ["domains", "domain", "domains"], ["tags", "tag", "tags"], ["status", "status", "statuses"],
  ["languages", "language", "languages"]] as const;

/** A language as documents have it: pt-BR is pt, nb no. */
export function languageOf(text: string): string {
  const code = text.trim().toLowerCase().split(/[-_]/)[0];
  if (!/^[a-z]{2}$/.test(code)) return "";
  return code === "nb" || code === "nn" ? "no" : code;
}

/** The values of a field, languages as documents have them. */
export function valuesOf(f: Filter, key: (typeof facetFields)[number][0]): string[] {
  const values = f[key] ?? [];
  return key === "languages" ? values.map((v) => languageOf(v) || v) : values;
}

/** The documents that a filter admits, undefined for all; note is told values that no document has. */
export function admitted(data: Data, f: Filter, note: (text: string) => void): Set<number> | undefined {
  const sets = data.now.each([...facetFields.map(([key, field]): [string, string[]] => [field, valuesOf(f, key)]),
    ...Object.entries(f.where ?? {}).map(([name, values]): [string, string[]] => [`.${fold(name)}`, values])]
    .filter(([field, values]) => field[0] === "." || values.length > 0), ([field, values]) =>
    new Set(data.now.each(values, (v) => data.facet(field, fold(v))).flatMap((set) => [...set])));
  if (f.pathGlob) {
    const test = globOf(f.pathGlob);
    if (!test) throw new KddxError("invalid_input", `path glob ${JSON.stringify(f.pathGlob)}: want for example guides/**/*.md`);
    sets.push(byString(data, doc.path, test));
  }
  if (f.since) {
    const since = f.since;
    if (!isDate(since)) throw new KddxError("invalid_input", `since: ${JSON.stringify(since)} is no date`);
    sets.push(byString(data, doc.date, (date) => notBefore(date, since)));
  }
  if (sets.length === 0) return undefined;
  const [first, ...rest] = sets;
  const docs = new Set([...first].filter((d) => rest.every((set) => set.has(d))));
  const warnings = unknown(data, f);
  if (docs.size === 0 && warnings.length === 0) warnings.push(`no document has all that the filters ask for: ${asks(f)}`);
  warnings.forEach(note);
  return docs;
}

// byString are the documents of which a string is as is says.
export function byString(data: Data, column: number, is: (s: string) => boolean): Set<number> {
  const strings = stringsOf(data, column);
  return new Set(strings.map((_, d) => d).filter((d) => is(strings[d])));
}

/** A string of all documents. */
export function stringsOf(data: Data, column: number): string[] {
  return data.now.each(Array.from({ length: data.rows("DOCS") }, (_, d) => d), (d) => data.docString(d, column));
}

/** Compares a document's date with another as far as both are known. */
export function notBefore(date: string, since: string): boolean {
  return isDate(date.slice(0, 4)) && date.slice(0, since.length) >= since.slice(0, date.length);
}

function isDate(s: string): boolean {
  const m = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(s);
  if (!m) return false;
  const day = new Date(Date.UTC(Number(m[1]), Number(m[2] ?? 1) - 1, Number(m[3] ?? 1)));
  return day.getUTCMonth() === Number(m[2] ?? 1) - 1 && day.getUTCDate() === Number(m[3] ?? 1);
}
