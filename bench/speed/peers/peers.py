"""Builds one engine's index of sections in one process, and asks it the queries in another, one after another on one
thread.

    python3 peers.py ENGINE FOLDER [K [ROUNDS]]

FOLDER has sections.jsonl (id, path, text), queries.jsonl (text) and, for engines that compare vectors, vectors.f32 and
query-vectors.f32 (rows of float32 of unit length, as many columns as dim.txt says). It prints one line of JSON:

    {"engine", "version", "settings", "build_s", "build_cpu_s", "bytes", "memory_mb", "ms": [a query's median], "cpu_ms", "hits": [[ids of the first K]]}

or {"engine", "absent": why} where the engine is not installed, or {"engine", "failed": why}. What packages and processes
cost before they build is not counted; memory is the peak of the process that asks.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from engines import ENGINES, rows, vectors

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "TOKIO_WORKER_THREADS", "LANCE_CPU_THREADS"):
    os.environ[variable] = "1"


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(path) for name in names)


def peak_mb():
    """The largest resident set of this process; without /proc of its parent too, if that was larger."""
    try:
        with open("/proc/self/status", encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmHWM:")) // 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def cpu_seconds():
    """The processor time of this process and of those that it has run."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usages)


def build(name, folder, work):
    engine = ENGINES[name]()
    cpu, start = cpu_seconds(), time.perf_counter()
    engine.build(folder, work)
    return {"build_s": round(time.perf_counter() - start, 3), "build_cpu_s": round(cpu_seconds() - cpu, 3)}


def measure(name, folder, k, rounds):
    with tempfile.TemporaryDirectory() as work:
        child = subprocess.run([sys.executable, __file__, "--build", name, folder, work], capture_output=True, text=True)
        if child.returncode != 0:
            raise RuntimeError(f"the build ended with {child.returncode}: {child.stderr.strip()[-300:]}")
        built = json.loads(child.stdout.splitlines()[-1])
        if "build_s" not in built:
            return built
        engine = ENGINES[name]()
        engine.open(folder, work)
        asked = [r["text"] for r in rows(folder, "queries.jsonl")]
        embedded = [None] * len(asked)
        if os.path.exists(os.path.join(folder, "query-vectors.f32")):
            embedded = list(vectors(folder, "query-vectors.f32"))
        for query, vector in list(zip(asked, embedded))[:5]:
            engine.search(query, vector, k)
        took, worked, hits = [[] for _ in asked], [[] for _ in asked], []
        for _ in range(rounds):
            hits = []
            for i, (query, vector) in enumerate(zip(asked, embedded)):
                cpu, start = cpu_seconds(), time.perf_counter()
                found = engine.search(query, vector, k)
                took[i].append((time.perf_counter() - start) * 1000)
                worked[i].append((cpu_seconds() - cpu) * 1000)
                hits.append(found)
        return {
            "version": engine.version, "settings": engine.settings, "bytes": size(getattr(engine, "path", work)),
            "memory_mb": peak_mb(),
            "ms": [round(statistics.median(t), 4) for t in took], "cpu_ms": [round(statistics.median(t), 4) for t in worked],
            "hits": hits, **built,
        }


def main():
    building = sys.argv[1] == "--build"
    name, folder = sys.argv[2:4] if building else sys.argv[1:3]
    try:
        if building:
            result = build(name, folder, sys.argv[4])
        else:
            k, rounds = [int(n) for n in sys.argv[3:]] + [10, 1][len(sys.argv) - 3:]
            result = measure(name, folder, k, rounds)
    except ImportError as e:
        result = {"absent": str(e)}
    except Exception as e:  # the row ends with its message, the run goes on
        result = {"failed": f"{type(e).__name__}: {e}"}
    print(json.dumps({"engine": name, **result}))


if __name__ == "__main__":
    main()
