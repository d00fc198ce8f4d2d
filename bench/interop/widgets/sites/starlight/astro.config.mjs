import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
import kddSearch from './kdd/starlight/index.mjs';

export default defineConfig({
  site: 'https://lantern.example.com',
  base: '/docs',
  integrations: [starlight({ title: 'Lantern', plugins: [kddSearch({ flags: ['--no-vectors'] })] })],
});
