// Package record keeps the results of a measurement: raw output, and a README.md that says how it came about.
//
//	err := record.Write("bench/runs/2026-05-01-epyc/quality", record.Run{Title: "Quality", Body: table, Files: raw})
//
// Nothing that it writes names a place of the machine: of paths in the command line only the last part is kept.
package record

import (
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
)

// Run is what was measured.
type Run struct {
	Title   string
	Command string            // as in "go run ./bench/sizes"; the flags are added
	Args    []string          // the flags
	Version string            // of kdd, if known
	Body    string            // markdown: the result
	Files   map[string]string // raw output by path below the folder
}

// Write writes README.md and the files into dir, which it makes.
func Write(dir string, r Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n```\n%s\n```\n\n", r.Title, strings.Join(append([]string{r.Command}, plain(r.Args)...), " "))
	fmt.Fprintf(&b, "%s. kdd %s, commit %s, %s %s/%s.\n", Machine(), cmp.Or(r.Version, "unknown"), Commit(), goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
	if load := Load(); load != "" {
		fmt.Fprintf(&b, "Load average at the end: %s.\n", load)
	}
	fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(r.Body))
	if len(r.Files) > 0 {
		b.WriteString("\nRaw output:\n\n")
	}
	for _, name := range slices.Sorted(maps.Keys(r.Files)) {
		fmt.Fprintf(&b, "- [%s](%s)\n", name, name)
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(r.Files[name]), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "README.md"), []byte(b.String()), 0o644)
}

// Compressed returns text as gzip writes it, for a name that ends in .gz.
func Compressed(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	io.WriteString(z, text) // a Builder takes all
	z.Close()
	return b.String()
}

// plain keeps of each path in args, and of each in a list with commas, the last part, and quotes what a shell would take apart.
func plain(args []string) []string {
	var out []string
	for _, arg := range args {
		flag := ""
		if at := strings.IndexByte(arg, '='); at > 0 {
			flag, arg = arg[:at+1], arg[at+1:]
		}
		parts := strings.Split(arg, ",")
		for i, p := range parts {
			if strings.ContainsRune(filepath.ToSlash(p), '/') {
				parts[i] = filepath.Base(p)
			}
		}
		if arg = flag + strings.Join(parts, ","); strings.ContainsAny(arg, " ;|&*?") {
			arg = `"` + arg + `"`
		}
		out = append(out, arg)
	}
	return out
}

var modelName = regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`)

// Machine describes processor and cores.
func Machine() string {
	name := goruntime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := modelName.FindSubmatch(info); m != nil {
			name = string(m[1])
		}
	} else if out, err := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); err == nil {
		name = strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s, %d cores", name, goruntime.NumCPU())
}

// Load returns the load averages, "" where the system does not tell them.
func Load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text))
	return strings.Join(fields[:min(3, len(fields))], " ")
}

// Commit names the commit of the working folder, with a mark if files differ from it.
func Commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	commit := strings.TrimSpace(string(out))
	if out, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no").Output(); err == nil && len(out) > 0 {
		commit += " with changes"
	}
	return commit
}

// Version asks a kdd or kddq binary for its version.
func Version(binary string) string {
	out, err := exec.Command(binary, "--version").Output()
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	fields := strings.Fields(line)
	if len(fields) > 1 {
		return fields[1]
	}
	return line
}
