#!/usr/bin/env python3
"""Writes format/encoder/testdata/minilm.jsonl: texts and their vectors by a plain forward pass in float64.

    pip install tokenizers numpy
    python3 bench/interop/tokens/vectors.py MODEL

MODEL is the folder of all-MiniLM-L6-v2, with model.safetensors and tokenizer.json.
"""
import json
import math
import os
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "format", "encoder", "testdata", "minilm.jsonl")
LAYERS, HEADS, WIDTH = 6, 12, 384

TEXTS = [
    "a",
    "The harbour master writes down every ship that leaves before dawn.",
    "how do I undo the last change without losing my notes",
    "",
    "Glass is made from sand, soda ash and limestone.",
    "Σίσυφος και πέτρα",
    "the the the the the the the the",
    'fn main() { println!("hello"); }',
    "[MASK] is a bird that cannot fly.",
    "İstanbul'da güzel bir gün",
    "漢字と仮名",
    "error: missing field `name` at line 12",
    "A slow green turtle walks under the sleeping cat.",
    "price of copper in 1987",
    "😀 👩‍👩‍👧‍👦",
    "Why does my bread not rise in the cold kitchen?",
    "Set timeout_ms to 0 to wait for ever.",
    "moon " * 40,
    "One sentence about rain. Another about wind. A third about the mill that both of them drive. " * 10,
    "word, " * 300,
]


def read(path):
    with open(path, "rb") as f:
        b = f.read()
    (size,) = struct.unpack("<Q", b[:8])
    tensors = {}
    for name, t in json.loads(b[8 : 8 + size]).items():
        if name != "__metadata__" and t["dtype"] == "F32":
            start = 8 + size + t["data_offsets"][0]
            flat = np.frombuffer(b, np.float32, count=math.prod(t["shape"]), offset=start)
            tensors[name] = flat.reshape(t["shape"]).astype(np.float64)
    return tensors


def forward(w, ids):
    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred**2).mean(-1, keepdims=True)
        return centred / np.sqrt(variance + 1e-12) * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    n, head = len(ids), WIDTH // HEADS
    e = "embeddings."
    x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:n] + w[e + "token_type_embeddings.weight"][0]
    x = norm(x, e + "LayerNorm")
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        q, k, v = (linear(x, p + "attention.self." + s).reshape(n, HEADS, head).transpose(1, 0, 2) for s in ("query", "key", "value"))
        s = q @ k.transpose(0, 2, 1) / math.sqrt(head)
        s = np.exp(s - s.max(-1, keepdims=True))
        mixed = (s / s.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, WIDTH)
        x = norm(x + linear(mixed, p + "attention.output.dense"), p + "attention.output.LayerNorm")
        u = linear(x, p + "intermediate.dense")
        u = u * 0.5 * (1 + np.vectorize(math.erf)(u / math.sqrt(2)))
        x = norm(x + linear(u, p + "output.dense"), p + "output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    w = read(os.path.join(sys.argv[1], "model.safetensors"))
    tokenizer = Tokenizer.from_file(os.path.join(sys.argv[1], "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    with open(OUT, "w") as f:
        for text in TEXTS:
            ids = tokenizer.encode(text).ids
            row = {"text": text, "ids": len(ids), "vector": [round(float(x), 6) for x in forward(w, ids)]}
            f.write(json.dumps(row, separators=(",", ":")) + "\n")


main()
