package harness

import (
	"cmp"
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

// Result is what was measured.
type Result struct {
	Title   string
	Command string            // the command and the measurement, as in "speed sizes"
	Args    []string          // the flags
	Version string            // of kdd, if known
	Body    string            // markdown: the result
	Files   map[string]string // raw output by path below the folder
}

// Report prints the result, and keeps it where dir is not "".
func Report(stdout io.Writer, dir string, r Result) error {
	if _, err := io.WriteString(stdout, r.Body); err != nil || dir == "" {
		return err
	}
	return Keep(dir, r)
}

// Keep writes README.md and the files into dir, which it makes. Of paths on the command line only the last part is
// kept, so that the README does not name a place of the machine.
func Keep(dir string, r Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n```\n%s\n```\n\n", r.Title, strings.Join(append([]string{"go run ./bench/" + r.Command}, plain(r.Args)...), " "))
	fmt.Fprintf(&b, "%s. kdd %s, commit %s, %s %s/%s.\n", Machine(), cmp.Or(r.Version, "unknown"), Commit(), goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
	if load := LoadAverage(); load != "" {
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

// plain keeps of each path in args, and of each in a list with commas, the last part, and quotes what a shell would
// take apart.
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

// LoadAverage returns the load averages, "" where the system does not tell them.
func LoadAverage() string {
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
