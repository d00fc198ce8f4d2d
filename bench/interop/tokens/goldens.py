#!/usr/bin/env python3
"""Writes format/encoder/testdata/wordpiece.jsonl and small-tokenizer.json: texts and their reference ids.

    pip install tokenizers
    python3 bench/interop/tokens/goldens.py MODEL/tokenizer.json

Each line of wordpiece.jsonl has the ids of all-MiniLM-L6-v2's tokenizer ("bert") and those of the small one ("small"),
which has a piece for every character of the texts, so that nothing hides behind [UNK], and which is committed.
"""
import json
import os
import random
import sys

from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "format", "encoder", "testdata")

TEXTS = """
|
 |   leading and trailing   |tab\there|two\n\nlines|carriage\r\nreturn|\v\f|a\vb\fc|no-break\u00a0space|thin\u2009space
The lighthouse keeper counts ships.|KEEPER|kEEpeR|don't|O'Brien's well-known e-mail|rock'n'roll|(parenthesised)|a.b.c
unbelievably antidisestablishmentarianism|tokenization detokenizes retokenizable|x|I|é|É|ÉTÉ|été|naïve façade jalapeño
Ångström, Łódź, Škoda, Ørsted, Þór, ð, æther, œuvre|straße STRASSE Straße ẞ|İstanbul ıstanbul ISTANBUL istanbul i̇|ŉ ǆ ǅ Ǆ
ﬁne ﬂow ﬀ|e\u0301 vs \u00e9|a\u0300\u0301\u0302\u0303|\u0301 alone|\u0301|x\u0338y|q\u0307\u0323 q\u0323\u0307|o\u031b\u0323
\u1e9b\u0323|\u212b \u00c5 A\u030a|\u2126 \u03a9|\u1fef\u037e\u0387|Ελληνικά ΟΔΟΣ ὈΔΥΣΣΕΎΣ ς σ Σ|ᾳ ᾼ ἀ|Привет, мир! ЁЖИК Й й|Ѐ ѝ Ѹ
中文分词|我爱北京天安门。|東京タワーへ行きました|ひらがな カタカナ ｶﾞｷﾞ ﾊﾟ|が か\u3099 ガ|한국어 형태소 분석|각 가 \u1100\u1161\u11a8|조선글 test|漢字mixed漢字with英語
豈更車賈滑|\u2f800\u2fa1d|\U00020000\U0002a6d6|\U0002a700\U0002b73f\U0002b740|\U0002b820\U0002b91f\U0002b920|㐀䶵䶶|〇々〆|①②③ ㈱ ㍿ ㎏|ＡＢＣ ａｂｃ １２３ ！？
😀|😀😁😂|👩‍👩‍👧‍👦|👍🏽 ok|🏳️‍🌈|🇪🇸🇰🇷|❤️|☎️ ☎︎|1️⃣ #️⃣|a😀b|x\u200dy|zero\u200bwidth\u200cnon\u200djoiner|soft\u00adhyphen|\ufeffbom|word\u2060joiner
مرحبا بالعالم|السَّلَامُ عَلَيْكُمْ|שלום עולם|שָׁלוֹם|\u202eright to left\u202c|\u2067isolate\u2069|אבג abc ابج|٠١٢٣ ۰۱۲۳|؟ ، ؛|ﷺ ﻻ|\ufb2a\ufb49
नमस्ते दुनिया|क़ ख़ ग़|தமிழ் கொ கோ கௌ|বাংলা ো ৌ|മലയാളം ൊ|ಕನ್ನಡ ೋ|తెలుగు|ไทย ภาษาไทย น้ำ|ລາວ|ខ្មែរ|မြန်မာ|བོད་ཡིག|සිංහල ෝ ෞ|ქართული ᲥᲐᲠᲗᲣᲚᲘ|Հայերեն|አማርኛ|ᏣᎳᎩ ꮳꮃꭹ|ᚠᚢᚦ
\x00|a\x00b|\x01\x02\x03|a\x1fb|del\x7fete|\x80\x9f|\x85next|bell\x07|esc\x1b[31mred\x1b[0m|\ufffd|a\ufffdb|\ue000private|\uf8ff|\U000f0000|\U0010fffd|\ufdd0|\U0001fffe
[CLS]|[SEP]|[MASK]|[UNK]|[PAD]|[cls]|[Sep]|a[SEP]b|[SEP][SEP]|[[MASK]]|[MASK|MASK]|[ SEP ]|[SEP\u0301]|[S\u200dEP]|x [MASK] y|the [UNK] word|[unused0]|[unused99]|##ing|## ing|#|##|[CLS] hi [SEP]
$100.00|€50|£5|¥|₩|50%|a+b=c|x<y>z|~tilde|`code`|^caret|a|b\\|c|under_score|kebab-case|snake_case_name|CamelCaseName|camelCase2Go|v1.2.3|0x1F|1e-9|3.14159|1,000,000|12:34:56|2024-02-30
https://example.org/path?q=1&r=2#frag|user@example.org|C:\\dir\\file.txt|/usr/bin/env|--no-cache|-h|@decorator|#include <x>|fn(a, b) -> c|a?.b ?? c|x := y|!=|===|=>|/* c */|// c|{{tpl}}|${VAR}|$(cmd)|&amp;|<br/>
… — – ‘single’ “double” «guillemets» ‹›|‐ ‑ ‒ ―|• ‣ ◦|† ‡ § ¶ © ® ™ ° ± × ÷ µ ² ³ ¹ ½ ¼|№ ℃ ℉ ℓ ℵ|← → ↔ ⇒|∀∂∈ℝ∧∪≡∞ ∑∏√∫|α≤β|⌘⌥|█▓▒░|♠♣♥♦|✓✗|★☆|⁂|‼ ⁇|。、「」『』【】〈〉《》|・ー〜|！＂＃
\u061d|\u09fd|\u0a76|\u0c77|\u166d|\u1b7d|\u2e52|\u2e5d|\u10fb|\u1360|\u1800|\u180e|\u1c7e|\U00010100|\U0001091f|\U00011047|\U00012470|\U0001da87|\U000111c9|\U0001e95e|\U00011938|\u1734
\u07fd|\u0898|\u08d4\u0898|\u1abf|\U0001e000|\U0001d165|\u302a\u302e|\u3099|\u20dd|a\u20dd|\u0488|\ufe0f|\ufe20|\U000e0100|\U000e0041|\u034f|\u0483
ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ|àáâãäåçèéêëìíîïñòóôõöùúûüýÿ|ĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮ|ĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽ|ƁƂƄƆƇƉƊƋƎƏƐƑƓƔƖƗƘƜƝƟƠƢƤƦƧƩƬƮƯƱƲƳƵƷƸƼ|ǍǏǑǓǕǗǙǛǞǠǢǤǦǨǪǬǮǱǲǴǶǷǸǺǼǾ|ȀȂȄȆȈȊȌȎȐȒȔȖȘȚȜȞȠȢȤȦȨȪȬȮȰȲȺȻȽȾɁɃɄɅɆɈɊɌɎ|ḀḂḄḆḈḊḌḎḐḒḔ|ẠẢẤẦẨẪẬẮẰẲẴẶ Việt Nam Nguyễn|Ⱡ Ɫ Ᵽ Ɽ Ⱨ Ⱪ Ⱬ Ɑ Ɱ|Ꜣ Ꜥ Ꜧ Ꞌ Ɥ Ꞑ Ɦ Ɜ Ɡ Ɬ Ɪ Ʞ Ʇ|ⓐⒶ ⅷⅧ Ⅻ|𐐀𐐨 𐒰 𐲀 𑢠|𝐇𝐞𝐥𝐥𝐨 𝒜 𝔄 𝟘|\ua7cb\ua7dc\u1c89
"""

