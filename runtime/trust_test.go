package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/source/sourcetest"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// signer is a key that signs artifacts.
type signer struct {
	public  string // a file
	private minisign.PrivateKey
}

func newSigner(t *testing.T) *signer {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "k.pub")
	if err := os.WriteFile(path, []byte(public.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return &signer{path, private}
}

// policy asks for the signer's key.
func (s *signer) policy(t *testing.T) trust.Options {
	return trust.Options{Keys: []string{s.public}, System: t.TempDir(), State: t.TempDir()}
}

// seal returns the bytes of the artifact at path, of a day in November, signed under a name, and the statement and the
// signature.
func (s *signer) seal(t *testing.T, path, name string, day int) (data, text, signature []byte) {
	t.Helper()
	data = must(os.ReadFile(path))
	f := must(format.OpenBytes(data))
	data = format.AppendTrailer(data[:f.Length():f.Length()], format.TagProvenance,
		fmt.Appendf(nil, `{"source_date":"2026-11-%02dT00:00:00Z"}`, day))
	f = must(format.OpenBytes(data))
	text = must(sign.Of(f, name)).Text()
	signature = minisign.Sign(s.private, text)
	list := []sign.Signature{{Statement: string(text), Kind: sign.Minisign, Text: string(signature)}}
	return must(sign.Append(data, list)), text, signature
}

// save replaces the file at path as a whole.
func save(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+".new", data, 0o644), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// TestTrustedSuccessor renames files over a signed artifact: what the policy does not accept changes no answer, and the
// log says why.
func TestTrustedSuccessor(t *testing.T) {
	ours, theirs := newSigner(t), newSigner(t)
	path, next := tree{"a.md": "# Old\n"}.compile(t), tree{"a.md": "# New\n"}.compile(t)
	data, _, _ := ours.seal(t, path, "docs", 10)
	save(t, path, data)
	var log bytes.Buffer
	s := New(Config{Index: []string{path}, Environ: map[string]string{}, Trust: ours.policy(t),
		Log: slog.New(slog.NewTextHandler(&log, nil))})
	t.Cleanup(func() { s.Close() })
	if got := onlyTitle(t, s); got != "Old" {
		t.Fatalf("the title is %q", got)
	}
	sealed := func(by *signer, name string, day int) []byte {
		data, _, _ := by.seal(t, next, name, day)
		return data
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string // in the log
	}{
		{"unsigned", must(os.ReadFile(next)), "it is not signed"},
		{"by another key", sealed(theirs, "docs", 11), "none of its signatures is by a key that is trusted"},
		{"older", sealed(ours, "docs", 9), "was accepted before"},
		{"of another name", sealed(ours, "others", 11),
			`it is signed as \"others\", and the one in its place before as \"docs\"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			log.Reset()
			save(t, path, tt.data)
			for range 3 {
				if got := onlyTitle(t, s); got != "Old" {
					t.Fatalf("the title is %q, want that of the mapping", got)
				}
			}
			if strings.Count(log.String(), "the new artifact cannot be used") != 1 || !strings.Contains(log.String(), tt.want) {
				t.Errorf("the log has %s, want one line with %s", log.String(), tt.want)
			}
		})
	}
	// one whose signature comes after it
	_, text, signature := ours.seal(t, next, "docs", 11)
	plain := sealed(ours, "docs", 11)
	f := must(format.OpenBytes(plain))
	trailer := format.AppendTrailer(nil, f.Trailers()[0].Tag, f.Trailers()[0].Payload)
	save(t, path, append(plain[:f.Length():f.Length()], trailer...))
	if got := onlyTitle(t, s); got != "Old" {
		t.Errorf("without its signature: the title is %q", got)
	}
	for file, data := range map[string][]byte{path + ".root": text, path + ".root.minisig": signature} {
		if err := os.WriteFile(file, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := onlyTitle(t, s); got != "New" {
		t.Errorf("with its signature beside it: the title is %q, want New", got)
	}
}

// TestAltered changes a signed artifact in each of its blocks, from a bit to all hashes anew, here and on a server:
// nothing that was changed is in an answer.
func TestAltered(t *testing.T) {
	ours := newSigner(t)
	path := tree{"a.md": "# Lockout\n\n" + strings.Repeat("An account is locked after five wrong passwords.\n\n", 400),
		"b.md": "# Tokens\n\nSee [lockout](a.md). Tokens are valid for an hour.\n"}.compile(t)
	good, _, _ := ours.seal(t, path, "docs", 10)
	whole := must(format.OpenBytes(good))
	trailers := good[whole.Length():]
	altered := map[string][]byte{}
	for i, e := range whole.Entries() {
		if e.Length < 10 {
			continue
		}
		at := e.Offset + e.Length/2
		bad := bytes.Clone(good)
		bad[at] ^= 1
		altered["a bit of "+e.Tag.String()] = bad
		if size := min(e.Length, 16<<10); size > 20 {
			bad = bytes.Clone(good)
			filetest.Forge(bad[e.Offset:e.Offset+size], 10)
			altered["a checksum that is right of "+e.Tag.String()] = bad
		}
		if e.Tag == format.TagTree || e.Tag == format.TagSums {
			continue
		}
		list := whole.Raw()
		for j := range list {
			if list[j].Tag == e.Tag {
				list[j].Data[len(list[j].Data)/2] ^= 1
			}
		}
		var b bytes.Buffer
		if _, err := must(format.Lay(list)).WriteTo(&b); err != nil {
			t.Fatal(i, err)
		}
		altered["all hashes anew of "+e.Tag.String()] = append(b.Bytes(), trailers...)
	}
	ask := func(s *Service) (answers []string, failed error) {
		for name, do := range requests("how long are tokens valid") {
			if name == "coverage" { // it wants a node
				continue
			}
			answer, err := do(s, t)
			failed = errors.Join(failed, err)
			if err == nil {
				answers = append(answers, name+said(answer, nil))
			}
		}
		answer, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md"})
		if err == nil {
			answers = append(answers, said(answer, nil))
		}
		return answers, errors.Join(failed, err)
	}
	service := func(index string) *Service {
		s := New(Config{Index: []string{index}, Environ: map[string]string{"KDD_CACHE": "off"}, Trust: ours.policy(t)})
		t.Cleanup(func() { s.Close() })
		return s
	}
	save(t, path, good)
	h := sourcetest.New(os.DirFS(filepath.Dir(path)))
	t.Cleanup(h.Close)
	want, err := ask(service(path))
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]bool{}
	for _, answer := range want {
		right[answer] = true
	}
	for name, data := range altered {
		save(t, path, data)
		for _, place := range []string{path, h.URL + "/docs.kddx"} {
			got, err := ask(service(place))
			for _, answer := range got {
				if !right[answer] {
					t.Errorf("%s: an answer of what was altered: %.300s", name, answer)
				}
			}
			var known *wire.Error
			switch {
			case err != nil && !errors.As(err, &known):
				t.Errorf("%s: %v", name, err)
			case strings.HasPrefix(name, "all hashes") &&
				(len(got) > 0 || known == nil || known.Code != wire.CodeIndexUntrusted):
				t.Errorf("%s: %d answers and %v, want index_untrusted", name, len(got), err)
			}
		}
	}
}

// TestUnsignedHint changes where the sources are said to lie, which no signature covers: with a policy it does not
// count.
func TestUnsignedHint(t *testing.T) {
	ours := newSigner(t)
	path := tree{"a.md": "# Lockout\n"}.compile(t)
	filetest.Write(t, filepath.Dir(path), map[string]string{"evil/docs/a.md": "# Lockout\n"})
	good, _, _ := ours.seal(t, path, "docs", 10)
	f := must(format.OpenBytes(good))
	signatures := f.Trailers()[1]
	data := format.AppendTrailer(good[:f.Length():f.Length()], format.TagProvenance,
		[]byte(`{"source_date":"2026-11-10T00:00:00Z","roots":["evil/docs"]}`))
	save(t, path, format.AppendTrailer(data, signatures.Tag, signatures.Payload))
	for _, tt := range []struct {
		trust trust.Options
		want  string
	}{{trust.Options{}, "/evil/docs/a.md"}, {ours.policy(t), filepath.ToSlash(filepath.Dir(path)) + "/docs/a.md"}} {
		s := New(Config{Index: []string{path}, Environ: map[string]string{}, Trust: tt.trust})
		got := must(s.Search(t.Context(), wire.SearchRequest{Query: "lockout"}))
		s.Close()
		if len(got.Results) != 1 || !strings.Contains(got.Results[0].URL, tt.want) {
			t.Errorf("the address is %q, want %q", got.Results[0].URL, tt.want)
		}
	}
}

// TestTrustedPages forges a page of the text so that its checksum stays right: without a policy it is read, with one it
// is not.
func TestTrustedPages(t *testing.T) {
	ours := newSigner(t)
	path := tree{"a.md": "# Lockout\n\n" + strings.Repeat("An account is locked after five wrong passwords.\n\n", 400)}.compile(t)
	data, _, _ := ours.seal(t, path, "docs", 10)
	save(t, path, data)
	ask := func(trust trust.Options) (*wire.ReadResponse, error) {
		s := New(Config{Index: []string{path}, Environ: map[string]string{}, Trust: trust})
		defer s.Close()
		return s.Read(t.Context(), wire.ReadRequest{File: "a.md"})
	}
	if _, err := ask(ours.policy(t)); err != nil {
		t.Fatal(err)
	}
	x := must(index.Open(path))
	sections := x.File.Block(format.Tag([]byte("SECS"))).Entry
	x.File.Close()
	filetest.Forge(data[sections.Offset:sections.Offset+sections.Length], int(sections.Length)-5)
	save(t, path, data)
	_, err := ask(ours.policy(t))
	var known *wire.Error
	if !errors.As(err, &known) || known.Code != wire.CodeIndexCorrupt || !strings.Contains(known.Message, "under the root hash") {
		t.Errorf("a forged page = %v, want index_corrupt", err)
	}
}
