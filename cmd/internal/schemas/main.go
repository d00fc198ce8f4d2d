// Command schemas writes the JSON Schemas of package schema into the working folder, which is the package's, each by itself and all in one.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"kdd/runtime/wire/schema"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "schemas: got %q, want no arguments\n", args[0])
		return 2
	}
	schemas, err := generate("../../..")
	if err == nil {
		for _, name := range slices.Sorted(maps.Keys(schemas)) {
			if err = os.WriteFile(name, schemas[name], 0o644); err != nil {
				break
			}
		}
	}
	var pack []byte
	if err == nil {
		pack, err = packOf(schemas)
	}
	if err == nil {
		err = os.WriteFile(packName, pack, 0o644)
	}
	if err != nil {
		fmt.Fprintf(stderr, "schemas: %v\n", err)
		return 1
	}
	return 0
}

// packName is the file that the program embeds.
const packName = "schemas.json.zst"

// packOf packs the files of schemas.
func packOf(files map[string][]byte) ([]byte, error) {
	all := map[string]string{}
	for name, data := range files {
		all[strings.TrimSuffix(name, ".json")] = string(data)
	}
	return schema.Pack(all)
}
