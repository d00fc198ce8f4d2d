package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The names of the files with licences, in the folder of the builds and in the bundle.
const (
	licenceFile = "LICENSE"
	noticesFile = "THIRD-PARTY-NOTICES.txt"
)

// licences are what a build may not be handed on without: kdd's own licence, and those of what is linked into it.
type licences struct{ own, notices []byte }

// linkedOn are the systems and programs whose packages are looked through; processors differ in none.
var linkedOn = []struct{ system, program string }{
	{"", "kdd/cmd/kdd"},
	{"linux", "kdd/cmd/kddq"},
	{"darwin", "kdd/cmd/kddq"},
	{"windows", "kdd/cmd/kddq"},
}

// eachDependency prints the module, its folder and the package's folder of what is linked in.
const eachDependency = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"

// module is one that is linked in.
type module struct {
	name  string
	dir   string
	files map[string]bool // with licences
}

var licenceName = regexp.MustCompile(`(?i)^(licen[sc]e|copying|notice)[-.a-z0-9]*$`)

// findLicences asks the go command what is linked into kdd and kddq, and reads the licences in the folders of those
// packages and above them, up to each module's.
func findLicences() (*licences, error) {
	root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	goroot, err := output("", "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	where, version, _ := strings.Cut(goroot, "\n")
	library := &module{name: "Go's standard library " + version, dir: where}
	library.files = map[string]bool{filepath.Join(where, "LICENSE"): true}
	modules := map[string]*module{"": library}
	for _, p := range linkedOn {
		list, err := output(p.system, "go", "list", "-deps", "-f", eachDependency, p.program)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			part := strings.Split(strings.TrimSpace(line), "\t")
			if len(part) != 3 {
				continue // a package of the standard library or of kdd
			}
			m := modules[part[0]]
			if m == nil {
				m = &module{name: part[0], dir: part[1], files: map[string]bool{}}
				modules[part[0]] = m
			}
			if err := m.look(part[2]); err != nil {
				return nil, err
			}
		}
	}
	l := &licences{}
	if l.own, err = os.ReadFile(filepath.Join(root, licenceFile)); err != nil {
		return nil, err
	}
	l.notices, err = notices(modules)
	return l, err
}

// look notes the licences in dir and in the folders above it within the module.
func (m *module) look(dir string) error {
	for {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() && licenceName.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
				m.files[filepath.Join(dir, e.Name())] = true
			}
		}
		if dir == m.dir || !strings.HasPrefix(dir, m.dir+string(filepath.Separator)) {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// notices is one text of all licences, by module.
func notices(modules map[string]*module) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("kdd and kddq hold, beside what is licensed as LICENSE says, " +
		"the following software under the following licences.\n")
	list := make([]*module, 0, len(modules))
	for _, m := range modules {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *module) int { return strings.Compare(a.name, b.name) })
	for _, m := range list {
		if len(m.files) == 0 {
			return nil, fmt.Errorf("%s is linked in and has no licence in %s", m.name, m.dir)
		}
		files := make([]string, 0, len(m.files))
		for f := range m.files {
			files = append(files, f)
		}
		slices.Sort(files)
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(m.dir, f)
			if err != nil {
				return nil, err
			}
			text = bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
			rule := strings.Repeat("=", 80)
			fmt.Fprintf(&out, "\n%s\n%s: %s\n\n%s\n", rule, m.name, filepath.ToSlash(name), text)
		}
	}
	return out.Bytes(), nil
}

// output runs a command, on behalf of another system where one is named, and returns what it prints.
func output(system, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	if system != "" {
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return strings.TrimSpace(string(out)), nil
}
