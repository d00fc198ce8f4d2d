// Markdown of documents as elements. Documents are not trusted: DOMPurify takes out what could run.
type Markdown = typeof import("../src/markdown.ts");

let loaded: Promise<Markdown> | undefined;

/** The elements of a markdown text. */
export async function html(markdown: string): Promise<HTMLElement> {
  loaded ??= import(new URL("./markdown.js", import.meta.url).href) as Promise<Markdown>;
  const { marked, purify } = await loaded;
  const out = document.createElement("div");
  // A wiki link leads to a search for what it names.
  const text = markdown.replace(/\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]/g, (_, name: string, label?: string) => {
    return `[${label || name}](/?q=${encodeURIComponent(name.replace("#", " "))})`;
  });
  const fragment = purify.sanitize(await marked.parse(text, { gfm: true }), {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ["style", "form", "input", "button", "iframe", "svg", "math", "kdd-search"],
    FORBID_ATTR: ["style", "id", "class", "slot", "part"],
  });
  out.append(fragment);
  for (const table of out.querySelectorAll("table")) {
    const box = document.createElement("div");
    box.className = "table";
    box.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
  for (const pre of out.querySelectorAll("pre")) pre.tabIndex = 0;
  return out;
}
