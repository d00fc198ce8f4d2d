// What a reader sees of markdown: no marks, no tags, lists, code and tables in their lines. Headings are left out.
import { inline, isDigit, oneLine } from "./inline.ts";

/** A line of a text: a paragraph, an item with its mark, a line of code, a row of a table. */
export interface Line {
  kind: "prose" | "item" | "code" | "row";
  start: number;
  end: number;
}

/** Lines with line feeds between them. */
export interface Text {
  text: string;
  lines: Line[];
}

/** What is known of a text that is read. */
export interface How {
  inCode?: boolean; // it begins inside a block of code
  scenario?: boolean; // it is of a .feature file
  heading?: string; // a first line that says only that is left out
  addresses?: boolean; // the targets of links are shown too
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const comments = [["<!--", "-->"], ["{/*", "*/}"], ["<script", "</script>"], ["<style", "</style>"]];
const hardBreak = "\0";

/** Reads markdown. */
export function readPlain(markdown: string, how: How): Text {
  return new PlainReader(markdown, how).run();
}

const lead = (s: string, c: string): number => s.length - s.replace(new RegExp(`^${c === "#" ? "#" : `\\${c}`}+`), "").length;
const trimEnd = (s: string): string => s.replace(/[ \t]+$/, "");

// fenceLength is the length of the mark of the fence at the beginning of a line, or 0.
function fenceLength(t: string): number {
  if (t[0] !== "`" && t[0] !== "~") return 0;
  const n = lead(t, t[0]);
  return n < 3 || (t[0] === "`" && t.includes("`", n)) ? 0 : n;
}

// itemMark is the length of the mark of a list item with the space after it, or 0.
const itemMark = (t: string): number => /^(?:[0-9]{1,9}[.)]|[-*+])[ \t]/.exec(t)?.[0].length ?? 0;
const isRule = (t: string): boolean => t.length > 2 && /^[|\-: =*_+]*$/.test(t);

// unquoted is a line without the marks of quotations and spaces around it, and its indentation.
function unquoted(line: string): [string, number] {
  let indent = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === " ") indent++;
    else if (line[i] === "\t") indent += 4;
    else if (line[i] === ">") {
      indent = 0;
      if (line[i + 1] === " ") i++;
    } else return [trimEnd(line.slice(i)), indent];
  }
  return ["", 0];
}

/** Whether a text ends inside a fenced block of code. */
export function endsInCode(text: string): boolean {
  let fence = "";
  for (const line of text.split("\n")) {
    let t = line.replace(/^[ \t>]+/, "");
    while (fence === "" && t !== "" && itemMark(t) > 0) t = t.slice(itemMark(t)).replace(/^[ \t]+/, "");
    const n = fenceLength(t);
    if (n === 0) continue;
    if (fence === "") fence = t.slice(0, n);
    else if (t.startsWith(fence) && t.slice(n).trim() === "") fence = "";
  }
  return fence !== "";
}

class PlainReader {
  readonly #source: string[];
  readonly #how: How;
  readonly #heading: string;
  #at = 0;
  #out = "";
  readonly #lines: Line[] = [];
  #pending = ""; // the paragraph at hand, with its marks
  #kind: Line["kind"] = "prose";
  #mark = ""; // what stands before it
  #fence = ""; // the mark that the block of code began with; "`~" if that is not known; "{" of a tag
  #indent = 0; // of the fence
  #comment = ""; // what ends the comment or script at hand
  #items: number[] = [];
  #table = false;
  #contained = false;
  #blank = false;

