// Characters that few texts have, in a file of its own that is loaded with the first hit that has some: references by
// names that are rare, and what is left out where a text is shown.
import { refer } from "#question";

export { cleanLines } from "./clean.ts";

const names: { [name: string]: string } = {};
for (const pair of ("apos ' copy © reg ® trade ™ mdash — ndash – hellip … rarr → larr ← " +
  "uarr ↑ darr ↓ harr ↔ laquo « raquo » ldquo “ rdquo ” lsquo ‘ rsquo ’ times × middot · bull • deg ° para ¶ sect § le ≤ ge ≥ " +
  "ne ≠ check ✓ lbrace { rbrace } lbrack [ rbrack ] vert | ast * lowbar _ grave ` num # colon : excl ! euro € pound £ yen ¥ " +
  "plusmn ± micro µ frac12 ½ infin ∞ minus − shy \u00ad zwnj \u200c zwj \u200d ensp \u2002 emsp \u2003 thinsp \u2009").matchAll(/(\w+) (\S|\u2002|\u2003|\u2009)/g)) {
  names[pair[1]] = pair[2];
}
refer(names);
