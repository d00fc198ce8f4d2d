package signing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"kdd/compiler/diag"
	"kdd/format"
	"kdd/format/sign"
)

// Embed puts a signature into the trailer of the file at path, beside those of other keys. The file is replaced as a
// whole; its root hash stays. Signatures of other contents are dropped, and with by one of the same key.
func Embed(path string, s sign.Signature, by *sign.Key) error {
	f, err := format.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := sign.Read(f)
	if err != nil {
		return err
	}
	var list []sign.Signature
	for _, o := range old {
		statement, err := sign.Parse([]byte(o.Statement))
		if err != nil || statement.Root != f.RootHash() || o == s || by != nil && by.Made(&o) {
			continue
		}
		list = append(list, o)
	}
	trailers, err := sign.Trailers(f, append(list, s))
	if err != nil {
		return err
	}
	return rewrite(path, int64(f.Length()), trailers)
}

// rewrite replaces what the file at path has behind its first n bytes.
func rewrite(path string, n int64, end []byte) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	in, err := os.Open(real)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(real), ".kdd-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name()) // gone once it was renamed
	_, err = io.Copy(out, io.MultiReader(io.LimitReader(in, n), bytes.NewReader(end)))
	if err = errors.Join(err, out.Chmod(info.Mode().Perm()), out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), real)
}

// Detach writes the statement to path.root and the signature to a file beside it, whose name it returns. Those of the
// artifact that was there before are removed.
func Detach(path string, s sign.Signature) (string, error) {
	const minisig, sig = ".minisig", ".sig"
	text := path + ".root"
	old, err := os.ReadFile(text)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if string(old) != s.Statement {
		if len(old) > 0 {
			if err := replaceable(text, old, s); err != nil {
				return "", err
			}
		}
		for _, ending := range []string{minisig, sig} {
			if err := os.Remove(text + ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
		if err := os.WriteFile(text, []byte(s.Statement), 0o644); err != nil {
			return "", err
		}
	}
	ending := sig
	if s.Kind == sign.Minisign {
		ending = minisig
	}
	return text + ending, os.WriteFile(text+ending, []byte(s.Text), 0o644)
}

// replaceable returns an error if the text at path is no statement, or one of the same artifact under another name.
func replaceable(path string, old []byte, s sign.Signature) error {
	was, err := sign.Parse(old)
	if err != nil {
		return diag.Cure("move it elsewhere", "%s: it is no statement of an artifact", path)
	}
	if now, err := sign.Parse([]byte(s.Statement)); err == nil && was.Root == now.Root && was.Name != now.Name {
		return diag.Cure("give that name with --name, or remove it with its signatures", "%s: it is of the same artifact under the name %q", path, was.Name)
	}
	return nil
}

// Given reads a signature that another program made of a statement.
func Given(path string, s *sign.Statement) (sign.Signature, error) {
	info, err := os.Stat(path)
	if err != nil {
		return sign.Signature{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxKeyFile {
		return sign.Signature{}, diag.Cure("name the file that minisign, signify or ssh-keygen wrote", "%s: no signature", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return sign.Signature{}, err
	}
	g := sign.Signature{Statement: string(s.Text()), Kind: sign.KindOf(b), Text: string(b)}
	if !g.WellFormed() {
		return g, fmt.Errorf("%s: no signature of minisign, signify or ssh-keygen", path)
	}
	if g.OfOther() {
		return g, diag.Cure(`sign what "kddq verify --print-root" writes, with -n `+sign.Namespace,
			"%s: it is a signature of another text, or in another namespace", path)
	}
	return g, nil
}
