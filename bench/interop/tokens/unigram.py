#!/usr/bin/env python3
"""Writes format/encoder/testdata/unigram.json, unigram-variants.json and unigram.jsonl: a small Unigram tokenizer and the
ids that the reference library gives it and variants of it.

    pip install tokenizers sentencepiece protobuf
    python3 bench/interop/tokens/unigram.py                     # the committed files
    python3 bench/interop/tokens/unigram.py --full FILE FOLDER  # a tokenizer.json of FOLDER's texts, with the whole character map
                                                           # of SentencePiece's nmt_nfkc, for check.py

The pieces are learned from the corpora of testdata. The character map is what sentencepiece compiles, here of the
characters in the texts alone, so that the committed file stays small. A row has the ids of each variant, "" being the
tokenizer as it is; a variant that gives the same ids is left out.
"""
import base64
import copy
import importlib.util
import io
import json
import os
import struct
import sys
import tempfile
import unicodedata

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
OUT = os.path.join(ROOT, "format", "encoder", "testdata")
SPECIALS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]

MORE = """▁|▁▁ a|a▁b|x▁ y|<s>|</s>|<unk>|<mask>|a <mask> b|a<mask>b|  <mask>  |\t<mask>\tx|<mask><mask>|<MASK>|<0x41>|<0xE2>|<pad> x
a  b   c|  two leading|trailing two  |\u3000full width space\u3000|a\u00a0b|a\u200bb|\u2028line\u2029para|a\r\nb|\r\n|\n|\t|a\rb
ﬁ\u0301 ａ\u0301 ｅ\u0301|é e\u0301 E\u0301 o\u0308\u0301|ﾊﾟ ｶﾞ ｶ\u3099|㍿ ㎏ ㌔|①\ufe0f ™\u200d|\u0600a \u0600é|ก\u0e33 ก\u0e34|가\u11a8 ᄀ\u1161\u0301
ZZZZ ÿþýü ☃☃☃ 𝔘𝔫𝔦 🐉🐲|\u2603a\u2603|word☃word|☃ ☃|\ufdfa|\U0001f1e6\u0301|x\u0489y|\u0e01\u0e33\u0e01""".replace("\n", "|").split("|")


def goldens():
    spec = importlib.util.spec_from_file_location("goldens", os.path.join(HERE, "goldens.py"))
    module = importlib.util.module_from_spec(spec)
    argv, sys.argv = sys.argv, [""]
    try:
        spec.loader.exec_module(module)
    except SystemExit:
        pass  # without arguments it prints how it is called
    finally:
        sys.argv = argv
    return module.texts()


def files(folder):
    for path, dirs, names in sorted(os.walk(folder)):
        dirs.sort()
        for name in sorted(names):
            try:
                with open(os.path.join(path, name), encoding="utf-8") as f:
                    yield f.read()
            except UnicodeDecodeError:
                pass


def rules(lines):
    """SentencePiece rules for the characters and pairs of lines that NFKC changes, and for those that are no text."""
    out = {}
    for text in lines:
        for size in (1, 2):
            for i in range(len(text) - size + 1):
                part = text[i:i + size]
                if size == 2 and unicodedata.category(part[1])[0] != "M" or "\0" in part:
                    continue
                want = unicodedata.normalize("NFKC", part)
                if part in "\t\n\r\u3000\u00a0\u2028\u2029\u200b\u2009":
                    want = " "
                elif part in "\x01\x02\x07\x1b\x7f\u00ad\u200e\ufeff":
                    want = ""
                if want != part and (size == 1 or len(want) == 1):
                    out[part] = want
    return out


def charsmap(lines):
    """The compiled map: of lines' characters, or the whole nmt_nfkc without lines."""
    with tempfile.TemporaryDirectory() as folder:
        options = {}
        if lines:
            path = os.path.join(folder, "rules.tsv")
            with open(path, "w") as f:
                for a, b in sorted(rules(lines).items()):
                    f.write(" ".join(f"{ord(c):X}" for c in a) + "\t" + " ".join(f"{ord(c):X}" for c in b) + "\n")
            options = {"normalization_rule_tsv": path}
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["a b c d e f g", "abc def"]), model_writer=model, vocab_size=12, minloglevel=2, **options)
        proto = sentencepiece_model_pb2.ModelProto()
        proto.ParseFromString(model.getvalue())
        return proto.normalizer_spec.precompiled_charsmap


