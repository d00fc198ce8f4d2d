// Compares tokens, stems and folded texts with those of kdd, in the file that KDDX_ANALYSIS names.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { exactTerm, fold, stemsOf, tokens } from "../kddx.js";

const want = JSON.parse(await readFile(process.env.KDDX_ANALYSIS, "utf8"));

test(`tokens of ${want.lines.length} lines are kdd's`, () => {
  for (const line of want.lines) {
    const got = tokens(line.text).map((t) => [t.fold, t.lower, t.pos, exactTerm(t),
      +t.whole + 2 * t.part + 4 * t.cjk + 8 * t.lone, line.text.slice(t.start, t.end)]);
    assert.deepEqual(got, line.tokens, line.text);
  }
});

test("folded texts are kdd's", () => {
  for (const [text, folded] of Object.entries(want.folds)) assert.equal(fold(text), folded);
});

for (const [language, words] of Object.entries(want.stems)) {
  test(`stems of ${Object.keys(words).length} words in ${language} are kdd's`, async () => {
    const stems = await stemsOf(language);
    for (const [lower, stem] of Object.entries(words)) assert.equal(stems.of(lower), stem, lower);
  });
}

test("where English is the only language, its words tell the language of most queries as all lists do", async () => {
  const { english, wordLists } = await import("../question.js");
  const { detectQuery } = await import("../languages.js");
  const texts = new Set(want.lines.flatMap(({ text }) => [text, ...[1, 2, 3, 5, 8].map((n) => text.split(" ").slice(0, n).join(" "))]));
  const latin = "es de fr it pt nl sv da no fi hu ro tr ga pl cs vi id ca".split(" ");
  const strange = latin.flatMap((l) => [...wordLists.set(l, "function words"), ...wordLists.set(l, "stop words")]);
  strange.forEach((word, i) => {
    for (const other of ["", "the", "token", strange[(i * 7) % strange.length], "how is the"]) texts.add(`${word} ${other}`.trim());
  });
  for (const text of ["LOGIN FAILS AND LOCKS", "useState( foo_bar x9 9x in a", "E.T. is it", "~~~ the", "a b c d", "l'eau d'or",
    "is `de la` in ``les ` que`` a", "`the la", "``the` la", "what’s “the” la"]) texts.add(text);
  const seen = { told: 0, asked: 0, others: 0 };
  for (const text of texts) {
    const [quick, all] = [english(text, ["en"], wordLists), detectQuery(text, ["en"], wordLists)];
    if (quick) assert.deepEqual(quick, all, text);
    seen[quick ? "told" : "asked"]++;
    seen.others += +!["", "en"].includes(all.language);
  }
  assert.ok(strange.length > 2000 && seen.others > 100, JSON.stringify(seen));
  assert.ok(seen.told > 10 * 1000 && seen.asked < seen.told, JSON.stringify(seen));
  assert.equal(english("the token", ["en", "de"], wordLists), undefined);
  assert.equal(english("thé token", ["en"], wordLists), undefined);
});
