"""Runs docs/deploy/spark_embed.py on a Spark cluster of WORKERS executors with a core each. --kill kills one when two
parts are there.

    spark_cluster.py WORKERS [--kill] DOCS OUT SHARDS [FLAG of kdd embed...]
"""
import os, pathlib, signal, subprocess, sys, tempfile, time

import pyspark


def executors(session):
    """The processes of executors in a session."""
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(entry.name)) == session and b"CoarseGrainedExecutorBackend" in (entry / "cmdline").read_bytes():
                yield int(entry.name)
        except OSError:  # it has ended
            pass


workers, *rest = sys.argv[1:]
kill = rest[0] == "--kill"
docs, out, *arguments = rest[kill:]
driver = pathlib.Path(__file__).parents[3] / "docs" / "deploy" / "spark_embed.py"
submit = pathlib.Path(pyspark.__file__).parent / "bin" / "spark-submit"
out = pathlib.Path(out)
out.mkdir(parents=True, exist_ok=True)
began = time.monotonic()
command = [submit, "--master", f"local-cluster[{workers},1,1024]", "--driver-memory", "512m", driver, docs, out, *arguments]
with tempfile.TemporaryDirectory() as folder:
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_DIRS": folder}
    run = subprocess.Popen(command, env=env, start_new_session=True)
    try:
        started = None
        while run.poll() is None:
            time.sleep(0.05)
            if started is None and any(out.iterdir()):
                started = time.monotonic()
            parts = len(list(out.glob("part-*.kddv")))
            if kill and parts >= 2:
                os.kill(next(executors(run.pid)), signal.SIGKILL)
                print(f"spark: an executor was killed when {parts} parts were there", flush=True)
                kill = False
        ended = time.monotonic()
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
print(f"spark: {workers} workers, cluster {started - began:.1f} s, parts {ended - started:.1f} s", flush=True)
sys.exit(run.returncode or ("spark: no executor was killed" if kill else 0))
