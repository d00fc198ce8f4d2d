// Where a hit stands on the web: the address of its page, by the ways that sites name their pages.

/** How the page of a document is named. */
export type Pages = "clean" | "directory" | "html" | "source";

/** What an address is made of. */
export interface Place {
  path: string;
  anchor: string;
}

const index = /(^|\/)(index|_index|readme)$/i;
const escaped = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** Pages that are not where their paths say: the address of each below base, by the path of its document. */
export type Moved = Record<string, string>;

/** The address of a section below base, as pages are named; a template has {path} in place of a name. */
export function addressOf(place: Place, base: string, pages: string, moved: Moved = {}): string {
  const anchor = place.anchor && `#${encodeURIComponent(place.anchor)}`;
  const to = moved[place.path];
  if (to !== undefined) return join(base, to) + anchor;
  if (base.includes("{path}")) return base.replaceAll("{path}", escaped(place.path)) + anchor;
  if (pages.includes("{path}")) return join(base, pages.replaceAll("{path}", escaped(place.path))) + anchor;
  if (pages === "source") return join(base, escaped(place.path)) + anchor;
  const bare = place.path.replace(/\.(md|mdx|markdown)$/i, "");
  const folder = index.test(bare) ? bare.replace(index, "$1") : undefined; // "" or with a slash at its end
  if (pages === "html")
    return join(base, folder === undefined ? `${escaped(bare)}.html` : `${escaped(folder)}index.html`) + anchor;
  if (folder !== undefined) return join(base, escaped(folder)) + anchor;
  return join(base, escaped(bare) + (pages === "directory" ? "/" : "")) + anchor;
}

function join(base: string, path: string): string {
  return base === "" || base.endsWith("/") ? base + path : `${base}/${path}`;
}
