// Signatures, and what is kept from visit to visit: in a file of its own that is loaded for files that are opened so.
import { type Store, stored } from "./cache.ts";
import type { File } from "./file.ts";
import { trusted } from "./signature.ts";
import type { Source } from "./source.ts";

/** How a file is opened, as far as it matters here. */
export interface TrustOptions {
  key?: string | readonly string[];
  signedAs?: string | readonly string[];
  store?: Store;
  storeBytes?: number;
  signal?: AbortSignal;
}

/** Refuses a file that no key has signed, and has it read through the store. */
export async function trust(file: File, source: Source, options: TrustOptions): Promise<void> {
  if (options.key !== undefined) await trusted(file, source, options.key, options.signedAs, options.signal);
  if (options.store && !source.whole) {
    file.through(await stored(source, options.store, file.root, options.storeBytes ?? 64 << 20));
  }
}
