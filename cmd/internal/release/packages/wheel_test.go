package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWheel checks what installers read: the record of all files, tags that are those of the name, and modes.
func TestWheel(t *testing.T) {
	dir := dist(t, nil)
	for _, name := range made(t, dir) {
		tag, ok := strings.CutSuffix(name, ".whl")
		if !ok {
			continue
		}
		program, behind, _ := strings.Cut(tag, "-1.2.3rc1-py3-none-")
		info := program + "-1.2.3rc1.dist-info/"
		files, modes := members(t, read(t, dir, name))
		rows, err := csv.NewReader(bytes.NewReader(files[info+"RECORD"])).ReadAll()
		if err != nil || len(rows) != len(files) {
			t.Errorf("%s: %d records of %d files: %v", name, len(rows), len(files), err)
		}
		for _, row := range rows {
			if files[row[0]] == nil || (row[1] == "") != (row[0] == info+"RECORD") {
				t.Errorf("%s: record %q", name, row)
			}
		}
		for _, t2 := range strings.Split(behind, ".") {
			if !strings.Contains(string(files[info+"WHEEL"]), "\nTag: py3-none-"+t2+"\n") {
				t.Errorf("%s: WHEEL is\n%s", name, files[info+"WHEEL"])
			}
		}
		exe := program
		if strings.HasPrefix(behind, "win_") {
			exe += ".exe"
		}
		path := map[string]string{"kddq": "kddq-1.2.3rc1.data/scripts/", "kdd": "kdd/"}[program] + exe
		if modes[path] != 0o755 {
			t.Errorf("%s: %s has mode %o", name, path, modes[path])
		}
		metadata := string(files[info+"METADATA"])
		if !strings.HasPrefix(metadata, "Metadata-Version: 2.4\nName: "+program+"\nVersion: 1.2.3rc1\nSummary: ") ||
			!strings.Contains(metadata, "\nLicense-File: LICENSE\n") || files[info+"licenses/LICENSE"] == nil {
			t.Errorf("%s:\n%s", name, metadata)
		}
	}
}

// compiled builds kddq for this machine, stripped as a release's.
func compiled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kddq")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", path, "kdd/cmd/kddq")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	return path
}

// bare is an environment that knows nothing of this one, and no network.
func bare(t *testing.T) []string {
	t.Helper()
	const nowhere = "http://127.0.0.1:9"
	return []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH"), "PIP_NO_INDEX=1", "PIP_CONFIG_FILE=" + os.DevNull,
		"PIP_DISABLE_PIP_VERSION_CHECK=1", "npm_config_registry=" + nowhere, "npm_config_offline=true", "npm_config_update_notifier=false",
		"http_proxy=" + nowhere, "https_proxy=" + nowhere, "PYTHONDONTWRITEBYTECODE=1"}
}

// does runs a command in a folder, and returns what it prints on standard output.
func does(t *testing.T, env []string, dir string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// asked asks kddq of an artifact in the repository, and compares with what the compiled one says.
func asked(t *testing.T, env []string, dir, own string, command ...string) {
	t.Helper()
	index, err := filepath.Abs("../../../../testdata/compat/0-words.kddx")
	if err != nil {
		t.Fatal(err)
	}
	question := []string{"search", "access tokens", "-i", index, "--limit", "1"}
	want := does(t, env, dir, append([]string{own}, question...)...)
	if got := does(t, env, dir, append(command, question...)...); got != want || want == "" {
		t.Errorf("%s prints %q, want %q", command, got, want)
	}
}

// TestPip installs both wheels by pip, without a network, and asks them.
func TestPip(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import sys, venv, pip; sys.exit(sys.version_info < (3, 11))").Run() != nil {
		t.Skip("no python3 of 3.11 or later with venv and pip")
	}
	if here() == "" {
		return // there is no wheel for this machine
	}
	own := compiled(t)
	dir := dist(t, map[string]string{"kddq-" + here(): own})
	made(t, dir)
	env, work := bare(t), t.TempDir()
	does(t, env, work, python, "-m", "venv", "--without-pip", "v")
	bin := filepath.Join(work, "v", "bin")
	does(t, env, work, python, "-m", "pip", "--python", filepath.Join(bin, "python"), "install", "-q", "--no-cache-dir",
		"--find-links", dir, "--pre", "kddq", "kdd")
	asked(t, env, work, own, filepath.Join(bin, "kddq"))

	// kdd gets its arguments, and the library of the package onnxruntime once that is there.
	kdd := filepath.Join(bin, "kdd")
	if got := does(t, env, work, kdd, "ask", "a b"); !strings.HasSuffix(got, " ask a b\n") || !strings.HasPrefix(got, "kdd-1.2.3-rc.1-"+here()) {
		t.Errorf("kdd prints %q", got)
	}
	place := strings.TrimSpace(does(t, env, work, filepath.Join(bin, "python"), "-c", "import kdd; print(kdd.__path__[0])"))
	if err := os.WriteFile(filepath.Join(place, "kdd"), []byte("#!/bin/sh\necho \"$KDD_ONNXRUNTIME\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := does(t, env, work, kdd); got != "\n" {
		t.Errorf("without onnxruntime kdd gets %q", got)
	}
	capi := filepath.Join(filepath.Dir(place), "onnxruntime", "capi")
	if err := os.MkdirAll(capi, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(capi), "__init__.py"), []byte("raise Exception('imported')\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := does(t, env, work, kdd); got != capi+"\n" {
		t.Errorf("with onnxruntime kdd gets %q, want %s", got, capi)
	}
	if got := does(t, append(env, "KDD_ONNXRUNTIME=mine"), work, kdd); got != "mine\n" {
		t.Errorf("a library that the user names becomes %q", got)
	}
}

// TestNPM installs the packages by npm, without a network, and asks kddq.
func TestNPM(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("no node with npm")
	}
	if here() == "" {
		return // there is no package for this machine
	}
	own := compiled(t)
	dir := dist(t, map[string]string{"kddq-" + here(): own})
	made(t, dir)
	env, work := bare(t), t.TempDir()
	system, arch, _ := strings.Cut(here(), "-")
	platform := "kddq-" + node[system] + "-" + node[arch]
	does(t, env, work, "npm", "install", "--no-audit", "--no-fund", filepath.Join(dir, platform+"-1.2.3-rc.1.tgz"),
		filepath.Join(dir, "kddq-1.2.3-rc.1.tgz"))
	kddq := filepath.Join(work, "node_modules", ".bin", "kddq")
	asked(t, env, work, own, kddq)
	asked(t, env, work, own, "npm", "exec", "--", "kddq")

	// Without the platform's package it says which one is missing; another program can be named.
	if err := os.RemoveAll(filepath.Join(work, "node_modules", platform)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), kddq, "version")
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if want := "kddq: the package " + platform + " is missing"; err == nil || !strings.HasPrefix(string(out), want) {
		t.Errorf("without its package kddq says %q, %v, want %q", out, err, want)
	}
	asked(t, append(env, "KDDQ_BINARY="+own), work, own, kddq)
}
