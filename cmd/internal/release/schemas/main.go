// Command schemas writes the JSON Schemas of package schema into the working folder, which is the package's.
package main

import (
	"fmt"
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "schemas: got %q, want no arguments\n", args[0])
		return 2
	}
	if err := write("../../.."); err != nil {
		fmt.Fprintf(stderr, "schemas: %v\n", err)
		return 1
	}
	return 0
}

// write generates the schemas of the module at root.
func write(root string) error {
	schemas, err := generate(root)
	if err != nil {
		return err
	}
	for name, data := range schemas {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
