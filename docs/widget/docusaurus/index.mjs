// A plugin that puts <kdd-search> into a site of Docusaurus, see ../README.md.

import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moved, widget, writeMoved } from '../kdd-widget.mjs';

export default function kddSearch({ siteDir, baseUrl }, { id, docs = 'docs', ...options }) {
  const folder = join(siteDir, docs);
  const out = join(siteDir, 'static/kdd');
  return {
    name: 'kdd-search',
    getThemePath: () => fileURLToPath(new URL('theme', import.meta.url)),
    loadContent() {
      widget({ docs: [folder], out, dialect: 'docusaurus', ...options });
    },
    allContentLoaded({ allContent, actions }) {
      const versions = Object.values(allContent['docusaurus-plugin-content-docs'] ?? {}).flatMap((content) => content.loadedVersions);
      const version = versions.find((v) => v.contentPath === folder);
      if (!version) throw new Error(`kdd-search: no plugin of documents has the folder ${folder}: name it in the option "docs"`);
      const base = version.path.replace(/\/?$/, '/');
      const path = (doc) => relative(folder, doc.source.replace('@site', siteDir)).replaceAll('\\', '/');
      const addresses = Object.fromEntries(version.docs.map((doc) => [path(doc), `${doc.permalink}/`.replace(base, '').replace(/\/$/, '')]));
      writeMoved(out, addresses);
      actions.setGlobalData({ base, folder: `${baseUrl}kdd/`, moved: Object.keys(moved(addresses)).length > 0 });
    },
  };
}
