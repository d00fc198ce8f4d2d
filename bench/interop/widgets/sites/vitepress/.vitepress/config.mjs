import kddSearch from './kdd/vitepress/index.mjs';

export default {
  title: 'Lantern',
  base: '/docs/',
  srcExclude: ['**/draft-*.md'],
  rewrites: { 'reference/moved.md': 'reference/elsewhere.md' },
  vite: { plugins: [kddSearch({ flags: ['--no-vectors'] })] },
};
