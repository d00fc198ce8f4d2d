package sign

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"kdd/format"
)

// artifact returns a file with a block and a trailer of provenance.
func artifact(t testing.TB, text, provenance string) []byte {
	t.Helper()
	im, err := format.Lay([]format.RawBlock{{Tag: format.Tag{'D', 'E', 'M', 'O'}, Rows: 1, Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := im.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return format.AppendTrailer(b.Bytes(), format.TagProvenance, []byte(provenance))
}

const dated = `{"source_commit":"1f4e","source_date":"2026-11-24T13:00:00Z"}`

func opened(t testing.TB, data []byte) *format.File {
	t.Helper()
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestStatement(t *testing.T) {
	f := opened(t, artifact(t, "text", dated))
	s, err := Of(f, "docs")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("kddx 0\nroot %x\nlength %d\nname docs\ncommit 1f4e\ndate 2026-11-24T13:00:00Z\n", f.RootHash(), f.Length())
	if got := string(s.Text()); got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
	back, err := Parse(s.Text())
	if err != nil || *back != *s {
		t.Errorf("Parse(Text) = %v, %v, want %v", back, err, s)
	}
	for _, name := range []string{"", " docs", "docs\n", "a\nroot 00", "docs\x1b[m", "\xff", strings.Repeat("x", 201)} {
		if _, err := Of(f, name); err == nil {
			t.Errorf("Of(%q) is no error", name)
		}
	}
	for _, bad := range []string{
		"", want + "\n", want + "date 2026-11-24T13:00:00Z\n", strings.Replace(want, "kddx 0", "kddx 00", 1),
		strings.Replace(want, "name docs\n", "", 1), strings.Replace(want, "2026-11", "2026-13", 1), want + "more 1\n",
		strings.ToUpper(want), strings.Replace(want, "length ", "length -", 1), strings.Repeat(want, 20),
		strings.Replace(want, "root ", "root 00", 1), "name a\n" + want,
	} {
		if s, err := Parse([]byte(bad)); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", bad, s)
		}
	}
}

// signers makes a signature of each kind, and the line of a file of keys that it is checked with.
func signers(t testing.TB) map[Kind]func(text []byte) (signature, key string) {
	t.Helper()
	pub, priv, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	sshPub, sshPriv, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(sshPriv)
	if err != nil {
		t.Fatal(err)
	}
	sshKey, err := ssh.NewPublicKey(sshPub)
	if err != nil {
		t.Fatal(err)
	}
	return map[Kind]func([]byte) (string, string){
		Minisign: func(text []byte) (string, string) {
			return string(minisign.SignWithComments(priv, text, "name:docs", "a comment")), pub.String()
		},
		Signify: func(text []byte) (string, string) {
			raw := append([]byte("Ed12345678"), ed25519.Sign(sshPriv, text)...)
			key := append([]byte("Ed12345678"), sshPub...)
			return "untrusted comment: verify with k.pub\n" + base64.StdEncoding.EncodeToString(raw) + "\n",
				"untrusted comment: signify public key\n" + base64.StdEncoding.EncodeToString(key) + "\n"
		},
		SSH: func(text []byte) (string, string) {
			sig, err := sshsig.Sign(bytes.NewReader(text), signer, sshsig.HashSHA512, Namespace)
			if err != nil {
				t.Fatal(err)
			}
			return string(sshsig.Armor(sig)), `ann@example.com namespaces="git,kddx" ` + string(ssh.MarshalAuthorizedKey(sshKey))
		},
	}
}

// TestCheck signs a file in every way and asks who accepts it, and what is refused.
func TestCheck(t *testing.T) {
	data := artifact(t, "text", dated)
	f := opened(t, data)
	statement, err := Of(f, "docs")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 24, 14, 0, 0, 0, time.UTC)
	other := opened(t, artifact(t, "other", dated))
	dirty := opened(t, artifact(t, "text", strings.Replace(dated, "{", `{"dirty":true,`, 1)))
	redated := opened(t, artifact(t, "text", `{"source_commit":"1f4e","source_date":"2027-01-01T00:00:00Z"}`))
	for kind, sign := range signers(t) {
		t.Run(string(kind), func(t *testing.T) {
			text, line := sign(statement.Text())
			if got := KindOf([]byte(text)); got != kind {
				t.Fatalf("KindOf = %s", got)
			}
			keys, err := ParseKeys("keys", []byte("# a comment\n\n"+line+"\n"))
			if err != nil || len(keys) != 1 {
				t.Fatalf("ParseKeys = %v, %v", keys, err)
			}
			good := Signature{string(statement.Text()), kind, text}
			trailer, err := Trailers(f, []Signature{good})
			if err != nil {
				t.Fatal(err)
			}
			signed := opened(t, append(bytes.Clone(data[:f.Length()]), trailer...))
			if signed.RootHash() != f.RootHash() || !reflect.DeepEqual(signed.Provenance(), f.Provenance()) {
				t.Error("signing changed the artifact")
			}
			list, err := Read(signed)
			if err != nil || len(list) != 1 || list[0] != good {
				t.Fatalf("Read = %v, %v", list, err)
			}
			accepted, err := Check(signed, list, keys, now)
			if err != nil || len(accepted) != 1 || accepted[0].Name != "docs" || accepted[0].Kind != kind ||
				accepted[0].Time() != now.Add(-time.Hour) {
				t.Fatalf("Check = %v, %v", accepted, err)
			}
			_, strange := signers(t)[kind](nil)
			strangers, err := ParseKeys("keys", []byte(strange))
			if err != nil {
				t.Fatal(err)
			}
			altered := good
			altered.Statement = strings.Replace(good.Statement, "docs", "dogs", 1)
			broken := good
			broken.Text = strings.Replace(good.Text, "\n", "\nA", 1)
			mislabelled := good
			mislabelled.Kind = map[Kind]Kind{Minisign: SSH, Signify: Minisign, SSH: Signify}[kind]
			for _, tt := range []struct {
				name string
				file *format.File
				list []Signature
				keys []*Key
				want string
			}{
				{"no signature", f, nil, keys, "it is not signed"},
				{"another key", signed, list, strangers, "none of its signatures"},
				{"another file", other, list, keys, "it is of the artifact"},
				{"another date", redated, list, keys, "the file says"},
				{"documents that differ from the commit", dirty, list, keys, `the file says "1f4e-dirty"`},
				{"a text that is missing", signed, []Signature{{"", kind, text}}, keys, "the text is missing"},
				{"an altered statement", signed, []Signature{altered}, keys, "none of its signatures"},
				{"a broken signature", signed, []Signature{broken}, keys, "none of its signatures"},
				{"another kind", signed, []Signature{mislabelled}, keys, "none of its signatures"},
				{"no statement", signed, []Signature{{"text", kind, text}}, keys, "malformed statement"},
			} {
				if got, err := Check(tt.file, tt.list, tt.keys, now); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: Check = %v, %v, want %q", tt.name, got, err, tt.want)
				}
			}
			again, err := Of(f, "docs of a site")
			if err != nil {
				t.Fatal(err)
			}
			second, _ := sign(again.Text())
			all, err := Check(signed, []Signature{altered, broken, good, {string(again.Text()), kind, second}}, append(strangers, keys...), now)
			if err != nil || len(all) != 2 || all[0].Name != "docs" || all[1].Name != "docs of a site" {
				t.Errorf("Check of several signatures and keys = %v, %v", all, err)
			}
			if named, err := Named(all, []string{"others", "docs of a site"}); err != nil || len(named) != 1 || named[0] != all[1] {
				t.Errorf("Named = %v, %v", named, err)
			}
			if named, err := Named(all, []string{"others"}); !errors.Is(err, ErrUntrusted) {
				t.Errorf("Named = %v, %v, want a refusal", named, err)
			}
		})
	}
}

func TestParseKeys(t *testing.T) {
	_, line := signers(t)[SSH](nil)
	_, key, _ := strings.Cut(line, " ")
	_, key, _ = strings.Cut(key, " ")
	_, mini := signers(t)[Minisign](nil)
	now := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name, text string
		keys       int
		want       string // of the error
	}{
		{"nothing", "# only a comment\n", 0, "no public key"},
		{"an SSH key", key, 1, ""},
		{"several", key + mini + "\n" + line, 3, ""},
		{"another namespace", `ann namespaces="git" ` + key, 0, "no public key"},
		{"any namespace", `ann namespaces="*" ` + key, 1, ""},
		{"a pattern of namespaces", `ann namespaces="git,k?d*" ` + key, 1, ""},
		{"another pattern", `ann namespaces="kdd?x,kddx?,KDDX,k.*" ` + key, 0, "no public key"},
		{"all namespaces but one", `ann namespaces="!kddx,*" ` + key, 0, "no public key"},
		{"all but another", `ann namespaces="!git,*" ` + key, 1, ""},
		{"a tab", "ann@example.com\tnamespaces=\"kddx\" " + key, 1, ""},
		{"principals in quotes", `"ann of sales,bob" ` + key, 1, ""},
		{"a quote that does not end", `"ann ` + key, 0, "is no public key"},
		{"a certificate", certificate(t), 0, "certificates are not read"},
		{"a certificate of a principal", "ann " + certificate(t), 0, "certificates are not read"},
		{"a certificate authority", `ann cert-authority ` + key, 0, "cert-authority"},
		{"another option", `ann no-pty ` + key, 0, "unknown option"},
		{"no time", `ann valid-after="soon" ` + key, 0, "no time"},
		{"a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n", 0, "is no public key"},
		{"half a minisign key", mini[:20], 0, "keys:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys, err := ParseKeys("keys", []byte(tt.text))
			if len(keys) != tt.keys || tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("ParseKeys = %d keys, %v, want %d and %q", len(keys), err, tt.keys, tt.want)
			}
		})
	}
	for option, want := range map[string]bool{
		`valid-after="20261124Z"`: true, `valid-after="20261125Z"`: false, `valid-before="20261124Z"`: false, `valid-before="202611240001Z"`: true,
	} {
		sign := signers(t)[SSH]
		text, line := sign([]byte("text"))
		keys, err := ParseKeys("keys", []byte(strings.Replace(line, "namespaces=", option+",namespaces=", 1)))
		if err != nil {
			t.Fatal(err)
		}
		if got := keys[0].Verify(&Signature{"text", SSH, text}, now); got != want {
			t.Errorf("%s: Verify = %t, want %t", option, got, want)
		}
	}
}

