package main

import (
	"strings"
	"testing"
)

// TestParseShard checks what --shard takes from the command line and from the variables of engines.
func TestParseShard(t *testing.T) {
	tests := []struct {
		value, env    string // env: NAME=VALUE, separated by spaces
		shard, shards int
		err           string
	}{
		{value: "0/1", shards: 1},
		{value: "3/16", shard: 3, shards: 16},
		{value: "16/16", err: "--shard 16/16: shard 16 of 16, want 0 to N-1"},
		{value: "-1/2", err: "shard -1 of 2"},
		{value: "0/0", err: "shard 0 of 0"},
		{value: "1", err: `--shard: got "1", want I/N`},
		{value: "1/2/3", err: `got "1/2/3"`},
		{value: "a/2", err: `got "a/2"`},
		{value: "", err: `got ""`},
		{value: "99999999999999999999/2", err: "got"},
		{value: "1/4", env: "KDD_SHARD=2 KDD_SHARDS=8", shard: 1, shards: 4}, // the command line says it

		{value: "auto", env: "KDD_SHARD=2 KDD_SHARDS=8 JOB_COMPLETION_INDEX=1", shard: 2, shards: 8},
		{value: "auto", env: "JOB_COMPLETION_INDEX=5 KDD_SHARDS=6", shard: 5, shards: 6},
		{value: "auto/6", env: "JOB_COMPLETION_INDEX=5", shard: 5, shards: 6},
		{value: "auto", env: "CI_NODE_INDEX=1 CI_NODE_TOTAL=3", shard: 0, shards: 3},
		{value: "auto", env: "CI_NODE_INDEX=3 CI_NODE_TOTAL=3", shard: 2, shards: 3},
		{value: "auto", env: "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=2", shard: 0, shards: 2},
		{value: "auto", env: "BUILDKITE_PARALLEL_JOB=1 BUILDKITE_PARALLEL_JOB_COUNT=2", shard: 1, shards: 2},
		{value: "auto", env: "BITBUCKET_PARALLEL_STEP=1 BITBUCKET_PARALLEL_STEP_COUNT=2", shard: 1, shards: 2},
		{value: "auto", env: "AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=2", shard: 1, shards: 2},
		{value: "auto", env: "CLOUD_RUN_TASK_INDEX=1 CLOUD_RUN_TASK_COUNT=2", shard: 1, shards: 2},
		{value: "auto", env: "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=0", shard: 1, shards: 2},
		{value: "auto", env: "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=1", shard: 1, shards: 2},

		{value: "auto", err: "none of these variables is set: KDD_SHARD (any), JOB_COMPLETION_INDEX (Kubernetes Indexed Job), "},
		{value: "auto", env: "JOB_COMPLETION_INDEX=5", err: "JOB_COMPLETION_INDEX is 5, but nothing says of how many; set KDD_SHARDS, or give --shard auto/N"},
		{value: "auto", env: "CI_NODE_INDEX=4 CI_NODE_TOTAL=3", err: "--shard auto, from CI_NODE_INDEX and CI_NODE_TOTAL: shard 3 of 3, want"},
		{value: "auto", env: "CI_NODE_INDEX=0 CI_NODE_TOTAL=3", err: "shard -1 of 3"},
		{value: "auto", env: "KDD_SHARD=x KDD_SHARDS=3", err: `KDD_SHARD is "x" and KDD_SHARDS "3", want numbers`},
		{value: "auto/x", env: "KDD_SHARD=1", err: `KDD_SHARD is "1" and --shard auto/x "x", want numbers`},
		{value: "auto/2", env: "KDD_SHARD=2", err: "--shard auto, from KDD_SHARD and --shard auto/2: shard 2 of 2"},
	}
	for _, tt := range tests {
		getenv := func(name string) string {
			for _, v := range strings.Fields(tt.env) {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		}
		shard, shards, err := parseShard(tt.value, getenv)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("parseShard(%q) with %q = %d, %d, %v, want %q", tt.value, tt.env, shard, shards, err, tt.err)
			}
		} else if err != nil || shard != tt.shard || shards != tt.shards {
			t.Errorf("parseShard(%q) with %q = %d, %d, %v, want %d, %d", tt.value, tt.env, shard, shards, err, tt.shard, tt.shards)
		}
	}
}
