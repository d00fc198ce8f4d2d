// What a filter admits: documents by their facets, path and date.
import { KddxError } from "./bytes.ts";
import { doc, type Data } from "./data.ts";
import { fold } from "./fold.ts";

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

const facets = [["kinds", "kind"], ["chunkTypes", "chunk_type"], ["domains", "domain"], ["tags", "tag"], ["status", "status"],
  ["languages", "language"]] as const;

/** A language as documents have it: pt-BR is pt, nb no. */
export function languageOf(text: string): string {
  const code = text.trim().toLowerCase().split(/[-_]/)[0];
  if (!/^[a-z]{2}$/.test(code)) return "";
  return code === "nb" || code === "nn" ? "no" : code;
}

/** Makes a test of a glob. */
export type Glob = (glob: string) => (path: string) => boolean;

/** What makes tests of globs, with an error for what is no glob; of is globOf of operators.js. */
export const globs = (of: (glob: string) => ((path: string) => boolean) | undefined): Glob => (glob) => {
  const test = of(glob);
  if (!test) throw new KddxError("invalid_input", `path glob ${JSON.stringify(glob)}: want for example guides/**/*.md`);
  return test;
};

/** The documents that a filter admits, undefined for all; globOf is there if a glob is, note is told values that no document has. */
export function admitted(data: Data, f: Filter, note: (text: string) => void, globOf?: Glob): Set<number> | undefined {
  const asked: [field: string, what: string, values: string[]][] = [];
  for (const [key, field] of facets) {
    const values = f[key] ?? [];
    const codes = key === "languages" ? values.map((v) => languageOf(v) || v) : values;
    if (values.length > 0) asked.push([field, field.replace("_", " "), codes]);
  }
  for (const [name, values] of Object.entries(f.where ?? {})) asked.push([`.${fold(name)}`, name, values]);
  const sets = data.now.each(asked, ([field, what, values]) => {
    const all = new Set<number>();
    for (const set of data.now.each(values, (v) => data.facet(field, fold(v)))) for (const d of set) all.add(d);
    if (all.size === 0) note(`no document has ${what} ${values.map((v) => JSON.stringify(v)).join(" or ")}`);
    return all;
  });
  if (f.pathGlob) sets.push(byString(data, doc.path, globOf!(f.pathGlob)));
  if (f.since) {
    const since = f.since;
    if (!isDate(since)) throw new KddxError("invalid_input", `since: ${JSON.stringify(since)} is no date`);
    sets.push(byString(data, doc.date, (date) => isDate(date.slice(0, 4)) &&
      date.slice(0, since.length) >= since.slice(0, date.length)));
  }
  if (sets.length === 0) return undefined;
  const [first, ...rest] = sets;
  return new Set([...first].filter((d) => rest.every((set) => set.has(d))));
}

// byString are the documents of which a string is as is says.
export function byString(data: Data, column: number, is: (s: string) => boolean): Set<number> {
  const docs = Array.from({ length: data.rows("DOCS") }, (_, d) => d);
  const strings = data.now.each(docs, (d) => data.docString(d, column));
  return new Set(docs.filter((d) => is(strings[d])));
}

function isDate(s: string): boolean {
  const m = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(s);
  if (!m) return false;
  const day = new Date(Date.UTC(Number(m[1]), Number(m[2] ?? 1) - 1, Number(m[3] ?? 1)));
  return day.getUTCMonth() === Number(m[2] ?? 1) - 1 && day.getUTCDate() === Number(m[3] ?? 1);
}
