// Command sums signs a release's checksums with a key of minisign, so that minisign and signify check them.
//
//	sums -key release.key dist/SHA256SUMS
//
// The password of the key, if it has one, is in KDD_KEY_PASSWORD.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"kdd/compiler/publish/signing"
)

func main() {
	key := flag.String("key", "", "private key of minisign (\"kdd keygen\")")
	flag.Parse()
	if err := sign(*key, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sums:", err)
		os.Exit(1)
	}
}

// sign writes FILE.minisig for each file.
func sign(path string, files []string) error {
	if path == "" || len(files) == 0 {
		return errors.New("no key or no file: usage: sums -key KEY FILE")
	}
	key, err := signing.Load(path, func(string) (string, error) { return os.Getenv("KDD_KEY_PASSWORD"), nil })
	if err != nil {
		return err
	}
	defer key.Close()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sig, err := key.SignFile(data, "checksums of a release of kdd")
		if err != nil {
			return err
		}
		if err := os.WriteFile(file+".minisig", sig, 0o644); err != nil {
			return err
		}
	}
	return nil
}
