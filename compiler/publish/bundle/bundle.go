package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/format"
)

// Options say what a kit holds.
type Options struct {
	Artifacts []string
	Output    string     // the archive; its ending says which kind
	Platforms []Platform // that kddq is packed for
	Programs  string     // the folder of release builds of kddq; "" = none
	Beside    string     // the folder of the running kdd, where kddq is looked for too
	Version   string     // of kddq, as its release builds have it in their names

	// Verify checks every byte of an artifact; the runtime's check knows more than that of package index.
	Verify func(path string) ([]format.Problem, error)
	// Registrations returns the texts of hosts' files that register a server, by the name of the file.
	Registrations func(command string, artifacts []string) (map[string][]byte, error)
}

// Report says what was packed.
type Report struct {
	Artifacts  []string
	Platforms  []Platform
	Signatures int
	Licences   bool // the licences of kddq are in the kit
	Bytes      int64
	SHA256     string // of the archive
}

// entry is a file of the kit.
type entry struct {
	name string // below the kit's folder
	mode fs.FileMode
	path string // where its bytes are; "" = in data
	data []byte
	size int64
	sum  [sha256.Size]byte
}

// kit is what Write packs.
type kit struct {
	*Options
	Folder    string
	Artifacts []artifact
	programs  []program
	licences  []string // paths of files
	entries   []entry
}

//go:embed files
var files embed.FS

