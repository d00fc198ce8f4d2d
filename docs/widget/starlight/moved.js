// kdd/moved.json: the pages that their front matter or a capital letter has moved.

import { getCollection } from 'astro:content';
import { moved } from '../kdd-widget.mjs';

export async function GET() {
  const docs = await getCollection('docs');
  return Response.json(moved(Object.fromEntries(docs.map(({ id, filePath }) =>
    [filePath.replace(/^.*?content\/docs\//, ''), encodeURI(id === 'index' ? '' : `${id}/`)]))));
}
