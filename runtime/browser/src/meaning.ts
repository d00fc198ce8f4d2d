// What is found by meaning, in a file of its own that is loaded with the first query of it.
import { KddxError, need } from "#core";
import { type Score, rounded, runsOf, top } from "./cosine.ts";
import { Encoder } from "./encode.ts";
import type { File } from "./file.ts";
import { Vectors } from "./vectors.ts";

/** How chunks are looked for by meaning. */
export interface MeaningOptions {
  /** How many chunks at most; 10 without it. */
  limit?: number;
  /** Whether a chunk may be found; all may without it. */
  allowed?: (chunk: number) => boolean;
  signal?: AbortSignal;
}

const maxQuery = 2 ** 14; // characters

/** The vectors of a file, and its encoder of queries. */
export class Meaning {
  readonly #file: File;
  readonly #starts: () => Promise<readonly number[]>; // the first chunks of documents
  #encoder: Promise<Encoder> | undefined;
  #vectors: Promise<Vectors> | undefined;

  constructor(file: File, starts: () => Promise<readonly number[]>) {
    [this.#file, this.#starts] = [file, starts];
  }

  #open(): Promise<Encoder> {
    this.#encoder ??= Encoder.open(this.#file);
    this.#encoder.catch(() => (this.#encoder = undefined));
    return this.#encoder;
  }

  /** The ids of a text's wordpieces. */
  async pieces(text: string): Promise<number[]> {
    if (text.length > maxQuery) {
      throw new KddxError("invalid_input", `a query of ${text.length} characters, want at most ${maxQuery}`);
    }
    return (await this.#open()).ids(text);
  }

  /** Whether a word is one wordpiece. */
  async isWord(word: string): Promise<boolean> {
    return (await this.#open()).has(word);
  }

  /** Says of a word whether it is one wordpiece. */
  async vocabulary(): Promise<(word: string) => boolean> {
    return (await this.#open()).has;
  }

  /** The vector of a query, of length 1; undefined if the encoder knows nothing of it. */
  async vector(query: string, signal?: AbortSignal): Promise<Float32Array | undefined> {
    const ids = await this.pieces(query);
    return (await this.#open()).vector(ids, signal);
  }

  /** The chunks nearest to a query by their cosines, the best first; none if it has no vector. */
  async near(query: string, { limit = 10, allowed, signal }: MeaningOptions): Promise<Score[]> {
    const file = this.#file;
    const n = file.block("CHNK").rows;
    if (!(limit >= 1)) throw new KddxError("invalid_input", `a limit of ${limit}, want 1 or more`);
    if (!file.blocks.has("VECS")) throw new KddxError("not_found", "no vectors in this index");
    this.#vectors ??= Vectors.open(file);
    this.#vectors.catch(() => (this.#vectors = undefined));
    // Of a file in memory all rows are compared, wherever documents begin.
    const starts = file.whole ? Promise.resolve([]) : this.#starts();
    const [vector, vectors] = await Promise.all([this.vector(query, signal), this.#vectors, starts]);
    if (!vector) return [];
    need(vector.length === vectors.dim, `ETAB: vectors of ${vector.length}, those of the file have ${vectors.dim}`);
    const runs = runsOf(n, allowed);
    const most = Math.floor(Math.min(limit, n));
    return top(await vectors.cosines(rounded(vector), runs, starts, most, signal), runs, most);
  }
}
