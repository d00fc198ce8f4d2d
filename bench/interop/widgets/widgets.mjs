// Builds the sites of sites.mjs and searches them in headless Chromium: each result has to lead to its heading.
//
//	node widgets.mjs HERE ROOT CACHE KDD PYTHON BROWSER [SITE...]
//
// HERE is this folder, ROOT the repository, CACHE the folder with node_modules, PYTHON an environment, BROWSER the folder of
// browser.mjs with its packages. OUT names a folder for pictures.

import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, sites } from './sites.mjs';

const [here, root, cache, kdd, python, browserFolder, ...names] = process.argv.slice(2);
const { check, chromium, later, run, tab } = await import(pathToFileURL(join(browserFolder, 'browser.mjs')));

// What is searched for, and the heading and the page that it has to lead to.
const questions = [
  ['breakwater granite', 'guides/setup', 'Setup'],
  ['museum switch', 'guides/setup', 'Setup 1'],
  ['storm shutters', 'guides/setup', 'Wind & waves: what to do?'],
  ['Schlepper Schwimmkran', 'guides/umlaute', 'Größe des Hafenbeckens'],
  ['Logbuch Lotse', 'guides/umlaute', 'Überprüfung: Fluß – Straße'],
  ['visibility cable bell', 'guides/deep/night-watch', '100 % visibility -- or none'],
  ['almanac high low', 'reference/flags', '--tide-table'],
  ['translator lighthouse', 'reference/faq', '日本語 の 見出し'],
  ['foghorn lamps order', 'guides', 'Reading order'],
  ['syzygy', 'guides/Tide Tables', 'Spring & neap tides'],
  ['kittiwake', 'reference/moved', 'Where the page went'],
  ['ship can leave letter', '', "What's new, in 2.0?"],
];

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.json': 'application/json' };

// serve is a static host that has a folder at /docs/, with ranges, and an address without ending or slash as most hosts have it.
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const below = path.startsWith('/docs/') ? path.slice('/docs/'.length) : undefined;
    if (below === undefined) return response.writeHead(404).end();
    const file = [below, join(below, 'index.html'), `${below}.html`].map((name) => join(folder, name)).find((f) => existsSync(f) && statSync(f).isFile());
    if (!file) return response.writeHead(404, { 'Content-Type': 'text/html' }).end();
    if (file.endsWith('/index.html') && !/\/(index\.html)?$/.test(path)) return response.writeHead(301, { Location: `${encodeURI(path)}/` }).end();
    const bytes = readFileSync(file);
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const headers = { 'Content-Type': types[extname(file)] ?? 'application/octet-stream', 'Accept-Ranges': 'bytes', ETag: `"${bytes.length}"` };
    if (from === undefined) return response.writeHead(200, headers).end(bytes);
    const end = Math.min(to === '' ? bytes.length : Number(to) + 1, bytes.length);
    response.writeHead(206, { ...headers, 'Content-Range': `bytes ${from}-${end - 1}/${bytes.length}` }).end(bytes.subarray(Number(from), end));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(async () => { server.closeAllConnections(); server.close(); });
  return `http://127.0.0.1:${server.address().port}/docs/`;
}

// ask opens the dialog by keys, types, and returns the address of the first result that the field would open.
async function ask(page, query) {
  await page.evaluate(() => document.activeElement?.blur?.());
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForFunction(() => document.querySelector('kdd-search')?.shadowRoot?.querySelector('dialog')?.open);
  await page.keyboard.type(query); // keys such as "n" and "s" are the page's own outside of a field
  await page.keyboard.press('ArrowLeft');
  const first = await page.waitForFunction((asked) => {
    const search = document.querySelector('kdd-search');
    const root = search.shadowRoot;
    const href = root.querySelector('[role=option][aria-selected=true]')?.href;
    const settled = search.getAttribute('deep-links') !== 'off' ? new URL(location.href).searchParams.get('q') === asked // once its results stand
      : [...root.querySelectorAll('mark')].some((mark) => asked.toLowerCase().includes(mark.textContent.toLowerCase())) && root.querySelector('[role=listbox]').ariaBusy !== 'true';
    if (!settled || !href || window.before !== href) { // twice the same
      window.before = href;
      return false;
    }
    return href;
  }, { polling: 200 }, query).catch(async () => { throw new Error(`no result of ${query}: ${await page.evaluate(() => document.querySelector('kdd-search').shadowRoot.textContent)}`); });
  return first.jsonValue();
}

