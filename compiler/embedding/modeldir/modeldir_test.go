package modeldir

import (
	"os"
	"path/filepath"
	goruntime "runtime"
	"testing"
)

func TestHome(t *testing.T) {
	if goruntime.GOOS == "windows" || goruntime.GOOS == "darwin" {
		return // the table is of XDG's folders
	}
	work, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                 string
		variable, data, home string
		want                 string // "" for an error
	}{
		{"variable", "/m", "/d", "/h", "/m"},
		{"relative variable", "m", "", "", filepath.Join(work, "m")},
		{"data folder", "", "/d", "/h", "/d/kdd/models"},
		{"relative data folder is none", "", "d", "/h", "/h/.local/share/kdd/models"},
		{"home", "", "", "/h", "/h/.local/share/kdd/models"},
		{"nothing", "", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv(Variable, tt.variable)
			t.Setenv("XDG_DATA_HOME", tt.data)
			t.Setenv("HOME", tt.home)
			got, err := Home()
			if got != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("Home() = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// The program's own folder is looked at after the user's, links to the program followed.
func TestAll(t *testing.T) {
	t.Setenv(Variable, "/m")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if program, err = filepath.EvalSymlinks(program); err != nil {
		t.Fatal(err)
	}
	got := All()
	want := []Folder{{"/m", FromVariable}, {filepath.Join(filepath.Dir(program), "models"), FromExecutable}}
	if len(got) != 2 || got[1] != want[1] || goruntime.GOOS != "windows" && got[0] != want[0] {
		t.Errorf("All() = %v, want %v", got, want)
	}
}
