package trust

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/sign"
	"kdd/runtime/wire"
)

// Options say what is asked of artifacts. The zero value asks nothing, unless the environment or the system does.
type Options struct {
	Require    bool              // a signature by one of the keys; a key or an age asks for one too
	Keys       []string          // files of public keys, or folders of such files; none: those of the system
	Names      []string          // that an artifact may be signed under; none: any
	MaxAge     time.Duration     // of the commit that is signed; 0 = any
	AllowOlder bool              // take an artifact of an older commit than was taken before under the same name
	Compare    bool              // older artifacts beside newer ones: age does not count, and nothing is kept of it
	Environ    map[string]string // Variables
	System     string            // the administrator's folder; "" = SystemDir
	State      string            // the folder that keeps what was accepted; "" = one in the user's configuration
	Now        func() time.Time  // nil = time.Now
	Log        *slog.Logger      // nil = slog.Default()
}

// Variables are those of the environment that set a policy.
var Variables = []string{"KDD_REQUIRE_SIGNATURE", "KDD_KEY", "KDD_SIGNED_AS", "KDD_MAX_AGE"}

// SystemDir returns the folder of the system's administrator: keys in keys.d are those of every user who names none,
// and a file require-signature there makes every program of this machine ask for a signature.
func SystemDir() string { return systemDir(runtime.GOOS, os.Getenv("ProgramData")) }

