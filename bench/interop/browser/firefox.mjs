// The Firefox of the system by WebDriver BiDi, and what the checks need that BiDi lacks: browser.mjs takes it where BROWSER
// is "firefox".
//
// Firefox 153 knows no command for the color scheme, reduced motion or pages without scripts. Its own window does, and
// --remote-allow-system-access lets BiDi run expressions there.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

// FIREFOX names the program, by default the first of these in PATH.
const programs = ['firefox-esr', 'firefox'];
const hosts = ['www', 'api', 'evil', 'rebound'].map((name) => `${name}.example.com`); // are this machine

function installed() {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  for (const program of programs) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      try {
        accessSync(join(folder, program), constants.X_OK);
        return join(folder, program);
      } catch { /* the next one */ }
    }
  }
  throw new Error(`no ${programs.join(' and no ')} in PATH: install firefox-esr, or name the program in FIREFOX`);
}

// launch starts it.
export async function launch() {
  const { default: puppeteer } = await import('puppeteer-core');
  return await puppeteer.launch({
    browser: 'firefox', executablePath: installed(), headless: true,
    args: ['--remote-allow-system-access'],
    extraPrefsFirefox: {
      'browser.chrome.guess_favicon': false, // it asks for /favicon.ico where it goes back to a page that has an icon
      'network.dns.localDomains': hosts.join(','),
    },
  });
}

// listen collects the requests that failed; those that a page gave up itself are none. Violations of a policy come with
// the errors of scripts.
export function listen(page, said) {
  page.on('requestfailed', (r) => { if (!/ABORTED/.test(r.failure()?.errorText ?? '')) said.push(`${r.failure()?.errorText} ${r.url()}`); });
  page.on('response', (r) => { if (r.status() >= 400) said.push(`${r.status()} ${r.url()}`); });
}

// inWindow runs an expression in the browser's own window.
async function inWindow(page, expression) {
  const connection = page.browser().connection;
  const tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 });
  const target = { context: tree.result.contexts[0].context };
  const { result } = await connection.send('script.evaluate', { expression, target, awaitPromise: true });
  if (result.type !== 'success') throw new Error(`the window of Firefox: ${result.exceptionDetails.text}`);
}

// tabOf is an expression for the tab.
const tabOf = (page) => `ChromeUtils.importESModule('chrome://remote/content/shared/NavigableManager.sys.mjs').NavigableManager.getBrowsingContextById('${page.mainFrame()._id}')`;

export async function media(page, features) {
  const scheme = features['prefers-color-scheme'] ?? 'light';
  const reduce = features['prefers-reduced-motion'] === 'reduce';
  await inWindow(page, `${tabOf(page)}.prefersColorSchemeOverride = '${scheme}'; Services.prefs.setIntPref('ui.prefersReducedMotion', ${Number(reduce)})`);
  await page.waitForFunction((s, r) => matchMedia(`(prefers-color-scheme: ${s})`).matches && matchMedia('(prefers-reduced-motion: reduce)').matches === r, {}, scheme, reduce);
}

export const withoutScripts = (page) => inWindow(page, `${tabOf(page)}.allowJavascript = false`);

export async function apart(page, source, expression) {
  const target = { context: page.mainFrame()._id, sandbox: 'apart' };
  const connection = page.browser().connection;
  for (const [i, part] of [`${source};0`, expression].entries()) {
    const { result } = await connection.send('script.evaluate', { expression: part, target, awaitPromise: true });
    if (result.type !== 'success') throw new Error(result.exceptionDetails.text);
    if (i === 1) return result.result.value;
  }
}
