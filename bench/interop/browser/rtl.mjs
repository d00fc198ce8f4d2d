// Looks at a site of Arabic and Hebrew documents, with a page in English, and at <kdd-search> there: where things stand, and
// in which direction texts run.
//
//   node rtl.mjs KDD DOCUMENTS [PICTURES]
//
// DOCUMENTS is the folder rtl. PICTURES is a folder that keeps what is shown.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, later, media, run, start, tab } from './browser.mjs';
import { host, judged, until } from './host.mjs';

const [program, documents, pictures] = process.argv.slice(2);

// side says of elements, in the page (those of the component by "kdd-search >>> …"), from where to where they stand.
const at = (page, selector) => page.$eval(selector, (e) => {
  const { left, right, top, bottom, width } = e.getBoundingClientRect();
  const style = getComputedStyle(e);
  return { left, right, top, bottom, width, direction: style.direction, lines: [style.borderLeftWidth, style.borderRightWidth], padding: [style.paddingLeft, style.paddingRight].map(parseFloat) };
});

// drawn returns the places of two pieces of an element's text, as they are drawn.
const drawn = (page, selector, first, second) => page.$eval(selector, (e, first, second) => {
  const walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const text = nodes.map((n) => n.data).join('');
  const place = (from) => {
    let start = from;
    const node = nodes.find((n) => { if (start < n.length) return true; start -= n.length; return false; });
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, start + 1);
    return range.getBoundingClientRect().left;
  };
  return { text, first: place(text.indexOf(first)), second: place(text.lastIndexOf(second)) };
}, first, second);

