// The page of kddq serve: the component in place of the form, answers with their sources, documents with what is
// related, and the list of all. Without this script the page is the one that the server writes.
import "./pageapi.ts";
import { Api } from "./api.ts";
import { code } from "./copy.ts";
import { el } from "./dom.ts";
import { browse, documentView } from "./documents.ts";
import "./element.ts";
import type { KddSearch } from "./element.ts";
import { placeURL } from "./place.ts";
import { html } from "./rendered.ts";

const api = new Api(new URL("/api/v1", location.href));

interface Citation {
  marker: number;
  path: string;
  anchor?: string;
  title?: string;
  lines: [number, number];
  index?: string;
}

interface Answer {
  outcome: "answered" | "closest" | "refused";
  answer: string;
  citations?: Citation[];
  warnings?: string[];
}

let asking: AbortController | undefined;

// answer shows what the documents answer to a query, above the sections.
async function answer(search: KddSearch, slot: HTMLElement, query: string): Promise<void> {
  asking?.abort();
  const now = (asking = new AbortController());
  try {
    const a = await api.get<Answer>("ask", { query }, now.signal);
    if (now.signal.aborted) return;
    if (a.outcome !== "answered") {
      const text = a.answer.split("\n")[0];
      return slot.replaceChildren(el("p", { class: "declined", role: "status", dir: "auto" }, text));
    }
    const body = await html(a.answer);
    const citations = new Map((a.citations ?? []).map((c) => [String(c.marker), c]));
    mark(body, citations);
    code(body);
    body.dir = "auto";
    const sources = el("ol", { class: "sources" });
    for (const c of citations.values()) {
      const lines = c.lines[0] === c.lines[1] ? `line ${c.lines[0]}` : `lines ${c.lines[0]}–${c.lines[1]}`;
      const href = placeURL(c.path, c.anchor, c.index);
      sources.append(
        el("li", { value: String(c.marker) }, el("a", { href }, c.title || c.path), ` ${c.path}, ${lines}`),
      );
    }
    const about = (a.warnings ?? []).map((w) => el("p", { class: "small", dir: "auto" }, w));
    slot.replaceChildren(el("section", { class: "answer", "aria-label": "Answer" }, body, sources, ...about));
  } catch (err) {
    if (!now.signal.aborted) slot.replaceChildren();
    if ((err as { name?: string }).name !== "AbortError") search.dataset.asked = "failed";
  }
}

// mark makes markers such as [1] links to what they cite.
function mark(body: HTMLElement, citations: Map<string, Citation>): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const parts = text.data.split(/\[(\d+)\]/);
    if (parts.length === 1 || text.parentElement?.closest("pre, code")) continue;
    const nodes = parts.map((part, i): Node => {
      const c = i % 2 === 1 ? citations.get(part) : undefined;
      if (!c) return document.createTextNode(i % 2 === 1 ? `[${part}]` : part);
      const href = placeURL(c.path, c.anchor, c.index);
      return el("a", { class: "marker", href, "aria-label": `Source ${part}: ${c.title || c.path}` }, part);
    });
    text.replaceWith(...nodes);
  }
}

function start(): void {
  const main = document.querySelector("main")!;
  const slot = el("div", { slot: "answer" });
  const search = el("kdd-search", { api: "/api/v1", inline: true }, slot) as KddSearch;
  const view = el("div", { id: "view" });
  document.querySelectorAll("main > *").forEach((e) => e.remove());
  search.link = (hit) => placeURL(hit.path, hit.anchor, hit.index);

  let asked = ""; // the query whose sections are shown

  const show = async (): Promise<void> => {
    const { searchParams } = new URL(location.href);
    const [read, query] = [searchParams.get("read"), searchParams.get("q")];
    view.replaceChildren();
    asked = query ?? "";
    if (read) {
      search.close();
      slot.replaceChildren();
      view.append(await documentView(api, read));
      const here = view.querySelector<HTMLElement>("[data-here]");
      if (here) here.scrollIntoView({ block: "start" });
      else scrollTo(0, 0);
      here?.focus({ preventScroll: true });
    } else if (query) search.open(query);
    else {
      search.open("");
      view.append(await browse(api));
    }
  };
  const go = (href: string): void => {
    history.pushState(null, "", href);
    void show();
  };
  search.addEventListener("kdd-open", (e) => {
    e.preventDefault();
    go(e.detail.href);
  });
  search.addEventListener("kdd-found", (e) => {
    const { query, draft } = e.detail;
    if (query === "" && asked === "") return;
    asked = query;
    view.replaceChildren();
    const url = new URL(location.href);
    if (url.searchParams.has("read")) history.pushState(null, "", `/?q=${encodeURIComponent(query)}`);
    if (query === "") {
      asking?.abort();
      slot.replaceChildren();
      void show();
    } else if (!draft) void answer(search, slot, query);
  });
  document.addEventListener("click", (e) => {
    const a = (e.composedPath()[0] as Element).closest?.("a");
    if (
      !a ||
      e.defaultPrevented ||
      e.button !== 0 ||
      e.ctrlKey ||
      e.metaKey ||
      e.shiftKey ||
      a.origin !== location.origin
    )
      return;
    if (a.pathname !== "/" || (a.hash && a.search === location.search)) return;
    e.preventDefault();
    go(a.href);
  });
  addEventListener("popstate", () => void show());
  main.append(search, view);
  void show();
}

start();
