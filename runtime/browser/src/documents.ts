// What is read of an artifact beside searches, in a file of its own: lists of documents, their markdown, and how many have
// a value in a field, which an interface offers as filters.
import { KddxError, Texts, bitmap, doc, need, sec, textOf } from "#core";
import type { Data } from "./data.ts";
import type { Unpack } from "./text.ts";

/** What a list says of a document. */
export interface Document {
  path: string;
  title: string;
  kind: string;
  language: string;
}

const maxDocument = 2 ** 26;

/** All documents, in the order of their paths. */
export function documents(data: Data): Promise<Document[]> {
  return data.now.run(() => {
    data.now.ask("DOCS");
    data.now.ask("STRS");
    const all = Array.from({ length: data.rows("DOCS") }, (_, d) => d);
    const text = (d: number, column: number) => () => data.docString(d, column);
    return data.now.each(all, (d) => {
      const [path, title, kind, language] = data.now.all(text(d, doc.path), text(d, doc.title), text(d, doc.kind),
        text(d, doc.language));
      return { path, title, kind, language };
    });
  });
}

/** The markdown of a section, of the whole document without an anchor. */
export async function section(
  data: Data, unpack: Unpack, path: string, anchor: string, signal?: AbortSignal,
): Promise<string> {
  const all = await documents(data);
  const d = all.findIndex((one) => one.path === path);
  if (d < 0) throw new KddxError("not_found", `no document ${JSON.stringify(path)}`);
  return data.now.run(() => {
    const [[from, to], [first, end]] = data.now.all(() => data.span("DOCS", doc.text, d),
      () => data.span("DOCS", doc.sections, d));
    need(to - from <= maxDocument, `DOCS: a document of ${to - from} bytes`);
    const rows = Array.from({ length: end - first }, (_, i) => first + i);
    const anchors = data.now.each(rows, (s) => data.secString(s, sec.anchor));
    const s = rows[anchors.indexOf(anchor)];
    if (s === undefined) throw new KddxError("not_found", `${path}: no section ${JSON.stringify(anchor)}`);
    const [start, bytes] = data.now.all(() => data.cell("SECS", sec.start, s), () => data.cell("SECS", sec.bytes, s));
    need(start + bytes <= to - from, `SECS: section ${s} lies outside its document`);
    const texts = data.keep("texts", () => new Texts(data.now));
    return new TextDecoder().decode(texts.read(data.now, unpack, from + start, from + start + bytes));
  }, signal);
}

/** The path of the document, and the anchor of the section, that a chunk stands in. */
export async function placeOf(data: Data, chunk: number): Promise<{ path: string; anchor: string }> {
  const n = data.file.block("CHNK").rows;
  if (!(chunk >= 0 && chunk < n)) throw new KddxError("invalid_input", `chunk ${chunk}, want 0 to ${n - 1}`);
  return data.now.run(() => {
    const { chunkDoc, chunkSec } = data.places();
    const [path, anchor] = data.now.all(() => data.docString(chunkDoc[chunk], doc.path),
      () => data.secString(chunkSec[chunk], sec.anchor));
    return { path, anchor };
  });
}

/** A value, folded as filters compare it, and how many documents have it. */
export interface Facet {
  value: string;
  count: number;
}

const fields = { kinds: "kind", tags: "tag", languages: "language", domains: "domain", status: "status" } as const;

/** Values by the names of filters, the most frequent first. */
export type Facets = Record<keyof typeof fields, Facet[]>;

/** The values of all documents. */
export function facets(data: Data, signal?: AbortSignal): Promise<Facets> {
  return data.now.run(() => facetsOf(data), signal);
}

function facetsOf(data: Data): Facets {
  const [all, spans] = data.now.all(() => data.keep("FACT.all", () => data.dictionary("FACT").all(data.now)),
    () => data.table("FCOF").range(data.now, 0));
  need(spans.length === all.length + 1, "FCOF: other values than FACT has");
  const out = {} as Facets;
  for (const name of Object.keys(fields) as (keyof typeof fields)[]) {
    const start = `${fields[name]}\0`;
    const rows = all.map((_, i) => i).filter((i) => all[i].startsWith(start));
    const counts = data.now.each(rows, (i) => bitmap(data.now.bytes("FBMP", spans[i], spans[i + 1] - spans[i]), data.rows("DOCS")).size);
    out[name] = rows.map((row, i) => ({ value: textOf(all[row]).slice(start.length), count: counts[i] }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  }
  return out;
}
