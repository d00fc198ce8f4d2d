"""Writes models with random weights of the shapes of public ones, for "kdd model import": what a build costs depends on
the shape, not on the values.

    python3 bench/models/shapes.py MINILM FOLDER [NAME...]

MINILM is a folder with all-MiniLM-L6-v2's tokenizer.json, which models in English share; FOLDER gets a folder for each
name. Needs numpy. Layers, widths, vocabulary and lengths are those of the models' config.json, sentence_bert_config.json
and modules.json on the hub.
"""
import json
import os
import shutil
import struct
import sys

import numpy as np

VOCAB, POSITIONS = 30522, 512

# name: layers, hidden, heads, intermediate, longest text, pooling, width of a dense module
SHAPES = {
    "minilm": (6, 384, 12, 1536, 256, "mean", 0),        # all-MiniLM-L6-v2
    "arctic-xs": (6, 384, 12, 1536, 512, "cls", 0),      # snowflake-arctic-embed-xs
    "leaf-ir": (6, 384, 12, 1536, 512, "mean", 768),     # mdbr-leaf-ir
    "leaf-mt": (6, 384, 12, 1536, 512, "mean", 1024),    # mdbr-leaf-mt
    "small": (12, 384, 12, 1536, 512, "cls", 0),         # bge-small-en-v1.5, snowflake-arctic-embed-s; gte-small, e5-small-v2: mean
    "base": (12, 768, 12, 3072, 512, "cls", 0),          # snowflake-arctic-embed-m-v1.5, the documents of mdbr-leaf-ir-asym
}


def safetensors(path, tensors):
    header, end = {}, 0
    for name, value in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [end, end + value.nbytes]}
        end += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for value in tensors.values():
            f.write(value.tobytes())


def write(minilm, folder, shape):
    layers, hidden, heads, inner, longest, pooling, dense = shape
    random = np.random.default_rng(1)

    def weights(*size):
        return random.normal(0, .02, size).astype("<f4")

    tensors = {}

    def norm(name):
        tensors[name + ".weight"], tensors[name + ".bias"] = np.ones(hidden, "<f4"), np.zeros(hidden, "<f4")

    def linear(name, wide, tall):
        tensors[name + ".weight"], tensors[name + ".bias"] = weights(tall, wide), np.zeros(tall, "<f4")

    for name, rows in ("word", VOCAB), ("position", POSITIONS), ("token_type", 2):
        tensors[f"embeddings.{name}_embeddings.weight"] = weights(rows, hidden)
    norm("embeddings.LayerNorm")
    for i in range(layers):
        layer = f"encoder.layer.{i}."
        for part in "query", "key", "value":
            linear(layer + "attention.self." + part, hidden, hidden)
        linear(layer + "attention.output.dense", hidden, hidden)
        norm(layer + "attention.output.LayerNorm")
        linear(layer + "intermediate.dense", hidden, inner)
        linear(layer + "output.dense", inner, hidden)
        norm(layer + "output.LayerNorm")

    def document(name, value):
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(value, f)

    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    document("1_Pooling/config.json", {
        "word_embedding_dimension": hidden, "pooling_mode_mean_tokens": pooling == "mean",
        "pooling_mode_cls_token": pooling == "cls"})
    if dense:
        modules.append(("2_Dense", "Dense"))
        document("2_Dense/config.json", {
            "in_features": hidden, "out_features": dense, "bias": True,
            "activation_function": "torch.nn.modules.linear.Identity"})
        safetensors(os.path.join(folder, "2_Dense", "model.safetensors"),
                    {"linear.weight": weights(dense, hidden), "linear.bias": np.zeros(dense, "<f4")})
    modules.append((f"{len(modules)}_Normalize", "Normalize"))
    document("modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": "sentence_transformers.models." + kind}
        for i, (path, kind) in enumerate(modules)])
    document("sentence_bert_config.json", {"max_seq_length": longest})
    document("config.json", {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": inner, "vocab_size": VOCAB, "hidden_act": "gelu",
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0,
        "position_embedding_type": "absolute"})
    shutil.copy(os.path.join(minilm, "tokenizer.json"), folder)
    safetensors(os.path.join(folder, "model.safetensors"), tensors)


if __name__ == "__main__":
    if len(sys.argv) < 3 or any(name not in SHAPES for name in sys.argv[3:]):
        sys.exit(__doc__ + "\nNames: " + " ".join(SHAPES))
    for chosen in sys.argv[3:] or SHAPES:
        write(sys.argv[1], os.path.join(sys.argv[2], chosen), SHAPES[chosen])
