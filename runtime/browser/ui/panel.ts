// The field, the filters and the list below it: a combobox with a listbox (ARIA Authoring Practices, 1.2).
import type { Backend, Found, Hit } from "./backend.ts";
import { apart } from "./direction.ts";
import { el, icon } from "./dom.ts";
import { FilterBar } from "./filterbar.ts";
import { Finder, type Shown } from "./find.ts";
import type { Recent } from "./recent.ts";
import { keyOf, kept, pageGroup, pagesOf, recentOption, type Page } from "./results.ts";
import { fill, type Texts } from "./texts.ts";

const sections = 12; // at first, and with each "more"
const most = 120;
const enough = 4; // hits that words or meaning speak for

/** Whom a panel belongs to. */
export interface PanelOwner {
  backend(): Backend;
  meaning(): boolean;
  recent(): Recent;
  href(hit: Hit): string;
  leads(hit: Hit, href: string): boolean;
  asked(query: string): void;
  close(): void;
  found(query: string, sections: number, draft: boolean): void;
}

/** A field with what is found below it. */
export class Panel {
  readonly box: HTMLElement;
  readonly #owner: PanelOwner;
  readonly #texts: Texts;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #below: HTMLElement; // what is no option
  readonly #scroll: HTMLElement;
  readonly #status: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #field: HTMLElement;
  readonly #clear: HTMLElement;
  readonly #said: HTMLElement;
  readonly #filters: FilterBar;
  readonly #finder: Finder;
  #hits: Hit[] = [];
  #shown = ""; // the query whose hits these are
  #active: HTMLElement | undefined;
  #touched = false; // somebody has moved in the list: it may grow, but not change
  #limit = sections;
  #said_ = 0;

