// A plugin of Starlight that puts <kdd-search> in the place of its search, see ../README.md.

import { fileURLToPath } from 'node:url';
import { widget } from '../kdd-widget.mjs';

export default function kddSearch(options = {}) {
  return {
    name: 'kdd-search',
    hooks: {
      'config:setup'({ config, updateConfig, addIntegration, astroConfig }) {
        const docs = fileURLToPath(new URL('content/docs/', astroConfig.srcDir));
        widget({ docs: [docs], out: fileURLToPath(new URL('kdd/', astroConfig.publicDir)), dialect: 'starlight', ...options });
        updateConfig({
          pagefind: false,
          components: { ...config.components, Search: fileURLToPath(new URL('Search.astro', import.meta.url)) },
        });
        addIntegration({
          name: 'kdd-search',
          hooks: {
            'astro:config:setup': ({ injectRoute }) =>
              injectRoute({ pattern: '/kdd/moved.json', entrypoint: new URL('moved.js', import.meta.url), prerender: true }),
          },
        });
      },
    },
  };
}
