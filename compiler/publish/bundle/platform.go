package bundle

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// Platform is a system and a processor that kddq is built for, by the names of GOOS and GOARCH.
type Platform struct{ OS, Arch string }

// String returns the platform as the command line has it: linux/amd64.
func (p Platform) String() string { return p.OS + "/" + p.Arch }

// folder is the platform in file names: linux-amd64.
func (p Platform) folder() string { return p.OS + "-" + p.Arch }

// program returns the file name of kddq on the platform.
func (p Platform) program() string {
	if p.OS == "windows" {
		return "kddq.exe"
	}
	return "kddq"
}

// release returns the file name that a release build of kddq has: kddq-1.2.3-linux-amd64.
func (p Platform) release(version string) string {
	return "kddq-" + version + "-" + p.folder() + strings.TrimPrefix(p.program(), "kddq")
}

// Platforms are those that releases are made for, as PLATFORMS of the Makefile.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// Machine returns the platform of the running program.
func Machine() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }

// ParsePlatforms reads lists of platforms with commas between them. "all" stands for Platforms; nothing at all stands
// for this machine. Doubles are dropped, and the result is sorted.
func ParsePlatforms(lists []string) ([]Platform, error) {
	var found []Platform
	for _, name := range strings.Split(strings.Join(lists, ","), ",") {
		name = strings.TrimSpace(name)
		known := append([]Platform{Machine()}, Platforms...)
		at := slices.IndexFunc(known, func(p Platform) bool { return p.String() == name })
		switch {
		case name == "" && len(lists) == 0:
			found = append(found, Machine())
		case name == "all":
			found = append(found, Platforms...)
		case at < 0:
			return nil, diag.Cure("want "+platformNames(Platforms)+", or all", "--platform: got %q", name)
		default:
			found = append(found, known[at])
		}
	}
	slices.SortFunc(found, func(a, b Platform) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(found), nil
}

// platformNames lists platforms for a sentence.
func platformNames(list []Platform) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.String()
	}
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return fmt.Sprintf("%s and %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}
