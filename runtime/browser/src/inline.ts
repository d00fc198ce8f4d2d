// A paragraph of markdown as a reader sees it, on one line. Code spans keep their back-ticks.
const maxInside = 1000; // how far the end of a tag, comment, code span or link is looked for
const maxRuns = 64;
const marks = /[\\`![\]<{*_~=&:]/;

// Characters by the names of their references: the most frequent ones, until characters.js adds the others.
const references = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" }));

/** Adds names of references. */
export function refer(names: { [name: string]: string }): void {
  for (const name of Object.keys(names)) references.set(name, names[name]);
}

/** Whether a text has a reference by a name that is not known. */
export const refersBeyond = (text: string): boolean =>
  [...text.matchAll(/&(\w+);/g)].some(([, name]) => !references.has(name));

function unescape(entity: string): string {
  const m = /^&(?:#[xX]([0-9a-fA-F]+)|#([0-9]+)|(\w+));$/.exec(entity);
  if (!m) return entity;
  if (m[3]) return references.get(m[3]) ?? entity;
  const r = m[1] ? parseInt(m[1], 16) : parseInt(m[2], 10);
  return r > 0 && r <= 0x10ffff && !(r >= 0xd800 && r <= 0xdfff) ? String.fromCodePoint(r) : "\ufffd";
}

export const isLetter = (c: string | undefined): boolean => c !== undefined && /^[a-zA-Z]$/.test(c);
export const isDigit = (c: string | undefined): boolean => c !== undefined && /^[0-9]$/.test(c);
const isBlank = (c: string): boolean => c === "" || c === "\ufffd" || /^[\s\u0085]$/.test(c);
const isPunct = (c: string): boolean => /^[\p{P}\p{S}]$/u.test(c);

/** Fields of a text, one space between them. */
export const oneLine = (s: string): string => s.split(/[\s\u0085]+/).filter(Boolean).join(" ");

/** A paragraph as plain text; with addresses also the targets of links, in parentheses. */
export function inline(text: string, addresses = false): string {
  if (!marks.test(text) && !/[\n\r\t]|  /.test(text)) return text.replace(/^ +| +$/g, "");
  return oneLine(new Inliner(text, addresses).run());
}

interface Run {
  at: number;
  length: number;
  whole: number;
  mark: string;
  both: boolean;
}

// Inliner writes text at once and cuts marks out of it afterwards, once their other half is found.
class Inliner {
  readonly #text: string;
  readonly #addresses: boolean;
  #i = 0;
  #out = "";
  readonly #cuts: [number, number][] = [];
  readonly #brackets: { at: number; length: number }[] = [];
  #runs: Run[] = [];
  constructor(text: string, addresses: boolean) {
    [this.#text, this.#addresses] = [text, addresses];
  }

  run(): string {
    while (this.#i < this.#text.length) this.#next();
    let [out, at] = ["", 0];
    for (const [from, to] of this.#cuts.sort((a, b) => a[0] - b[0])) {
      out += this.#out.slice(at, Math.max(at, from));
      at = Math.max(at, to);
    }
    return out + this.#out.slice(at);
  }

  #put(text: string, n: number): void {
    this.#out += text;
    this.#i += n;
  }

  #next(): void {
    const rest = this.#text.slice(this.#i, this.#i + 2 * maxInside);
    const c = rest[0];
    let skip = 0;
    if (c === "\\" && rest.length > 1 && rest[1] < "\x80" && isPunct(rest[1])) return this.#put(rest[1], 2);
    if (c === "`") {
      const n = codeSpan(rest) || /^`+/.exec(rest)![0].length;
      return this.#put(rest.slice(0, n), n);
    }
    if (rest.startsWith("![[")) return this.#wiki(rest, 3);
    if (rest.startsWith("![")) {
      this.#brackets.push({ at: this.#out.length, length: 2 });
      return this.#put("![", 2);
    }
    if (rest.startsWith("[[")) return this.#wiki(rest, 2);
    if (rest.startsWith("[^")) skip = /^\[\^[^\] \n]{1,97}\]/.exec(rest)?.[0].length ?? 0;
    else if (c === "[") this.#brackets.push({ at: this.#out.length, length: 1 });
    if (c === "]") return this.#closeBracket(rest);
    if (c === "<" || c === "{") {
      const [n, shown] = c === "<" ? tag(rest) : braces(rest);
      if (n > 0) return this.#put(shown, n);
    }
    if (c === ":") skip = /^:(?:material|fontawesome|octicons|simple)-[a-zA-Z0-9-]{0,70}:/.exec(rest)?.[0].length ?? 0;
    if ("*_~=".includes(c)) return this.#emphasis(c);
    if (c === "&") {
      const end = rest.slice(0, 32).indexOf(";");
      if (end > 0) return this.#put(unescape(rest.slice(0, end + 1)), end + 1);
    }
    if (skip > 0) {
      this.#i += skip;
      return;
    }
    const plain = rest.slice(1).search(marks);
    const n = plain < 0 ? rest.length : plain + 1;
    this.#put(rest.slice(0, n), n);
  }

  #wiki(rest: string, open: number): void {
    const end = rest.slice(0, maxInside).indexOf("]]", open);
    const inside = rest.slice(open, Math.max(open, end));
    if (end < 0 || /[[\]\n]/.test(inside)) return this.#put(rest.slice(0, open), open);
    const bar = inside.indexOf("|");
    let name = inside;
    if (bar >= 0 && inside.slice(bar + 1).trim() !== "") name = inside.slice(bar + 1);
    else name = name.replace(/\|$/, "").replace(/^#+/, "").replaceAll("#", " › ");
    this.#put(name, open + inside.length + 2);
  }

  #closeBracket(rest: string): void {
    const open = this.#brackets.pop();
    if (!open) return this.#put("]", 1);
    const after = rest.slice(1);
    let length = 0;
    if (after[0] === "(") length = target(after);
    else if (after[0] === "[" && after[1] !== "^") length = /^\[[^[\]]{0,998}\]/.exec(after)?.[0].length ?? 0;
    if (length === 0) {
      const [inside, before] = [this.#out.slice(open.at + open.length), this.#out.slice(0, open.at)];
      const reference = inside.length < maxInside && inside.trim().includes(" ") && isLetter(inside[0]) &&
        (before === "" || " (\"'".includes(before[before.length - 1]));
      if (open.length !== 1 || !reference) return this.#put("]", 1);
      this.#cuts.push([open.at, open.at + 1]);
      this.#i++;
      return;
    }
    this.#cuts.push([open.at, open.at + open.length]);
    if (this.#addresses && after[0] === "(") this.#put(` ${after.slice(0, length)}`, 0);
    this.#i += 1 + length;
  }

  // emphasis takes a run of marks as CommonMark does, §6.2; ~ and = count in pairs alone.
  #emphasis(mark: string): void {
    let n = 1;
    while (this.#text[this.#i + n] === mark) n++;
    const before = [...this.#text.slice(Math.max(0, this.#i - 2), this.#i)].pop() ?? "";
    const after = String.fromCodePoint(this.#text.codePointAt(this.#i + n) ?? 0xfffd);
    let at = this.#out.length;
    this.#put(mark.repeat(n), n);
    if ((mark === "~" || mark === "=") && n !== 2) return;
    const left = !isBlank(after) && (!isPunct(after) || isBlank(before) || isPunct(before));
    const right = !isBlank(before) && (!isPunct(before) || isBlank(after) || isPunct(after));
    let [opens, closes] = [left, right];
    if (mark === "_") [opens, closes] = [left && (!right || isPunct(before)), right && (!left || isPunct(after))];
    const whole = n;
    while (closes && n > 0) {
      let i = this.#runs.length - 1;
      const fits = (r: Run): boolean => r.mark === mark &&
        !((r.both || opens) && (r.whole + whole) % 3 === 0 && (r.whole % 3 !== 0 || whole % 3 !== 0));
      while (i >= 0 && !fits(this.#runs[i])) i--;
      if (i < 0) break;
      const r = this.#runs[i];
      const taken = r.length > 1 && n > 1 ? 2 : 1;
      this.#cuts.push([r.at + r.length - taken, r.at + r.length], [at, at + taken]);
      [r.length, at, n] = [r.length - taken, at + taken, n - taken];
      this.#runs = this.#runs.slice(0, r.length === 0 ? i : i + 1);
    }
    if (opens && n > 0 && this.#runs.length < maxRuns) this.#runs.push({ at, length: n, whole, mark, both: closes });
  }
}

// codeSpan is the length of the code span at the beginning, with its back-ticks, or 0.
function codeSpan(s: string): number {
  const n = /^`+/.exec(s)![0].length;
  for (let at = n; at < Math.min(s.length, maxInside); ) {
    const i = s.indexOf("`", at);
    if (i < 0) return 0;
    let end = i;
    while (s[end] === "`") end++;
    if (end - i === n) return end;
    at = end;
  }
  return 0;
}

