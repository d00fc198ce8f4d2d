// Work on what was read. A step of a search is a function that asks for bytes as if they were there; where some are
// not, it ends, what it asked for is read in one round, and it runs again. So each step is written plainly, and takes
// as few rounds as it has questions that depend on each other.
import type { File } from "./file.ts";
import { KddxError, damaged, join } from "./bytes.ts";
import { load, loadedAt } from "./load.ts";

/** Ends a step that has asked for bytes that are not there yet. */
export class Missing {} // no Error: it is thrown often, and none is ever shown

const maxRounds = 256; // of one step; each reads something new

/** The pages that one search has read, which stay until it ends. */
export class Now {
  readonly file: File;
  readonly #pages = new Map<string, Uint8Array>();
  readonly #wanted = new Map<string, Set<number>>();
  readonly #made = new Map<string, unknown>();
  #loading: Promise<unknown>[] = [];

  constructor(file: File) {
    this.file = file;
  }

  /** The n bytes of a block from byte at on. */
  bytes(tag: string, at: number, n: number): Uint8Array {
    const b = this.file.block(tag);
    if (!(at >= 0 && n >= 0 && at + n <= b.length)) damaged(`${tag}: bytes ${at} to ${at + n} of ${b.length}`);
    if (n === 0) return new Uint8Array(0);
    const first = Math.floor(at / b.page);
    const only = first === Math.floor((at + n - 1) / b.page) && this.#pages.get(`${tag}/${first}`);
    if (only) return only.subarray(at - first * b.page, at - first * b.page + n);
    if (!this.ask(tag, at, n)) throw new Missing();
    const parts: Uint8Array[] = [];
    for (let i = first; i * b.page < at + n; i++) parts.push(this.#pages.get(`${tag}/${i}`)!);
    return join(parts).subarray(at - first * b.page, at - first * b.page + n);
  }

  /** Asks for bytes that will be wanted; false while they are not there. */
  ask(tag: string, at = 0, n = this.file.block(tag).length - at): boolean {
    const b = this.file.block(tag);
    let there = true;
    const end = Math.min(at + n, b.length);
    for (let i = Math.floor(Math.max(0, at) / b.page); i * b.page < end; i++) {
      const key = `${tag}/${i}`;
      if (this.#pages.has(key)) continue;
      const kept = this.file.kept(tag, i);
      if (kept) {
        this.#pages.set(key, kept);
        continue;
      }
      there = false;
      const set = this.#wanted.get(tag) ?? new Set();
      this.#wanted.set(tag, set.add(i));
    }
    return there;
  }

  /** Asks for a module that lies beside kddx.js and will be wanted. */
  ahead(at: string): void {
    if (!loadedAt(at)) this.#loading.push(load(at));
  }

  /** A module that lies beside kddx.js; one that is not there yet is asked for, as bytes are. */
  module<T>(at: string): T {
    this.ahead(at);
    if (!loadedAt(at)) throw new Missing();
    return loadedAt(at) as T;
  }

  /** Does something for each of a list, and ends the step behind the last if one of them asked for what is missing. */
  each<T, R>(list: Iterable<T>, make: (one: T) => R): R[] {
    const out: R[] = [];
    let missing: unknown;
    for (const one of list) {
      try {
        out.push(make(one));
      } catch (err) {
        if (!(err instanceof Missing)) throw err;
        missing = err;
      }
    }
    if (missing) throw missing;
    return out;
  }

  /** Several things at once, each of which may ask. */
  all<T extends readonly (() => unknown)[]>(...makers: T): { [K in keyof T]: ReturnType<T[K]> } {
    return this.each(makers, (make) => make()) as { [K in keyof T]: ReturnType<T[K]> };
  }

  /** What is made once in a search. */
  once<T>(key: string, make: () => T): T {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key) as T;
  }

  /** Runs a step until nothing is missing. */
  async run<T>(step: () => T, signal?: AbortSignal): Promise<T> {
    for (let round = 0; ; round++) {
      signal?.throwIfAborted();
      try {
        return step();
      } catch (err) {
        if (!(err instanceof Missing)) throw err;
        if (round === maxRounds) throw new KddxError("io_error", `a search that asks for more after ${maxRounds} rounds of reads`);
      }
      const [pages] = await Promise.all([this.file.load(this.#wanted, signal), ...this.#loading]);
      for (const [key, page] of pages) this.#pages.set(key, page);
      this.#wanted.clear();
      this.#loading = [];
    }
  }
}
