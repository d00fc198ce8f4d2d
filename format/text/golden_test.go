package text

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden dumps the tokens of each testdata/*.txt beside it. A change there needs a new Version.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := dump(string(text))
			golden := strings.TrimSuffix(file, ".txt") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("tokens of %s (-want +got; if meant, raise Version and run with -update):\n%s", file, diff)
			}
		})
	}
}

// dump lists the tokens of a text: position, bytes, marks (Whole, Part, CJK, Stop), folded form, stem.
func dump(text string) string {
	var b strings.Builder
	lang := Detect(text)
	analyzer := New()
	fmt.Fprintf(&b, "version %d, language %q\n", Version, lang)
	for _, token := range analyzer.Tokens(nil, text) {
		marks := []byte("----")
		for i, set := range []bool{token.Whole, token.Part, token.CJK, IsStop(lang, token.Fold)} {
			if set {
				marks[i] = "WPCS"[i]
			}
		}
		fmt.Fprintf(&b, "%4d %4d-%-4d %s %s", token.Pos, token.Start, token.End, marks, token.Fold)
		if stem := analyzer.Stem(lang, token.Lower); stem != token.Fold {
			fmt.Fprintf(&b, " ~ %s", stem)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
