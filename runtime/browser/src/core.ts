// What the files that are loaded later take of kddx.js (package.json names this file #core). It is no interface: it
// changes with them.
export { groupOf, onePerDocument, resultOf } from "./arrange.ts";
export { docOfNode } from "./bm25.ts";
export { KddxError, Kept, View, compare, hex, need, sha256 } from "./bytes.ts";
export { bitmap, doc, sec } from "./data.ts";
export { accented, exactPrefix, fold, foldLower, forms, lowerForm, stemTerm } from "./fold.ts";
export { pool } from "./fuse.ts";
export {
  className, isDoc, joints, named, nearName, notNamed, path, pathName, stemName, titleName, trimMarks,
} from "./named.ts";
export { hashesOf, pairOf } from "./pairs.ts";
export { Now } from "./now.ts";
export { common, placed } from "./places.ts";
export { bytesOf, classOf, cutBytes, runeAt, runeBefore, sizeOf } from "./runes.ts";
export { ask, body, outside } from "./source.ts";
export { Dictionary, Table, keyOf, parse as stringsOf, textOf, upTo } from "./table.ts";
export { Texts } from "./text.ts";
export { indexOnly, tokens } from "./tokens.ts";
export { Lists, askWord, blank, idfOf, look, stemTerms, unscored } from "./word.ts";
