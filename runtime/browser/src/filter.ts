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

/** The documents that a filter admits, undefined for all; note is told values that no document has. */
export function admitted(data: Data, f: Filter, note: (text: string) => void): Set<number> | undefined {
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
  if (f.pathGlob) sets.push(byString(data, doc.path, globOf(f.pathGlob)));
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

/** A glob: * and ? within a folder, ** over folders, [abc] and {a,b}. */
export function globOf(glob: string): (path: string) => boolean {
  const bad = new KddxError("invalid_input", `path glob ${JSON.stringify(glob)}: want for example guides/**/*.md`);
  if (glob.length > 256 || (glob.match(/[*{]/g)?.length ?? 0) > 16) throw bad;
  let [out, open] = ["", 0];
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i];
    const folder = i === 0 || glob[i - 1] === "/" || (open > 0 && "{,".includes(glob[i - 1]));
    const deep = folder && /^\*\*(\/|$|[,}])/.exec(glob.slice(i));
    if (deep && (open > 0 || !/[,}]/.test(deep[1]))) {
      if (deep[1] === "/") out += "(?:[^]*/)?";
      else out = out.endsWith("/") ? `${out.slice(0, -1)}(?:/[^]*)?` : `${out}[^]*`;
      i += deep[1] === "/" ? 2 : 1;
    } else if (c === "*") {
      while (glob[i + 1] === "*") i++;
      out += "[^/]*";
    } else if (c === "?") out += "[^/]";
    else if (c === "[") {
      const m = /^\[([!^]?)((?:\\.|[^\]\\])+)\]/.exec(glob.slice(i));
      if (!m) throw bad;
      out += `(?!/)[${m[1] ? "^" : ""}${m[2].replace(/[[\]^]/g, "\\$&")}]`;
      i += m[0].length - 1;
    } else if (c === "{") [out, open] = [`${out}(?:`, open + 1];
    else if (c === "}" && open > 0) [out, open] = [`${out})`, open - 1];
    else if (c === "," && open > 0) out += "|";
    else out += (c === "\\" ? (glob[++i] ?? "\\") : c).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  }
  if (open > 0) throw bad;
  try {
    const re = new RegExp(`^${out}$`, "u");
    return (path) => re.test(path);
  } catch {
    throw bad;
  }
}
