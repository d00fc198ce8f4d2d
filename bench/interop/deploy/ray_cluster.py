"""Runs docs/deploy/ray_embed.py on a Ray cluster of WORKERS machines with a core each. --kill takes one away when two
parts are there.

    ray_cluster.py WORKERS [--kill] DOCS OUT [ARGUMENT of ray_embed.py...]
"""
import os, pathlib, subprocess, sys, time

import ray
from ray.cluster_utils import Cluster

workers, *rest = sys.argv[1:]
kill = rest[0] == "--kill"
docs, out, *arguments = rest[kill:]
driver = pathlib.Path(__file__).parents[3] / "docs" / "deploy" / "ray_embed.py"
began = time.monotonic()
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
nodes = [cluster.add_node(num_cpus=1) for _ in range(int(workers))]
cluster.wait_for_nodes()
ready = time.monotonic()
run = subprocess.Popen([sys.executable, driver, docs, out, *arguments], env={**os.environ, "RAY_ADDRESS": cluster.address})
while run.poll() is None:
    time.sleep(0.05)
    parts = list(pathlib.Path(out).glob("part-*.kddv"))
    if kill and len(parts) >= 2:
        cluster.remove_node(nodes.pop(), allow_graceful=False)
        print(f"ray: a worker was killed when {len(parts)} parts were there", flush=True)
        kill = False
print(f"ray: {workers} workers, cluster {ready - began:.1f} s, parts {time.monotonic() - ready:.1f} s", flush=True)
ray.init(address=cluster.address, log_to_driver=False)
alive = sum(node["Alive"] for node in ray.nodes())
if alive != len(nodes) + 1 or kill:
    sys.exit(f"ray: {alive} machines alive, want {len(nodes) + 1}")
sys.exit(run.returncode)
