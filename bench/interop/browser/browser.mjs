// Headless Chromium out of an npm package, servers to show it, and the checks that page.mjs and widget.mjs make with them.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

let checks = 0;
const ends = []; // what is to be ended, the last first

// later keeps what is to be done at the end, however it comes.
export const later = (end) => ends.push(end);

// check ends the program where what was to hold does not.
export function check(holds, what, got) {
  checks++;
  if (!holds) throw new Error(`${what}: ${typeof got === 'string' ? got : JSON.stringify(got)}`.slice(0, 2000));
}

// run runs the checks and prints how many there were; it ends with 1 where one fails, and leaves no process behind.
export async function run(name, main, limit = 120_000) {
  let code = 0;
  const timer = setTimeout(() => { console.error(`${name}: no end after ${limit / 1000} s`); process.exit(1); }, limit);
  try {
    const about = await main();
    while (ends.length > 0) await ends.pop()();
    console.log(`${name}: ${about}, ${checks} checks`);
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

// tab opens a page; said collects what its console says: errors of scripts, requests that failed, violations of a policy.
export async function tab(browser) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const said = [];
  page.on('console', (m) => { if (['error', 'warn'].includes(m.type())) said.push(m.text()); });
  page.on('pageerror', (e) => said.push(e.message));
  page.on('dialog', (d) => { said.push(`dialog: ${d.message()}`); d.dismiss(); });
  const session = await page.createCDPSession();
  session.on('Log.entryAdded', ({ entry }) => { if (entry.level !== 'info') said.push(`${entry.text} ${entry.url ?? ''}`); });
  session.on('Audits.issueAdded', ({ issue }) => { if (issue.code !== 'CorsIssue') said.push(`${issue.code}: ${JSON.stringify(issue.details)}`); });
  await session.send('Log.enable');
  await session.send('Audits.enable');
  return { page, said };
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
