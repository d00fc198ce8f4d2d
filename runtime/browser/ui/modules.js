// What the reader and the component load as they need it, all of it at once: see load.ts.
import * as reader from "../src/index.ts";
import * as question from "../src/question.ts";
import * as characters from "../src/characters.ts";
import * as languages from "../src/languages.ts";
import * as letters from "../src/letters.ts";
import * as listing from "../src/listing.ts";
import * as misspelling from "../src/misspelling.ts";
import * as naming from "../src/naming.ts";
import * as operators from "../src/operators.ts";
import * as documents from "../src/documents.ts";
import * as meaning from "../src/meaning.ts";
import * as parts from "../src/parts.ts";
import * as trust from "../src/trust.ts";
import * as sha256 from "../sha256.js";
import * as zstd from "../zstd.js";
import * as stem_ar from "../stem/ar.js";
import * as stem_da from "../stem/da.js";
import * as stem_de from "../stem/de.js";
import * as stem_en from "../stem/en.js";
import * as stem_es from "../stem/es.js";
import * as stem_fi from "../stem/fi.js";
import * as stem_fr from "../stem/fr.js";
import * as stem_ga from "../stem/ga.js";
import * as stem_hu from "../stem/hu.js";
import * as stem_it from "../stem/it.js";
import * as stem_nl from "../stem/nl.js";
import * as stem_no from "../stem/no.js";
import * as stem_pt from "../stem/pt.js";
import * as stem_ro from "../stem/ro.js";
import * as stem_ru from "../stem/ru.js";
import * as stem_sv from "../stem/sv.js";
import * as stem_ta from "../stem/ta.js";
import * as stem_tr from "../stem/tr.js";
import * as api from "./api.ts";
import * as ar from "./texts/ar.ts";
import * as de from "./texts/de.ts";
import * as es from "./texts/es.ts";
import * as fa from "./texts/fa.ts";
import * as fr from "./texts/fr.ts";
import * as he from "./texts/he.ts";
import * as ja from "./texts/ja.ts";
import * as ko from "./texts/ko.ts";
import * as pt from "./texts/pt.ts";
import * as zh from "./texts/zh.ts";

globalThis.kddxModules = {
  "./kddx.js": reader, "./question.js": question, "./characters.js": characters, "./languages.js": languages,
  "./letters.js": letters, "./listing.js": listing, "./misspelling.js": misspelling, "./naming.js": naming,
  "./operators.js": operators, "./documents.js": documents, "./meaning.js": meaning, "./parts.js": parts,
  "./trust.js": trust, "./sha256.js": sha256, "./zstd.js": zstd, "./api.js": api,
};
const stems = {
  ar: stem_ar, da: stem_da, de: stem_de, en: stem_en, es: stem_es, fi: stem_fi, fr: stem_fr, ga: stem_ga, hu: stem_hu,
  it: stem_it, nl: stem_nl, no: stem_no, pt: stem_pt, ro: stem_ro, ru: stem_ru, sv: stem_sv, ta: stem_ta, tr: stem_tr,
};
for (const [code, stemmer] of Object.entries(stems)) globalThis.kddxModules[`./stem/${code}.js`] = stemmer;
for (const [code, texts] of Object.entries({ ar, de, es, fa, fr, he, ja, ko, pt, zh })) globalThis.kddxModules[`./texts/${code}.js`] = texts;
