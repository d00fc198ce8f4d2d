// A plugin of Vite that puts <kdd-search> into a site of VitePress, see ../README.md.

import { join } from 'node:path';
import { moved, widget, writeMoved } from '../kdd-widget.mjs';

const name = 'virtual:kdd-search';

export default function kddSearch({ flags = [], ...options } = {}) {
  let about;
  return {
    name: 'kdd-search',
    configResolved({ vitepress: site, publicDir }) {
      const out = join(publicDir, 'kdd');
      const exclude = (site.userConfig.srcExclude ?? []).flatMap((glob) => ['--exclude', glob]);
      widget({ docs: [site.srcDir], out, dialect: 'vitepress', flags: [...exclude, ...flags], ...options });
      const address = (path) => encodeURI(path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, site.cleanUrls ? '' : '.html'));
      const addresses = Object.fromEntries(Object.entries(site.rewrites.map).map(([from, to]) => [from, address(to)]));
      writeMoved(out, addresses);
      about = { pages: site.cleanUrls ? 'clean' : 'html', moved: Object.keys(moved(addresses)).length > 0 };
    },
    resolveId(id) {
      if (id === name) return `\0${name}`;
    },
    load(id) {
      if (id === `\0${name}`) return `export default ${JSON.stringify(about)}`;
    },
  };
}
