// The field in the bar of VitePress's default theme.

import { h, onMounted } from 'vue';
import { useRouter, withBase } from 'vitepress';
import about from 'virtual:kdd-search';
import './kdd-search.css';

export default {
  setup() {
    const router = useRouter();
    onMounted(() => import(/* @vite-ignore */ withBase('/kdd/kdd-search.js')));
    const open = (event) => {
      event.preventDefault();
      router.go(event.detail.href);
    };
    return () => h('kdd-search', {
      src: withBase('/kdd/docs.kddx'),
      base: withBase('/'),
      pages: about.pages,
      moved: about.moved ? withBase('/kdd/moved.json') : undefined,
      onKddOpen: open,
    });
  },
};