// target is the length of a link's target with its parentheses, or 0.
function target(s: string): number {
  let [depth, quote] = [0, ""];
  for (let i = 0; i < Math.min(s.length, maxInside); i++) {
    const c = s[i];
    if (quote) {
      if (c === quote) quote = "";
    } else if ((c === '"' || c === "'") && s[i - 1] === " ") quote = c;
    else if (c === "(") depth++;
    else if (c === ")" && --depth === 0) return i + 1;
  }
  return 0;
}

const apart = new Set(("br p div li ul ol dt dd dl td th tr table h1 h2 h3 h4 h5 h6 summary details section figure figcaption " +
  "hr pre").split(" "));

// tag is the length of the tag, comment or address at the beginning, and what is shown in its place.
function tag(s: string): [number, string] {
  if (s.startsWith("<!--")) return [until(s, "-->"), ""];
  let i = s[1] === "/" ? 2 : 1;
  if (s[i] === ">") return [i + 1, ""];
  if (!isLetter(s[i])) return [0, ""];
  const first = i;
  while (i < s.length && /[a-zA-Z0-9.\-:]/.test(s[i])) i++;
  const name = s.slice(first, i).toLowerCase();
  if ((i < s.length && !" \t\r\n/>{".includes(s[i])) || name.endsWith(":")) {
    const end = s.slice(0, maxInside).search(/[ \n>]/);
    if (end < 0 || s[end] !== ">" || !/[:@]/.test(s.slice(1, end))) return [0, ""];
    return [end + 1, s.slice(1, end).replace(/^mailto:/, "")];
  }
  let [depth, quote] = [0, ""];
  for (; i < Math.min(s.length, maxInside); i++) {
    const c = s[i];
    if (quote) {
      if (c === quote) quote = "";
    } else if (c === '"' || c === "'" || (c === "`" && depth > 0)) quote = c;
    else if (c === "{") depth++;
    else if (c === "}") depth--;
    else if (c === ">" && depth <= 0) return [i + 1, apart.has(name) ? " " : ""];
  }
  return [0, ""];
}

function until(s: string, end: string): number {
  const i = s.slice(0, maxInside).indexOf(end);
  return i < 0 ? 0 : i + end.length;
}

const templates = [["{/*", "*/}"], ["{%", "%}"], ["{{<", ">}}"], ["{{%", "%}}"], ["{{#", "}}"]];

// braces is the length of a comment, template or list of attributes at the beginning, and what is shown in its place.
function braces(s: string): [number, string] {
  for (const [open, end] of templates) if (s.startsWith(open)) return [until(s, end), ""];
  for (const space of ['{" "}', "{' '}"]) if (s.startsWith(space)) return [space.length, " "];
  const end = s.slice(0, 200).indexOf("}");
  return end < 0 || !isAttributes(s.slice(1, end)) ? [0, ""] : [end + 1, ""];
}

function isAttributes(inside: string): boolean {
  const words = oneLine(inside.trim().replace(/^:/, "")).split(" ").filter(Boolean);
  const fits = (w: string): boolean => (/^[#.]./.test(w) && !/[(){}]/.test(w)) || /^[\p{L}\-_]+=./u.test(w);
  return words.length > 0 && words.every(fits);
}
