#!/bin/sh
# Embeds a folder with 1, 2 and 4 workers of one thread each: by one process, by a loop of the shell, by the command of
# the Kubernetes Job, by Ray and by Spark on clusters of this machine. Prints seconds and checks what is built of the parts.
#
#   PATH=bin:$PATH PYTHON=.cache/interop/python_deploy/bin/python bench/deploy/workers.sh DOCS SHARDS [FLAG of kdd embed...]
set -eu
docs=$(realpath "$1") shards=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
now() { date +%s.%N; }
# took NAME WORKERS BEGIN prints a row, and what is built of the parts has to be the file of one machine.
took() {
	seconds=$(echo "$(now) - $3" | bc)
	kdd build "$docs" --vectors "$work/parts/part-*.kddv" --vectors-only -o "$work/parts.kddx" --quiet 2>/dev/null
	cmp "$work/parts.kddx" "$work/one.kddx"
	printf '%s\t%s\t%.1f\n' "$1" "$2" "$seconds"
	rm -rf "$work/parts"
	mkdir "$work/parts"
}
mkdir "$work/parts"
kdd version
begin=$(now)
GOMAXPROCS=1 kdd embed "$docs" --cache - -o "$work/parts/part-0.kddv" --quiet "$@"
seconds=$(echo "$(now) - $begin" | bc)
printf 'one process\t1\t%.1f\n' "$seconds"
begin=$(now)
kdd build "$docs" --vectors "$work/parts/part-0.kddv" --vectors-only -o "$work/one.kddx" --quiet 2>/dev/null
printf 'build of its part\t2\t%.1f\n' "$(echo "$(now) - $begin" | bc)"
rm "$work/parts/part-0.kddv"
for workers in 1 2 4; do
	begin=$(now)
	seq 0 $((shards - 1)) |
		GOMAXPROCS=1 xargs -P $workers -I{} kdd embed "$docs" --shard {}/$shards --cache - -o "$work/parts" --quiet "$@"
	took shell $workers "$begin"
	begin=$(now)
	seq 0 $((shards - 1)) | GOMAXPROCS=1 KDD_SHARDS=$shards xargs -P $workers -I{} env JOB_COMPLETION_INDEX={} \
		kdd embed "$docs" --shard auto --resume --cache - -o "$work/parts" --progress json --quiet "$@" 2>/dev/null
	took "Kubernetes' command" $workers "$begin"
	begin=$(now)
	"$PYTHON" "$here/interop/deploy/ray_cluster.py" $workers "$docs" "$work/parts" --shards $shards --cache - "$@" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
	grep '^ray: ' "$work/log"
	took Ray $workers "$begin"
	begin=$(now)
	"$PYTHON" "$here/interop/deploy/spark_cluster.py" $workers "$docs" "$work/parts" $shards --cache - "$@" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
	grep '^spark: ' "$work/log"
	took Spark $workers "$begin"
done
