// Asks kdd's own page in a browser as a person does, without JavaScript and with it, and looks at what the browser says of it.
//
//   node page.mjs KDDQ INDEX [PICTURES]
//
// The index is of testdata/corpora/handbook. PICTURES is a folder that keeps what is shown. The script has to lie beside
// node_modules.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { check, kddq, led, media, run, start, tab, withoutScripts } from './browser.mjs';

const [program, index, pictures] = process.argv.slice(2);
const question = 'how long is an access token valid';
const screens = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } };

// shown checks that nothing is wider than the screen and that text stands out from its ground, and keeps a picture.
async function shown(page, name) {
  for (const [screen, viewport] of Object.entries(screens)) {
    for (const scheme of ['light', 'dark']) {
      await page.setViewport(viewport);
      await media(page, { 'prefers-color-scheme': scheme });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      check(width <= viewport.width, `${name}, ${screen}: the page is wider than the screen`, width);
      const faint = await page.evaluate(contrasts);
      check(faint.length === 0, `${name}, ${screen}, ${scheme}: text with a contrast below 4.5`, faint);
      if (pictures) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${name}-${screen}-${scheme}.png`), fullPage: true });
      }
    }
  }
}

// contrasts runs in the page. It returns the elements whose text is too faint (WCAG 2.2, 1.4.3: a contrast below 4.5).
function contrasts() {
  const channels = (color) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = (c) => {
    const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    let ground;
    let opacity = 1;
    const above = [];
    for (let e = element; e; e = e.parentElement) above.unshift(e);
    for (const e of above) {
      const style = getComputedStyle(e);
      ground = ground ? over(channels(style.backgroundColor), ground) : channels(style.backgroundColor);
      opacity *= Number(style.opacity);
    }
    const ink = channels(getComputedStyle(element).color);
    const [a, b] = [luminance(over([...ink.slice(0, 3), ink[3] * opacity], ground)), luminance(ground)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${element.outerHTML.slice(0, 80)}: ${contrast.toFixed(2)}`);
  }
  return faint;
}

await run('page', async () => {
  const server = await kddq(program, '.', '-i', index);
  const base = `http://127.0.0.1:${server.port}`;
  const browser = await start();
  // Without JavaScript the page is a form and its answers.
  {
    const { page, said } = await tab(browser);
    await withoutScripts(page);
    const name = 'without JavaScript';
    const text = () => page.$eval('body', (b) => b.innerText);

    check((await page.goto(base)).status() === 200, `${name}: GET /`, page.url());
    check((await text()).includes('51 documents'), `${name}: the start`, await text());
    check((await page.evaluate(() => document.activeElement.name)) === 'q', `${name}: what has the focus`, await page.content());

    await page.keyboard.type(question);
    await led(page, () => page.keyboard.press('Enter'));
    check((await text()).includes('15 minutes') && page.url().includes('?q='), `${name}: the answer`, await text());
    check((await page.$$eval('ol > li', (l) => l.length)) > 0, `${name}: hits`, await text());
    check((await page.title()).includes(question), `${name}: the title`, await page.title());

    await led(page, () => page.click('section a')); // the first source
    check((await text()).includes('15 minutes') && page.url().includes('?read='), `${name}: the source`, await text());
    await led(page, () => page.evaluate(() => history.back()));
    await led(page, () => page.click('ol > li a'));
    check(page.url().includes('?read='), `${name}: a hit`, page.url());

    await led(page, () => page.click('h1 a'));
    await page.type('input[name=q]', 'zzyzx <img src=x onerror=alert(1)>');
    await led(page, () => page.click('form button'));
    check((await page.$$('img')).length === 0 && (await page.$eval('input[name=q]', (i) => i.value)).includes('<img'), `${name}: markup in a question`, await page.content());
    check(said.length === 0, `${name}: the console`, said);

    const missing = await page.goto(`${base}/?read=none.md`);
    check(missing.status() === 404 && (await page.$('[role=alert]')), `${name}: a document that is none`, await text());
    await page.browserContext().close();
  }

  // With JavaScript it is <kdd-search>.
  const { page, said } = await tab(browser);
  const inside = (f) => page.evaluate(`(() => { const root = document.querySelector('kdd-search').shadowRoot; return (${f})(root); })()`);
  const text = () => page.$eval('body', (b) => b.innerText);
  const has = (f) => page.waitForFunction(f);
  await page.setViewport(screens.wide);
  await page.goto(base);
  await has(() => document.querySelectorAll('.browse a').length === 51);
  check(await inside('(root) => root.activeElement?.tagName') === 'INPUT', 'the field has no focus', await page.content());
  await shown(page, 'start');
  await page.keyboard.type(question);
  await has(() => document.querySelector('.answer .marker') && document.querySelector('kdd-search').shadowRoot.querySelectorAll('[role=option]').length > 3);
  check((await text()).includes('15 minutes') && page.url().includes('?q='), 'the answer', await text());
  await shown(page, 'answer');
  await page.click('.sources a');
  await has(() => document.querySelector('article [data-here]') && document.querySelector('.related a'));
  check(page.url().includes('?read=') && (await text()).includes('15 minutes'), 'the source', await text());
  await shown(page, 'read');
  await page.evaluate(() => history.back());
  await has(() => document.querySelector('.answer'));
  await inside('(root) => root.querySelector("[role=option]").click()');
  await has(() => document.querySelector('article'));
  check(page.url().includes('?read='), 'a hit', page.url());
  await page.goto(`${base}/?q=${encodeURIComponent('how do I approve a deploy without a reviewer')}`);
  await has(() => document.querySelector('.declined'));
  check((await text()).includes('may not answer') && await inside('(root) => root.querySelectorAll("[role=option]").length') > 0, 'the closest sections', await text());
  await page.goto(`${base}/?q=${encodeURIComponent('zzyzx <img src=x onerror=alert(1)>')}`);
  await has(() => document.querySelector('kdd-search').shadowRoot.querySelector('.status').textContent !== '' || document.querySelector('kdd-search').shadowRoot.querySelector('.empty'));
  check((await page.$$('main img')).length === 0, 'markup in a question', await page.content());
  await shown(page, 'markup');
  check(said.length === 0, 'the console', said);
  await page.goto(`${base}/?read=none.md`);
  await has(() => document.querySelector('#view [role=alert]'));
  await shown(page, 'missing');
  return await browser.version();
});
