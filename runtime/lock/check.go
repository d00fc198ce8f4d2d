package lock

import (
	"encoding/hex"
	"fmt"
	"math"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kdd/format/text"
	"kdd/runtime/wire"
)

// refuse is an error of a value; who knows its line puts that before it.
func refuse(hint, form string, args ...any) error {
	return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf(form, args...), hint)
}

// nameForm is what a name looks like.
const nameForm = "a name has 1 to 64 letters, digits, and . _ - behind the first"

// CheckName refuses what is no name of an artifact: it stands in paths of answers, in links and in file names.
func CheckName(name string) error {
	for i, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i > 0 && strings.IndexByte("._-", c) >= 0:
		default:
			return refuse(nameForm, "the name %s", wire.Quote(name))
		}
	}
	if name == "" || len(name) > 64 {
		return refuse(nameForm, "the name %s", wire.Quote(name))
	}
	return nil
}

// isControl says whether a character moves the cursor, and is none of a text.
func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// maxSource is the most bytes of an address or path.
const maxSource = 2048

// CheckSource refuses what is no source: an address without what is secret in it, or a path below the lock's folder.
func CheckSource(source string) error {
	const want = "name https://HOST/FILE.kddx, oci://HOST/NAME:TAG, or a path below the folder of the lock"
	if source == "" || len(source) > maxSource || strings.ContainsFunc(source, isControl) {
		return refuse(want, "%s is no address and no path", wire.Quote(source))
	}
	scheme, _, isURL := strings.Cut(source, "://")
	if !isURL {
		return checkPath(source)
	}
	if !slices.Contains([]string{"https", "http", "oci"}, scheme) {
		return refuse(want, "%s begins with %s://", wire.Quote(source), wire.Clean(wire.Shorten(scheme, 20)))
	}
	u, err := url.Parse(source)
	switch {
	case scheme == "oci" && strings.Contains(source, "@sha256:"): // url.Parse takes what stands before @ for a user
	case err != nil || u.Host == "":
		return refuse(want, "%s is no address", wire.Quote(source))
	case u.User != nil:
		return refuse("leave them out, and set KDD_HTTP_TOKEN, or run docker login", "user and password stand in the address")
	case u.Fragment != "":
		return refuse("leave it out", "%s has a fragment", wire.Quote(source))
	}
	return nil
}

// checkPath refuses a path that is not below the lock's folder on every system.
func checkPath(source string) error {
	const want = "put the lock into a folder above both, or publish the artifact and name its address"
	switch {
	case strings.ContainsAny(source, `\:`):
		return refuse("write the path with / and without a drive", "%s is no path below the folder of the lock", wire.Quote(source))
	case strings.HasPrefix(source, "/") || !filepath.IsLocal(filepath.FromSlash(source)):
		return refuse(want, "%s leads out of the folder of the lock", wire.Quote(source))
	case path.Clean(source) != source || source == ".":
		return refuse("write "+wire.Quote(path.Clean(source)), "%s is not the short form of a path", wire.Quote(source))
	}
	return nil
}

// checkResolved takes the name of one artifact in a registry, which never means another one.
func checkResolved(resolved string) error {
	if !strings.HasPrefix(resolved, "oci://") || !strings.Contains(resolved, "@sha256:") {
		return refuse(again, "got %s, want oci://HOST/NAME@sha256:…", wire.Quote(resolved))
	}
	return CheckSource(resolved)
}

func checkRoot(root string) error {
	if raw, err := hex.DecodeString(root); err != nil || len(raw) != 32 || strings.ToLower(root) != root {
		return refuse(`take it from "kdd verify --print-root"`, "got %s, want 64 digits of 0-9 and a-f", wire.Quote(root))
	}
	return nil
}

func parseBytes(value string) (int64, error) {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/2 {
		return 0, refuse(again, "got %s, want a number of bytes", wire.Quote(value))
	}
	return n, nil
}

func checkSignedAs(name string) error {
	if name == "" || len(name) > 256 || strings.ContainsFunc(name, isControl) {
		return refuse(again, "got %s, want the name that it is signed under", wire.Quote(name))
	}
	return nil
}

// Check refuses an entry that has no name or source which a lock may have, or a name that differs from another one in
// case or accents only.
func (l *Lock) Check(e *Entry) error {
	err := CheckName(e.Name)
	if err == nil {
		err = CheckSource(e.Source)
	}
	for i := range l.Artifacts {
		if other := l.Artifacts[i].Name; err == nil && other != e.Name && text.Fold(other) == text.Fold(e.Name) {
			err = refuse("use its name, or another one", "the name %s, and the lock has %s", wire.Quote(e.Name), wire.Quote(other))
		}
	}
	if err == nil && e.SignedAs != "" {
		if err = checkSignedAs(e.SignedAs); err == nil && len(e.Keys) == 0 {
			err = refuse("name the key too", "a name that it is signed under, and no key")
		}
	}
	return err
}
