package main

import (
	"cmp"
	"strconv"
	"strings"

	"kdd/cmd/internal/cli"
)

// engines are the variables in which engines that run one command many times say which run it is, and of how many. The
// first whose index is set counts.
var engines = []struct {
	name         string
	index, count string // count "": the engine has none, KDD_SHARDS gives it
	first        string // number of the first run, or the variable that has it
}{
	{"any", "KDD_SHARD", "KDD_SHARDS", "0"},
	{"Kubernetes Indexed Job", "JOB_COMPLETION_INDEX", "", "0"},
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", "1"},
	{"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", "0"},
	{"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", "0"},
	{"Bitbucket", "BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", "0"},
	{"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "0"},
	{"Cloud Run", "CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", "0"},
	{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
}

// countVariable is the number of runs where the engine has no variable of its own for it.
const countVariable = "KDD_SHARDS"

// parseShard reads --shard: I/N, auto, or auto/N.
func parseShard(value string, getenv func(string) string) (shard, shards int, err error) {
	index, count, ok := strings.Cut(value, "/")
	if index == "auto" {
		return autoShard(count, getenv)
	}
	shard, errIndex := strconv.Atoi(index)
	shards, errCount := strconv.Atoi(count)
	if !ok || errIndex != nil || errCount != nil {
		return 0, 0, cli.Usage("--shard: got %q, want I/N, with I from 0 to N-1, or auto", value)
	}
	return shard, shards, checkShard("--shard "+value, shard, shards)
}

// autoShard takes index and count from the environment; given is the count of auto/N.
func autoShard(given string, getenv func(string) string) (shard, shards int, err error) {
	var names []string
	for _, e := range engines {
		index := getenv(e.index)
		if index == "" {
			names = append(names, e.index+" ("+e.name+")")
			continue
		}
		count, from := given, "--shard auto/"+given
		if count == "" && e.count != "" {
			count, from = getenv(e.count), e.count
		}
		if count == "" {
			count, from = getenv(countVariable), countVariable
		}
		if count == "" {
			return 0, 0, cli.Usage("--shard auto: %s is %s, but nothing says of how many; set %s, or give --shard auto/N", e.index, index, countVariable)
		}
		shard, errIndex := strconv.Atoi(index)
		shards, errCount := strconv.Atoi(count)
		if errIndex != nil || errCount != nil {
			return 0, 0, cli.Usage("--shard auto: %s is %q and %s %q, want numbers", e.index, index, from, count)
		}
		first, err := strconv.Atoi(cmp.Or(getenv(e.first), e.first))
		if err != nil {
			return 0, 0, cli.Usage("--shard auto: %s is %q, want a number", e.first, getenv(e.first))
		}
		shard -= first
		return shard, shards, checkShard("--shard auto, from "+e.index+" and "+from, shard, shards)
	}
	return 0, 0, cli.Usage("--shard auto: none of these variables is set: %s; give --shard I/N", strings.Join(names, ", "))
}

// checkShard reports a shard that is out of range.
func checkShard(from string, shard, shards int) error {
	if shards < 1 || shard < 0 || shard >= shards {
		return cli.Usage("%s: shard %d of %d, want 0 to N-1 of N, N at least 1", from, shard, shards)
	}
	return nil
}
