// <kdd-search>: a button that opens a dialog, or a field in the page, over an artifact or an API.
import { addressOf, type Moved } from "./address.ts";
import { after, Artifact, beside, later, type Backend, type Hit } from "./backend.ts";
import { el, icon } from "./dom.ts";
import { Panel, type PanelOwner } from "./panel.ts";
import { Recent } from "./recent.ts";
import style from "./style.min.css";
import { english, textsOf, type Texts } from "./texts.ts";

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

let first: KddSearch | undefined; // has the keys and the page's ?q=

/** The element. docs/BROWSER.md has its attributes. */
export class KddSearch extends HTMLElement implements PanelOwner {
  /** Gives the address of a hit, in place of base and pages. */
  link: ((hit: Hit) => string) | undefined;

  #texts: Texts = english;
  #backend: Backend | undefined;
  #base = ""; // of the artifact
  #moved: Moved = {};
  #panel: Panel | undefined;
  #dialog: HTMLDialogElement | undefined;
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });

  connectedCallback(): void {
    if (!this.#panel) {
      this.#root.adoptedStyleSheets = [sheet];
      this.#build();
      void textsOf(this.#language()).then((texts) => {
        if (texts === english) return;
        this.#texts = texts;
        this.#build();
      });
    }
    if (first?.isConnected) return;
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    first = this;
    document.addEventListener("keydown", this.#key);
    const query = this.getAttribute("deep-links") === "off" ? null : new URL(location.href).searchParams.get("q");
    if (query) this.open(query);
  }

  disconnectedCallback(): void {
    if (first !== this) return;
    document.removeEventListener("keydown", this.#key);
    first = undefined;
  }

  #language(): string {
    return this.closest("[lang]")?.getAttribute("lang") || navigator.language;
  }

  #build(): void {
    const query = this.#panel?.query ?? "";
    const open = this.#dialog?.open ?? false;
    if (this.#dialog) {
      this.#dialog.onclose = null; // it would come later, and give up what the new panel asks
      this.#dialog.close();
    }
    const t = this.#texts;
    this.#panel = new Panel(this, t, this.getAttribute("placeholder") ?? t.placeholder);
    if (this.hasAttribute("inline")) {
      this.#root.replaceChildren(this.#panel.box);
    } else {
      const label = this.getAttribute("label") ?? t.search;
      const mac = /mac|iphone|ipad/i.test(navigator.platform);
      const button = el(
        "button",
        { class: "button", part: "button", type: "button", "aria-haspopup": "dialog" },
        icon("search"),
        el("span", {}, label),
        this.#keys() && el("kbd", { "aria-hidden": "true" }, mac ? "⌘ K" : "Ctrl K"),
      );
      button.onclick = () => this.open();
      button.onpointerenter = () => void this.backend();
      const dialog = el("dialog", { part: "dialog", "aria-label": label }, this.#panel.box);
      dialog.onclick = (e) => {
        if (e.target === dialog) this.close(); // beside the box
      };
      dialog.onclose = () => this.#closed();
      this.#dialog = dialog;
      this.#root.replaceChildren(button, dialog);
    }
    if (query !== "" || open) this.open(query);
  }

  #keys(): boolean {
    return this.getAttribute("hotkeys") !== "off";
  }

  #key = (e: KeyboardEvent): void => {
    if (!this.#keys() || e.defaultPrevented || e.isComposing) return;
    const typed = e.composedPath()[0] as HTMLElement;
    const field = typed.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(typed.tagName ?? "");
    const slash = e.key === "/" && !field && !e.ctrlKey && !e.metaKey && !e.altKey;
    const k = e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey;
    if (!slash && !k) return;
    e.preventDefault();
    if (k && this.#dialog?.open) this.close();
    else this.open();
  };

  /** Opens the dialog, or gives the field in the page the focus; with a query, searches for it. */
  open(query?: string): void {
    if (!this.#panel) return;
    if (this.#dialog && !this.#dialog.open) this.#dialog.showModal();
    this.#panel.start(query);
  }

  /** Closes the dialog; in the page it leaves the field alone. */
  close(): void {
    if (this.#dialog) this.#dialog.close();
    else this.#panel?.collapse();
  }

  /** Tells the page what was found. */
  found(query: string, sections: number, draft: boolean): void {
    this.dispatchEvent(new CustomEvent("kdd-found", { detail: { query, sections, draft }, bubbles: true }));
  }

  #closed(): void {
    const focus = this.#root.activeElement as HTMLElement | null;
    if (focus && this.#dialog?.contains(focus)) focus.blur(); // or WebKit gives it the next key, hidden as it is
    this.#panel?.stop();
    this.asked("");
  }

  /** Whom the panel asks: made with the first use. */
  backend(): Backend {
    if (!this.#backend) {
      const [src, api] = [this.getAttribute("src"), this.getAttribute("api")];
      if (api !== null) this.#backend = later(false, this.#api(new URL(api, document.baseURI)));
      else if (src !== null) this.#backend = new Artifact(new URL(src, document.baseURI));
      else throw new Error("<kdd-search> needs src, the address of a .kddx");
      const moved = this.getAttribute("moved");
      if (moved !== null) this.#backend = after(this.#move(new URL(moved, document.baseURI)), this.#backend);
      void this.#backend.base().then(
        (base) => (this.#base = base),
        () => undefined,
      );
    }
    return this.#backend;
  }

  async #api(at: URL): Promise<Backend> {
    try {
      return new (await beside<typeof import("./api.ts")>("./api.js")).Api(at);
    } catch (err) {
      this.#backend = undefined; // the next use tries again
      throw err;
    }
  }

  async #move(list: URL): Promise<void> {
    try {
      this.#moved = (await (await fetch(list)).json()) as Moved;
    } catch (err) {
      console.warn(`<kdd-search>: the addresses of pages in ${list.href}: ${String(err)}`);
    }
  }

  /** Whether queries may be asked by meaning: not where data is to be saved. */
  meaning(): boolean {
    const saves = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
    return this.getAttribute("mode") !== "words" && !saves;
  }

  recent(): Recent {
    return new Recent(this.getAttribute("src") ?? this.getAttribute("api") ?? "");
  }

  /** The address of a hit. */
  href(hit: Hit): string {
    if (this.link) return this.link(hit);
    const given = this.getAttribute("base");
    const base = given ?? (this.#base || new URL(".", new URL(this.getAttribute("src") ?? "", document.baseURI)).href);
    const pages = this.getAttribute("pages") ?? "clean";
    return new URL(addressOf(hit, base, pages, this.#moved), document.baseURI).href;
  }

  /** Tells the page that a hit is about to be opened; false if the page does that itself. */
  leads(hit: Hit, href: string): boolean {
    return this.dispatchEvent(
      new CustomEvent("kdd-open", { detail: { hit, href }, bubbles: true, composed: true, cancelable: true }),
    );
  }

  /** Keeps the query in the address of the page. */
  asked(query: string): void {
    if (first !== this || this.getAttribute("deep-links") === "off") return;
    const url = new URL(location.href);
    if ((url.searchParams.get("q") ?? "") === query) return;
    if (query) url.searchParams.set("q", query);
    else url.searchParams.delete("q");
    try {
      history.replaceState(history.state, "", url);
    } catch {
      // A page at file:// keeps its address in some browsers.
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "kdd-search": KddSearch;
  }
  interface HTMLElementEventMap {
    "kdd-open": CustomEvent<{ hit: Hit; href: string }>;
    "kdd-found": CustomEvent<{ query: string; sections: number; draft: boolean }>;
  }
}

if (!customElements.get("kdd-search")) customElements.define("kdd-search", KddSearch);
