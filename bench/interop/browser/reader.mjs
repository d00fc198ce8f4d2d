// Asks an artifact in a browser by the reader in TypeScript: in a page and in a worker, on a host with WebCrypto and on one
// without, with the answers that Node gives of the file in memory.
//
//   node reader.mjs READER INDEX
//
// READER is the folder runtime/browser. The script has to lie beside node_modules.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, later, run, start, tab } from './browser.mjs';

const [reader, index] = process.argv.slice(2);
const questions = ['how long is an access token valid', 'tokan rotaton', 'token NOT session', '認証 トークン'];

// site serves the reader and the artifact, by range; it counts what is sent of the artifact, and the reads at one time.
async function site(bytes, seen) {
  const server = createServer((request, response) => {
    if (request.url === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><link rel=icon href=data:,>');
    if (request.url !== '/docs.kddx') {
      return response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(join(reader, request.url)));
    }
    const [from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).slice(1).map(Number);
    const part = bytes.subarray(from, to + 1);
    seen.bytes += part.length;
    seen.most = Math.max(seen.most, ++seen.flying);
    setTimeout(() => {
      seen.flying--;
      response.writeHead(206, { ETag: '"1"', 'Content-Range': `bytes ${from}-${from + part.length - 1}/${bytes.length}` }).end(part);
    }, 20);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  later(async () => { server.closeAllConnections(); server.close(); });
  return server.address().port;
}

// inPage and inWorker run in the page.
const inPage = async (questions) => {
  const { open } = await import('/kddx.js');
  const docs = await open('/docs.kddx');
  const found = [];
  for (const q of questions) found.push(await docs.search(q));
  return found;
};
const inWorker = async (questions) => {
  const worker = new Worker('/test/worker.mjs', { type: 'module' });
  const found = [];
  for (const query of questions) {
    found.push(await new Promise((done, fail) => {
      worker.onerror = () => fail(new Error('the worker does not load'));
      worker.onmessage = ({ data }) => (data.found ? done(data.found) : fail(new Error(data.failed)));
      worker.postMessage({ address: new URL('/docs.kddx', location).href, query });
    }));
  }
  return found;
};

await run('reader', async () => {
  const bytes = readFileSync(index);
  const { open } = await import(pathToFileURL(resolve(reader, 'kddx.js')));
  const memory = await open(new Uint8Array(bytes));
  const want = [];
  for (const q of questions) want.push(await memory.search(q));
  check(want[0].results.length > 0, 'no hits for', questions[0]);
  const seen = { bytes: 0, flying: 0, most: 0 };
  const port = await site(bytes, seen);
  const browser = await start();
  for (const host of ['localhost', 'www.example.com']) {
    for (const [where, ask] of Object.entries({ page: inPage, worker: inWorker })) {
      const { page, said } = await tab(browser);
      [seen.bytes, seen.most] = [0, 0];
      await page.goto(`http://${host}:${port}/`);
      check(await page.evaluate(() => Boolean(globalThis.crypto.subtle)) === (host === 'localhost'), `${host}: WebCrypto`, host);
      const got = await page.evaluate(ask, questions);
      questions.forEach((q, i) => check(JSON.stringify(got[i]) === JSON.stringify(want[i]), `${host}, ${where}: ${q}`, got[i]));
      const openings = where === 'page' ? 1 : questions.length; // a worker opens the file for each question
      check(seen.bytes > 0 && seen.bytes < openings * bytes.length, `${host}, ${where}: bytes of ${bytes.length}, opened ${openings} times`, seen.bytes);
      check(seen.most >= 3, `${host}, ${where}: reads at one time`, seen.most);
      check(said.length === 0, `${host}, ${where}: the console says`, said);
    }
  }
  return `${await browser.version()}, page and worker, with WebCrypto and without`;
});
