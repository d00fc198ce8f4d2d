// Filters by kind, tag and language: read with the first use.
import type { Facets, Filters } from "./backend.ts";
import { apart } from "./direction.ts";
import { el, icon } from "./dom.ts";
import type { Texts } from "./texts.ts";

const names = ["kinds", "tags", "languages"] as const;
const most = 200; // values of a list

/** A button and the row that it opens. */
export class FilterBar {
  readonly button: HTMLButtonElement;
  readonly row: HTMLElement;
  readonly #texts: Texts;
  readonly #facets: () => Promise<Facets>;
  readonly #changed: () => void;
  #selects: Partial<Record<keyof Filters, HTMLSelectElement>> | undefined;

  constructor(texts: Texts, facets: () => Promise<Facets>, changed: () => void) {
    [this.#texts, this.#facets, this.#changed] = [texts, facets, changed];
    this.button = el(
      "button",
      {
        class: "quiet",
        part: "filters",
        type: "button",
        "aria-expanded": "false",
        "aria-controls": "filters",
        hidden: true,
      },
      icon("filter"),
      texts.filters,
    );
    this.row = el("div", { id: "filters", class: "filters", hidden: true });
    this.button.onclick = () => void this.#toggle();
  }

  /** Whether a filter is set. */
  get set(): boolean {
    return Object.keys(this.values()).length > 0;
  }

  /** The values that are chosen. */
  values(): Filters {
    const out: Filters = {};
    for (const name of names) {
      const value = this.#selects?.[name]?.value;
      if (value) out[name] = [value];
    }
    return out;
  }

  /** Chooses none. */
  reset(): void {
    for (const name of names) if (this.#selects?.[name]) this.#selects[name]!.value = "";
    this.#mark();
  }

  /** Hides the row. */
  hide(): void {
    this.row.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
  }

  async #toggle(): Promise<void> {
    const open = this.row.hidden;
    this.button.setAttribute("aria-expanded", String(open));
    this.row.hidden = !open;
    if (!open || this.#selects) return;
    try {
      this.#fill(await this.#facets());
    } catch {
      this.button.setAttribute("aria-expanded", "false");
      this.row.hidden = true; // the search itself says what is wrong
    }
  }

  #fill(facets: Facets): void {
    const t = this.#texts;
    const labels = { kinds: t.kind, tags: t.tag, languages: t.language };
    const shown = new Intl.DisplayNames([document.documentElement.lang || navigator.language, "en"], {
      type: "language",
    });
    const text = (name: keyof Filters, value: string): string => {
      try {
        return name === "languages" ? (shown.of(value) ?? value) : value;
      } catch {
        return value; // no code of a language
      }
    };
    this.#selects = {};
    this.row.replaceChildren();
    for (const name of names) {
      const values = facets[name].filter((v) => v.value !== "" && v.value !== "unknown").slice(0, most);
      if (values.length < 2) continue;
      const select = el(
        "select",
        {},
        el("option", { value: "" }, t.any),
        ...values.map((v) => el("option", { value: v.value }, `${apart(text(name, v.value))} (${v.count})`)),
      );
      select.onchange = () => {
        this.#mark();
        this.#changed();
      };
      this.#selects[name] = select;
      this.row.append(el("label", {}, labels[name], select));
    }
    if (this.row.children.length === 0) this.button.hidden = true;
  }

  #mark(): void {
    for (const label of this.row.querySelectorAll("label"))
      label.classList.toggle("set", label.querySelector("select")!.value !== "");
  }
}
