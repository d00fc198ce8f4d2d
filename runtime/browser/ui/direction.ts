// From which side texts are written.
const codes = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]; // languages written from the right
const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * The direction of a text in a document: that of the document's language, unless all letters of the text are written in the
 * other one; whole is of the document itself, whatever its title is. Where the language is not known, the first letter says.
 */
export function directionOf(language: string, text: string, whole = false): "ltr" | "rtl" {
  const letters = text.match(/\p{L}/gu) ?? [];
  const right = letters.filter((l) => fromRight.test(l)).length;
  const known = language !== "" && language !== "unknown";
  let is = known ? codes.includes(language.replace(/-.*/, "")) : fromRight.test(letters[0] ?? "");
  if (!(whole && known) && letters.length > 0 && (right === 0 || right === letters.length)) is = right > 0;
  return is ? "rtl" : "ltr";
}

/** A text that stands in another one, whatever the directions of both are: FIRST STRONG ISOLATE, POP DIRECTIONAL ISOLATE. */
export const apart = (text: string): string => `\u2068${text}\u2069`;
