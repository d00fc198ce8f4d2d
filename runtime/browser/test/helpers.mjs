// What the tests share: a server, numbers, and files whose hashes fit what was changed in them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";

// served answers from a server until done; it counts requests and bytes.
export async function served(handle, done) {
  const seen = { requests: 0, bytes: 0 };
  const server = createServer((req, res) => {
    seen.requests++;
    const body = handle(req, res);
    seen.bytes += body?.length ?? 0;
    res.end(body);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    await done(`http://127.0.0.1:${server.address().port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
}

export function ranged(bytes, tag = '"1"') {
  return (req, res) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range).map(Number);
    const part = bytes.subarray(from, to + 1);
    res.writeHead(206, { etag: tag, "content-range": `bytes ${from}-${from + part.length - 1}/${bytes.length}` });
    return part;
  };
}

// What the root hash is of.
export function headOf(bytes) {
  const n = 128 + 64 * new DataView(bytes.buffer, bytes.byteOffset).getUint32(32, true);
  const head = bytes.slice(0, n);
  head.fill(0, 64, 96);
  return head;
}

// numbers gives the same numbers below n in each run.
export const numbers = (seed) => (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 9) % n;

const sum = (bytes) => createHash("sha256").update(bytes).digest();

// blocksOf reads the directory: where blocks lie, and where in it.
export function blocksOf(bytes) {
  const v = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: v.getUint32(32, true) }, (_, i) => 128 + 64 * i).map((at) => ({
    at, tag: String.fromCharCode(...bytes.subarray(at, at + 4)), bits: v.getUint8(at + 5),
    offset: Number(v.getBigUint64(at + 8, true)), length: Number(v.getBigUint64(at + 16, true)),
  }));
}

// seal makes all hashes fit what the pages are.
export function seal(bytes) {
  const blocks = blocksOf(bytes).filter((b) => b.tag !== "TREE");
  blocks.sort((a, b) => a.offset - b.offset || a.length - b.length);
  const levels = new Map();
  for (const b of blocks) {
    const body = bytes.subarray(b.offset, b.offset + b.length);
    const [page, all] = [b.bits ? 2 ** b.bits : b.length || 1, [[]]];
    for (let at = 0; at < body.length; at += page) all[0].push(sum(body.subarray(at, at + page)));
    while (all.at(-1).length > 1) {
      const below = all.at(-1);
      all.push(Array.from({ length: Math.ceil(below.length / 128) }, (_, i) =>
        sum(Buffer.concat(below.slice(128 * i, 128 * i + 128)))));
    }
    bytes.set(all.pop()[0] ?? sum(body), b.at + 32);
    levels.set(b.tag, all);
  }
  const tree = blocksOf(bytes).find((b) => b.tag === "TREE");
  let at = tree.offset;
  for (let level = Math.max(...[...levels.values()].map((all) => all.length)) - 1; level >= 0; level--) {
    for (const b of blocks) for (const h of levels.get(b.tag)[level] ?? []) at = (bytes.set(h, at), at + 32);
  }
  assert.equal(at, tree.offset + tree.length);
  bytes.set(sum(bytes.subarray(tree.offset, at)), tree.at + 32);
  bytes.set(sum(headOf(bytes)), 64);
}
