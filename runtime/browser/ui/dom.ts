// Elements, made without markup: nothing of an index is ever read as HTML.
type Child = Node | string | false | undefined;

/** An element with attributes and children; true sets an attribute without a value, undefined and false none. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children.filter((c): c is Node | string => c !== false && c !== undefined));
  return e;
}

const paths = {
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-3.9-3.9",
  clear: "M6 6l12 12M18 6L6 18",
  recent: "M12 4a8 8 0 1 1-7.5 5.2M4 4v5h5M12 8v4.5l3 1.8",
  filter: "M4 6h16M7 12h10M10 18h4",
};

/** A picture of 24 by 24 units. */
export function icon(name: keyof typeof paths): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[name]);
  svg.append(path);
  return svg;
}

/** A text with marks at places of its characters. */
export function marked(text: string, places: readonly (readonly [number, number])[]): Node[] {
  const chars = [...text];
  const out: Node[] = [];
  let end = 0;
  for (const [from, to] of places) {
    if (from < end || to > chars.length || from >= to) continue;
    if (from > end) out.push(document.createTextNode(chars.slice(end, from).join("")));
    out.push(el("mark", { part: "mark" }, chars.slice(from, to).join("")));
    end = to;
  }
  if (end < chars.length) out.push(document.createTextNode(chars.slice(end).join("")));
  return out;
}

/** Where words stand in a text that is shown without marks of its own, whatever their case. */
export function wordsIn(text: string, words: ReadonlySet<string>): [number, number][] {
  const out: [number, number][] = [];
  let at = 0; // in characters
  for (const piece of text.split(/([\p{L}\p{N}\p{M}_]+)/u)) {
    const length = [...piece].length;
    if (words.has(piece.toLowerCase())) out.push([at, at + length]);
    at += length;
  }
  return out;
}
