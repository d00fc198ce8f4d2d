package bundle

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kdd/compiler/diag"
	"kdd/format"
	"kdd/format/index"
)

// artifact is one .kddx of a kit, and what the README says of it.
type artifact struct {
	path       string // as told
	Name       string // in the kit
	Title      string
	Documents  int
	ID         string // the index id
	Commit     string // of the sources, "" if the artifact does not say
	Date       time.Time
	Signatures []string // file names that stand beside it
}

// signatures are the endings of files that sign the file whose name they follow: kdd's statement with its signatures, those
// of minisign, of cosign and OpenSSL, of sigstore, of GnuPG.
var signatures = []string{".root", ".root.minisig", ".root.sig", ".minisig", ".sig", ".sigstore.json", ".asc"}

// maxSignature bounds a signature file; the largest are sigstore's, of some 10 kB.
const maxSignature = 1 << 20

// openArtifacts checks names, and reads what the README says.
func openArtifacts(paths []string) ([]artifact, error) {
	if len(paths) == 0 {
		return nil, diag.Cure("name one", "a kit without an artifact")
	}
	var list []artifact
	for _, path := range paths {
		a := artifact{path: path, Name: filepath.Base(path)}
		if !strings.EqualFold(filepath.Ext(a.Name), ".kddx") {
			return nil, diag.Cure("rename it to NAME.kddx", "%s: its name does not end in .kddx, by which the kit finds it", path)
		}
		if err := portable(a.Name); err != nil {
			return nil, diag.Cure("rename it", "%s: %w", path, err)
		}
		for _, other := range list {
			// Windows and macOS have one file by the two names.
			if strings.EqualFold(a.Name, other.Name) {
				return nil, diag.Cure("leave one out, or rename it", "%s and %s would have one name in the kit", other.path, path)
			}
		}
		if err := a.read(); err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// read reads what the artifact says of itself, and finds its signatures.
func (a *artifact) read() error {
	x, err := index.Open(a.path)
	if err != nil {
		return a.named(err)
	}
	defer x.File.Close()
	err = format.Guard(func() error {
		a.Title, a.Documents, a.ID = x.Meta.Title, x.Docs(), x.File.ID()
		p := x.File.Provenance()
		if date, err := time.Parse(time.RFC3339, p.Date); err == nil || p.Date == "" {
			a.Commit, a.Date = p.Commit, date.UTC()
		}
		return nil
	})
	if err != nil {
		return a.named(err)
	}
	for _, ending := range signatures {
		info, err := os.Stat(a.path + ending)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxSignature:
			return diag.Cure("remove it, or sign again", "%s: no signature: %d bytes, want a file of 1 to %d", a.path+ending,
				info.Size(), maxSignature)
		}
		a.Signatures = append(a.Signatures, a.Name+ending)
	}
	return nil
}

// named puts the artifact's path before an error of package format, which does not know it.
func (a *artifact) named(err error) error {
	if errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("%s: %w", a.path, err)
}

// verify checks every byte of the artifact.
func (a *artifact) verify(verify func(path string) ([]format.Problem, error)) error {
	problems, err := verify(a.path)
	if err != nil {
		return a.named(err)
	}
	if len(problems) == 0 {
		return nil
	}
	more := ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return diag.Cure("build it again, or copy it again", "%s: damaged: %s%s", a.path, problems[0], more)
}

// portable refuses names that some system cannot have, or that a shell takes apart.
func portable(name string) error {
	if bad := strings.IndexFunc(name, func(r rune) bool {
		return r < ' ' || r == 0x7f || r == '\ufffd' || strings.ContainsRune("<>:\"/\\|?*'`$&;!%[]{}", r)
	}); bad >= 0 {
		return fmt.Errorf("%q has a character that a file may not have on every system", name)
	}
	if name != strings.TrimSpace(name) || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") {
		return fmt.Errorf("%q begins or ends as a file may not on every system", name)
	}
	return nil
}

// epoch is the time of a kit whose artifacts do not say of which commit they are: the first day that zip has.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// latest returns the time of the newest source commit.
func latest(artifacts []artifact) time.Time {
	at := epoch
	for _, a := range artifacts {
		if a.Date.After(at) {
			at = a.Date
		}
	}
	return at.Truncate(time.Second)
}

// title is what the README calls an artifact.
func (a *artifact) title() string {
	return cmp.Or(a.Title, strings.TrimSuffix(a.Name, filepath.Ext(a.Name)))
}