// heading returns the text of the heading that an address leads to, as the page has it.
const heading = (page) => page.evaluate(() => {
  const id = decodeURIComponent(location.hash.slice(1));
  const at = document.getElementById(id) ?? document.getElementsByName(id)[0];
  return { id, there: Boolean(at), text: at?.closest('h1,h2,h3')?.textContent ?? at?.querySelector('h1,h2,h3')?.textContent ?? at?.textContent ?? '', top: at?.getBoundingClientRect().top, high: innerHeight };
});

const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, '');

// where is the path of a page below the site, without what generators and hosts differ in.
const where = (address) => decodeURIComponent(new URL(address).pathname).replace(/^\/docs\//, '').replace(/(index)?(\.html)?$/, '').replace(/\/$/, '').replaceAll(' ', '-').toLowerCase();

const colours = (page) => page.evaluate(() => {
  const style = getComputedStyle(document.querySelector('kdd-search').shadowRoot.querySelector('dialog'));
  return style.backgroundColor + style.color;
});

async function search(browser, name, base) {
  const site = sites[name];
  const { page, said } = await tab(browser);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
  await page.setViewport({ width: 1280, height: 800 });
  const misses = [];
  await page.goto(`${base}guides/setup`, { waitUntil: 'networkidle0' });
  if (process.env.DEBUG) console.log(said, await page.evaluate(() => document.querySelector("kdd-search")?.outerHTML + [...document.scripts].map((s) => s.src)));
  await page.waitForFunction(() => document.querySelector('kdd-search')?.shadowRoot?.querySelector('button'));
  check(await page.$$eval('kdd-search', (all) => all.length) === 1, `${name}: elements`, await page.$$eval('kdd-search', (all) => all.length));
  for (const [query, path, title] of questions) {
    if (process.env.DEBUG) console.log(query, said);
    const href = await ask(page, query);
    await page.evaluate(() => { window.stayed = true; });
    if (process.env.DEBUG) console.log(href);
    await page.keyboard.press('Enter');
    await page.waitForFunction((to) => decodeURIComponent(location.hash) === decodeURIComponent(new URL(to).hash), {}, href);
    await page.waitForNetworkIdle({ idleTime: 100 });
    const wanted = path === 'reference/moved' && !site.still ? 'reference/elsewhere' : path;
    const got = await heading(page);
    const fair = where(page.url()) === where(`${base}${wanted}`) && got.there && letters(got.text).includes(letters(title)) && got.top >= -5 && got.top < got.high;
    if (!fair) misses.push(`${query}: ${href} led to ${page.url()}, ${JSON.stringify(got)}, want ${wanted}, ${title}`);
    if (site.spa && !(await page.evaluate(() => window.stayed))) misses.push(`${query}: the page was loaded anew`);
    if (!await page.$('kdd-search')) misses.push(`${query}: no element on ${page.url()}`);
  }
  check(misses.length === 0, `${name}: results that lead elsewhere`, misses.join('\n'));
  const light = await colours(page);
  if (process.env.OUT) await picture(page, join(process.env.OUT, `widget-${name}-light.png`));
  await site.dark(page);
  await page.waitForFunction((before) => {
    const style = getComputedStyle(document.querySelector('kdd-search').shadowRoot.querySelector('dialog'));
    return style.backgroundColor + style.color !== before;
  }, {}, light).catch(() => check(false, `${name}: the colours after the switch to dark`, light));
  if (process.env.OUT) await picture(page, join(process.env.OUT, `widget-${name}-dark.png`));
  const foreign = said.filter((text) => !site.own?.test(text));
  check(foreign.length === 0, `${name}: the console`, foreign);
  await page.close();
}

async function picture(page, file) {
  await page.screenshot({ path: file.replace('.png', '-bar.png'), clip: { x: 0, y: 0, width: 1280, height: 300 } });
  await ask(page, 'lamp');
  await page.screenshot({ path: file });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
}

await run('widgets', async () => {
  if (process.env.OUT) mkdirSync(process.env.OUT, { recursive: true });
  const chosen = names.length > 0 ? names : Object.keys(sites);
  const folders = process.env.BUILT ? Object.fromEntries(chosen.map((name) => [name, join(cache, `site-${name}`, sites[name].out)]))
    : Object.fromEntries(chosen.map((name) => [name, build(name, { here, root, cache, kdd, python })]));
  const browser = await chromium();
  for (const name of chosen) await search(browser, name, await serve(folders[name]));
  return chosen.join(', ');
}, 900_000); // seven builds and 84 results, on a busy machine
