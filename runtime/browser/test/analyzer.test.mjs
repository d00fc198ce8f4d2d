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
