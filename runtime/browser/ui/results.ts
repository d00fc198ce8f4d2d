// Hits as a list: pages, and below each its sections.
import type { Hit } from "./backend.ts";
import { directionOf } from "./direction.ts";
import { el, icon, marked, wordsIn } from "./dom.ts";

/** The sections of a page among the hits. */
export interface Page {
  path: string;
  title: string;
  kind: string;
  language: string;
  hits: Hit[];
}

/** Names a section. */
export const keyOf = (h: { path: string; anchor: string }): string => `${h.path}#${h.anchor}`;

/** The hits by page, pages in the order of their best hits. */
export function pagesOf(hits: readonly Hit[]): Page[] {
  const pages = new Map<string, Page>();
  for (const h of hits) {
    const known = pages.get(h.path);
    if (known) known.hits.push(h);
    else pages.set(h.path, { path: h.path, title: h.title || h.path, kind: h.kind, language: h.language, hits: [h] });
  }
  return [...pages.values()];
}

/** What is shown once more of a list that somebody is reading: its hits where they are, then those that are new. */
export function kept(shown: readonly Hit[], found: readonly Hit[]): Hit[] {
  const known = new Set(shown.map(keyOf));
  return [...shown, ...found.filter((h) => !known.has(keyOf(h)))];
}

/** One page and its sections as options. href gives addresses, id the ids of options in their order. */
export function pageGroup(page: Page, href: (place: Hit) => string, id: () => string): HTMLElement {
  const words = new Set<string>();
  for (const h of page.hits) {
    const chars = [...h.snippet];
    for (const [from, to] of h.highlights) words.add(chars.slice(from, to).join("").toLowerCase());
  }
  const top = page.hits.find((h) => isTop(h, page.title));
  const lang = page.language || undefined;
  const dir = directionOf(page.language, page.title, true);
  const folders = page.path.split("/").slice(0, -1).join(" › ");
  const head = option(
    "page",
    top ?? { ...page.hits[0], anchor: "", section: "" },
    top !== undefined,
    href,
    id,
    el(
      "span",
      { class: "row" },
      el("strong", { lang, dir: directionOf(page.language, page.title) }, ...marked(page.title, wordsIn(page.title, words))),
      el("span", { class: "path" }, folders),
      page.kind !== "" && page.kind !== "document" && el("span", { class: "kind", part: "kind" }, page.kind),
    ),
    top && snippet(top),
  );
  const sections = page.hits
    .filter((h) => h !== top)
    .map((h) => {
      const above = h.headings.slice(0, -1).filter((t) => !t.includes(page.title));
      const name = h.section || h.anchor;
      return option(
        "hit",
        h,
        true,
        href,
        id,
        el(
          "span",
          { class: "title", lang, dir: directionOf(page.language, name) },
          above.length > 0 && el("span", { class: "above" }, ...above.flatMap((t) => [el("bdi", {}, t), " › "])),
          ...marked(name, wordsIn(name, words)),
        ),
        snippet(h),
      );
    });
  return el("div", { class: "group", role: "group", "aria-label": page.title, dir }, head, ...sections);
}

// The beginning of a document, or its first heading, which says the title once more.
const isTop = (h: Hit, title: string): boolean =>
  h.anchor === "" || h.section === "" || (h.headings.length <= 2 && h.section.includes(title));

function option(
  name: "page" | "hit",
  h: Hit,
  found: boolean,
  href: (place: Hit) => string,
  id: () => string,
  ...children: (Node | false | undefined)[]
): HTMLElement {
  const part = name === "hit" ? "result" : "page";
  const a = el(
    "a",
    {
      class: name,
      part,
      role: "option",
      "aria-selected": "false",
      tabindex: "-1",
      id: id(),
      href: href(h),
      "data-key": keyOf(h),
    },
    ...children,
  );
  if (found) a.dataset.found = "";
  return a;
}

function snippet(h: Hit): HTMLElement | false {
  if (h.snippet === "") return false;
  const skip = /^(?:[-*+]|\d+[.)]) /.exec(h.snippet)?.[0].length ?? 0; // of a list
  const places = h.highlights.map(([from, to]) => [from - skip, to - skip] as const);
  const text = h.snippet.slice(skip).replace(/\s/g, " ");
  const dir = directionOf(h.language, text);
  return el(
    "span",
    { class: "snippet", part: "snippet", lang: h.language || undefined, dir },
    ...(dir === "rtl" ? withCode(text, places) : marked(text, places)),
  );
}

// Code in a text that is written from the right keeps its own order: `/etc/hosts` would begin with its end.
function withCode(text: string, places: readonly (readonly [number, number])[]): Node[] {
  let at = 0; // in characters
  return text.split(/(`[^`]+`)/).flatMap((piece, i) => {
    const [from, end] = [at, (at += [...piece].length)];
    const inside = places
      .filter(([a, b]) => a < end && b > from)
      .map(([a, b]) => [Math.max(a, from) - from, Math.min(b, end) - from] as const);
    const nodes = marked(piece, inside);
    return i % 2 === 1 ? [el("bdi", { dir: "ltr" }, ...nodes)] : nodes;
  });
}

/** A query of before. */
export function recentOption(query: string, id: string): HTMLElement {
  return el(
    "div",
    { class: "recent", role: "option", "aria-selected": "false", id, "data-query": query },
    icon("recent"),
    el("span", { dir: "auto" }, query),
  );
}
