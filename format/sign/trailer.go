package sign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"kdd/format"
)

// Tag is that of the trailer with signatures, FORMAT.md §5.
var Tag = format.Tag{'S', 'I', 'G', 'N'}

// Kind says what program made a signature.
type Kind string

// The kinds of signatures.
const (
	Minisign Kind = "minisign" // https://jedisct1.github.io/minisign
	Signify  Kind = "signify"  // OpenBSD; a minisign signature that is not prehashed begins with one
	SSH      Kind = "ssh"      // OpenSSH's PROTOCOL.sshsig, namespace "kddx"
)

// Namespace is that of signatures made by SSH keys.
const Namespace = "kddx"

// Signature is one signature of a statement.
type Signature struct {
	Statement string `json:"statement"` // the text that is signed
	Kind      Kind   `json:"kind"`
	Text      string `json:"signature"` // what the program of that kind writes to a file
}

// The bounds of what is read.
const (
	maxSignatures = 32
	maxSignature  = 16 << 10 // bytes of one: RSA of 16384 bits has 6 KiB
)

// payload is that of the trailer.
type payload struct {
	Signatures []Signature `json:"signatures"`
}

// Read returns the signatures in a file's trailer; none if it has no such trailer.
func Read(f *format.File) ([]Signature, error) {
	for _, t := range f.Trailers() {
		if t.Tag != Tag {
			continue
		}
		var p payload
		if err := json.Unmarshal(t.Payload, &p); err != nil {
			return nil, format.Corrupt(Tag, "no list of signatures: %v", err)
		}
		return p.Signatures, checkList(p.Signatures)
	}
	return nil, nil
}

func checkList(list []Signature) error {
	if len(list) > maxSignatures {
		return format.Corrupt(Tag, "%d signatures, want at most %d", len(list), maxSignatures)
	}
	for i, s := range list {
		if len(s.Statement) > maxStatement || len(s.Text) > maxSignature {
			return format.Corrupt(Tag, "signature %d has %d bytes over a statement of %d, want at most %d and %d",
				i, len(s.Text), len(s.Statement), maxSignature, maxStatement)
		}
	}
	return nil
}

// Beside returns the signatures that lie beside the file at path: of its statement in path.root those of minisign in
// path.root.minisig, and of ssh-keygen or signify in path.root.sig. None if there are no such files. Without path.root
// the statement is "".
func Beside(path string) ([]Signature, error) {
	text, err := readSmall(PathsBeside(path)[0], maxStatement)
	if err != nil {
		return nil, err
	}
	var list []Signature
	for _, file := range PathsBeside(path)[1:] {
		b, err := readSmall(file, maxSignature)
		if err != nil {
			return nil, err
		}
		if b != nil {
			list = append(list, Signature{Statement: string(text), Kind: KindOf(b), Text: string(b)})
		}
	}
	return list, nil
}

// PathsBeside returns where Beside looks: for the text first, then for its signatures.
func PathsBeside(path string) []string {
	return []string{path + ".root", path + ".root.minisig", path + ".root.sig"}
}

// readSmall reads a file of at most so many bytes; nil if there is none.
func readSmall(path string, most int) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case os.IsNotExist(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > int64(most):
		return nil, fmt.Errorf("%s: no signature of an artifact: want a file of at most %d bytes", path, most)
	}
	return os.ReadFile(path)
}

// KindOf says what program made the text of a signature.
func KindOf(text []byte) Kind {
	switch {
	case bytes.HasPrefix(text, []byte("-----BEGIN SSH SIGNATURE-----")):
		return SSH
	case bytes.Contains(text, []byte("\ntrusted comment: ")):
		return Minisign
	}
	return Signify
}

// Append returns the trailer of signatures, to stand behind the others of a file.
func Append(dst []byte, list []Signature) ([]byte, error) {
	if err := checkList(list); err != nil {
		return nil, err
	}
	b, err := json.Marshal(payload{list})
	if err != nil {
		return nil, err
	}
	return format.AppendTrailer(dst, Tag, b), nil
}

// Trailers returns the file's other trailers and that of a list of signatures, to be written behind its Length.
func Trailers(f *format.File, list []Signature) (b []byte, err error) {
	for _, t := range f.Trailers() {
		if t.Tag != Tag {
			b = format.AppendTrailer(b, t.Tag, t.Payload)
		}
	}
	return Append(b, slices.Clip(list))
}

// All returns the signatures of a file: those in its trailer and those beside it at path; "" = it lies elsewhere.
func All(f *format.File, path string) ([]Signature, error) {
	list, err := Read(f)
	if err != nil || path == "" {
		return list, err
	}
	beside, err := Beside(path)
	return append(list, beside...), err
}