// Write makes a kit and writes it to o.Output, whole or not at all. A relative path is one of the working folder.
func Write(ctx context.Context, o Options) (*Report, error) {
	folder, kind := folderOf(o.Output)
	if kind < 0 {
		return nil, diag.Cure("want a name that ends in .tar.gz, .tgz or .zip", "%s: its ending says of no archive", o.Output)
	}
	if err := portable(folder); err != nil {
		return nil, diag.Cure("name the kit otherwise with -o", "%s: %w", o.Output, err)
	}
	k := &kit{Options: &o, Folder: folder}
	var err error
	if k.Artifacts, err = openArtifacts(o.Artifacts); err != nil {
		return nil, err
	}
	if k.programs, err = findPrograms(&o); err != nil {
		return nil, err
	}
	out, err := newPlace(o.Output, kinds[kind].begins, k.inputs())
	if err != nil {
		return nil, err
	}
	defer out.discard()
	if err := k.gather(ctx); err != nil {
		return nil, err
	}
	// Writing compares all bytes with the sums that gather has taken, so what is packed is what is checked here.
	for i := range k.Artifacts {
		if err := k.Artifacts[i].verify(o.Verify); err != nil {
			return nil, err
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
	}
	if err := try(ctx, k.programs, k.Artifacts); err != nil {
		return nil, err
	}
	report := &Report{Platforms: o.Platforms, Licences: len(k.licences) > 0}
	for _, a := range k.Artifacts {
		report.Artifacts = append(report.Artifacts, a.Name)
		report.Signatures += len(a.Signatures)
	}
	report.Bytes, report.SHA256, err = out.write(ctx, func(w io.Writer) error {
		return k.write(ctx, kinds[kind].open(w, latest(k.Artifacts)))
	})
	return report, err
}

// inputs returns the paths of all files that are packed.
func (k *kit) inputs() []string {
	var paths []string
	for _, a := range k.Artifacts {
		paths = append(paths, a.path)
		for _, s := range a.Signatures {
			paths = append(paths, filepath.Join(filepath.Dir(a.path), s))
		}
	}
	for _, p := range k.programs {
		paths = append(paths, p.path)
	}
	return paths
}

// gather collects the entries of the kit, sorted, with their sums.
func (k *kit) gather(ctx context.Context) error {
	for _, a := range k.Artifacts {
		k.file(a.Name, 0o644, a.path)
		for _, s := range a.Signatures {
			k.file(s, 0o644, filepath.Join(filepath.Dir(a.path), s))
		}
	}
	k.findLicences()
	for _, p := range k.programs {
		k.file("bin/"+p.folder()+"/"+p.program(), 0o755, p.path)
	}
	for _, path := range k.licences {
		k.file(filepath.Base(path), 0o644, path)
	}
	if err := k.texts(); err != nil {
		return err
	}
	slices.SortFunc(k.entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	var sums strings.Builder
	for i := range k.entries {
		if err := k.entries[i].measure(ctx); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", k.entries[i].sum, k.entries[i].name)
	}
	e := entry{name: "SHA256SUMS", mode: 0o644, data: []byte(sums.String())}
	at, _ := slices.BinarySearchFunc(k.entries, e.name, func(e entry, name string) int { return strings.Compare(e.name, name) })
	k.entries = slices.Insert(k.entries, at, e)
	return k.entries[at].measure(ctx)
}

func (k *kit) file(name string, mode fs.FileMode, path string) {
	k.entries = append(k.entries, entry{name: name, mode: mode, path: path})
}

func (k *kit) text(name string, mode fs.FileMode, data []byte) {
	k.entries = append(k.entries, entry{name: name, mode: mode, data: data})
}

// findLicences looks for the licences of kddq and of what is linked into it, which "make dist" puts beside the builds.
func (k *kit) findLicences() {
	for _, name := range []string{"LICENSE", "THIRD-PARTY-NOTICES.txt"} {
		for _, p := range k.programs {
			path := filepath.Join(filepath.Dir(p.path), name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				k.licences = append(k.licences, path)
				break
			}
		}
	}
}

// texts adds the README, the scripts for the systems that have a program in the kit, and the registrations.
func (k *kit) texts() error {
	windows, unix := k.systems()
	for name, on := range map[string]bool{"kddq": unix, "install.sh": unix, "kddq.cmd": windows, "install.ps1": windows} {
		if !on {
			continue
		}
		data, err := files.ReadFile("files/" + name)
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o755)
		if name == "kddq.cmd" || name == "install.ps1" {
			mode = 0o644
		}
		k.text(name, mode, data)
	}
	command, names := "./kddq", make([]string, len(k.Artifacts))
	if !unix {
		command = `bin\` + k.programs[0].folder() + `\kddq.exe`
	}
	for i, a := range k.Artifacts {
		names[i] = a.Name
	}
	texts, err := k.Registrations(command, names)
	if err != nil {
		return err
	}
	for name, data := range texts {
		k.text("registrations/"+name, 0o644, data)
	}
	readme, err := k.readme()
	k.text("README.md", 0o644, readme)
	return err
}

// systems says for which systems the kit has a program.
func (k *kit) systems() (windows, unix bool) {
	for _, p := range k.programs {
		windows = windows || p.OS == "windows"
		unix = unix || p.OS != "windows"
	}
	return windows, unix
}

// open returns the bytes of the entry.
func (e *entry) open() (io.ReadCloser, error) {
	if e.path == "" {
		return io.NopCloser(bytes.NewReader(e.data)), nil
	}
	return os.Open(e.path)
}

// measure sets size and sum.
func (e *entry) measure(ctx context.Context) error {
	r, err := e.open()
	if err != nil {
		return err
	}
	defer r.Close()
	h := sha256.New()
	e.size, err = io.Copy(h, &cancelled{ctx, r})
	h.Sum(e.sum[:0])
	return err
}

// errChanged says that a file was written to while it was packed.
var errChanged = errors.New("it changed while it was packed")

// write writes the archive. Each file has to be what measure has read.
func (k *kit) write(ctx context.Context, to archive) error {
	for i := range k.entries {
		e := &k.entries[i]
		r, err := e.open()
		if err != nil {
			return err
		}
		h := sha256.New()
		// The reader ends with the size that the archive was told, and one byte more is an error.
		err = to.add(k.Folder+"/"+e.name, e.mode, e.size, io.TeeReader(io.LimitReader(&cancelled{ctx, r}, e.size), h))
		if n, _ := r.Read(make([]byte, 1)); err == nil && (n > 0 || [sha256.Size]byte(h.Sum(nil)) != e.sum) {
			err = diag.Cure("run it again", "%s: %w", e.path, errChanged)
		}
		r.Close()
		if err != nil {
			return err
		}
	}
	return to.Close()
}

// cancelled is a reader that ends with its context.
type cancelled struct {
	ctx context.Context
	r   io.Reader
}

// Read reads, unless the context has ended.
func (c *cancelled) Read(b []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
