// node measure.mjs KDDX.JS FILE QUESTIONS.TSV: time, bytes and requests of questions by meaning.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [reader, file, tsv] = process.argv.slice(2);
const { open } = await import(pathToFileURL(reader));
const bytes = new Uint8Array(readFileSync(file));
const questions = readFileSync(tsv, "utf8").trim().split("\n").slice(1, 41).map((line) => line.split("\t").pop());
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1].toFixed(0);

// All gets the time of each question, and the nearest ten.
async function all(index) {
  const [times, chunks] = [[], []];
  for (const q of questions) {
    const start = performance.now();
    chunks.push((await index.meaning(q)).map((s) => s.chunk));
    times.push(performance.now() - start);
  }
  return { times, chunks };
}

const here = await open(bytes);
const first = await all(here);
const again = await all(here);
console.log(`in memory: first ${first.times[0].toFixed(0)} ms, then median ${median(again.times)} ms`);
let [same, sum, requests] = [0, [], []];
for (const [i, q] of questions.entries()) {
  let [n, asked] = [0, 0];
  const read = async (at, size) => ((n += size), asked++, bytes.subarray(at, at + size));
  const there = await open({ name: file, size: bytes.length, read });
  for (const s of await there.meaning(q)) same += first.chunks[i].includes(s.chunk);
  sum.push(n);
  requests.push(asked);
}
console.log(`elsewhere, each question on its own: median ${median(sum)} bytes in ${median(requests)} requests`);
let [later, more] = [0, 0];
const there = await open({ name: file, size: bytes.length, read: async (at, n) => ((later += n), bytes.subarray(at, at + n)) });
for (const q of questions) {
  const before = later;
  await there.meaning(q);
  if (q === questions[0]) more = later;
  else if (later < before) throw new Error("bytes");
}
console.log(`elsewhere, one after another: ${more} bytes for the first, then ${((later - more) / 39).toFixed(0)} on average`);
console.log(`of the ten nearest in memory ${(same / 400).toFixed(4)} are those elsewhere`);
