// A headless browser, servers to show it, and the checks that the scripts beside this one make with them: Chromium out of an
// npm package or, where BROWSER is "firefox", the Firefox of the system (firefox.mjs).

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

let checks = 0;
let firefox; // firefox.mjs, where BROWSER asks for it
const skips = []; // what this browser cannot be asked
const ends = []; // what is to be ended, the last first

// later keeps what is to be done at the end, however it comes.
export const later = (end) => ends.push(end);

// check ends the program where what was to hold does not.
export function check(holds, what, got) {
  checks++;
  if (!holds) throw new Error(`${what}: ${typeof got === 'string' ? got : JSON.stringify(got)}`.slice(0, 2000));
}

// skip names what is left out in this browser, and why.
export const skip = (what) => skips.push(what);

// run runs the checks and prints how many there were; it ends with 1 where one fails, and leaves no process behind.
export async function run(name, main, limit = 120_000) {
  let code = 0;
  const timer = setTimeout(() => { console.error(`${name}: no end after ${limit / 1000} s`); process.exit(1); }, limit);
  try {
    const about = await main();
    while (ends.length > 0) await ends.pop()();
    console.log(`${name}: ${about}, ${checks} checks`);
    for (const what of skips) console.log(`${name}: left out: ${what}`);
  } catch (e) {
    console.error(`${name}: ${e.message}`);
    code = 1;
  }
  for (const end of ends.reverse()) await end().catch(() => {});
  clearTimeout(timer);
  process.exitCode = code;
}

// unpacked returns the folder beside this script that holds the browser, its libraries and fonts, unpacked at first.
async function unpacked() {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folder = join(here, 'unpacked');
  const { default: packed, inflate } = await import('@sparticuz/chromium');
  if (!existsSync(folder)) { // under another name until it is whole
    process.env.TMPDIR = mkdtempSync(join(here, 'unpacking-')); // where the package puts it
    await packed.executablePath();
    await inflate(join(here, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br'));
    renameSync(process.env.TMPDIR, folder);
  }
  process.env.TMPDIR = folder; // of the browser's profile too
  return folder;
}

// chromium starts the browser, in which every *.example.com is this machine.
//
// The flags that the package proposes are not used: they turn off what a page is kept from, which is what is tested here.
export async function chromium(...flags) {
  const folder = await unpacked();
  const { setupLambdaEnvironment } = await import('@sparticuz/chromium');
  const { default: puppeteer } = await import('puppeteer-core');
  process.env.FONTCONFIG_FILE = join(folder, 'fonts.conf'); // the package's own looks in folders of another machine
  writeFileSync(process.env.FONTCONFIG_FILE, `<fontconfig><dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><include ignore_missing="yes">/etc/fonts/conf.d</include><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`);
  setupLambdaEnvironment(join(folder, 'al2023', 'lib')); // LD_LIBRARY_PATH
  const executablePath = join(folder, 'chromium');
  const browser = await puppeteer.launch({
    executablePath, headless: 'shell',
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', '--host-resolver-rules=MAP *.example.com 127.0.0.1', ...flags],
  });
  ends.push(() => browser.close());
  return browser;
}

// start starts the browser that BROWSER names.
export async function start() {
  const name = process.env.BROWSER || 'chromium';
  if (name === 'chromium') return await chromium();
  if (name !== 'firefox') throw new Error(`BROWSER is ${JSON.stringify(name)}: it has to be chromium or firefox`);
  firefox = await import('./firefox.mjs');
  skip('the issues of pages that Chromium lists: Firefox has no such list');
  const browser = await firefox.launch();
  ends.push(() => browser.close());
  return browser;
}

// tab opens a page; said collects what its console says: errors of scripts, requests that failed, violations of a policy.
export async function tab(browser) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const said = [];
  page.on('console', (m) => { if (['error', 'warn'].includes(m.type())) said.push(m.text()); });
  page.on('pageerror', (e) => said.push(e.message));
  page.on('dialog', (d) => { said.push(`dialog: ${d.message()}`); d.dismiss(); });
  if (firefox) {
    firefox.listen(page, said);
    return { page, said };
  }
  const session = await page.createCDPSession();
  session.on('Log.entryAdded', ({ entry }) => { if (entry.level !== 'info') said.push(`${entry.text} ${entry.url ?? ''}`); });
  session.on('Audits.issueAdded', ({ issue }) => { if (issue.code !== 'CorsIssue') said.push(`${issue.code}: ${JSON.stringify(issue.details)}`); });
  await session.send('Log.enable');
  await session.send('Audits.enable');
  return { page, said };
}

// media sets what a page is told of its reader: { 'prefers-color-scheme': 'dark', 'prefers-reduced-motion': 'reduce' }. What
// is not named is as it was at first.
export async function media(page, features) {
  if (firefox) return await firefox.media(page, features);
  await page.emulateMediaFeatures(Object.entries(features).map(([name, value]) => ({ name, value })));
}

// withoutScripts has pages that the tab opens from now on run no script.
export const withoutScripts = (page) => (firefox ? firefox.withoutScripts(page) : page.setJavaScriptEnabled(false));

// led waits for the document that an act leads to. Puppeteer waits for events that Firefox does not send where that is a
// page of before, kept as it was left.
export async function led(page, act) {
  const from = await page.evaluate(() => performance.timeOrigin);
  await act();
  for (let i = 0; i < 200; i++) {
    const there = await page.evaluate((t) => performance.timeOrigin !== t && document.readyState === 'complete', from).catch(() => false);
    if (there) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`no other page: ${page.url()}`);
}

// apart runs source and then an expression in a world of its own, so that the page's policy and scripts are left alone.
export async function apart(page, source, expression) {
  if (firefox) return await firefox.apart(page, source, expression);
  const session = await page.createCDPSession();
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'apart' });
  await session.send('Runtime.evaluate', { expression: source, contextId });
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true });
  await session.detach();
  return result.value;
}

// kddq starts "kddq serve" and returns its port. It has to end well.
export async function kddq(program, cwd, ...flags) {
  const child = spawn(program, ['serve', '--port', '0', '--format', 'json', '--access-log', 'off', ...flags], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)));
  const lines = createInterface({ input: child.stderr });
  const first = await new Promise((resolve) => { lines.once('line', resolve); ended.then((code) => resolve(`it ended with ${code}`)); });
  let url = '';
  try { url = JSON.parse(first).url; } catch { /* the check says what it said */ }
  check(url, 'kddq serve does not say where it listens', first);
  const stop = async () => {
    child.kill();
    const code = await ended;
    check(code === 0, 'kddq serve ended with', code);
  };
  ends.push(stop);
  return { port: Number(new URL(url).port), stop: () => { ends.splice(ends.indexOf(stop), 1); return stop(); } };
}

// pages serves files, {path: [type, text]}, on a port of its own, and returns the port.
export async function pages(files) {
  const server = createServer((request, response) => {
    const [type, text] = files[request.url] ?? ['text/plain', ''];
    response.writeHead(text ? 200 : 404, { 'Content-Type': `${type}; charset=utf-8` }).end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => { server.closeAllConnections(); server.close(); });
  return server.address().port;
}
