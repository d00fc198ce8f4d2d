// What the component says. English is here; texts/LANGUAGE.js, loaded when it is needed, has the others.
import { beside } from "./backend.ts";

/** The texts, by name. {…} is replaced. */
export const english = {
  search: "Search",
  placeholder: "Search the documentation",
  clear: "Clear",
  close: "Close",
  results: "Results",
  recent: "Recent searches",
  forget: "Forget these",
  start: "Ask by words, or by what you mean.",
  here: "What you type stays on this device.",
  none: "No section found for “{query}”",
  unknown: "In no document: {words}",
  fewer: "Try fewer words, or other ones that mean the same.",
  related: "Perhaps related",
  unfilter: "Search without filters",
  filters: "Filters",
  kind: "Kind",
  tag: "Tag",
  language: "Language",
  any: "Any",
  more: "Show more",
  found: "{sections} sections of {pages} pages",
  one: "1 section",
  failed: "The search could not be loaded.",
  changed: "The documentation has changed: reload the page.",
  again: "Try again",
  move: "move",
  open: "open",
  leave: "close",
  meaning: "by words and meaning",
};

/** Names of texts. */
export type Texts = typeof english;

/** Languages with texts of their own. */
export const translated = ["ar", "de", "es", "fa", "fr", "he", "ja", "ko", "pt", "zh"];

/** The texts of a language, or of the one that it is a form of; English where there are none. */
export async function textsOf(language: string): Promise<Texts> {
  const code = language.toLowerCase().split(/[-_]/)[0];
  if (!translated.includes(code)) return english;
  try {
    return { ...english, ...(await beside<{ texts: Texts }>(`./texts/${code}.js`)).texts };
  } catch {
    return english;
  }
}

/** A text with its places filled. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
