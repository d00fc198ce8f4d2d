"""Embeds on a Ray cluster: the parts come back through Ray's object store, so that no folder has to be shared.

    python ray_embed.py docs parts --shards 64 [--gpus 1] [--model bge-small-en-v1.5]
    kdd build docs --vectors 'parts/part-*.kddv' -o docs.kddx

Every machine has kdd, its model, and the documents under the same path.
"""
import argparse, os, pathlib, subprocess, tempfile

import ray


class Again(Exception):
    """What another try may mend."""


# A task is repeated where its worker, its machine or its run of kdd has failed.
@ray.remote(max_retries=8, retry_exceptions=[Again])
def embed(docs, shard, shards, cpus, flags):
    with tempfile.TemporaryDirectory() as folder:
        part = pathlib.Path(folder, "part.kddv")
        command = ["kdd", "embed", docs, "--shard", f"{shard}/{shards}", "-o", part, *flags]
        run = subprocess.run(command, env={**os.environ, "GOMAXPROCS": str(cpus)}, capture_output=True, text=True)
        if run.returncode == 2:  # wrong flags: another try ends the same
            raise ValueError(run.stderr)
        if run.returncode != 0:
            raise Again(run.stderr)
        return part.read_bytes()


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("docs"), p.add_argument("out"), p.add_argument("--shards", type=int, required=True)
    p.add_argument("--cpus", type=int, default=1, help="of each task"), p.add_argument("--gpus", type=float, default=0)
    a, flags = p.parse_known_args()  # the rest are flags of kdd embed
    flags += ["--device", "cuda"] if a.gpus else []
    out = pathlib.Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    ray.init()
    task = embed.options(num_cpus=a.cpus, num_gpus=a.gpus)
    running = {task.remote(a.docs, shard, a.shards, a.cpus, flags): shard for shard in range(a.shards)}
    while running:
        (ready, *_), _ = ray.wait(list(running))
        name = f"part-{running.pop(ready)}.kddv"
        (out / name).write_bytes(ray.get(ready))
        print(name, flush=True)
