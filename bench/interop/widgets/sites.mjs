// The sites of the same documents, one for each generator: how the documents are laid out for it, and how it is built.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';

const same = (path) => path;
const keep = (text) => text;
const extra = (fields, path) => (path === 'reference/moved.md' && fields ? `${fields}\n` : '');

// fielded adds fields to the front matter of the page that is moved.
const fielded = (fields) => (text, path) => (extra(fields, path) ? `---\n${fields}\n---\n\n${text}` : text);

// titled puts the title into the front matter, for generators that write it themselves.
const titled = (fields) => (text, path) => {
  const [, front = '', title, body] = /^(?:---\n(.*?)---\n\s*)?# (.*?)\n(.*)$/s.exec(text);
  return `---\ntitle: ${JSON.stringify(title)}\n${front}${extra(fields, path)}---\n${body}`;
};

// bare takes the front matter off.
const bare = (text) => text.replace(/^---\n.*?---\n\s*/s, '');

// click presses a button as a script does: it may stand in a menu that is closed.
const click = (selector) => (page) => page.$eval(selector, (button) => button.click());

const node = (program, ...args) => [join('node_modules', '.bin', program), ...args];

/**
 * docs: folder of the documents in the site; name and text: what becomes of a document there; site: a folder of sites;
 * copy: where the plugin goes; build: the command; out: folder of what was built;
 * spa: a result opens without loading the page anew; still: no page has another address than its
 * path; dark: how a reader switches to dark; own: what the generator's own pages say in the console without a plugin.
 */
export const sites = {
  vitepress: { dialect: 'vitepress', docs: '.', copy: '.vitepress/kdd', build: node('vitepress', 'build', '.'), out: '.vitepress/dist', spa: true, dark: click('.VPNavBarAppearance button') },
  docusaurus: { dialect: 'docusaurus', docs: 'docs', copy: 'kdd', text: fielded('slug: elsewhere'), build: node('docusaurus', 'build'), out: 'build', spa: true, dark: click('button[class*=toggleButton]') },
  material: { dialect: 'mkdocs', plugin: 'mkdocs', docs: 'docs', copy: 'kdd', build: ['mkdocs', 'build', '--strict', '--quiet'], out: 'site', still: true, dark: click('form[data-md-component=palette] label:not([hidden])') },
  mkdocs: { dialect: 'mkdocs', docs: 'docs', copy: 'kdd', build: ['mkdocs', 'build', '--strict', '--quiet'], out: 'site', still: true, dark: (page) => page.$eval('html', (html) => { html.dataset.bsTheme = 'dark'; }), own: /'#\d[^']*' is not a valid selector|reading '191'/ },
  starlight: { dialect: 'starlight', docs: 'src/content/docs', copy: 'kdd', text: titled('slug: reference/elsewhere'), build: node('astro', 'build'), out: 'dist', dark: (page) => page.select('starlight-theme-select select', 'dark') },
  hugo: { dialect: 'hugo', docs: 'content', copy: 'layouts/_partials', text: titled('slug: elsewhere'), name: (path) => path.replace(/(^|\/)index\.md$/, '$1_index.md'), widget: 'static/kdd', build: ['hugo', '--quiet'], out: 'public', dark: click('#theme') },
  mdbook: { dialect: 'mdbook', docs: 'src', copy: '.', text: bare, widget: 'src/kdd', build: ['mdbook', 'build'], out: 'book', still: true, dark: click('#mdbook-theme-coal'), own: /^DeprecationIssue: .*book-\w+\.js.*UnloadHandler/ },
};

/** Lays out a site in a folder of its own and builds it. */
export function build(name, { here, root, cache, kdd, python }) {
  const site = sites[name];
  const folder = join(cache, `site-${name}`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(here, 'sites', name), folder, { recursive: true });
  const list = readdirSync(join(here, 'docs'), { recursive: true }).filter((path) => path.endsWith('.md'));
  for (const path of list) {
    const to = join(folder, site.docs, (site.name ?? same)(path));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, (site.text ?? keep)(readFileSync(join(here, 'docs', path), 'utf8'), path));
  }
  copyPlugin(site.plugin ?? name, join(root, 'docs/widget'), join(folder, site.copy));
  if (site.widget) { // of a generator that runs no programs
    run(folder, [kdd, 'build', site.docs, '--exclude', 'SUMMARY.md', '-o', 'docs.kddx', '--dialect', site.dialect, '--no-vectors', '--quiet']);
    run(folder, [kdd, 'site', 'docs.kddx', '--widget', '-o', site.widget, '--quiet']);
  }
  const env = { ...process.env, KDD: kdd, PATH: `${join(python, 'bin')}:${process.env.PATH}`, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', CI: '1' };
  run(folder, site.build[0].startsWith('node_modules') ? [join(cache, site.build[0]), ...site.build.slice(1)] : site.build, env);
  return join(folder, site.out);
}

// copyPlugin copies what the README of a plugin says.
function copyPlugin(name, from, to) {
  mkdirSync(to, { recursive: true });
  if (name === 'hugo' || name === 'mdbook') {
    const file = name === 'hugo' ? 'kdd-search.html' : 'kdd-search.js';
    cpSync(join(from, name, file), join(to, file));
    return;
  }
  cpSync(join(from, 'kdd-widget.mjs'), join(to, 'kdd-widget.mjs'));
  cpSync(join(from, name), join(to, name), { recursive: true });
}

function run(cwd, [program, ...args], env = process.env) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 600_000 });
  if (error || status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error ?? `exit ${status}\n${stdout}${stderr}`.slice(-3000)}`);
}
