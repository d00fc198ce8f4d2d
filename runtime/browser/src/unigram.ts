// Unigram, as SentencePiece has it (FORMAT.md §11, EVOC): of all ways to cut a text into pieces the most probable one.
import { normalizer } from "./normalize.ts";
import { type Tokenizer, type Vocab, cut, spacesAfter, utf8, wellFormed } from "./vocab.ts";

// The flags of a vocabulary.
const [fallback, atSpaces, marked, always, first1, atMarkers] = [2, 4, 8, 16, 32, 64];

/** The tokenizer of a vocabulary. */
export function unigram(vocab: Vocab): Tokenizer {
  const normalize = normalizer(vocab.steps);
  const marker = vocab.flags & marked ? String.fromCodePoint(vocab.extra) : "";
  const raw = vocab.added.filter((t) => !t.normalized);
  const normalized = vocab.added.filter((t) => t.normalized)
    .map((t) => ({ ...t, text: normalize(t.text).text }));
  return (text) => {
    const ids: number[] = [];
    const emit = (id: number): unknown => ids.push(id);
    cut(wellFormed(text), raw, emit, (part, first) => {
      const { text: plain, start } = normalize(part);
      cut(plain, normalized, emit, (words, leads) => split(words, first && start && leads, vocab, marker, ids));
    });
    return ids;
  };
}

// split adds the ids of the words of a normalised text.
function split(text: string, first: boolean, vocab: Vocab, marker: string, ids: number[]): void {
  if (!(vocab.flags & atSpaces)) return mark(text, first, vocab, marker, ids);
  for (let at = spacesAfter(text, 0); at < text.length; first = false) {
    let end = at;
    while (end < text.length && spacesAfter(text, end) === end) end++;
    mark(text.slice(at, end), first, vocab, marker, ids);
    at = spacesAfter(text, end);
  }
}

// mark puts markers for spaces, one before the text where the flags say so, and ends words at them.
function mark(text: string, first: boolean, vocab: Vocab, marker: string, ids: number[]): void {
  const { flags } = vocab;
  if (text === "") return;
  if (!marker) return best(utf8(text), vocab, ids);
  const begins = text.startsWith(marker) || text[0] === " ";
  if (!begins && (flags & always || (flags & first1 && first))) text = marker + text;
  text = text.split(" ").join(marker);
  for (let at = 0; at < text.length; ) {
    const next = flags & atMarkers ? text.indexOf(marker, at + 1) : -1;
    const end = next < 0 ? text.length : next;
    best(utf8(text.slice(at, end)), vocab, ids);
    at = end;
  }
}

// best adds the pieces with the largest sum of scores (Viterbi); of equal sums that whose last piece is longer.
function best(word: Uint8Array, vocab: Vocab, ids: number[]): void {
  const n = word.length;
  const sums = new Float64Array(n + 1);
  const from = new Int32Array(n + 1).fill(-1); // where the last piece of the best way to a place begins
  const last = new Int32Array(n + 1);
  const better = (at: number, end: number, sum: number, id: number): void => {
    if (from[end] >= 0 && sum <= sums[end]) return;
    [sums[end], from[end], last[end]] = [sum, at, id];
  };
  const inside = (at: number): boolean => at < n && (word[at] & 0xc0) === 0x80; // a character
  for (let at = 0, next = 0; at < n; at = next) {
    next = at + 1;
    while (inside(next)) next++;
    const rest = word.subarray(at, at + vocab.longest);
    const hashes = vocab.hashes(rest, false);
    let single = false;
    for (let size = 1; size <= rest.length; size++) {
      if (inside(at + size)) continue;
      const id = vocab.among(rest, hashes, size, false);
      if (id < 0) continue;
      better(at, at + size, sums[at] + vocab.score(id), id);
      single ||= at + size === next;
    }
    if (!single) better(at, next, sums[at] + vocab.unknownScore, vocab.unknown);
  }
  const spans: [number, number, number][] = [];
  for (let end = n; end > 0; end = from[end]) {
    const before = spans[spans.length - 1];
    // Unknown characters side by side make one id.
    if (last[end] === vocab.unknown && before?.[2] === vocab.unknown) before[0] = from[end];
    else spans.push([from[end], end, last[end]]);
  }
  for (const [start, end, id] of spans.reverse()) {
    const bytes = id === vocab.unknown && vocab.flags & fallback ? asBytes(word.subarray(start, end), vocab) : [];
    ids.push(...(bytes.length ? bytes : [id]));
  }
}

// asBytes is the pieces <0xHH> of a text, none if one of them is missing.
function asBytes(text: Uint8Array, vocab: Vocab): number[] {
  const ids: number[] = [];
  for (const b of text) {
    const id = vocab.find(utf8(`<0x${b.toString(16).toUpperCase().padStart(2, "0")}>`));
    if (id < 0) return [];
    ids.push(id);
  }
  return ids;
}
