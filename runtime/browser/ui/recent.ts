// What was asked before on this device, by index.
const most = 5;

/** The queries that led to a page, the last one first. */
export class Recent {
  readonly #key: string;

  constructor(of: string) {
    this.#key = `kdd-recent:${of}`;
  }

  list(): string[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(stored) ? stored.filter((q) => typeof q === "string").slice(0, most) : [];
    } catch {
      return []; // no storage, or of another version
    }
  }

  add(query: string): void {
    const list = [query, ...this.list().filter((q) => q !== query)].slice(0, most);
    try {
      localStorage.setItem(this.#key, JSON.stringify(list));
    } catch {
      // A page without storage has no recent queries.
    }
  }

  clear(): void {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // As above.
    }
  }
}
