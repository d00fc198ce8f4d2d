"""Embeds as a Spark job, into a folder that all its machines share, as they do the documents.

    spark-submit --master MASTER spark_embed.py /shared/docs /shared/parts 64 [--model bge-small-en-v1.5]
    kdd build /shared/docs --vectors '/shared/parts/part-*.kddv' -o docs.kddx

A task that fails is repeated as often as spark.task.maxFailures says, and goes on where it was.
"""
import os, subprocess, sys

from pyspark import TaskContext
from pyspark.sql import SparkSession


def embed(shard):
    part = f"{out}/part-{shard}.kddv"
    command = ["kdd", "embed", docs, "--shard", f"{shard}/{shards}", "--resume", "--quiet", "-o", part, *flags]
    env = {**os.environ, "GOMAXPROCS": str(TaskContext.get().cpus())}
    run = subprocess.run(command, env=env, stderr=subprocess.PIPE, text=True)
    if run.returncode == 2:  # wrong flags: another try ends the same
        return run.stderr
    if run.returncode != 0:
        raise RuntimeError(run.stderr)


if __name__ == "__main__":
    docs, out, shards, *flags = sys.argv[1:]
    spark = SparkSession.builder.appName("kdd embed").getOrCreate()
    errors = spark.sparkContext.parallelize(range(int(shards)), int(shards)).map(embed).collect()
    spark.stop()
    sys.exit(next(filter(None, errors), 0))
