// What the files that are loaded later take of kddx.js (package.json names this file #core). It is no interface: it
// changes with them.
export { KddxError, View, compare, hex, need, sha256 } from "./bytes.ts";
export { bitmap, doc, sec } from "./data.ts";
export { accented, exactPrefix, fold, foldLower, forms, lowerForm } from "./fold.ts";
export { isDoc, joints, named, nearName, path, pathName, stemName, titleName, trimMarks } from "./named.ts";
export { common, placed } from "./places.ts";
export { bytesOf, classOf, cutBytes, runeAt, runeBefore, sizeOf } from "./runes.ts";
export { keyOf, textOf, upTo } from "./table.ts";
export { indexOnly, tokens } from "./tokens.ts";
export { Lists, blank } from "./word.ts";
