// What the stemmers of languages but English are given (text/ANALYZER.md §6).
import { accented, bytesOf, foldLower } from "#core";
import type { Forms } from "./fold.ts";

const endings: { [language: string]: string } = {
  es: "iamos íamos,iais íais,ion ión,ias ías,ian ían,ia ía",
  fr: "ieres ières,iere ière,ites ités,ite ité,ees ées,yes yés,ee ée,ye yé",
  it: "ita ità",
  pt: "ancias âncias,encias ências,ancia ância,encia ência,aveis áveis,avel ável,ivel ível,coes ções,oes ões,cao ção,ao ão",
  ro: "itatii ităţii,itati ităţi,easca ească,eaza ează,asca ască,aza ază,este eşte,esti eşti,tiei ţiei,tie ţie,tii ţii," +
    "ura ură,ara ară,and ând,ind înd,ti ţi",
  hu: "bol ból,rol ról,tol tól,nal nál,nel nél,kent ként,ert ért,jak ják,jat ját,o ó",
  ga: "ail áil,ain áin,iri irí",
};

/** The word that the stemmer of a language is given: a folded one with those accents that its spelling tells. */
export function spell(language: string, word: Forms): string {
  const folded = word.fold;
  switch (language) {
    case "ar":
      return noun(accented(word.lower));
    case "ta":
      return word.lower;
    case "ru":
      return folded.replace(/пись$/, "писи");
    case "de":
      return undouble(folded, /ae|oe|ue/y);
    case "da":
    case "no":
      return undouble(folded, /aa|oe/y);
    case "tr":
      return harmonise(foldLower(word.lower.split("'")[0]));
  }
  for (const pair of endings[language]?.split(",") ?? []) {
    const [plain, spelled] = pair.split(" ");
    if (folded.endsWith(plain) && bytesOf(folded) >= plain.length + 2) return folded.slice(0, -plain.length) + spelled;
  }
  return folded;
}

// undouble writes one vowel for two that stand for a letter with an umlaut or a ring.
function undouble(word: string, doubles: RegExp): string {
  let out = "";
  for (let i = 0; i < word.length; i++) {
    out += word[i];
    doubles.lastIndex = i;
    if (!/[qaeiou]/.test(word[i - 1] ?? "") && doubles.test(word)) i++;
  }
  return out;
}

// harmonise spells a folded Turkish word by vowel harmony.
function harmonise(word: string): string {
  let [out, harmony] = ["", ""];
  for (let i = 0; i < word.length; i++) {
    const c = word[i];
    if (c === "a" || c === "o") harmony = "back";
    if (c === "e") harmony = "front";
    if (c === "i" && harmony === "back") out += "ı";
    else if (c === "u" && harmony === "front") out += "ü";
    else if (c === "g" && /^[aeiou]g[aeiou]/.test(word.slice(Math.max(0, i - 1)))) out += "ğ";
    else out += c;
    if (c === "i" && harmony !== "back") harmony = "front";
    if (c === "u" && harmony !== "front") harmony = "back";
  }
  return out;
}

// noun takes the article off an Arabic word, and puts a plain one before it where its ending is one of nouns.
function noun(word: string): string {
  for (let twice = 0; twice < 2; twice++) {
    const article = ["وال", "فال", "بال", "كال", "ال", "لل"].find((a) => word.startsWith(a) && bytesOf(word.slice(a.length)) >= 6);
    if (article) word = word.slice(article.length);
  }
  return /(ات|ة)$/.test(word) ? "ال" + word : word;
}
