// META (FORMAT.md §10.1): what this reader needs of it.
import { KddxError, need } from "./bytes.ts";
import type { File } from "./file.ts";

/** The weights that scores are made with. */
export interface Weights {
  k1: number; b: number; title: number; path: number; lexical: number; pairs: number; best: number; top3: number;
  anchor: number; heading: number; title_match: number; file: number; whole: number; typo: number;
  other_accents: number; plain_accents: number; grammar: number; lexical_only: number; lexical_text: number;
  stale: number; aside: number; near: number; many: number;
  calibration: { mode: string; a: number; b: number; c: number }[];
}

/** What META says. */
export interface Meta {
  title?: string;
  base_url?: string;
  analyzer: number;
  weights: Weights;
  lengths: { chunks: number };
  languages: { language: string; documents: number }[];
  longest_name: number;
  chunk_types: string[];
  roots: { base: string }[];
  edge_types: { name: string; weight: number; impact: string }[];
  asides?: { kind: string; headings?: string[]; asked?: string[] }[];
  encoder?: string;
  model?: { languages?: string[] };
}

const keys = ("k1 b title path lexical pairs best top3 anchor heading title_match file whole typo other_accents " +
  "plain_accents grammar lexical_only lexical_text stale aside near many").split(" ") as (keyof Weights)[];

/** Reads and checks META. */
export function metaOf(bytes: Uint8Array): Meta {
  let m: Partial<Meta>;
  try {
    m = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Partial<Meta>;
  } catch {
    throw new KddxError("index_corrupt", "META: no JSON");
  }
  if (m?.analyzer !== 2) throw new KddxError("index_version", `META: analyzer ${m?.analyzer}, want 2`);
  const w = m.weights;
  for (const key of keys) {
    const v = w?.[key];
    const most = key === "b" || key.endsWith("accents") ? 1 : 1000;
    need(typeof v === "number" && v >= 0 && v <= most, `META: weight ${key} is ${String(v)}`);
  }
  const numbers = (...list: unknown[]): boolean => list.every((n) => typeof n === "number" && Number.isFinite(n));
  const strings = (list: unknown): boolean => Array.isArray(list) && list.every((s) => typeof s === "string");
  const rows = <T>(list: T[] | undefined, ok: (row: T) => boolean): boolean =>
    Array.isArray(list) && list.every((row) => typeof row === "object" && row !== null && ok(row));
  const count = m.lengths?.chunks;
  need(Number.isSafeInteger(count) && count! >= 0, "META: lengths");
  need(rows(w?.calibration, (c) => typeof c.mode === "string" && numbers(c.a, c.b, c.c)), "META: calibration");
  need(rows(m.languages, (l) => typeof l.language === "string" && numbers(l.documents)), "META: languages");
  need(rows(m.edge_types, (t) => typeof t.name === "string" && numbers(t.weight)), "META: edge_types");
  need(rows(m.roots, (r) => typeof r.base === "string") && strings(m.chunk_types), "META: roots or chunk_types");
  const lists = (a: { headings?: string[]; asked?: string[] }): boolean => strings(a.headings ?? []) && strings(a.asked ?? []);
  need(rows(m.asides ?? [], (a) => typeof a.kind === "string" && lists(a)), "META: asides");
  need(numbers(m.longest_name), "META: longest_name");
  return m as Meta;
}

/** Reads META of a file. */
export async function readMeta(file: File): Promise<Meta> {
  need(file.block("META").length <= 2 ** 20, "META: more than 2^20 bytes");
  return metaOf(await file.read("META"));
}