// systemDir never returns a relative path, which would be a folder that lies beside an artifact.
func systemDir(system, programData string) string {
	if system != "windows" {
		return "/etc/kdd"
	}
	if len(programData) < 3 || programData[1:3] != `:\` {
		programData = `C:\ProgramData`
	}
	return programData + `\kdd`
}

// Policy refuses artifacts that no trusted key has signed. It is safe for concurrent use.
type Policy struct {
	keys       []*sign.Key
	names      []string
	maxAge     time.Duration
	allowOlder bool
	compare    bool
	seen       seen
	now        func() time.Time
}

// maxKeyFile bounds a file of keys.
const maxKeyFile = 1 << 20

// Policy returns what the options ask for; nil if they ask for nothing.
func (o *Options) Policy() (*Policy, error) {
	system := cmp.Or(o.System, SystemDir())
	keys, names, age := o.Keys, o.Names, o.MaxAge
	if text := o.Environ["KDD_KEY"]; len(keys) == 0 && text != "" {
		keys = filepath.SplitList(text)
	}
	if text := o.Environ["KDD_SIGNED_AS"]; len(names) == 0 && text != "" {
		names = strings.Split(text, ",")
	}
	if text := o.Environ["KDD_MAX_AGE"]; age == 0 && text != "" {
		var err error
		if age, err = ParseAge(text); err != nil {
			return nil, wire.NewError(wire.CodeInvalidInput, "KDD_MAX_AGE: "+err.Error(), "").With("field", "KDD_MAX_AGE")
		}
	}
	always := on(o.Environ["KDD_REQUIRE_SIGNATURE"]) || !isMissing(filepath.Join(system, "require-signature"))
	if !o.Require && !always && len(keys) == 0 && len(names) == 0 && age == 0 {
		return nil, nil
	}
	p := &Policy{names: names, maxAge: age, allowOlder: o.AllowOlder, compare: o.Compare, now: o.Now,
		seen: seen{dir: o.State, log: cmp.Or(o.Log, slog.Default())}}
	if p.now == nil {
		p.now = time.Now
	}
	own := filepath.Join(system, "keys.d")
	if len(keys) == 0 {
		keys = []string{own}
	}
	for _, path := range keys {
		list, err := ReadKeys(path)
		if err != nil && !(path == own && os.IsNotExist(err)) {
			return nil, keyError(path, err)
		}
		p.keys = append(p.keys, list...)
	}
	if len(p.keys) == 0 {
		return nil, wire.NewError(wire.CodeInvalidInput, "a signature is asked for, and no public key is known to check it with",
			"name one with --key or KDD_KEY, or put it into "+own)
	}
	return p, nil
}

// keyError says which keys could not be read.
func keyError(path string, err error) error {
	hint := "name a public key of minisign, signify or OpenSSH, a file of allowed signers, or a folder of such files"
	text := err.Error()
	if !strings.Contains(text, path) {
		text = path + ": " + text
	}
	return wire.NewError(wire.CodeInvalidInput, text, hint).With("field", "key").Because(err)
}

// on says whether a variable is set to anything but a word for no.
func on(text string) bool {
	return !slices.Contains([]string{"", "0", "false", "no", "off"}, strings.ToLower(strings.TrimSpace(text)))
}

// isMissing says whether there is surely no such file; one that cannot be looked at may be there.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// ParseAge reads a duration as Go writes it, such as 36h, or a number of days, such as 30d.
func ParseAge(text string) (time.Duration, error) {
	if number, ok := strings.CutSuffix(text, "d"); ok {
		if days, err := strconv.ParseFloat(number, 64); err == nil && days > 0 && days < 36500 {
			return time.Duration(days * float64(24*time.Hour)), nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no age, want as 30d or 36h", text)
	}
	return d, nil
}

// ReadKeys reads the keys of a file, or those of all files of a folder.
func ReadKeys(path string) ([]*sign.Key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return readKeyFile(path, info)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var list []*sign.Key
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		file := filepath.Join(path, e.Name())
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			continue
		}
		keys, err := readKeyFile(file, info)
		if err != nil {
			return nil, err
		}
		list = append(list, keys...)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: a folder without keys", path)
	}
	return list, nil
}

// KeyLines returns the keys of a file as it has them, a line each, for a file that keeps them.
func KeyLines(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: a folder, want a file of public keys", path)
	}
	if _, err := readKeyFile(path, info); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	return sign.KeyLines(b), err
}

func readKeyFile(path string, info fs.FileInfo) ([]*sign.Key, error) {
	if !info.Mode().IsRegular() || info.Size() > maxKeyFile {
		return nil, fmt.Errorf("%s: no file of public keys", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return sign.ParseKeys(path, b)
}

// maxSkew is by how much clocks may differ.
const maxSkew = 24 * time.Hour

// Accept returns the names under which the file is signed, if it may be answered from: a trusted key has signed it,
// under a name that is wanted, not too long ago, and no older than what was accepted under its names before. path is
// where it lies, for signatures beside it; "" = elsewhere. Of the file only header, directory and trailers are used.
func (p *Policy) Accept(f *format.File, path string) (names []string, err error) {
	list, err := sign.All(f, path)
	if err != nil {
		return nil, err
	}
	now := p.now()
	accepted, err := sign.Check(f, list, p.keys, now)
	if err != nil {
		return nil, err
	}
	if accepted, err = sign.Named(accepted, p.names); err != nil {
		return nil, err
	}
	if err := p.checkAge(accepted[0], now); err != nil {
		return nil, err
	}
	for _, a := range accepted {
		if slices.Contains(names, a.Name) {
			continue
		}
		if !p.compare {
			if err := p.seen.accept(a, p.allowOlder); err != nil {
				return nil, err
			}
		}
		names = append(names, a.Name)
	}
	return names, nil
}

// checkAge refuses what is too old, or of no time that can be compared with now. All signatures of a file are of one
// time.
func (p *Policy) checkAge(a *sign.Accepted, now time.Time) error {
	if p.maxAge == 0 || p.compare {
		return nil
	}
	switch date := a.Time(); {
	case date.IsZero():
		return &sign.Refusal{
			Reason: fmt.Sprintf("its signature by %s does not say of when it is, and --max-age asks", a.Key.ID),
			Hint:   "build it with --source-commit and sign it again"}
	case date.Sub(now) > maxSkew:
		return &sign.Refusal{
			Reason: fmt.Sprintf("%q is of %s, which is to come: how old it is cannot be told", a.Name, a.Date),
			Hint:   "set the clock of this machine, or ask its publisher"}
	case now.Sub(date) > p.maxAge:
		return &sign.Refusal{Reason: fmt.Sprintf("%q is of %s, more than %s ago", a.Name, a.Date, p.maxAge),
			Hint: "get a newer one, or raise --max-age"}
	}
	return nil
}
