package harness

import (
	"fmt"
	"io"
	"slices"
)

// Measurement is one row of a command's table.
type Measurement struct {
	Name     string
	Measures string // half a line for the list
	Run      func(args []string, stdout, stderr io.Writer) int
}

// Main runs the measurement that the first argument names with the other arguments, and returns the exit code. Without
// a name, or with one that is not in the table, it lists the table on stderr and returns 2.
func Main(command string, table []Measurement, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if i := slices.IndexFunc(table, func(m Measurement) bool { return m.Name == args[0] }); i >= 0 {
			return table[i].Run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "usage: go run ./bench/%s MEASUREMENT [FLAGS]; -h after the name lists its flags\n\n", command)
	for _, m := range table {
		fmt.Fprintf(stderr, "  %-12s %s\n", m.Name, m.Measures)
	}
	return 2
}
