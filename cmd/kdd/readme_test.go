package main

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// readme runs the console blocks of a markdown file and compares what they print: readme FILE
//
// A line "$ command" runs under sh; the lines below it up to the next "$" are what it prints, standard error included.
// Times, sizes and ids may differ. A line "..." stands for any number of lines.
func readme(ts *testscript.TestScript, neg bool, args []string) {
	ran := 0
	for _, block := range consoleBlocks(ts.ReadFile(args[0])) {
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			command, want, _ := strings.Cut(step, "\n")
			ts.Check(ts.Exec("sh", "-c", command+" 2>&1"))
			ran++
			if got := ts.ReadFile("stdout"); !sameOutput(got, want) {
				ts.Fatalf("$ %s prints\n%s\nthe file says\n%s", command, got, want)
			}
		}
	}
	if ran == 0 {
		ts.Fatalf("%s has no console block with a command", args[0])
	}
}

// fenced writes the first block of a language in a markdown file to another file: fenced LANGUAGE FILE OUTPUT
func fenced(ts *testscript.TestScript, neg bool, args []string) {
	_, rest, found := strings.Cut(ts.ReadFile(args[1]), "\n```"+args[0]+"\n")
	block, _, closed := strings.Cut(rest, "\n```")
	if !found || !closed {
		ts.Fatalf("%s has no block of %s", args[1], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block+"\n"), 0o644))
}

// commands checks that each command in the help has a row in the table of a markdown file, and each row a command:
// commands HELP FILE
func commands(ts *testscript.TestScript, neg bool, args []string) {
	names := func(pattern, file string) []string {
		var found []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(ts.ReadFile(file), -1) {
			found = append(found, m[1])
		}
		slices.Sort(found)
		return found
	}
	have, want := names(`(?m)^  ([a-z-]+) +\S`, args[0]), names("(?m)^\\| `([a-z-]+)[^|]*` \\|", args[1])
	if len(have) == 0 || !slices.Equal(have, want) {
		ts.Fatalf("the help has %q, the table has %q", have, want)
	}
}

// consoleBlocks returns the text of each ```console block.
func consoleBlocks(text string) []string {
	var blocks []string
	for _, part := range strings.Split(text, "\n```console\n")[1:] {
		if block, _, closed := strings.Cut(part, "\n```"); closed {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// sameOutput compares line by line, with "..." for any lines.
func sameOutput(got, want string) bool {
	volatile := regexp.MustCompile(`\b\d+\.\d+\b|\b[0-9a-f]{16}\b|cursor [A-Za-z0-9_-]+`)
	clean := func(s string) []string {
		return strings.Split(strings.TrimRight(volatile.ReplaceAllString(s, "#"), " \n"), "\n")
	}
	have, lines := clean(got), clean(want)
	for len(lines) > 0 {
		if lines[0] == "..." {
			for lines = lines[1:]; len(have) > 0 && (len(lines) == 0 || have[0] != lines[0]); {
				have = have[1:]
			}
			continue
		}
		if len(have) == 0 || have[0] != lines[0] {
			return false
		}
		have, lines = have[1:], lines[1:]
	}
	return len(have) == 0
}

// maxCommands bounds the commands of a guide.
const maxCommands = 10

// guide runs what a guide says: each block of "sh", line by line, and each of "sh offline" without a network, where
// the system can take it away: guide FILE
func guide(ts *testscript.TestScript, neg bool, args []string) {
	ran := 0
	for _, part := range strings.Split(ts.ReadFile(args[0]), "\n```sh")[1:] {
		info, rest, _ := strings.Cut(part, "\n")
		block, _, _ := strings.Cut(rest, "\n```")
		ran += len(strings.Split(strings.TrimSpace(block), "\n"))
		command := []string{"sh", "-e", "-c", block}
		if info == " offline" {
			if ts.Exec("unshare", "-rn", "true") == nil {
				command = append([]string{"unshare", "-rn"}, command...)
			} else {
				ts.Logf("without root: run with a network")
			}
		}
		ts.Check(ts.Exec(command[0], command[1:]...))
	}
	if ran == 0 || ran > maxCommands {
		ts.Fatalf("%s has %d commands, want 1 to %d", args[0], ran, maxCommands)
	}
}
