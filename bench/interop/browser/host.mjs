// A host of a folder for the checks of sites, and what <kdd-search> shows there.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apart, check, later } from './browser.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const axe = readFileSync(join(here, 'node_modules/axe-core/axe.min.js'), 'utf8');
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', md: 'text/markdown; charset=utf-8' };

// host serves a folder; how may change: delay in ms, ranges, fail for each path.
export async function host(root) {
  const how = { delay: 0, ranges: true, fail: () => false, requests: [] };
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    how.requests.push(path);
    await wait(how.delay);
    const file = join(how.root ?? root, path.endsWith('/') ? `${path}index.html` : path);
    if (how.fail(path)) return request.socket.destroy();
    if (!existsSync(file) || statSync(file).isDirectory()) return response.writeHead(404).end('not found');
    const bytes = readFileSync(file);
    const range = how.ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const headers = { 'Content-Type': types[file.split('.').pop()] ?? 'application/octet-stream', ETag: `"${how.root ?? ''}${bytes.length}"` };
    if (!range) return response.writeHead(200, headers).end(bytes);
    const part = bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    response.writeHead(206, { ...headers, 'Content-Range': `bytes ${range[1]}-${Number(range[1]) + part.length - 1}/${bytes.length}` }).end(part);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  later(async () => { server.closeAllConnections(); server.close(); });
  return { at: `http://127.0.0.1:${server.address().port}/`, how };
}

// state is what the component shows.
export const state = (page) => page.evaluate(() => {
  const root = document.querySelector('kdd-search').shadowRoot;
  const input = root.querySelector('input');
  const active = root.getElementById(input.getAttribute('aria-activedescendant') ?? '');
  return { open: root.querySelector('dialog').open, query: input.value, options: [...root.querySelectorAll('[role=option]')].map((o) => o.getAttribute('href') ?? o.textContent),
    active: active?.getAttribute('href') ?? '', status: root.querySelector('.status').textContent, text: root.querySelector('.list').innerText, marks: root.querySelectorAll('mark').length,
    url: location.href, focus: root.activeElement?.tagName ?? '' };
});

// until waits for a state.
export async function until(page, holds, what) {
  let last;
  for (let i = 0; i < 100; i++) {
    last = await state(page).catch(() => undefined);
    if (last && holds(last)) return last;
    await wait(50);
  }
  check(false, what, last);
}

// judged runs axe.
export async function judged(page, what) {
  const found = await apart(page, axe, 'axe.run(document).then((r) => JSON.stringify(r.violations.map((v) => [v.id, v.nodes.map((n) => n.target.join(" ")).slice(0, 3)])))');
  check(found === '[]', `axe: ${what}`, found);
}