  constructor(owner: PanelOwner, texts: Texts, placeholder: string) {
    [this.#owner, this.#texts] = [owner, texts];
    this.#input = el("input", {
      part: "input",
      type: "search",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": "list",
      "aria-label": placeholder,
      placeholder,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "go",
      maxlength: "1000",
    });
    this.#clear = el(
      "button",
      { class: "quiet", type: "button", "aria-label": texts.clear, hidden: true },
      icon("clear"),
    );
    const close = el(
      "button",
      { class: "quiet close", type: "button" },
      el("kbd", { "aria-hidden": "true" }, "Esc"),
      el("span", {}, texts.close),
    );
    this.#field = el("div", { class: "field", part: "field" }, icon("search"), this.#input, this.#clear, close);
    this.#list = el("div", { id: "list", part: "list", role: "listbox", "aria-label": texts.results });
    this.#below = el("div");
    this.#scroll = el("div", { class: "list" }, el("slot", { name: "answer" }), this.#list, this.#below);
    this.#status = el("span", { class: "status" });
    this.#said = el("div", { class: "hidden", role: "status" });
    this.#filters = new FilterBar(
      texts,
      () => this.#owner.backend().facets(),
      () => this.#again(false),
    );
    const foot = el(
      "div",
      { class: "foot", part: "footer" },
      el("span", {}, el("kbd", {}, "↑"), el("kbd", {}, "↓"), texts.move),
      el("span", {}, el("kbd", {}, "↵"), texts.open),
      el("span", {}, el("kbd", {}, "esc"), texts.leave),
    );
    this.#here = el("span", { class: "here", hidden: true }, texts.here);
    foot.append(this.#here);
    this.#bar = el("div", { class: "bar" }, this.#status, this.#filters.button);
    this.box = el("div", { class: "box" }, this.#field, this.#bar, this.#filters.row, this.#scroll, foot, this.#said);
    // Keys of the page, such as "n" for the next one, would take what is typed for theirs: they see the element, no field.
    this.box.onkeydown = (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.altKey) e.stopPropagation();
    };
    this.#finder = new Finder({
      backend: () => owner.backend(),
      meaning: () => owner.meaning(),
      filters: () => this.#filters.values(),
      show: (shown) => this.#show(shown),
      fail: (err) => this.#fail(err),
      busy: (is) => {
        this.#field.classList.toggle("busy", is);
        this.#list.setAttribute("aria-busy", String(is));
      },
    });
    this.#input.oninput = () => this.#typed(true);
    this.#input.onkeydown = (e) => this.#key(e);
    this.#clear.onclick = () => {
      this.#input.value = "";
      this.#typed(false);
      this.#input.focus();
    };
    close.onclick = () => owner.close();
    this.#list.onclick = (e) => this.#clicked(e);
    this.#scroll.onpointermove = (e) => {
      if (e.movementX || e.movementY) this.#touched = true;
    };
    this.#scroll.addEventListener("wheel", () => (this.#touched = true), { passive: true });
    this.#scroll.addEventListener("touchmove", () => (this.#touched = true), { passive: true });
    this.#scroll.onmousedown = (e) => e.button === 0 && e.preventDefault(); // the field keeps the focus
    this.#typed(false);
  }

  readonly #here: HTMLElement;

  /** What is in the field. */
  get query(): string {
    return this.#input.value;
  }

  /** Gives the field the focus, and searches for a query if there is one. */
  start(query?: string): void {
    if (query !== undefined && query !== this.#input.value) {
      this.#input.value = query;
      this.#typed(false);
    } else if (this.query.trim() === "" || this.#hits.length === 0) this.#typed(false);
    this.#input.focus();
    if (query === undefined) this.#input.select();
    try {
      this.#here.hidden = !this.#owner.backend().local;
    } catch (err) {
      this.#fail(err);
    }
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#finder.stop();
  }

  /** Shows the field alone, with what is in it. */
  collapse(): void {
    this.#finder.stop();
    this.#hits = [];
    this.#shown = "";
    this.#fill([]);
    this.#bar.hidden = true;
    this.#filters.hide();
  }

  #typed(typing: boolean): void {
    this.#bar.hidden = false;
    this.#limit = sections;
    this.#touched = false;
    const empty = this.query.trim() === "";
    this.#clear.hidden = this.query === "";
    this.#input.dir = empty ? "" : "auto"; // an empty field is written from the side of the page
    this.#filters.button.hidden = empty;
    if (!empty) return this.#finder.ask(this.query, { typing, limit: this.#limit });
    this.#finder.stop();
    this.#owner.asked("");
    this.#recent();
    this.#owner.found("", 0, false);
  }

  #again(typing: boolean): void {
    this.#touched = false;
    if (this.query.trim() !== "") this.#finder.ask(this.query, { typing, limit: this.#limit });
  }

  // What is in the list.

  #fill(options: readonly Node[], below?: Node): void {
    // The dialog does not shrink while somebody types.
    const dialog = this.box.closest("dialog");
    if (dialog) dialog.style.minHeight = this.query.trim() === "" ? "" : `${dialog.offsetHeight}px`;
    this.#list.replaceChildren(...options);
    this.#list.hidden = options.length === 0;
    this.#below.replaceChildren(...(below ? [below] : []));
    this.#input.setAttribute("aria-expanded", String(this.#options().length > 0));
    this.#activate(undefined, false);
  }

  #options(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>("[role=option]")];
  }

  #recent(): void {
    const t = this.#texts;
    this.#hits = [];
    const recent = this.#owner.recent();
    const list = recent.list();
    this.#status.textContent = list.length > 0 ? t.recent : "";
    if (list.length === 0) {
      if (this.box.closest("dialog")) this.#plain(el("p", {}, t.start));
      else this.collapse();
      return;
    }
    const forget = el("button", { class: "quiet", type: "button" }, t.forget);
    forget.onclick = () => {
      recent.clear();
      this.#recent();
      this.#input.focus();
    };
    this.#status.append(" ", forget);
    this.#fill(list.map((q, i) => recentOption(q, `o${i}`)));
  }

  // plain shows a text in place of options.
  #plain(...content: Node[]): void {
    this.#fill([], el("div", { class: "empty" }, ...content));
  }

  #show({ draft, found }: Shown): void {
    const t = this.#texts;
    const same = this.#touched && this.#hits.length > 0;
    if (found.hits.length === 0 && draft && this.#finder.query.trim() !== "") return; // the next answer may have some
    const chosen = this.#touched ? this.#active?.dataset.key : undefined;
    this.#hits = same ? kept(this.#hits, found.hits) : found.hits;
    this.#shown = found.query;
    if (this.#hits.length === 0) this.#none(found);
    else {
      let n = 0;
      // What neither words nor meaning speak for stands behind the rest, if there is little else.
      const weak = this.#hits.filter((h) => h.match.length === 0);
      this.#hits = this.#hits.filter((h) => h.match.length > 0);
      const strong = this.#hits.length;
      if (strong < enough) this.#hits.push(...weak.slice(0, enough - strong));
      const pages = pagesOf(this.#hits.slice(0, strong));
      const others = pagesOf(this.#hits.slice(strong));
      const top = this.#scroll.scrollTop;
      const group = (p: Page): Node =>
        pageGroup(
          p,
          (h) => this.#owner.href(h),
          () => `o${n++}`,
        );
      const groups: Node[] = [
        ...this.#notes(found, draft).map((text) => el("p", { class: "note", role: "presentation", dir: "auto" }, text)),
        ...pages.map(group),
      ];
      if (others.length > 0)
        groups.push(el("p", { class: "weak", role: "presentation" }, t.related), ...others.map(group));
      this.#fill(groups, found.more && this.#limit < most ? this.#more() : undefined);
      const find = (key: string | undefined): HTMLElement | undefined =>
        this.#options().find((o) => o.dataset.key === key);
      this.#activate(find(chosen) ?? find(keyOf(this.#hits[0])), false);
      this.#scroll.scrollTop = same ? top : 0;
      const total = pages.length + others.length;
      const count = fill(this.#hits.length === 1 ? t.one : t.found, { sections: this.#hits.length, pages: total });
      this.#status.replaceChildren(count, ...(found.meaning ? [el("span", { class: "how" }, ` · ${t.meaning}`)] : []));
      if (!draft) this.#say(count);
    }
    if (!draft) this.#owner.asked(found.query);
    this.#owner.found(found.query, this.#hits.length, draft);
  }

  #notes(found: Found, draft = false): string[] {
    if (draft) return []; // a word may not be ended
    if (found.unknown.length === 0) return found.notes;
    return [fill(this.#texts.unknown, { words: found.unknown.map((w) => apart(`“${w}”`)).join(", ") }), ...found.notes];
  }

  #more(): HTMLElement {
    const button = el("button", { class: "quiet", type: "button" }, this.#texts.more);
    button.onclick = () => {
      this.#limit = Math.min(this.#limit + 2 * sections, most);
      this.#touched = true;
      this.#finder.ask(this.query, { typing: false, limit: this.#limit });
    };
    return el("div", { class: "more" }, button);
  }

  #none(found: Found): void {
    const t = this.#texts;
    const text = fill(t.none, { query: apart(found.query.trim()) });
    const content: Node[] = [el("strong", {}, text)];
    for (const note of this.#notes(found)) content.push(el("p", {}, note));
    if (this.#filters.set) {
      const button = el("button", { class: "quiet", type: "button" }, t.unfilter);
      button.onclick = () => {
        this.#filters.reset();
        this.#again(false);
        this.#input.focus();
      };
      content.push(button);
    } else content.push(el("p", {}, t.fewer));
    this.#plain(...content);
    this.#status.textContent = "";
    this.#say(text);
  }

  #fail(err: unknown): void {
    const t = this.#texts;
    const { code, message } = err as { code?: string; message?: string };
    const text = code === "stale_index" ? t.changed : t.failed;
    const again = el("button", { class: "quiet", type: "button" }, t.again);
    again.onclick = () => {
      this.#again(false);
      this.#input.focus();
    };
    this.#hits = [];
    this.#plain(el("strong", {}, text), el("p", {}, message ?? String(err)), again);
    this.#status.textContent = "";
    this.#say(text);
  }

  #say(text: string): void {
    clearTimeout(this.#said_);
    this.#said_ = setTimeout(() => (this.#said.textContent = text), 400) as unknown as number;
  }

  // Moving and opening.

  #activate(option: HTMLElement | undefined, scroll: boolean): void {
    this.#active?.setAttribute("aria-selected", "false");
    this.#active = option;
    if (!option) return this.#input.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    this.#input.setAttribute("aria-activedescendant", option.id);
    if (scroll) option.scrollIntoView({ block: "nearest" });
  }

  #key(e: KeyboardEvent): void {
    if (e.isComposing) return; // an input method is at work
    const options = this.#options();
    const at = this.#active ? options.indexOf(this.#active) : -1;
    const to = (i: number): void => {
      e.preventDefault();
      this.#touched = true;
      if (options.length > 0) this.#activate(options[(i + options.length) % options.length], true);
    };
    if (e.key === "ArrowDown") to(at + 1);
    else if (e.key === "ArrowUp") to(at < 0 ? options.length - 1 : at - 1);
    else if (e.key === "PageDown") to(Math.min(at + 5, options.length - 1));
    else if (e.key === "PageUp") to(Math.max(at - 5, 0));
    else if (e.key === "Enter") {
      e.preventDefault();
      if (this.#active && (this.#active.dataset.query !== undefined || this.#shown === this.query)) {
        this.#active.dispatchEvent(
          new MouseEvent("click", {
            bubbles: true,
            cancelable: true,
            ctrlKey: e.ctrlKey,
            metaKey: e.metaKey,
            shiftKey: e.shiftKey,
          }),
        );
      } else this.#typed(false);
    } else if (e.key === "Escape") {
      e.preventDefault(); // a browser would only empty the field
      if (this.box.closest("dialog")) return this.#owner.close();
      this.#input.value = "";
      this.#typed(false);
    }
  }

  #clicked(e: MouseEvent): void {
    const option = (e.target as Element).closest<HTMLElement>("[role=option]");
    if (!option) return;
    const again = option.dataset.query;
    if (again !== undefined) {
      this.#input.value = again;
      this.#typed(false);
      return;
    }
    const hit =
      this.#hits.find((h) => keyOf(h) === option.dataset.key) ??
      this.#hits.find((h) => `${h.path}#` === option.dataset.key);
    const href = (option as HTMLAnchorElement).href;
    this.#owner.recent().add(this.query.trim());
    if (e.ctrlKey || e.metaKey || e.shiftKey) return; // another tab or window
    if (hit && !this.#owner.leads(hit, href)) e.preventDefault();
    this.#owner.asked("");
    this.#owner.close();
  }
}
