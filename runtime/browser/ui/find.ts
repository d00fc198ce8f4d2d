// What happens while somebody types: sections by words at once, by meaning too when typing rests. A later query gives
// up the one before.
import type { Backend, Filters, Found } from "./backend.ts";

const wordsAfter = 90; // milliseconds without a key
const meaningAfter = 260;
const busyAfter = 180;

/** How a list is shown. */
export interface Shown {
  /** Of a query with its last word not ended yet, or of words alone: the list may change once more. */
  draft: boolean;
  found: Found;
}

/** What a query is asked of, and who is told. */
export interface Asker {
  backend(): Backend;
  /** Whether meaning may be asked for. */
  meaning(): boolean;
  filters(): Filters;
  show(shown: Shown): void;
  fail(err: unknown): void;
  busy(is: boolean): void;
}

/** Asks as somebody types. */
export class Finder {
  readonly #asker: Asker;
  #running: AbortController | undefined;
  #timers: ReturnType<typeof setTimeout>[] = [];
  #query = "";
  #limit = 0;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** The query that was asked last. */
  get query(): string {
    return this.#query;
  }

  /** Gives up what is under way. */
  stop(): void {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.#running?.abort();
    this.#running = undefined;
    this.#asker.busy(false);
  }

  /** Asks for a query: at once, or as typing goes on. */
  ask(query: string, how: { typing: boolean; limit: number }): void {
    this.stop();
    [this.#query, this.#limit] = [query, how.limit];
    if (query.trim() === "") return;
    const running = (this.#running = new AbortController());
    const at = (ms: number, run: () => void): void => void this.#timers.push(setTimeout(run, ms));
    at(busyAfter, () => this.#asker.busy(true));
    const meaning = this.#asker.meaning();
    const words = how.typing ? wordsAfter : 0;
    // By words first, unless both are wanted at once and nothing is shown in between.
    at(words, () => void this.#run(running, how.typing, false, meaning || how.typing, meaning));
    if (meaning || how.typing) at(words + meaningAfter, () => void this.#run(running, false, meaning, false, false));
  }

  async #run(running: AbortController, typing: boolean, meaning: boolean, draft: boolean, soon: boolean): Promise<void> {
    const asker = this.#asker;
    try {
      const ask = { ...asker.filters(), limit: this.#limit, typing, meaning, soon, signal: running.signal };
      const found = await asker.backend().search(this.#query, ask);
      if (running.signal.aborted) return;
      if (!draft) this.stop();
      asker.show({ draft, found });
    } catch (err) {
      if (running.signal.aborted) return;
      this.stop();
      asker.fail(err);
    }
  }
}
