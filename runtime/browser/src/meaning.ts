// What is found by meaning, in a file of its own that is loaded with the first query of it.
import { KddxError, Now, need } from "#core";
import { type Runs, type Score, rounded, runsOf, top } from "./cosine.ts";
import { Encoder } from "./encode.ts";
import type { File } from "./file.ts";
import { type Likely, Vectors, documentOf } from "./vectors.ts";

/** How chunks are looked for by meaning. */
export interface MeaningOptions {
  /** How many chunks at most; 10 without it. */
  limit?: number;
  /** Whether a chunk may be found; all may without it. */
  allowed?: (chunk: number) => boolean;
  signal?: AbortSignal;
}

const maxQuery = 2 ** 14; // characters
const likeliest = 112; // chunks of a file elsewhere whose documents are compared

/** The vectors of a file, and its encoder of queries. */
export class Meaning {
  readonly #file: File;
  readonly #starts: () => Promise<readonly number[]>; // the first chunks of documents
  #encoder: Encoder | undefined;
  #vectors: Promise<Vectors> | undefined;

  constructor(file: File, starts: () => Promise<readonly number[]>) {
    [this.#file, this.#starts] = [file, starts];
  }

  #open(): Encoder {
    if (this.#encoder) return this.#encoder;
    const encoder = new Encoder(this.#file);
    // What could not be read is read again for the next query.
    encoder.ready().catch(() => this.#encoder === encoder && (this.#encoder = undefined));
    return (this.#encoder = encoder);
  }

  #opened(): Promise<Vectors> {
    this.#vectors ??= Vectors.open(this.#file);
    this.#vectors.catch(() => (this.#vectors = undefined));
    return this.#vectors;
  }

  async #ids(encoder: Encoder, text: string, signal?: AbortSignal): Promise<number[]> {
    if (text.length > maxQuery) {
      throw new KddxError("invalid_input", `a query of ${text.length} characters, want at most ${maxQuery}`);
    }
    const { ids } = await encoder.tokens;
    const now = new Now(this.#file);
    return now.run(() => ids(text, now), signal);
  }

  /** The ids of a text's wordpieces. */
  async pieces(text: string): Promise<number[]> {
    return this.#ids(this.#open(), text);
  }

  /** Reads what a query will need that has this text, more or less. */
  async ahead(text: string): Promise<void> {
    await Promise.all([this.pieces(text), this.#opened()]);
  }

  /** Whether a word is one wordpiece. */
  async isWord(word: string): Promise<boolean> {
    const now = new Now(this.#file);
    const has = await this.vocabulary(now);
    return now.run(() => has(word));
  }

  /** Says of a word whether it is one wordpiece, in a step that runs again once what it asked now for is there. */
  async vocabulary(now: Now): Promise<(word: string) => boolean> {
    const { has } = await this.#open().tokens;
    return (word) => has(word, now);
  }

  /** The vector of a query, of length 1; undefined if the encoder knows nothing of it. */
  async vector(query: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    const encoder = this.#open();
    return encoder.vector(await this.#ids(encoder, query, signal), signal);
  }

  /** The chunks nearest to a query by their cosines, the best first; none if it has no vector. */
  async near(query: string, o: MeaningOptions): Promise<Score[]> {
    const limit = o.limit ?? 10;
    if (!(limit >= 1)) throw new KddxError("invalid_input", `a limit of ${limit}, want 1 or more`);
    const most = Math.floor(Math.min(limit, this.#file.block("CHNK").rows));
    const found = await this.#compared(query, o, async (estimates, runs, starts) =>
      top(estimates, runs, Math.max(most, likeliest)).map((s) => documentOf(starts, s.chunk)));
    return found ? top(found.cosines, found.runs, most) : [];
  }

  /** The cosines of all chunks, no number for those that are not allowed; undefined if the query has no vector. likely
   *  says which documents of a file elsewhere are compared, starts has their first chunks. */
  async cosines(
    query: string, likely: Likely, starts: () => Promise<readonly number[]>, o: MeaningOptions,
  ): Promise<Float32Array | undefined> {
    const found = await this.#compared(query, o, likely, starts);
    if (!found || !o.allowed) return found?.cosines;
    const out = new Float32Array(found.cosines.length).fill(NaN);
    for (const [from, to] of found.runs) out.set(found.cosines.subarray(from, to), from);
    return out;
  }

  async #compared(
    query: string, { allowed, signal }: MeaningOptions, likely: Likely, first = this.#starts,
  ): Promise<{ cosines: Float32Array; runs: Runs } | undefined> {
    const file = this.#file;
    const n = file.block("CHNK").rows;
    if (!file.blocks.has("VECS")) throw new KddxError("not_found", "no vectors in this index");
    const opened = this.#opened();
    // Of a file in memory all rows are compared, wherever documents begin.
    const starts = file.whole ? Promise.resolve([]) : first();
    const [vector, vectors] = await Promise.all([this.vector(query, signal), opened, starts]);
    if (!vector) return undefined;
    need(vector.length === vectors.dim, `ETAB: vectors of ${vector.length}, those of the file have ${vectors.dim}`);
    const runs = runsOf(n, allowed);
    return { cosines: await vectors.cosines(rounded(vector), runs, starts, likely, signal), runs };
  }
}
