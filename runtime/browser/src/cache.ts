// Keeps checked bytes of a file from visit to visit, in a Cache of the browser.
import { hex, sha256 } from "#core";
import type { Source } from "./source.ts";

/** The part of the Cache API that is used. */
export interface Store {
  match(request: string): Promise<Response | undefined>;
  put(request: string, response: Response): Promise<void>;
  delete(request: string): Promise<boolean>;
  keys(): Promise<readonly { url: string }[]>;
}

// An entry is bytes of a file, and its name says of which file, where they lie, and their SHA-256.
interface Entry {
  url: string;
  from: number;
  to: number;
}

const base = "https://kddx.invalid/";
const form = /^https:\/\/kddx\.invalid\/([0-9a-f]{64})\/(\d{1,15})-(\d{1,15})\/([0-9a-f]{64})$/;

/** A source that reads from a store what it kept of the file with a root hash, and keeps at most limit bytes in it. */
export async function stored(source: Source, store: Store, root: string, limit: number): Promise<Source> {
  const all: Entry[] = []; // of all files, the oldest first
  const own: Entry[] = []; // of this one
  let bytes = 0;
  const add = (url: string): void => {
    const [, of, from, to] = form.exec(url) ?? [];
    if (of === undefined) return;
    const entry = { url, from: Number(from), to: Number(to) };
    all.push(entry);
    bytes += entry.to - entry.from;
    if (of === root) own.push(entry);
  };
  const drop = (entry: Entry): Promise<boolean> => {
    for (const list of [all, own]) if (list.includes(entry)) list.splice(list.indexOf(entry), 1);
    bytes -= entry.to - entry.from;
    return store.delete(entry.url);
  };
  for (const { url } of await store.keys().catch(() => [])) add(url);
  // load returns the bytes of an entry; undefined if they are gone or others.
  const load = async (entry: Entry): Promise<Uint8Array | undefined> => {
    try {
      const answer = await store.match(entry.url);
      const found = answer && new Uint8Array(await answer.arrayBuffer());
      if (found?.length === entry.to - entry.from && entry.url.endsWith(hex(await sha256(found)))) return found;
    } catch {
      // A store that fails has nothing.
    }
    if (own.includes(entry)) await drop(entry).catch(() => false);
    return undefined;
  };

  let waiting: { at: number; bytes: Uint8Array }[] = [];
  let done: Promise<void> = Promise.resolve();
  // flush puts what was checked since, what lies side by side into one entry.
  const flush = async (): Promise<void> => {
    const parts = waiting.sort((a, b) => a.at - b.at);
    waiting = [];
    for (let i = 0; i < parts.length; ) {
      const from = parts[i].at;
      const list: Uint8Array[] = [];
      let to = from;
      for (; i < parts.length && parts[i].at <= to; i++) {
        if (parts[i].at < to) continue; // it is there twice
        list.push(parts[i].bytes);
        to += parts[i].bytes.length;
      }
      const body = new Uint8Array(to - from);
      list.reduce((at, part) => (body.set(part, at), at + part.length), 0);
      if (body.length > limit) continue;
      const url = `${base}${root}/${from}-${to}/${hex(await sha256(body))}`;
      await store.put(url, new Response(body));
      if (!own.some((entry) => entry.url === url)) add(url);
      while (bytes > limit && all.length) await drop(all[0]);
    }
  };
  const has = (at: number): Entry | undefined =>
    own.reduce<Entry | undefined>((best, e) =>
      (e.from <= at && at < e.to && e.to > (best?.to ?? 0) ? e : best), undefined);
  return {
    ...source,
    read: async (at, n, signal) => {
      const parts: Promise<void>[] = [];
      const out = new Uint8Array(n);
      const put = async (from: number, to: number, entry?: Entry): Promise<void> => {
        const kept = entry && await load(entry);
        const begin = entry?.from ?? 0;
        const found = kept?.subarray(from - begin, to - begin) ?? await source.read(from, to - from, signal);
        out.set(found, from - at);
      };
      for (let from = at; from < at + n; ) {
        const entry = has(from);
        const next = entry ? entry.to : own.reduce((m, e) => (e.from > from ? Math.min(m, e.from) : m), at + n);
        const to = Math.min(next, at + n);
        parts.push(put(from, to, entry));
        from = to;
      }
      await Promise.all(parts);
      return out;
    },
    keep: (at, bytes) => {
      if ((has(at)?.to ?? 0) >= at + bytes.length) return;
      if (!waiting.length) setTimeout(() => (done = done.then(flush).catch(() => undefined)), 0);
      waiting.push({ at, bytes });
    },
  };
}
