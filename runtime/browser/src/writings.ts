// The writings of letters, and the languages that are told by them (FORMAT.md §13.4).
const writings: [first: number, end: number, name: string][] = [
  [0, 0x250, "latin"], [0x1e00, 0x1f00, "latin"], [0x400, 0x530, "cyrillic"], [0x600, 0x780, "arabic"], [0xfb50, 0xfe00, "arabic"],
  [0xfe70, 0xfeff, "arabic"], [0x3400, 0xa000, "han"], [0x20000, 0x323b0, "han"], [0xf900, 0xfb00, "han"],
  [0x3041, 0x3100, "kana"], [0x31f0, 0x3200, "kana"], [0xff66, 0xffa0, "kana"], [0xac00, 0xd7b0, "ko"], [0x1100, 0x1200, "ko"],
  [0x3131, 0x318f, "ko"], [0x370, 0x400, "el"], [0x530, 0x590, "hy"], [0x590, 0x600, "he"], [0x900, 0x980, "hi"],
  [0x980, 0xa00, "bn"], [0xa00, 0xa80, "pa"], [0xa80, 0xb00, "gu"], [0xb00, 0xb80, "or"], [0xb80, 0xc00, "ta"],
  [0xc00, 0xc80, "te"], [0xc80, 0xd00, "kn"], [0xd00, 0xd80, "ml"], [0xd80, 0xe00, "si"], [0xe00, 0xe80, "th"],
  [0xe80, 0xf00, "lo"], [0x1000, 0x10a0, "my"], [0x10a0, 0x1100, "ka"], [0x1200, 0x1380, "am"], [0x1780, 0x1800, "km"],
  [0x1f00, 0x2000, "el"],
];
const singles = "el hy he hi bn pa gu or ta te kn ml si th lo my ka am km".split(" ");

/** The writing of a letter, "" if it is none of these. */
export const writingOf = (r: number): string => writings.find(([first, end]) => r >= first && r < end)?.[2] ?? "";

/** The language of the writing other than Latin that weighs most, its weight and that of all letters: of the letters of
 *  each writing, of those of Cyrillic and Arabic, and of the stop words of Russian and Bulgarian, how often each is there. */
export function main(
  scripts: ReadonlyMap<string, number>, telling: ReadonlyMap<string, number>, slavic: readonly [ru: number, bg: number],
): [language: string, weight: number, total: number] {
  const n = (script: string): number => scripts.get(script) ?? 0;
  const eastern = n("kana") * 10 >= n("han") + n("kana") ? "ja" : "zh";
  let [language, weight, total] = ["", 0, 0];
  const rows: [string, number][] = [[cyrillic(telling, slavic), n("cyrillic")], [arabic(telling), n("arabic")],
    ["ko", n("ko") * 2], [eastern, n("han") * 3 + n("kana") * 2], ...singles.map((l): [string, number] => [l, n(l)])];
  for (const [l, w] of rows) {
    total += w;
    if (w > weight) [language, weight] = [l, w];
  }
  return [language, weight, total + n("latin")];
}

function sum(telling: ReadonlyMap<string, number>, letters: string): number {
  let sum = 0;
  for (const c of letters) sum += telling.get(c) ?? 0;
  return sum;
}

function cyrillic(telling: ReadonlyMap<string, number>, slavic: readonly [ru: number, bg: number]): string {
  const n = (letters: string): number => sum(telling, letters);
  if (n("ў") > 0 && n("і") > 0) return "be";
  if (n("әғқңұһ") > 0) return "kk";
  if (n("ђћ") > 0 || (n("јљњџ") > 0 && n("ѓќѕ") === 0)) return "sr";
  if (n("ѓќѕј") > 0) return "mk";
  if (n("іїєґ") > n("ыэёъ")) return "uk";
  return n("ыэё") === 0 && (n("ъ") > 0 || slavic[1] > slavic[0]) ? "bg" : "ru";
}

function arabic(telling: ReadonlyMap<string, number>): string {
  const n = (letters: string): number => sum(telling, letters);
  if (n("ٹڈڑےں") > 0) return "ur";
  return n("پچژگ") > 0 || n("یک") > n("يك") ? "fa" : "ar";
}
