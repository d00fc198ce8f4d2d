#!/usr/bin/env python3
"""Writes compiler/embedding/model/testdata/sentence-transformers.json: vectors of small models by sentence-transformers.

    go test ./compiler/embedding/model -run TestSentenceTransformers -models DIR
    pip install sentence-transformers
    python3 bench/interop/tokens/sentence_transformers_vectors.py DIR

DIR has a folder for each model. The file was made with sentence-transformers 6.2.0, transformers 5.24.0, torch 2.15.0.
"""
import json
import os
import sys

from sentence_transformers import SentenceTransformer

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "..", "..", "..", "compiler", "embedding", "model", "testdata", "sentence-transformers.json")

TEXTS = ["the harbour", "The lighthouse keeper counts ships in the harbour at night.", "Zürich, 東京", "count the ships " * 40]

# Prompts that a model's card asks for and its files do not hold, or hold by another name than encode_document's.
PROMPTS = {
    "e5": {"query": "query: ", "document": "passage: "},
    "bge": {"query": "Represent this sentence for searching relevant passages: "},
    "xlmr": {"query": "query: ", "document": "passage: "},
}


def rows(vectors):
    return [[round(float(x), 6) for x in v] for v in vectors]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    out = {}
    for name in sorted(os.listdir(sys.argv[1])):
        path = os.path.join(sys.argv[1], name)
        # An Asym's route of documents has a name that encode_document does not look for.
        asym = os.path.isdir(os.path.join(path, "2_Asym"))

        def documents(m, **options):
            return m.encode(TEXTS, task="doc", **options) if asym else m.encode_document(TEXTS, **options)

        options = {"device": "cpu", "prompts": PROMPTS.get(name), "model_kwargs": {"dtype": "float32"}}
        model = SentenceTransformer(path, **options)
        cut = SentenceTransformer(path, truncate_dim=8, **options)
        out[name] = {
            "texts": TEXTS,
            "documents": rows(documents(model)),
            "queries": rows(model.encode_query(TEXTS)),
            "cut": rows(documents(cut, normalize_embeddings=True)),
        }
    with open(OUT, "w") as f:
        json.dump(out, f, ensure_ascii=False, indent=None, separators=(",", ":"))
        f.write("\n")


main()
