package oci

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"kdd/runtime/wire"
)

// Scheme begins every reference.
const Scheme = "oci://"

// defaultTag is what a reference means that names neither a tag nor a digest, as with docker.
const defaultTag = "latest"

// maxReference is the most bytes of a reference: more than a host, a name of 255, a tag of 128 and a digest take.
const maxReference = 1024

// Reference names an artifact in a registry: oci://HOST[:PORT]/NAME[:TAG][@sha256:HEX].
type Reference struct {
	Host   string // with the port, if one was named
	Name   string // of the repository
	Tag    string // "" if none was named
	Digest string // of the manifest, "sha256:…"; "" if none was named. It counts more than the tag
}

// The grammar of the distribution specification, without the hash functions that nobody uses.
var (
	hostPattern   = pattern(`^([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$`)
	namePattern   = pattern(`^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)*$`)
	tagPattern    = pattern(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$`)
	digestPattern = pattern(`^sha256:[0-9a-f]{64}$`)
)

// pattern compiles a regular expression when it is first used, not when the program starts.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// form is what a reference looks like, for messages.
const form = "want oci://HOST/NAME:TAG, such as oci://ghcr.io/you/docs:main"

// Parse reads a reference. The error is of code invalid_input.
func Parse(text string) (Reference, error) {
	var r Reference
	if len(text) > maxReference {
		return r, refuse("a reference of %d bytes: want at most %d", len(text), maxReference)
	}
	rest, found := strings.CutPrefix(text, Scheme)
	if !found {
		hint := form
		if host, _, slash := strings.Cut(text, "/"); slash && !strings.Contains(text, "://") && strings.ContainsAny(host, ".:") {
			hint = "did you mean " + Scheme + text + "?"
		}
		return r, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%q is no reference of a registry", text), hint)
	}
	host, rest, _ := strings.Cut(rest, "/")
	if strings.Contains(host, "@") {
		return r, refuse("a name or password in the reference: docker's configuration has them, run docker login")
	}
	rest, r.Digest, found = strings.Cut(rest, "@")
	if found && !digestPattern().MatchString(r.Digest) {
		return r, refuse("%s: the digest %q, want sha256: and 64 digits of 0-9 and a-f", text, r.Digest)
	}
	r.Name, r.Tag, found = strings.Cut(rest, ":")
	if found && !tagPattern().MatchString(r.Tag) {
		return r, refuse("%s: the tag %q, want at most 128 letters, digits, dots, - and _", text, r.Tag)
	}
	switch r.Host = host; {
	case !hostPattern().MatchString(host):
		return r, refuse("%s: the host %q; %s", text, host, form)
	case r.Name == "":
		return r, refuse("%s: no name behind the host; %s", text, form)
	case !namePattern().MatchString(r.Name) && namePattern().MatchString(strings.ToLower(r.Name)):
		return r, refuse("%s: names are lower-case in registries; did you mean %s?", text, strings.ToLower(r.Name))
	case !namePattern().MatchString(r.Name) || len(r.Name) > 255:
		return r, refuse("%s: the name %q, want lower-case letters, digits, and . _ - / between them", text, r.Name)
	}
	return r, nil
}

// String returns the reference as Parse reads it.
func (r Reference) String() string {
	s := Scheme + r.Host + "/" + r.Name
	if r.Tag != "" {
		s += ":" + r.Tag
	}
	if r.Digest != "" {
		s += "@" + r.Digest
	}
	return s
}

// wanted returns what the registry is asked for: the digest, else the tag.
func (r Reference) wanted() string { return cmp.Or(r.Digest, r.Tag, defaultTag) }

// server returns the host that speaks for the reference's: Docker Hub has another one than its name.
func (r Reference) server() string {
	if r.Host == "docker.io" || r.Host == "index.docker.io" {
		return "registry-1.docker.io"
	}
	return r.Host
}

// refuse returns an error of code invalid_input.
func refuse(format string, args ...any) error {
	return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf(format, args...), "")
}
