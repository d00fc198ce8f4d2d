// Makes the folder that <kdd-search> needs, for the plugins of VitePress, Docusaurus and Starlight.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const done = new Set();

/**
 * Compiles folders of documents and writes the widget to a folder, once in a process: generators load their configuration
 * for the browser and for the server. Where the program is not there, a folder that was made before is taken as it is.
 *
 * @param {{docs: string[], out: string, dialect: string, flags?: string[], program?: string}} options flags are further ones
 *   of "kdd build", such as "--no-vectors"
 */
export function widget({ docs, out, dialect, flags = [], program = process.env.KDD || 'kdd' }) {
  if (done.has(out)) return;
  done.add(out);
  const run = (...args) => spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  mkdirSync(out, { recursive: true });
  const file = join(out, 'docs.kddx');
  const built = run('build', ...docs, '-o', file, '--dialect', dialect, '--quiet', ...flags);
  if (built.error?.code === 'ENOENT') {
    if (existsSync(join(out, 'start.js'))) return;
    throw new Error(`kdd-search: no program ${program} and no ${join(out, 'start.js')}: install kdd, or bring the folder that "kdd site --widget" writes`);
  }
  if (built.error ?? built.status) throw new Error(`kdd-search: kdd build ended with ${built.error ?? built.status}`);
  const written = run('site', file, '--widget', '-o', out, '--quiet');
  if (written.error ?? written.status) throw new Error(`kdd-search: kdd site ended with ${written.error ?? written.status}`);
}

/** The pages that are not where pages="clean", "directory" or "html" have them: their front matter or a rule of the site moves them. */
export function moved(addresses) {
  const bare = (address) => address.replace(/(^|\/)(index)?(\.html)?$|\.html$|\/$/, '');
  const clean = (path) => path.replace(/\.(md|mdx|markdown)$/i, '').replace(/(^|\/)(index|_index|readme)$/i, '');
  return Object.fromEntries(Object.entries(addresses).filter(([path, address]) => ![clean(path), encodeURI(clean(path))].includes(bare(address))));
}

/** Writes the addresses of moved pages beside the widget, for the attribute "moved". */
export function writeMoved(out, addresses) {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'moved.json'), JSON.stringify(moved(addresses)));
}
