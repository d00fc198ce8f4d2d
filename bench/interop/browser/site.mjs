// Uses <kdd-search> on the site of a handbook as people do, in a browser: typing, keys, deep links, slow and failing
// networks, a host without ranges, a file that is replaced, pages opened from a folder, languages; and axe on its pages.
//
//   node site.mjs KDD INDEX DOCUMENTS [PICTURES]
//
// The index is of testdata/corpora/handbook, DOCUMENTS is a folder of other documents. PICTURES is a folder that keeps what is shown.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { check, later, media, run, start, tab } from './browser.mjs';
import { host, judged, state, until } from './host.mjs';

const [program, index, documents, pictures] = process.argv.slice(2);
await run('site', async () => {
  const work = mkdtempSync(join(tmpdir(), 'kdd-site-'));
  later(async () => rmSync(work, { recursive: true }));
  const root = join(work, 'public');
  execFileSync(program, ['site', index, '-o', root, '--title', 'Trackwell Handbook', '-q']);
  const browser = await start();
  const { at, how } = await host(root);
  const { page, said } = await tab(browser);
  const quiet = (what) => { check(said.length === 0, `${what}: the console`, said); };
  if (pictures) mkdirSync(pictures, { recursive: true });
  const picture = (name) => pictures && page.screenshot({ path: join(pictures, `${name}.webp`), type: 'webp', quality: 75 });
  await page.setViewport({ width: 1280, height: 800 });
  await media(page, { 'prefers-reduced-motion': 'reduce' }); // or axe looks at what just appears

  // Typing and keys.
  await page.goto(`${at}guides/quickstart.html`);
  await page.waitForFunction(() => customElements.get('kdd-search'));
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await until(page, (s) => s.open && s.focus === 'INPUT', 'Ctrl-K opens the dialog');
  await page.keyboard.type('accoun');
  const draft = await until(page, (s) => s.options.length > 3, 'the beginning of a word finds something');
  check(draft.marks > 0, 'nothing is marked', draft);
  check(how.requests.includes('/kdd/icon.svg') || await page.evaluate(async () => (await fetch(document.querySelector('link[rel=icon]').href)).ok), 'the icon', how.requests);
  await page.keyboard.type('t lockout');
  const found = await until(page, (s) => s.options.length > 3 && s.url.includes('?q=account'), 'words and meaning, and the query in the address');
  check(/RF-AUTH-002|security\/auth/.test(found.active), 'the best hit is chosen', found);
  await page.keyboard.press('ArrowDown');
  const next = await state(page);
  check(next.active !== found.active && next.options.indexOf(next.active) === found.options.indexOf(found.active) + 1, 'the arrow moves on', next);
  for (let i = 0; i < found.options.length - 1; i++) await page.keyboard.press('ArrowDown');
  check((await state(page)).active === found.active, 'the arrows go round', await state(page));
  await page.keyboard.press('Escape');
  await until(page, (s) => !s.open && !s.url.includes('?q='), 'Escape closes, and the address is as before');
  await page.keyboard.press('/');
  await until(page, (s) => s.open && s.query === 'account lockout' && s.active !== '', 'the query is still there');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash !== '');
  check(new URL(page.url()).pathname.endsWith('.html') && (await page.$(`[id="${decodeURIComponent(new URL(page.url()).hash.slice(1))}"]`)), 'Enter leads to a section', page.url());
  await page.keyboard.press('/');
  const before = await until(page, (s) => s.open && s.options.length === 1, 'the query of before is offered');
  check(before.options[0].includes('account lockout'), 'recent queries', before);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(page, (s) => s.query === 'account lockout' && s.options.length > 3, 'a recent query is asked again');
  quiet('typing');

  // Deep links, filters, nothing found.
  await page.goto(`${at}?q=${encodeURIComponent('how long are tokens valid')}`);
  await until(page, (s) => s.open && s.options.length > 3 && s.marks > 0, 'a deep link opens the dialog');
  await judged(page, 'results');
  const broken = await page.evaluate(() => [...document.querySelector('kdd-search').shadowRoot.querySelectorAll('.page .row')].filter((row) => {
    const [title, path] = row.children;
    const text = document.createRange();
    text.selectNodeContents(path);
    const room = path.getBoundingClientRect().width - text.getBoundingClientRect().width;
    return title.getBoundingClientRect().height > 1.8 * parseFloat(getComputedStyle(title).lineHeight) && room > 20;
  }).map((row) => row.textContent));
  check(broken.length === 0, 'a title is broken where there is room for it', broken);
  await picture('site-search-light');
  await media(page, { 'prefers-color-scheme': 'dark', 'prefers-reduced-motion': 'reduce' });
  await judged(page, 'results in the dark');
  await picture('site-search-dark');
  await page.setViewport({ width: 390, height: 780 });
  await picture('site-search-phone');
  await page.setViewport({ width: 320, height: 600 });
  const sides = await page.evaluate(() => {
    const { left, right } = document.querySelector('kdd-search').shadowRoot.querySelector('dialog').getBoundingClientRect();
    return [left, right, document.documentElement.clientWidth, document.documentElement.scrollWidth];
  });
  check(sides[0] >= 0 && sides[1] <= sides[2] && sides[3] <= 320, '320 pixels: the dialog', sides);
  await judged(page, 'results at 320 pixels');
  await page.setViewport({ width: 1280, height: 800 });
  await page.evaluate(() => document.querySelector('kdd-search').shadowRoot.querySelector('.bar [aria-expanded]').click());
  await page.waitForFunction(() => document.querySelector('kdd-search').shadowRoot.querySelector('.filters select'));
  await page.evaluate(() => { const s = document.querySelector('kdd-search').shadowRoot.querySelector('.filters select'); s.value = 'runbook'; s.dispatchEvent(new Event('change')); });
  await until(page, (s) => s.options.length > 0 && s.options.every((o) => o.includes('runbooks/') || o.includes('deploys') || o.includes('index')), 'a filter by kind');
  await judged(page, 'filters');
  await page.goto(`${at}?q=zzyzx+qwertz`);
  await until(page, (s) => s.text.includes('zzyzx') && /Perhaps related|No section found/.test(s.text), 'words that no document has');
  quiet('deep links');

  // Languages of its texts.
  for (const [lang, text] of [['de', 'Suchen'], ['ja', '検索'], ['pt-BR', 'Pesquisar']]) {
    await page.goto(at);
    await page.evaluate((l) => { document.documentElement.lang = l; document.querySelector('kdd-search').replaceWith(Object.assign(document.createElement('kdd-search'), {})); document.querySelector('kdd-search').setAttribute('src', 'kdd/x.kddx'); }, lang);
    await page.waitForFunction((t) => document.querySelector('kdd-search').shadowRoot.querySelector('.button').innerText.includes(t), {}, text);
  }

  // A deep link to a page whose texts are loaded first.
  await page.goto(`${at}guides/de/einstieg.html?q=webhook`);
  await until(page, (s) => s.open && s.options.length > 3 && s.url.includes('?q=webhook') && /Abschnitte/.test(s.status), 'a deep link to a German page');

  // A slow network: sections come, and nothing is asked twice that is not needed.
  how.delay = 150;
  await page.goto(`${at}?q=webhook`);
  await until(page, (s) => s.options.length > 3, 'a slow network');
  how.delay = 0;
  // A host that fails: the dialog says so, and another try works.
  how.fail = (path) => path.endsWith('.kddx');
  said.length = 0;
  await page.goto(`${at}?q=webhook`);
  await until(page, (s) => /Try again/.test(s.text), 'a failing host');
  await judged(page, 'a failure');
  how.fail = () => false;
  await page.evaluate(() => document.querySelector('kdd-search').shadowRoot.querySelector('.empty button').click());
  await until(page, (s) => s.options.length > 3, 'another try');
  said.length = 0; // the failed requests
  // A host without ranges.
  how.ranges = false;
  await page.goto(`${at}?q=webhook`);
  await until(page, (s) => s.options.length > 3, 'a host without ranges');
  how.ranges = true;
  // The file is replaced while the page is open.
  await page.goto(`${at}?q=webhook`);
  await until(page, (s) => s.options.length > 3, 'before the file is replaced');
  const other = join(work, 'other');
  execFileSync(program, ['build', documents, '--no-vectors', '-q', '-o', join(work, basename(index))]);
  execFileSync(program, ['site', join(work, basename(index)), '-o', other, '-q']);
  how.root = other;
  await page.evaluate(() => { const i = document.querySelector('kdd-search').shadowRoot.querySelector('input'); i.value = 'retention of scans'; i.dispatchEvent(new Event('input')); });
  await until(page, (s) => s.options.length > 0 || /changed|could not|No section|In no document/.test(s.text), 'a replaced file gives its own answers or says so');
  how.root = undefined;
  quiet('hosts');

  // The pages themselves.
  for (const name of ['index.html', 'security/auth.html', 'features/login.feature.html', 'kdd/tags/auth.html', '404.html']) {
    for (const [width, height] of [[320, 640], [1280, 900], [1600, 900]]) {
      for (const scheme of ['light', 'dark']) {
        await page.setViewport({ width, height });
        await media(page, { 'prefers-color-scheme': scheme });
        await page.goto(at + name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        check(wide <= width, `${name} is wider than ${width}`, wide);
        if (width !== 1600) await judged(page, `${name}, ${width}, ${scheme}`);
        if (name === 'security/auth.html') await picture(`site-page-${width}-${scheme}`);
      }
    }
  }
  quiet('pages');

  // Opened from a folder.
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`file://${root}/guides/quickstart.html`);
  await page.waitForFunction(() => customElements.get('kdd-search'));
  await page.keyboard.press('/');
  await page.keyboard.type('how long are tokens valid');
  await until(page, (s) => s.options.length > 3 && s.marks > 0, 'file://: sections');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash !== '');
  check(page.url().startsWith('file://'), 'file://: a section', page.url());
  quiet('file://');
  return await browser.version();
}, 240_000);
