import kddSearch from './kdd/docusaurus/index.mjs';

export default {
  title: 'Lantern',
  url: 'https://lantern.example.com',
  baseUrl: '/docs/',
  onBrokenLinks: 'throw',
  presets: [['classic', { docs: { routeBasePath: '/' }, blog: false, pages: false }]],
  plugins: [[kddSearch, { flags: ['--no-vectors'] }]],
};
