// Command gen writes the JSON Schemas of package schema into the working folder.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "gen: got %q, want no arguments\n", args[0])
		return 2
	}
	schemas, err := generate("..")
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(schemas)) {
			if err = os.WriteFile(name, schemas[name], 0o644); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "gen: %v\n", err)
		return 1
	}
	return 0
}
