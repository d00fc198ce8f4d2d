// The piece of a text that is shown of a hit: where most of the query's words stand, in whole words and lines.
import type { Text } from "./plain.ts";
import { bytesOf, runeAt, runeBefore, sizeOf } from "#core";
import { sentenceEnd } from "./sentence.ts";

/** A word of the query in a text. */
export interface Span {
  start: number;
  end: number;
  term: number; // which word of the query
  weight: number;
}

const snippetLength = 150; // characters
const maxLines = 5;
const repeat = 0.05; // what a word counts that is there already
const maxWiden = 40;

/** The number of characters of a text. */
export function count(text: string, start = 0, end = text.length): number {
  let n = 0;
  for (let i = start; i < end; i += sizeOf(runeAt(text, i))) n++;
  return n;
}

const weightOf = (h: Span): number => (h.weight > 0 ? h.weight : 1);

/** The snippet of a text. */
export function snippet(text: Text, hits: readonly Span[], limit = snippetLength): string {
  const s = text.text;
  let [from, to, most] = densest(s, hits, limit);
  const [start, weight] = bestStart(text, hits, limit);
  if (weight < most / 2) {
    from = growLeft(s, Math.max(s.lastIndexOf("\n", from - 1) + 1, from - 4 * limit), from, to, limit - 4);
    if (from > start) return `… ${s.slice(from, growRight(s, from, limit - 3))}…`;
  }
  let end = growRight(s, start, limit);
  if (cutOff(s, start, end)) end = growRight(s, start, limit - 1);
  for (let i = start, lines = 0; i < end; i++) if (s[i] === "\n" && ++lines === maxLines) end = i;
  const last = s.lastIndexOf("\n", end - 1);
  const held = hits.some((h) => h.start >= last && h.start < end);
  if (cutOff(s, start, end) && last > start && 2 * bytesOf(s, start, last) > bytesOf(s, start, end) && !held) end = last;
  const shown = dedent(s.slice(start, end)).trim();
  return cutOff(s, start, end) ? `${shown}…` : shown;
}

function cutOff(s: string, start: number, end: number): boolean {
  if (end >= s.length || s[end] === "\n") return false;
  return !/[.。！？｡।॥۔؟] *$/.test(s.slice(start, end));
}

function dedent(s: string): string {
  const margin = /^[ \t]*/.exec(s)![0];
  return margin === "" ? s : `\n${s}`.replaceAll(`\n${margin}`, "\n").slice(1);
}

// bestStart is the beginning of a line or sentence behind which most words of the query stand.
function bestStart(text: Text, hits: readonly Span[], limit: number): [number, number] {
  let [start, weight, first] = [0, 0, 0];
  if (hits.length === 0) return [0, 0];
  const attempt = (at: number): void => {
    while (first < hits.length && hits[first].start < at) first++;
    const inside = new Set<number>();
    let [sum, end] = [0, at];
    for (const h of hits.slice(first)) {
      if (h.start < end) continue;
      if (!fits(text.text, at, h.end, limit)) break;
      end = h.end;
      sum += (inside.has(h.term) ? repeat : 1) * weightOf(h);
      inside.add(h.term);
    }
    if (sum > weight + 1e-9 || (sum > weight - 1e-9 && sum > 0)) [start, weight] = [at, Math.max(sum, weight)];
  };
  for (const line of text.lines) {
    attempt(line.start);
    if (line.kind !== "prose" && line.kind !== "item") continue;
    for (let at = line.start; ; ) {
      at = sentenceEnd(text.text.slice(0, line.end), at);
      while (at < line.end && text.text[at] === " ") at++;
      if (at >= line.end) break;
      attempt(at);
    }
  }
  return [start, weight];
}

// densest is the window of limit characters with most words of the query.
function densest(text: string, hits: readonly Span[], limit: number): [number, number, number] {
  const inside = new Map<number, number>();
  let [score, first, best, start, end] = [0, 0, 0, 0, 0];
  const wide: Span[] = [...hits];
  hits.forEach((h, last) => {
    if (h.start >= h.end || (first < last && h.start < hits[first].start)) return;
    const n = inside.get(h.term) ?? 0;
    inside.set(h.term, n + 1);
    score += (n === 0 ? 1 : repeat) * weightOf(h);
    wide[last] = h = widen(text, h);
    while (first < last && !fits(text, wide[first].start, h.end, limit)) {
      const out = hits[first];
      const m = inside.get(out.term) ?? 0;
      if (m > 0) {
        inside.set(out.term, m - 1);
        score -= (m === 1 ? 1 : repeat) * weightOf(out);
      }
      first++;
    }
    if (score > best + 1e-9) [best, start, end] = [score, wide[first].start, h.end];
  });
  return [start, fits(text, start, end, limit) ? end : start, best];
}

