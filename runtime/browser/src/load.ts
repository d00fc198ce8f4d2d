// Modules that lie beside kddx.js, loaded when they are needed first.
import { KddxError } from "./bytes.ts";

const loaded = new Map<string, Promise<unknown>>();
const ready = new Map<string, unknown>();

/** Imports a module that lies beside kddx.js, again if that failed. One script that has all of them, for pages that
 *  cannot import, leaves them in kddxModules. */
export function load(at: string): Promise<unknown> {
  let module = loaded.get(at);
  if (!module) {
    const there = (globalThis as { kddxModules?: { [at: string]: unknown } }).kddxModules?.[at];
    module = (there ? Promise.resolve(there) : import(at)).catch((err: unknown) => {
      throw new KddxError("io_error", `${at.slice(2)}, which has to lie beside kddx.js: ${String(err)}`);
    });
    loaded.set(at, module);
    module.then((m) => ready.set(at, m), () => loaded.delete(at));
  }
  return module;
}

/** A module that has been loaded; undefined for others. */
export const loadedAt = (at: string): unknown => ready.get(at);
