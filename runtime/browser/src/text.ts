// The texts of documents (FORMAT.md §8), in zstd frames.
import { KddxError, View, crc32c, join, need } from "./bytes.ts";
import type { Now } from "./now.ts";

/** Unpacks one frame, and gives up once it has more than limit bytes. */
export type Unpack = (frame: Uint8Array, limit: number) => Uint8Array;

/** The part of fzstd that is used. */
export interface Zstd {
  Decompress: new (onData: (chunk: Uint8Array) => void) => { push(chunk: Uint8Array, final?: boolean): void };
}

/** The unpacker of fzstd, which is loaded when a text is read first. */
export function unpackBy(zstd: Zstd): Unpack {
  return (frame, limit) => {
    const parts: Uint8Array[] = [];
    let n = 0;
    const stream = new zstd.Decompress((chunk) => {
      n += chunk.length;
      need(n <= limit, `TEXT: a frame of more than ${limit} bytes`);
      parts.push(chunk.slice());
    });
    try {
      stream.push(frame, true);
    } catch (err) {
      if (err instanceof KddxError) throw err;
      throw new KddxError("index_corrupt", `TEXT: a frame does not unpack: ${String(err)}`);
    }
    return parts.length ? join(parts) : new Uint8Array(0);
  };
}

// bounded refuses a frame that would have a decoder ask for more memory than a frame may have.
function bounded(frame: Uint8Array): void {
  const v = new View(frame, "TEXT");
  need(v.u32(0) === 0xfd2fb528, "TEXT: no zstd frame");
  const descriptor = v.u8(4);
  need((descriptor & 0x0f) === 0, "TEXT: a frame with a dictionary or a checksum");
  const size = descriptor >> 6;
  const single = (descriptor >> 5) & 1;
  const code = single ? 0 : v.u8(5);
  let window = 2 ** (10 + (code >> 3)) * (1 + (code & 7) / 8);
  const sizes = [() => v.u8(5), () => v.u8(5) + 256 * v.u8(6) + 256, () => v.u32(5), () => v.u64(5)];
  if (single) window = sizes[size]();
  need(window <= 65_536, `TEXT: a frame with a window of ${window} bytes`);
}

/** The index of TEXT's frames. */
export class Texts {
  readonly #starts: readonly number[]; // of each frame's text, and the end
  readonly #places: readonly number[]; // of each frame in the block, and the end
  readonly #sums: readonly number[];

  constructor(now: Now) {
    const b = now.file.block("TEXT");
    const head = new View(now.bytes("TEXT", 0, Math.min(16, b.length)), "TEXT");
    const [bytes, limit, frames] = [head.u64(0), head.u32(8), head.u32(12)];
    need(limit <= 2 ** 22 && 16 + 12 * frames <= b.length, `TEXT: ${frames} frames of ${limit} bytes`);
    const index = new View(now.bytes("TEXT", 16, 12 * frames), "TEXT");
    const [starts, places, sums] = [[0], [16 + 12 * frames], [] as number[]];
    for (let i = 0; i < frames; i++) {
      const n = index.u32(12 * i);
      need(n >= 1 && n <= limit, `TEXT: a frame of ${n} bytes`);
      starts.push(starts[i] + n);
      places.push(places[i] + index.u32(12 * i + 4));
      sums.push(index.u32(12 * i + 8));
    }
    need(starts[frames] === bytes && places[frames] === b.length, "TEXT: its frames have another length");
    [this.#starts, this.#places, this.#sums] = [starts, places, sums];
  }

  /** The bytes [start, end) of all text. */
  read(now: Now, unpack: Unpack, start: number, end: number): Uint8Array {
    need(start >= 0 && start <= end && end <= this.#starts[this.#sums.length], `TEXT: bytes ${start} to ${end}`);
    const frames = this.#sums.map((_, i) => i).filter((i) => this.#starts[i] < end && this.#starts[i + 1] > start);
    const texts = now.each(frames, (i) => now.once(`frame/${i}`, () => this.#frame(now, unpack, i)));
    return join(texts.map((text, k) => {
      const begin = this.#starts[frames[k]];
      return text.subarray(Math.max(0, start - begin), Math.min(begin + text.length, end) - begin);
    }));
  }

  #frame(now: Now, unpack: Unpack, i: number): Uint8Array {
    const frame = now.bytes("TEXT", this.#places[i], this.#places[i + 1] - this.#places[i]);
    need(crc32c(frame) === this.#sums[i], "TEXT: a frame has another checksum");
    bounded(frame);
    const [text, n] = [unpack(frame, this.#starts[i + 1] - this.#starts[i]), this.#starts[i + 1] - this.#starts[i]];
    need(text.length === n, `TEXT: a frame unpacks to ${text.length} bytes, want ${n}`);
    return text;
  }
}
