// A document with the section that was asked for, what it is related with, and the list of all documents.
import type { Api } from "./api.ts";
import { code } from "./copy.ts";
import { el } from "./dom.ts";
import { placeURL } from "./place.ts";
import { html } from "./rendered.ts";

interface Read {
  path: string;
  anchor?: string;
  lines: [number, number];
  url: string;
  markdown: string;
  next_offset?: number;
  index?: string;
}

interface Relative {
  name: string;
  path: string;
  anchor?: string;
  relation: string;
  direction: string;
}

interface Listed {
  path: string;
  title: string;
  kind: string;
  index?: string;
}

const pieceBytes = "65536";
const mostPieces = 16; // of a document: 1 MiB
const mostDocuments = 1000; // of the list

// whole reads a document in pieces.
async function whole(api: Api, file: string): Promise<Read> {
  const first = await api.get<Read>("read", { file, max_bytes: pieceBytes });
  let next = first.next_offset;
  for (let i = 1; next !== undefined && i < mostPieces; i++) {
    const piece: Read = await api.get<Read>("read", { file, max_bytes: pieceBytes, offset: String(next) });
    first.markdown += piece.markdown;
    next = piece.next_offset;
  }
  if (next !== undefined) first.markdown += "\n\n*…*\n";
  return first;
}

/** A document, and the section of it that place names, marked. */
export async function documentView(api: Api, place: string): Promise<HTMLElement> {
  let section: Read, document: Read;
  try {
    section = await api.get<Read>("read", { file: place, max_bytes: "512" });
    const name = (section.index ? `${section.index}:` : "") + section.path;
    document = await whole(api, name);
  } catch (err) {
    return el("p", { class: "note", role: "alert" }, (err as Error).message);
  }
  const { path, index } = document;
  const lines = document.markdown.split("\n");
  const front = /^---\r?\n[^]*?\n---[ \t]*\r?\n/.exec(document.markdown);
  const from = front ? front[0].split("\n").length - 1 : 0;
  // The section stands by its first line; where it ends the next heading of its level or a higher one begins.
  const first = section.anchor ? Math.max(from, section.lines[0] - 1) : from;
  const end = section.anchor ? endOf(lines, first) : lines.length;
  const part = (a: number, b: number): Promise<HTMLElement> => html(lines.slice(a, b).join("\n"));
  const [before, here, after] = await Promise.all([part(from, first), part(first, end), part(end, lines.length)]);
  if (section.anchor) {
    here.dataset.here = "";
    here.tabIndex = -1;
  }
  const article = el("article", { dir: "auto" }, before, here, after);
  links(article, path, index ?? "");
  code(article);
  const address = section.anchor ? `${path}#${section.anchor}` : path;
  const head = el("p", { class: "small place" }, el("a", { href: "/" }, "All documents"), " › ", address);
  if (/^https?:/.test(document.url)) {
    head.append(" · ", el("a", { href: document.url, rel: "noopener noreferrer" }, "original"));
  }
  return el("div", {}, head, article, await related(api, path, index ?? ""));
}

// endOf is the line of the next heading of the section's level, or a higher one.
function endOf(lines: readonly string[], first: number): number {
  const level = /^(#{1,6})\s/.exec(lines[first] ?? "")?.[1].length ?? 1;
  let fence = "";
  for (let i = first + 1; i < lines.length; i++) {
    const mark = /^\s*(```+|~~~+)/.exec(lines[i])?.[1] ?? "";
    if (fence) fence = mark.startsWith(fence) ? "" : fence;
    else if (mark) fence = mark;
    else if ((/^(#{1,6})\s/.exec(lines[i])?.[1].length ?? 7) <= level) return i;
  }
  return lines.length;
}

// links makes links between documents lead to this page.
function links(body: HTMLElement, path: string, index: string): void {
  for (const a of body.querySelectorAll<HTMLAnchorElement>("a[href]")) {
    const href = a.getAttribute("href")!;
    if (href.startsWith("/?q=")) continue;
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) {
      a.rel = "noopener noreferrer";
      continue;
    }
    const base = new URL(`kdd:///${path.split("/").map(encodeURIComponent).join("/")}`);
    const to = new URL(href, base);
    const file = decodeURIComponent(to.pathname.slice(1));
    a.setAttribute("href", placeURL(file, decodeURIComponent(to.hash.slice(1)), index));
  }
  for (const img of body.querySelectorAll("img"))
    img.replaceWith(el("span", { class: "small" }, `[${img.alt || "picture"}]`));
}

// related lists what leads to a document and what it leads to; nothing where the server does not tell.
async function related(api: Api, path: string, index: string): Promise<HTMLElement> {
  const out = el("div", { class: "related" });
  try {
    const entity = (index && `${index}:`) + path;
    const { related } = await api.get<{ related: Relative[] }>("related", { entity, limit: "40", max_bytes: "65536" });
    for (const [direction, title] of [
      ["incoming", "Linked from"],
      ["outgoing", "Leads to"],
    ]) {
      const list = related.filter((r) => r.direction === direction && r.path !== path);
      if (list.length === 0) continue;
      const items = list.map((r) => {
        const plain = ["LINK", "WIKI_LINK", "MENTIONS"].includes(r.relation);
        const how = plain ? "" : `${r.relation.toLowerCase().replaceAll("_", " ")} `;
        return el(
          "li",
          {},
          how && el("span", { class: "small" }, how),
          el("a", { href: placeURL(r.path, r.anchor, index) }, r.name),
        );
      });
      out.append(el("section", {}, el("h2", {}, title), el("ul", {}, ...items)));
    }
  } catch {
    // A public server has no relations.
  }
  return out;
}

/** All documents by folder. */
export async function browse(api: Api): Promise<HTMLElement> {
  const out = el("section", { class: "browse", "aria-label": "Documents" });
  const folders = new Map<string, HTMLElement>();
  let [cursor, n]: [string | undefined, number] = [undefined, 0];
  try {
    do {
      type Page = { documents: Listed[]; cursor?: string };
      const page: Page = await api.get<Page>("list", { limit: "200", max_bytes: "65536", cursor });
      for (const d of page.documents) {
        n++;
        const folder = d.path.split("/").slice(0, -1).join("/");
        let list = folders.get(folder);
        if (!list) {
          list = el("ul", {});
          folders.set(folder, list);
          out.append(el("details", { open: folders.size <= 12 }, el("summary", {}, folder || "/"), list));
        }
        const kind = d.kind && d.kind !== "document" && el("span", { class: "small" }, ` ${d.kind}`);
        list.append(
          el("li", {}, el("a", { href: placeURL(d.path, "", d.index), dir: "auto" }, d.title || d.path), kind),
        );
      }
      cursor = page.cursor;
    } while (cursor && n < mostDocuments);
    if (cursor) out.append(el("p", { class: "small" }, `the first ${n} documents`));
  } catch (err) {
    out.append(el("p", { class: "note", role: "alert" }, (err as Error).message));
  }
  return out;
}