def train(texts, characters, size, compiled):
    t = Tokenizer(models.Unigram())
    t.normalizer = normalizers.Precompiled(compiled)
    t.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    trainer = trainers.UnigramTrainer(vocab_size=size, special_tokens=SPECIALS[:4], unk_token="<unk>", show_progress=False,
                                      initial_alphabet=characters)
    t.train_from_iterator(texts, trainer)
    spec = json.loads(t.to_str())
    # Scores as SentencePiece writes them: float32.
    narrow = lambda x: struct.unpack("f", struct.pack("f", x))[0]
    vocab = [[p, narrow(s)] for p, s in spec["model"]["vocab"]]
    known = {p for p, _ in vocab}
    vocab += [[f"<0x{i:02X}>", -25.0] for i in range(256) if f"<0x{i:02X}>" not in known]
    spec["model"]["vocab"] = vocab
    spec["added_tokens"] = [
        {"id": i, "content": s, "single_word": False, "lstrip": s == "<mask>", "rstrip": False, "normalized": False, "special": True}
        for s, i in [(s, SPECIALS.index(s)) for s in SPECIALS[:4]] + [("<mask>", len(vocab))]]
    special = lambda s: {"SpecialToken": {"id": s, "type_id": 0}}
    spec["post_processor"] = {
        "type": "TemplateProcessing", "single": [special("<s>"), {"Sequence": {"id": "A", "type_id": 0}}, special("</s>")],
        "pair": [], "special_tokens": {s: {"id": s, "ids": [SPECIALS.index(s)], "tokens": [s]} for s in ("<s>", "</s>")}}
    return spec


def variants(spec):
    """Parts of the file that differ, by name; "wider" is added to every score."""
    meta = lambda scheme, split: {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}
    replace = lambda content, **pattern: {"type": "Replace", "pattern": pattern, "content": content}
    strip = lambda left, right: {"type": "Strip", "strip_left": left, "strip_right": right}
    added = copy.deepcopy(spec["added_tokens"])
    added[-1].update(normalized=True, rstrip=True)
    seq = lambda *parts: {"type": "Sequence", "normalizers": list(parts)}
    return {
        "metaspace": {"normalizer": seq("compiled", strip(False, True), replace("▁", Regex=" {2,}")), "pre_tokenizer": meta("always", True)},
        "bytes": {"normalizer": seq({"type": "NFKC"}, strip(True, True)), "pre_tokenizer": meta("first", True), "byte_fallback": True, "wider": 1e-9,
                  "added_tokens": added},
        "whole": {"normalizer": seq({"type": "NFC"}, replace(" ", String="\n"), replace(" ", Regex="\\s+")), "pre_tokenizer": meta("never", False)},
        "prepend": {"normalizer": seq({"type": "NFKD"}, {"type": "Prepend", "prepend": "▁"}, replace("▁", String=" ")), "pre_tokenizer": None},
    }


def apply(spec, change):
    spec = copy.deepcopy(spec)
    for key in ("normalizer", "pre_tokenizer", "added_tokens"):
        if key in change:
            spec[key] = copy.deepcopy(change[key])
    if isinstance(spec["normalizer"], dict) and "normalizers" in spec["normalizer"]:
        base = {"type": "Precompiled", "precompiled_charsmap": change.get("charsmap")}
        spec["normalizer"]["normalizers"] = [base if p == "compiled" else p for p in spec["normalizer"]["normalizers"]]
    spec["model"]["byte_fallback"] = change.get("byte_fallback", False)
    spec["model"]["vocab"] = [[p, s + change.get("wider", 0)] for p, s in spec["model"]["vocab"]]
    return spec


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--full":
        texts = list(files(sys.argv[3]))
        spec = train(texts, [], 8000, charsmap(None))
        with open(sys.argv[2], "w") as f:
            json.dump(spec, f, ensure_ascii=False)
        print(len(spec["model"]["vocab"]), "pieces")
        return
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    lines = list(dict.fromkeys(goldens() + MORE))
    compiled = charsmap(lines)
    texts = list(files(os.path.join(ROOT, "testdata", "corpora", "handbook"))) + lines[:300:2]
    spec = train(texts, [], 1000, compiled)
    changes = variants(spec)
    tokenizers = {"": Tokenizer.from_str(json.dumps(spec))}
    for name, change in changes.items():
        tokenizers[name] = Tokenizer.from_str(json.dumps(apply(spec, dict(change, charsmap=base64.b64encode(compiled).decode()))))
    with open(os.path.join(OUT, "unigram.json"), "w") as f:
        json.dump(spec, f, ensure_ascii=True, separators=(",", ":"))
        f.write("\n")
    with open(os.path.join(OUT, "unigram-variants.json"), "w") as f:
        json.dump(changes, f, ensure_ascii=True, indent=1)
        f.write("\n")
    with open(os.path.join(OUT, "unigram.jsonl"), "w") as f:
        for text in lines:
            row = {"text": text, "ids": {"": tokenizers[""].encode(text, add_special_tokens=False).ids}}
            for name in changes:
                ids = tokenizers[name].encode(text, add_special_tokens=False).ids
                if ids != row["ids"][""]:
                    row["ids"][name] = ids
            f.write(json.dumps(row, separators=(",", ":")) + "\n")
    print(len(lines), "texts,", len(spec["model"]["vocab"]), "pieces, a character map of", len(compiled), "bytes")


main()