// certificate returns a line with a certificate of an SSH key.
func certificate(t *testing.T) string {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	c := &ssh.Certificate{Key: signer.PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity}
	if err := c.SignCert(rand.Reader, signer); err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(c))
}

func TestBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "docs.kddx")
	write := func(ending, text string) {
		if err := os.WriteFile(path+ending, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := Beside(path); err != nil || list != nil {
		t.Errorf("Beside nothing = %v, %v", list, err)
	}
	text, _ := signers(t)[Minisign]([]byte("text"))
	write(".root.minisig", text)
	if list, err := Beside(path); err != nil || len(list) != 1 || list[0].Statement != "" {
		t.Errorf("Beside a signature without its text = %v, %v", list, err)
	}
	write(".root", "text")
	ssh, _ := signers(t)[SSH]([]byte("text"))
	write(".root.sig", ssh)
	list, err := Beside(path)
	if err != nil || len(list) != 2 || list[0] != (Signature{"text", Minisign, text}) || list[1] != (Signature{"text", SSH, ssh}) {
		t.Errorf("Beside = %v, %v, want both", list, err)
	}
	write(".root.sig", strings.Repeat("x", maxSignature+1))
	if _, err := Beside(path); err == nil {
		t.Error("Beside a large file is no error")
	}
}

// TestReadRejects gives a file trailers that are no list of signatures.
func TestReadRejects(t *testing.T) {
	data := artifact(t, "text", "{}")
	long := fmt.Sprintf(`{"signatures":[{"kind":"ssh","statement":"","signature":%q}]}`, strings.Repeat("x", maxSignature+1))
	for _, text := range []string{"", "[]", `{"signatures":1}`, `{"signatures":[` + strings.Repeat("{},", 32) + "{}]}", long} {
		f := opened(t, format.AppendTrailer(bytes.Clone(data), Tag, []byte(text)))
		if list, err := Read(f); err == nil {
			t.Errorf("Read of %.40q = %v, want an error", text, list)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("kddx 0\nroot " + strings.Repeat("00", 32) + "\nlength 1\nname docs\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if s, err := Parse(text); err == nil && !bytes.Equal(s.Text(), text) {
			t.Errorf("Parse(%q) takes a text that it does not give", text)
		}
	})
}

// FuzzRead reads trailers and looks at what stands in them; no key has made it.
func FuzzRead(f *testing.F) {
	data := artifact(f, "text", dated)
	file := opened(f, data)
	statement, err := Of(file, "docs")
	if err != nil {
		f.Fatal(err)
	}
	var keys []*Key
	for kind, sign := range signers(f) {
		text, _ := sign(statement.Text())
		_, line := signers(f)[kind](statement.Text()) // a key of somebody else
		list, err := ParseKeys("keys", []byte(line))
		if err != nil {
			f.Fatal(err)
		}
		keys = append(keys, list...)
		payload, err := json.Marshal(payload{[]Signature{{string(statement.Text()), kind, text}}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(payload)
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		signed, err := format.OpenBytes(format.AppendTrailer(data[:len(data):len(data)], Tag, payload))
		if err != nil {
			return // larger than a trailer may be
		}
		list, err := Read(signed)
		if err != nil && !errors.Is(err, format.ErrCorrupt) {
			t.Errorf("Read = %v, want a CorruptError", err)
		}
		for i := range list {
			list[i].WellFormed()
			list[i].OfOther()
		}
		if accepted, err := Check(signed, list, keys, time.Unix(0, 0)); !errors.Is(err, ErrUntrusted) {
			t.Errorf("Check = %v, %v, want it refused", accepted, err)
		}
	})
}

func FuzzParseKeys(f *testing.F) {
	for _, sign := range signers(f) {
		_, line := sign(nil)
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		keys, err := ParseKeys("keys", text)
		if err == nil && len(keys) == 0 {
			t.Error("no keys and no error")
		}
		for _, k := range keys {
			for _, kind := range []Kind{Minisign, Signify, SSH} {
				if k.Verify(&Signature{"text", kind, string(text)}, time.Unix(0, 0)) {
					t.Error("a signature out of nothing")
				}
			}
		}
	})
}