// widen takes in the rest of the words that a span begins or ends in.
function widen(text: string, h: Span): Span {
  let { start, end } = h;
  for (let at = h.start, n = 0; n <= maxWiden; n++) {
    if (at === 0 || cutBefore(text, at)) {
      start = at;
      break;
    }
    at -= sizeOf(runeBefore(text, at));
  }
  for (let at = h.end, n = 0; n <= maxWiden; n++) {
    if (at >= text.length || cutBefore(text, at)) {
      end = at;
      break;
    }
    at += sizeOf(runeAt(text, at));
  }
  return { ...h, start, end };
}

const fits = (text: string, start: number, end: number, limit: number): boolean =>
  start <= end && end <= text.length && end - start <= 2 * limit && count(text, start, end) <= limit;

function growLeft(text: string, low: number, start: number, end: number, limit: number): number {
  let [at, word] = [start, start];
  for (let room = Math.trunc((limit - count(text, start, end)) / 3); at > low && room > 0; room--) {
    at -= sizeOf(runeBefore(text, at));
    if (at !== low && (!cutBefore(text, at) || text[at] === " " || text[at] === "\n")) continue;
    word = at;
    const before = text.slice(low, at).replace(/ +$/, "");
    if (before === "" || ",;:—–()、，".includes(before[before.length - 1])) return at;
  }
  return word;
}

function growRight(text: string, start: number, spare: number): number {
  let [at, last] = [start, start];
  for (let room = spare; at < text.length && room > 0; room--) {
    at += sizeOf(runeAt(text, at));
    if (at >= text.length || cutBefore(text, at)) last = at;
  }
  if (last === start && at > start) {
    while (at > start && !clusterStart(text, at)) at -= sizeOf(runeBefore(text, at));
    return at;
  }
  while (last > start && (text[last - 1] === " " || text[last - 1] === "\n")) last--;
  return last;
}

const behind = "、。，．！？：；」』）】》〉…々ะาำฯๆະາຳ";
const before = "「『（【《〈เแโใไເແໂໃໄ";
const unseparated = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const isSpace = (c: string): boolean => /^[\s\u0085]$/.test(c) && c !== "\ufeff";
const isKatakana = (c: string): boolean => c === "ー" || /\p{Script=Katakana}/u.test(c);

// cutBefore says whether a text may be cut at a place: at the border of a word.
function cutBefore(text: string, at: number): boolean {
  if (!clusterStart(text, at)) return false;
  const [left, right] = [String.fromCodePoint(Math.max(0, runeBefore(text, at))), String.fromCodePoint(Math.max(0, runeAt(text, at)))];
  if (isSpace(left) || isSpace(right)) return true;
  if (behind.includes(right) || before.includes(left) || (isKatakana(left) && isKatakana(right))) return false;
  if (/\p{Script=Hiragana}/u.test(right) && !"、。，．！？：；…".includes(left)) return false;
  return unseparated.test(left) || unseparated.test(right);
}

function clusterStart(text: string, at: number): boolean {
  if (at >= text.length) return true;
  const [r, left] = [runeAt(text, at), runeBefore(text, at)];
  const c = String.fromCodePoint(r);
  return !/^\p{M}/u.test(c) && r !== 0x200c && r !== 0x200d && left !== 0x200d && !(r >= 0x1f3fb && r <= 0x1f3ff);
}

/** The words of a query in a text, as places of its characters; of two at one place the longer. */
export function highlights(text: string, hits: readonly Span[]): [number, number][] {
  const out: [number, number][] = [];
  let [end, chars] = [0, 0];
  for (const h of [...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (h.start < end) continue;
    const first = chars + count(text, end, h.start);
    chars = first + count(text, h.start, h.end);
    out.push([first, chars]);
    end = h.end;
  }
  return out;
}

/** Whether a word stands in an address, which a reader does not see. */
export function inAddress(text: string, start: number, end: number): boolean {
  const ends = (c: string): boolean => (c < "\x80" ? " \t\r\n()[]<>\"`|".includes(c) : /^[\p{P}\s]/u.test(c) || unseparated.test(c));
  let from = start;
  while (from > Math.max(0, start - 200) && !ends(text[from - 1])) from--;
  let to = start;
  while (to < Math.min(text.length, end + 200) && !ends(text[to])) to++;
  if (to < end) return false;
  const [head, address] = [text.slice(0, from), text.slice(from, to)];
  return (head.endsWith('="') && /^[/#]/.test(address)) || head.endsWith("](") || address.includes("://") || address.includes("../");
}
