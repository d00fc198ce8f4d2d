// Many small reads of a block in one round.
import type { File } from "./file.ts";

const gap = 4096; // bytes between two reads that are read to save a request

/** The bytes at some places of a block, [from, how many] each: pages that lie close together by one request. */
export async function readAll(
  file: File, tag: string, spans: readonly (readonly [number, number])[], signal?: AbortSignal,
): Promise<Uint8Array[]> {
  const { page, length } = file.block(tag);
  const out: Uint8Array[] = spans.map(() => new Uint8Array(0));
  const order = spans.map(([at, n], i) => ({ at, n, i })).filter((part) => part.n > 0).sort((a, b) => a.at - b.at);
  const runs: { from: number; to: number; parts: typeof order }[] = [];
  for (const part of order) {
    const from = Math.floor(part.at / page) * page;
    const to = Math.min(length, Math.ceil((part.at + part.n) / page) * page);
    const last = runs[runs.length - 1];
    if (last && from <= last.to + gap) {
      last.to = Math.max(last.to, to);
      last.parts.push(part);
    } else {
      runs.push({ from, to, parts: [part] });
    }
  }
  await Promise.all(runs.map(async ({ from, to, parts }) => {
    const bytes = await file.read(tag, from, to - from, signal);
    for (const { at, n, i } of parts) out[i] = bytes.subarray(at - from, at - from + n);
  }));
  return out;
}
