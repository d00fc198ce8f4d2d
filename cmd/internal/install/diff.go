package install

import (
	"bytes"
	"fmt"
	"strings"
)

// context is how many lines stand around a change.
const context = 3

// unified returns the change of a file as a unified diff of one hunk: what is the same at both ends is left out. The name
// of a side that does not exist is "/dev/null".
func unified(path string, before, after []byte, was, is bool) string {
	if bytes.Equal(before, after) && was == is {
		return ""
	}
	a, b := lines(before), lines(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	first := max(0, head-context)
	behind := min(context, tail)
	var out strings.Builder
	name := func(sign string, there bool, prefix string) {
		if there {
			fmt.Fprintf(&out, "%s %s\n", sign, prefix+path)
		} else {
			fmt.Fprintf(&out, "%s /dev/null\n", sign)
		}
	}
	name("---", was, "")
	name("+++", is, "")
	fmt.Fprintf(&out, "@@ -%s +%s @@\n", hunk(first, len(a)-tail+behind-first), hunk(first, len(b)-tail+behind-first))
	put := func(sign byte, list []string) {
		for _, l := range list {
			out.WriteByte(sign)
			out.WriteString(l)
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	put(' ', a[first:head])
	put('-', a[head:len(a)-tail])
	put('+', b[head:len(b)-tail])
	put(' ', a[len(a)-tail:len(a)-tail+behind])
	return out.String()
}

// hunk is "start,count" as diff has it: from 1, and the line before where there is none.
func hunk(first, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", first)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}

func lines(data []byte) []string {
	list := strings.SplitAfter(string(data), "\n")
	return list[:len(list)-btoi(strings.HasSuffix(string(data), "\n") || len(data) == 0)]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
