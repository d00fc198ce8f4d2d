// Runs a chat widget, unmodified, in a browser against "kddq serve --public": the one of ADR-0003, src/assistant-widget.js
// of the public repository SM23-EOD/eod-web-rag-service.
//
//   node widget.mjs KDDQ INDEX HOSTILE WIDGET [PICTURES]
//
// WIDGET is the widget's file. INDEX is of testdata/corpora/handbook, HOSTILE of documents with markup in them. PICTURES is
// a folder that keeps what is shown. The script has to lie beside node_modules.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, kddq, later, pages, run, start, tab } from './browser.mjs';

const [program, index, hostile, file, pictures] = process.argv.slice(2);
const noAnswer = /Failed to fetch|NetworkError/; // as Chromium and Firefox say it
const question = 'how long is an access token valid';

// bubbles returns what the widget shows of the conversation.
const bubbles = (page) => page.$eval('rag-assistant', (w) => [...w.shadowRoot.querySelectorAll('.message-container')].map((m) => ({
  role: m.className.replace('message-container ', ''),
  text: m.querySelector('.bubble').textContent.trim(),
  sources: [...m.querySelectorAll('.source-item')].map((s) => s.textContent),
})));

// ask types a question as a person does, and returns what the widget answers.
async function ask(page, text) {
  const before = (await bubbles(page)).length;
  await page.type('rag-assistant >>> textarea', text);
  await page.click('rag-assistant >>> button.send');
  await page.waitForFunction((n) => {
    const widget = document.querySelector('rag-assistant');
    return !widget.state.isLoading && widget.shadowRoot.querySelectorAll('.message-container').length === n;
  }, {}, before + 2);
  return (await bubbles(page)).at(-1);
}

// rate presses a thumb below the last answer, with a comment or, where there is none, by the button that leaves it out.
async function rate(page, rating, comment) {
  const last = (selector) => `rag-assistant >>> .message-container:last-child ${selector}`;
  await page.click(last(`.feedback-btn.${rating}`));
  if (comment) await page.type(last('input'), comment);
  await page.click(last(comment ? '[data-send-feedback]' : '[data-skip-feedback]'));
  await page.waitForSelector(last('.feedback-thanks'));
}

