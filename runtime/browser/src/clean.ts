// Text of a document made harmless where it is shown: no control, hidden or reordering characters.
const joined = ("Arabic Syriac Nko Mongolian Mandaic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam " +
  "Sinhala Tibetan Myanmar Khmer Balinese Javanese").split(" ").map((s) => `\\p{Script=${s}}`).join("");
const spelled = new RegExp(`^[${joined}]$`, "u");
const emoji = /^[\u{1f000}-\u{1faff}\u2190-\u2bff]$/u;
const variation = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u;
const drawn = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;
const fillers = /^[\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5]$/u;

function invisible(c: string): boolean {
  if (c < "\xad" || c === "\u200c" || c === "\u200d" || drawn.test(c)) return false;
  const tag = /^[\u{e0000}-\u{e0fff}]$/u.test(c);
  return fillers.test(c) || (tag ? !variation.test(c) : /^\p{Cf}$/u.test(c));
}

/** A text of several lines without what harms; line feeds and tabs stay. */
export function cleanLines(s: string): string {
  if (/^[\n\t -~]*$/.test(s)) return s;
  let [out, before] = ["", "\ufffd"];
  const all = [...s];
  all.forEach((c, i) => {
    let shown = c;
    if (c === "\r") shown = all[i + 1] === "\n" ? "" : " ";
    else if (c === "\n" || c === "\t" || (c >= " " && c <= "~")) shown = c;
    else if (/^[\v\f\x85\u2028\u2029]$/.test(c)) shown = " ";
    else if (c < " " || (c >= "\x7f" && c < "\xa0")) shown = "\ufffd";
    else if (c === "\u200c" || c === "\u200d") {
      const next = all.slice(i + 1).find((n) => !invisible(n)) ?? "";
      const picture = c === "\u200d" && (emoji.test(before) || variation.test(before)) && emoji.test(next);
      if (!(spelled.test(before) && spelled.test(next)) && !picture) shown = "";
    } else if (/^[\ufe00-\ufe0f]$/.test(c)) {
      if (before <= " " || before === "\ufffd" || variation.test(before)) shown = "";
    } else if (/^[\u{e0100}-\u{e01ef}]$/u.test(c)) shown = /\p{Script=Han}/u.test(before) ? c : "";
    else if (invisible(c)) shown = "";
    out += shown;
    if (shown !== "") before = shown;
  });
  return out;
}