await run('rtl', async () => {
  const work = mkdtempSync(join(tmpdir(), 'kdd-rtl-'));
  later(async () => rmSync(work, { recursive: true }));
  const [index, root] = [join(work, 'rtl.kddx'), join(work, 'public')];
  execFileSync(program, ['build', documents, '-o', index, '--no-vectors', '-q']);
  execFileSync(program, ['site', index, '-o', root, '--title', 'دليل الأرشيف', '--language', 'ar', '-q']);

  // What pages say of themselves.
  const pages = readdirSync(root, { recursive: true }).filter((f) => f.endsWith('.html'));
  const english = join('guides', 'release-notes.html');
  check(pages.length > 9, 'pages', pages);
  for (const file of pages) {
    const head = /<html[^>]*>/.exec(readFileSync(join(root, file), 'utf8'))[0];
    const lang = file === english ? 'en' : file.startsWith('hebrew') ? 'he' : 'ar';
    check(head === `<html lang="${lang}"${lang === 'en' ? '' : ' dir="rtl"'}>`, file, head);
  }
  const regions = join(work, 'regions');
  execFileSync(program, ['site', index, '-o', regions, '--language', 'fa-IR', '-q']);
  check(/<html lang="fa-IR" dir="rtl">/.test(readFileSync(join(regions, '404.html'), 'utf8')), 'a language with a region', '404.html');

  const browser = await start();
  const { at: address } = await host(root);
  const { page, said } = await tab(browser);
  if (pictures) mkdirSync(pictures, { recursive: true });
  const picture = (name) => pictures && page.screenshot({ path: join(pictures, `rtl-${name}.png`) });
  const search = (selector) => `kdd-search >>> ${selector}`;

  // Pages.
  for (const [width, height] of [[360, 740], [1400, 900]]) {
    for (const scheme of ['light', 'dark']) {
      await page.setViewport({ width, height });
      await media(page, { 'prefers-color-scheme': scheme, 'prefers-reduced-motion': 'reduce' });
      for (const name of ['index', 'guides/install', 'hebrew/backup', 'guides/release-notes', '404']) {
        const what = `${name}, ${width}, ${scheme}`;
        await page.goto(`${address}${name}.html`);
        const [wide, scrolled] = await page.evaluate(() => [document.documentElement.scrollWidth, scrollX]);
        check(wide <= width && scrolled === 0, `${what}: wider than the window`, [wide, scrolled]);
        await judged(page, what);
        await picture(`${name.replace('/', '-')}-${width}-${scheme}`);
      }
    }
  }
  await page.goto(`${address}guides/install.html`);
  const [brand, button, nav, main, toc] = await Promise.all(['.brand', 'kdd-search', '.side', 'main', '.toc'].map((s) => at(page, s)));
  check(button.right < brand.left && main.right <= nav.left && toc.right <= main.left, 'the columns', [brand, button, nav, main, toc]);
  const [site, folder, mark] = await Promise.all(['.crumbs a:first-child', '.crumbs a:last-child', '.crumbs span'].map((s) => at(page, s)));
  check(folder.right < mark.left && mark.right < site.left && mark.direction === 'rtl', 'the folders above', [site, folder, mark]);
  const turned = await page.$eval('.side a.folder.open', (a) => getComputedStyle(a, '::after').transform);
  check(/^matrix\(0, -1, 1, 0, 0, 0\)$/.test(turned.replace(/-?\d\.\d+e-\d+/g, '0')), 'the arrow of an open folder points down', turned);
  const contents = await at(page, '.toc a');
  check(contents.padding[1] > 10 && contents.padding[0] < 1, 'the contents stand off their line', contents);
  const [before, next] = await Promise.all(['.turn [rel=prev]', '.turn [rel=next]'].map((s) => at(page, s)));
  check(next.right < before.left, 'the next page is at the left', [before, next]);
  const ends = await page.$$eval('.side ul ul a', (list) => list.map((a) => { const r = document.createRange(); r.selectNodeContents(a); return Math.round(r.getBoundingClientRect().right); }));
  check(ends.length > 2 && new Set(ends).size === 1, 'entries in English stand at the side of the others', ends);
  check((await at(page, 'article pre')).direction === 'ltr', 'code', await at(page, 'article pre'));
  for (const [selector, from, to] of [['article ol li:nth-child(2) code', '/', 'e'], ['article pre code', 's', ':']]) {
    const { text, first, second } = await drawn(page, selector, from, to);
    check(first < second, `code in its own order: ${text.trim()}`, [first, second]);
  }
  await page.click('.graph summary');
  const out = await page.$eval('.picture svg', (svg) => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter((t) => { const r = t.getBoundingClientRect(); return r.left < box.left - 1 || r.right > box.right + 1; }).map((t) => t.textContent);
  });
  check(out.length === 0, 'texts of the graph that are not in it', out);
  await page.setViewport({ width: 360, height: 740 });
  await page.click('.menu summary');
  const [menu, open] = await Promise.all(['.menu summary', '.menu nav a'].map((s) => at(page, s)));
  check(menu.left > 180 && open.right > 300, 'the menu', [menu, open]);

  // The search.
  for (const width of [360, 1200]) {
    await page.setViewport({ width, height: 800 });
    await page.goto(`${address}?q=${encodeURIComponent('المفتاح archive key')}`);
    const found = await until(page, (s) => s.open && s.options.length > 5 && s.marks > 0, `${width}: a deep link`);
    check(/الأقسام: \d+/.test(found.status), `${width}: the texts`, found);
    const [glass, input, filters, status, list] = await Promise.all(['.field > svg', 'input', '.bar [aria-expanded]', '.status', '.list'].map((s) => at(page, search(s))));
    check(input.right < glass.left && filters.right < status.right && Math.abs(status.right - glass.right) < 4, `${width}: the field`, [glass, input, filters, status]);
    const [dialog, inner] = [await at(page, search('dialog')), await page.evaluate(() => [document.documentElement.clientWidth, innerWidth])];
    check(dialog.right - dialog.left <= inner[0] && dialog.left >= inner[1] - inner[0] - 20 && dialog.right <= inner[1], `${width}: the dialog`, [dialog, inner]);
    const groups = await page.$$eval(search('.group'), (list) => list.map((g) => {
      const hit = g.querySelector('.hit');
      const [title, snippet] = [g.querySelector('.page strong'), g.querySelector('.hit .snippet')].map((e) => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect(); });
      const rail = hit.getBoundingClientRect();
      return { dir: g.dir, title: g.querySelector('strong').textContent, lines: [getComputedStyle(hit).borderLeftWidth, getComputedStyle(hit).borderRightWidth],
        gaps: [title.left - rail.left, rail.right - title.right, snippet.left - rail.left, rail.right - snippet.right].map(Math.round) };
    }));
    const arabic = groups.find((g) => g.title === 'مفاتيح الدخول');
    check(arabic?.dir === 'rtl' && arabic.lines.join() === '0px,2px' && arabic.gaps[1] <= 0 && arabic.gaps[3] < 25, `${width}: a page in Arabic`, groups);
    const latin = groups.find((g) => g.title === 'Release notes');
    check(latin?.dir === 'ltr' && latin.lines.join() === '2px,0px' && latin.gaps[0] <= 0 && latin.gaps[2] < 25, `${width}: a page in English`, groups);
    await judged(page, `${width}: results`);
    await picture(`search-${width}`);
    await page.click(search('.bar [aria-expanded]'));
    await page.waitForSelector(search('.filters select'));
    const label = await at(page, search('.filters label'));
    check(label.right > list.right - 40 && label.padding[1] > label.padding[0], `${width}: filters`, label);
    await picture(`filters-${width}`);
  }
  await page.focus(search('input'));
  const type = async (text) => {
    await page.$eval(search('input'), (i, text) => { i.value = text; i.dispatchEvent(new Event('input')); }, text);
    return (await at(page, search('input'))).direction;
  };
  check(await type('') === 'rtl' && await type('key') === 'ltr' && await type('مفتاح key') === 'rtl', 'the field has the direction of what is in it', await at(page, search('input')));
  await type('مجلدا للنسخ');
  await until(page, (s) => s.text.includes('/var/lib/archive'), 'code in a snippet');
  const path = await drawn(page, search('.snippet bdi'), '/var', 'e`');
  check(path.first < path.second && path.text.includes('/var/lib/archive'), 'code in a snippet in its own order', path);
  await type('zzyzx قثصضش');
  await until(page, (s) => s.text.includes('zzyzx'), 'nothing found');
  await picture('none');
  await type('تجديد المفتاح');
  await until(page, (s) => s.options.length > 1 && s.url.includes('?q='), 'a section in Arabic');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash !== '');
  const hash = decodeURIComponent(new URL(page.url()).hash.slice(1));
  check(hash === 'تجديد-المفتاح' && await page.waitForSelector(`[id="${hash}"]`), 'Enter leads to the section', page.url());

  // In the page, in another language, and in one without texts of its own, which has English ones.
  await page.goto(`${address}hebrew/backup.html`);
  await page.waitForFunction(() => document.querySelector('kdd-search').shadowRoot?.querySelector('.button')?.innerText.includes('חיפוש'));
  await page.evaluate(() => {
    document.documentElement.lang = 'ur';
    const element = document.createElement('kdd-search');
    for (const [name, value] of Object.entries({ src: '../kdd/rtl.kddx', inline: '', base: '../', pages: 'html' })) element.setAttribute(name, value);
    document.querySelector('kdd-search').remove();
    document.querySelector('article').prepend(element);
    element.open('archive restore');
  });
  await page.waitForSelector(search('.hit'));
  await page.waitForFunction(() => /^\d+ sections/.test(document.querySelector('kdd-search').shadowRoot.querySelector('.status').textContent));
  const line = await drawn(page, search('.status'), 's', 's');
  const count = await page.$eval(search('.status'), (e) => { const r = document.createRange(); r.setStart(e.firstChild, 0); r.setEnd(e.firstChild, 1); return r.getBoundingClientRect().left; });
  check(count < line.first && line.first < line.second, 'English texts run from the left', [count, line]);
  const [field, glass, status] = await Promise.all(['.field', '.field > svg', '.status'].map((s) => at(page, search(s))));
  check(glass.left > field.left + field.width / 2 && Math.abs(status.right - glass.right) < 4, 'in the page', [field, glass, status]);
  await picture('inline');
  check(said.length === 0, 'the console', said);
  return await browser.version();
}, 180_000);