  constructor(markdown: string, how: How) {
    this.#source = markdown.split(/\r\n|\r|\n/);
    if (this.#source[this.#source.length - 1] === "") this.#source.pop();
    [this.#how, this.#heading] = [how, oneLine(how.heading ?? "").toLowerCase()];
    if (how.inCode) this.#fence = "`~";
  }

  run(): Text {
    while (this.#at < this.#source.length) {
      const line = this.#source[this.#at++];
      if (this.#how.scenario) this.#scenario(line);
      else if (this.#fence) this.#code(line);
      else this.#markdown(line);
    }
    this.#flush();
    return { text: this.#out, lines: this.#lines };
  }

  #add(kind: Line["kind"], text: string): void {
    if (text.trim() === "" || (this.#lines.length === 0 && kind !== "code" && text.toLowerCase() === this.#heading)) return;
    const last = this.#lines[this.#lines.length - 1];
    if (last && kind === "prose" && last.kind === "prose" && this.#out.slice(last.start) === text) return;
    if (last) this.#out += "\n";
    const start = this.#out.length;
    this.#out += text;
    this.#lines.push({ kind, start, end: this.#out.length });
  }

  #flush(): void {
    if (this.#pending !== "") {
      for (const part of this.#pending.split(hardBreak)) {
        const text = inline(part, this.#how.addresses);
        if (text === "") continue;
        this.#add(this.#kind, this.#mark + text);
        this.#mark = " ".repeat(this.#mark.length);
      }
    }
    [this.#pending, this.#kind, this.#mark] = ["", "prose", ""];
  }

  #scenario(line: string): void {
    line = line.trim();
    if (line === "" || line[0] === "#" || line[0] === "@" || line.startsWith('"""') || line.startsWith("```")) return;
    if (line[0] === "|") this.#add("row", line.replace(/^\|+|\|+$/g, "").trim());
    else this.#add("item", line);
  }

  #code(line: string): void {
    const t = line.replace(/^[ \t>]+/, "");
    if (this.#fence[0] === "{") {
      if (/^(\{% end|\{\{< ?\/)/.test(t)) {
        this.#fence = "";
        return;
      }
    } else if (t !== "" && this.#fence.includes(t[0])) {
      const n = lead(t, t[0]);
      if (n >= 3 && (this.#fence === "`~" || n >= this.#fence.length) && t.slice(n).trim() === "") {
        this.#fence = "";
        return;
      }
    }
    let n = 0;
    while (n < line.length && n < this.#indent && " \t>".includes(line[n])) n++;
    this.#add("code", trimEnd(line.slice(n)));
  }

  #markdown(line: string): void {
    if (this.#comment) {
      const end = line.indexOf(this.#comment);
      if (end < 0) return;
      line = line.slice(end + this.#comment.length);
      this.#comment = "";
    }
    const [t, indent] = unquoted(line);
    if (t === "") {
      this.#flush();
      [this.#blank, this.#table] = [true, false];
      return;
    }
    const blank = this.#blank;
    this.#blank = false;
    if (indent === 0) {
      this.#contained = false;
      if (blank && itemMark(t) === 0) this.#items = [];
    }
    if (this.#ignored(t, line)) return;
    if (/^#{1,6}([ \t]|$)/.test(t)) return this.#flush();
    if (this.#opensCode(t, indent, line.length - t.length) || this.#opensComment(t) || this.#container(t)) return;
    if (isRule(t)) {
      if (this.#kind === "prose" && /^(-*|=*)$/.test(t)) this.#pending = ""; // a heading that is underlined
      return this.#flush();
    }
    if (t[0] === "|" || (this.#table && t.includes("|")) || this.#opensTable(t)) {
      this.#flush();
      this.#table = true;
      return this.#add("row", this.#row(t));
    }
    if (itemMark(t) > 0) {
      this.#flush();
      return this.#item(t, indent);
    }
    const apart = this.#pending === "" && this.#items.length === 0 && !this.#contained;
    if (indent >= 4 && apart) this.#add("code", " ".repeat(indent - 4) + t);
    else this.#prose(t, line);
  }

  // ignored reports whether a line gives no text: definitions of links, imports of MDX, includes.
  #ignored(t: string, line: string): boolean {
    const first = this.#pending === "";
    if ((t[0] === "[" && t[1] !== "^") || t.startsWith("*[")) {
      const at = t.indexOf("]:");
      return at >= 0 && first && t[at + 2] === " " && !t.slice(1, at).includes("]");
    }
    if (line.startsWith("import ")) return first && /["']/.test(t) && (t.includes(" from ") || /^import ["']/.test(t));
    if (line.startsWith("export ")) return first && /^export (const|default|function) /.test(line);
    return t.startsWith("--8<--") || t.startsWith("<<< ") || t.startsWith("{{#");
  }

  #opensCode(t: string, indent: number, width: number): boolean {
    const n = fenceLength(t);
    if (n > 0) this.#fence = t.slice(0, n);
    else if (/^(\{% highlight|\{\{< ?highlight)/.test(t)) this.#fence = "{";
    else return false;
    this.#flush();
    this.#indent = Math.max(indent, width);
    return true;
  }

  #opensComment(t: string): boolean {
    const c = comments.find(([open]) => t.startsWith(open));
    if (!c) return false;
    if (t.includes(c[1])) return c[0][1] === "s";
    this.#flush();
    this.#comment = c[1];
    return true;
  }

  // container takes a line that begins or ends a note, callout or tab: its title is a line.
  #container(t: string): boolean {
    let title = "";
    if (t.startsWith(":::")) {
      const rest = t.replace(/^:+/, "");
      const label = /^([^[ ]*)\[/.exec(rest);
      if (label) title = rest.slice(label[0].length).split("]")[0];
      else {
        const after = /^ *[^ ]* (.*)$/s.exec(rest.replace(/^ +/, ""))?.[1];
        if (after !== undefined && !after.trim().startsWith("{")) title = after;
      }
    } else if (t.startsWith("!!! ") || t.startsWith("???") || /^===[!+]? "/.test(t)) {
      title = quotedTitle(t);
      this.#contained = true;
    } else if (t.startsWith("[!") && this.#pending === "") {
      const end = t.indexOf("]");
      const kind = t.slice(2, end);
      if (end < 0 || kind === "" || /[ [(]/.test(kind) || t[end + 1] === "(") return false;
      title = t.slice(end + 1).replace(/^[+-]+/, "");
    } else return false;
    this.#flush();
    this.#add("prose", inline(title));
    return true;
  }

  #prose(t: string, line: string): void {
    if (t.startsWith(": ")) { // a definition
      this.#flush();
      t = t.slice(2).replace(/^ +/, "");
    }
    if (this.#pending !== "") {
      const last = [...this.#pending.slice(-2)].pop()!;
      const first = String.fromCodePoint(t.codePointAt(0) ?? 32);
      if (!unspaced.test(last) || !unspaced.test(first)) this.#pending += " ";
    }
    this.#pending += t.replaceAll(hardBreak, "");
    if (line.endsWith("  ")) this.#pending += hardBreak;
    else if (t.endsWith("\\")) this.#pending = this.#pending.slice(0, -1) + hardBreak;
  }

  #item(t: string, indent: number): void {
    while (this.#items.length > 0 && this.#items[this.#items.length - 1] >= indent) this.#items.pop();
    const length = itemMark(t);
    const mark = isDigit(t[0]) ? `${t.slice(0, length).trim()} ` : "- ";
    this.#mark = "  ".repeat(Math.min(this.#items.length, 6)) + mark;
    this.#items.push(indent);
    this.#kind = "item";
    const text = t.slice(length).replace(/^[ \t]+/, "");
    const n = fenceLength(text);
    if (n > 0) [this.#fence, this.#indent, this.#mark, this.#kind] = [text.slice(0, n), indent + length, "", "prose"];
    else this.#pending += text.replaceAll(hardBreak, "");
  }

  #row(t: string): string {
    return t.replace(/^\|/, "").replace(/\|$/, "").replaceAll("\\|", hardBreak).split("|")
      .map((cell) => inline(cell.replaceAll(hardBreak, "|"), this.#how.addresses)).filter(Boolean).join(" | ");
  }

  #opensTable(t: string): boolean {
    const [next] = unquoted(this.#source[this.#at] ?? "");
    return t.includes("|") && next.includes("-") && next.includes("|") && isRule(next);
  }
}

// quotedTitle is the title in a line like !!! note "Title".
function quotedTitle(t: string): string {
  const start = t.indexOf('"') + 1;
  const end = t.lastIndexOf('"');
  const title = start > 0 ? (end >= start ? t.slice(start, end) : t.slice(start)) : "";
  return title.replace(/\\(["\\])/g, "$1");
}