await run('widget', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'widget-'));
  later(async () => rmSync(folder, { recursive: true }));
  const empty = mkdtempSync(join(folder, 'none-'));
  mkdirSync(join(empty, '.git')); // where the search for an index ends
  const said = join(folder, 'said.jsonl');

  const files = { '/widget.js': ['text/javascript', readFileSync(file, 'utf8')], '/marked.js': ['text/javascript', readFileSync(new URL('node_modules/marked/lib/marked.umd.js', import.meta.url), 'utf8')] };
  const site = await pages(files);
  const origin = `http://www.example.com:${site}`;
  const open = ['--public', '--allow-host', 'api.example.com', '--allow-origin', origin];
  const served = await kddq(program, folder, '-i', index, ...open, '--feedback', said);
  const without = await kddq(program, empty, ...open);
  const dangerous = await kddq(program, folder, '-i', hostile, ...open);
  const slow = await kddq(program, folder, '-i', index, ...open, '--rate', '1');
  const at = (server, path) => `http://api.example.com:${server.port}${path}`;

  const browser = await start();
  // shows opens a page of the site, or of another one, with the widget that asks at endpoint.
  let page, heard;
  const shows = async (endpoint, { of = origin, markdown = false, attributes = '' } = {}) => {
    await page?.browserContext().close();
    const name = `/${Object.keys(files).length}.html`;
    files[name] = ['text/html', `<!DOCTYPE html><title>Site</title><link rel="icon" href="data:,">${markdown ? '<script src="/marked.js"></script>' : ''}
      <script src="/widget.js"></script><rag-assistant title="Help" endpoint="${endpoint}" ${attributes}></rag-assistant>`];
    ({ page, said: heard } = await tab(browser));
    await page.goto(of + name);
    await page.click('rag-assistant >>> .launcher');
  };
  const shot = async (name) => {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `widget-${name}.png`) });
  };
  const quiet = (what) => check(heard.length === 0, `${what}: the console`, heard);

  for (const path of ['/api/v2/mcp/tools/call', '/api/v1/mcp/tools/call', '/api/v1/mcp/tools/call/']) {
    await shows(at(served, path));
    const answer = await ask(page, question);
    check(answer.role === 'assistant' && answer.text.includes('15 minutes') && answer.sources.length > 0, `${path}: the answer`, answer);
    await shot('answer');
    await rate(page, path.endsWith('/') ? 'negative' : 'positive', path.includes('v1') ? `über "${path}" <b>` : '');
    const refusal = await ask(page, 'zzyzx qwfpgj');
    check(refusal.role === 'assistant' && refusal.text && refusal.sources.length === 0, `${path}: the refusal`, refusal);
    await shot('refusal');
    quiet(path);
  }
  const records = readFileSync(said, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const got = records.map((r) => [r.rating, r.comment ?? '', r.query, r.response.includes('15 minutes')]);
  const want = [['positive', '', question, true], ['positive', 'über "/api/v1/mcp/tools/call" <b>', question, true], ['negative', 'über "/api/v1/mcp/tools/call/" <b>', question, true]];
  check(JSON.stringify(got) === JSON.stringify(want), 'the feedback that was kept', got);

  await shows(at(served, '/api/v1/mcp/tools/call'), { attributes: 'include-sources="false" session-id="s-1" tool-name="search_knowledge_base"' });
  const found = await ask(page, question);
  check(found.role === 'assistant' && found.text.length > 0, 'another tool', found);
  quiet('another tool');

  await shows(at(without, '/api/v1/mcp/tools/call'));
  const unavailable = await ask(page, question);
  check(unavailable.role === 'error' && unavailable.text.includes('503'), 'without an index', unavailable);
  await shot('error');

  await shows(at(slow, '/api/v1/mcp/tools/call'));
  await ask(page, question);
  const many = await ask(page, question);
  check(many.role === 'error' && many.text.includes('429'), 'more requests than a client may send', many);

  // What the server refuses a page of another site, it keeps from it: the browser lets the widget read neither.
  await shows(at(served, '/api/v1/mcp/tools/call'), { of: `http://evil.example.com:${site}` });
  const foreign = await ask(page, question);
  check(foreign.role === 'error' && noAnswer.test(foreign.text) && heard.some((line) => line.includes('CORS')), 'a page of another origin', [foreign, heard]);
  // And a host that was not named: a name that leads here is not enough.
  await shows(`http://rebound.example.com:${served.port}/api/v1/mcp/tools/call`);
  const rebound = await ask(page, question);
  check(rebound.role === 'error' && !rebound.text.includes('15 minutes'), 'a host that was not allowed', rebound);

  // With a library for markdown on the page the widget shows answers as HTML: none of it may be the documents'.
  await shows(at(served, '/api/v1/mcp/tools/call'), { markdown: true });
  const marked = await ask(page, question);
  check(marked.text.includes('15 minutes') && (await page.$('rag-assistant >>> .bubble.assistant p')), 'with markdown', marked);
  await shows(at(dangerous, '/api/v1/mcp/tools/call'), { markdown: true });
  for (const text of ['what is the launch code of the rocket', 'who may press the launch button']) {
    const answer = await ask(page, text);
    check(answer.role === 'assistant' && answer.sources.length > 0, 'an answer out of documents with markup', answer);
    const elements = await page.$eval('rag-assistant', (w) => [...w.shadowRoot.querySelectorAll('.bubble.assistant *')].filter((e) => e.matches('script, img, iframe, svg, [onerror], [onload], a[href^="javascript" i]')).map((e) => e.outerHTML));
    check(elements.length === 0 && !(await page.evaluate(() => window.hit)), 'markup of a document in the page', elements);
  }
  await shot('hostile');
  quiet('markup');

  await served.stop();
  await shows(at(served, '/api/v1/mcp/tools/call'));
  const gone = await ask(page, question);
  check(gone.role === 'error' && noAnswer.test(gone.text), 'without a server', gone);
  return await browser.version();
});