FRAGMENTS = """river Harbour MOONLIGHT glass-blower 42 3.5kg naïve Zürich señorita Çeşme smörgåsbord e\u0301clair cafe\u0301s ŁUKASZ
İZMİR ĳssel groß ΔΕΛΤΑ дождь Ёлка 山川 魚を 나무 שמש قمر ดาว ही \u200b \u00ad \x07 \u3000 😺 👨‍🚀 🏴‍☠️ [MASK] [SEP] #7 x_y a/b “q” … ½ \ufeff \u202e ∆ ﬃ q\u0323\u0307 \u0378 豈"""


def texts():
    out = []
    for line in TEXTS.strip("\n").split("\n"):
        out += line.split("|")
    for n in (99, 100, 101, 200):
        out += ["a" * n, "é" * n, "ñandú" * (n // 5), "1" * n + "!", "\u0301" * n + "x", "あ" * n, "山" * n, "z" * n + " ok"]
    out += ["w" * 99 + "\u0301" + "w", "w" * 100 + "\u0301", "w" * 50 + "\x00" + "w" * 51, "W" * 100 + "-" + "W" * 101]
    rng = random.Random(7)
    parts = FRAGMENTS.split(" ")
    parts = [p for q in parts for p in q.split("\n")]
    for _ in range(110):
        glue = rng.choice([" ", "", " ", "-", "\n", "\u00a0"])
        out.append(glue.join(rng.choice(parts) for _ in range(rng.randint(2, 9))))
    return list(dict.fromkeys(out))


def small(reference, lines):
    """The reference's tokenizer.json with a vocabulary of the characters of lines and of their frequent strings."""
    words = {}
    for text in lines:
        norm = reference.normalizer.normalize_str(text)
        for word, _ in reference.pre_tokenizer.pre_tokenize_str(norm):
            words[word] = words.get(word, 0) + 1
    chars = sorted({c for w in words for c in w})
    inner = sorted({c for w in words for c in w[1:]})
    grams = {}
    for w in words:
        for size in (2, 3, 4):
            for i in range(len(w) - size + 1):
                g = ("##" if i else "") + w[i:i + size]
                grams[g] = grams.get(g, 0) + 1
    often = sorted(sorted(grams), key=lambda g: -grams[g])[:300]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + chars + ["##" + c for c in inner] + often
    missing = {"x", "##q", "豈"}  # so that some words are unknown
    pieces = [p for p in dict.fromkeys(pieces) if p not in missing]
    spec = json.loads(reference.to_str())
    spec["model"]["vocab"] = {p: i for i, p in enumerate(pieces)}
    for token in spec["added_tokens"]:
        token["id"] = pieces.index(token["content"])
    for name, token in spec["post_processor"]["special_tokens"].items():
        token["ids"] = [pieces.index(name)]
    spec["truncation"] = spec["padding"] = None
    return spec


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bert = Tokenizer.from_file(sys.argv[1])
    bert.no_truncation()
    bert.no_padding()
    lines = texts()
    spec = small(bert, lines)
    tiny = Tokenizer.from_str(json.dumps(spec))
    with open(os.path.join(OUT, "small-tokenizer.json"), "w") as f:
        json.dump(spec, f, ensure_ascii=True, separators=(",", ":"))
        f.write("\n")
    with open(os.path.join(OUT, "wordpiece.jsonl"), "w") as f:
        for text in lines:
            row = {"text": text}
            for name, t in (("bert", bert), ("small", tiny)):
                row[name] = t.encode(text, add_special_tokens=False).ids
            f.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(len(lines), "texts,", len(spec["model"]["vocab"]), "small pieces")


main()
