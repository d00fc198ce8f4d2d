import { h } from 'vue';
import DefaultTheme from 'vitepress/theme';
import KddSearch from '../kdd/vitepress/KddSearch.mjs';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-content-before': () => h(KddSearch) }),
};
