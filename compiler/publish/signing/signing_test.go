package signing

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/scrypt"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"kdd/compiler/filetest"
	"kdd/format"
	"kdd/format/sign"
)

// artifact writes a small artifact and returns its path.
func artifact(t testing.TB, dir, text string) string {
	t.Helper()
	im, err := format.Lay([]format.RawBlock{{Tag: format.Tag{'D', 'E', 'M', 'O'}, Rows: 1, Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := im.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "docs.kddx")
	data := format.AppendTrailer(b.Bytes(), format.TagProvenance, []byte(`{"source_commit":"1f4e","source_date":"2026-11-24T13:00:00Z"}`))
	if err := os.WriteFile(path, data, 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

// statement is that of an artifact under the name docs.
func statement(t testing.TB, path string) *sign.Statement {
	t.Helper()
	f, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := sign.Of(f, "docs")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// accepted checks the signatures of a file with one key.
func accepted(path string, key *sign.Key) error {
	f, err := format.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	list, err := sign.All(f, path)
	if err != nil {
		return err
	}
	_, err = sign.Check(f, list, []*sign.Key{key}, time.Now())
	return err
}

// secret is a password for every key.
func secret(string) (string, error) { return "secret", nil }

// nobody is asked for a password.
func nobody(t testing.TB) Password {
	return func(path string) (string, error) {
		t.Errorf("%s: a password is asked for", path)
		return "", errors.New("nobody is here")
	}
}

// writeSSH writes an SSH key, with a passphrase unless it is "", and its public one.
func writeSSH(t testing.TB, dir, name, passphrase string) (string, ed25519.PrivateKey) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "ann")
	if passphrase != "" {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(private, "ann", []byte(passphrase))
	}
	if err != nil {
		t.Fatal(err)
	}
	public, err := ssh.NewPublicKey(private.Public())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := errors.Join(os.WriteFile(path, pemOf(block), 0o600), os.WriteFile(path+".pub", ssh.MarshalAuthorizedKey(public), 0o644)); err != nil {
		t.Fatal(err)
	}
	return path, private
}

// writeClosed writes closed.key and closed.pub, whose password is "secret". It is what EncryptKey of package minisign makes
// but for the cost of the password: that takes 1 GiB.
func writeClosed(t testing.TB, dir string) {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	comment, line, _ := bytes.Cut(text, []byte("\n"))
	raw, err := base64.StdEncoding.DecodeString(string(line))
	if err != nil {
		t.Fatal(err)
	}
	const ops, mem, n, r = 32768, 16 << 20, 1 << 10, 8
	copy(raw[2:], "Sc")
	copy(raw[6:], "a salt of thirty-two bytes......")
	binary.LittleEndian.PutUint64(raw[38:], ops)
	binary.LittleEndian.PutUint64(raw[46:], mem)
	sum := blake2b.Sum256(append([]byte("Ed"), raw[54:126]...))
	copy(raw[126:], sum[:])
	stream, err := scrypt.Key([]byte("secret"), raw[6:38], n, r, 1, len(raw)-54)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range stream {
		raw[54+i] ^= b
	}
	open, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, dir, map[string]string{"closed.pub": string(open),
		"closed.key": string(comment) + "\n" + base64.StdEncoding.EncodeToString(raw) + "\n"})
}

// TestSigners signs with every kind of key, into the file and beside it.
func TestSigners(t *testing.T) {
	dir := t.TempDir()
	if _, err := Generate(filepath.Join(dir, "open"), ""); err != nil {
		t.Fatal(err)
	}
	writeClosed(t, dir)
	plain, _ := writeSSH(t, dir, "plain", "")
	locked, _ := writeSSH(t, dir, "locked", "secret")
	held, private := writeSSH(t, dir, "held", "")
	serveAgent(t, private)
	tests := []struct {
		name, path string
		password   Password
		kind       sign.Kind
		ending     string
	}{
		{"minisign", filepath.Join(dir, "open.key"), nobody(t), sign.Minisign, ".minisig"},
		{"minisign with a password", filepath.Join(dir, "closed.key"), secret, sign.Minisign, ".minisig"},
		{"ssh", plain, nobody(t), sign.SSH, ".sig"},
		{"ssh with a password", locked, secret, sign.SSH, ".sig"},
		{"ssh by an agent", held + ".pub", nobody(t), sign.SSH, ".sig"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			key, err := Load(tt.path, tt.password)
			if err != nil {
				t.Fatal(err)
			}
			defer key.Close()
			path := artifact(t, t.TempDir(), "text")
			before := statement(t, path)
			s, err := key.Sign(before)
			if err != nil || s.Kind != tt.kind {
				t.Fatalf("Sign = %v, %v", s.Kind, err)
			}
			beside, err := Detach(path, s)
			if err != nil || beside != path+".root"+tt.ending {
				t.Fatalf("Detach = %s, %v", beside, err)
			}
			if err := accepted(path, key.Public()); err != nil {
				t.Errorf("beside the file: %v", err)
			}
			if err := os.Remove(beside); err != nil {
				t.Fatal(err)
			}
			if err := accepted(path, key.Public()); err == nil {
				t.Error("a file without a signature is accepted")
			}
			if err := Embed(path, s, key.Public()); err != nil {
				t.Fatal(err)
			}
			if err := accepted(path, key.Public()); err != nil {
				t.Errorf("in the file: %v", err)
			}
			if after := statement(t, path); *after != *before {
				t.Errorf("signing changed the artifact: %v, was %v", after, before)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("the file's permissions are %v, %v", info.Mode(), err)
			}
		})
	}
}

// TestGiven puts in signatures that others made: of SSH ones it is seen if they are of another artifact or namespace.
func TestGiven(t *testing.T) {
	dir := t.TempDir()
	path, _ := writeSSH(t, dir, "id", "")
	key, err := Load(path, nobody(t))
	if err != nil {
		t.Fatal(err)
	}
	ours, other := statement(t, artifact(t, t.TempDir(), "text")), statement(t, artifact(t, t.TempDir(), "other"))
	for _, tt := range []struct {
		name      string
		of        *sign.Statement
		namespace string
		want      string
	}{
		{"this one", ours, sign.Namespace, ""},
		{"another one", other, sign.Namespace, "it is a signature of another text, or in another namespace"},
		{"for git", ours, "git", "it is a signature of another text, or in another namespace"},
	} {
		made, err := sshsig.Sign(bytes.NewReader(tt.of.Text()), key.signer, sshsig.HashSHA512, tt.namespace)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "by.sig")
		if err := os.WriteFile(file, sshsig.Armor(made), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = Given(file, ours)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// serveAgent starts an agent that has one key.
func serveAgent(t testing.TB, key ed25519.PrivateKey) {
	t.Helper()
	ring := agent.NewKeyring()
	if err := ring.Add(agent.AddedKey{PrivateKey: key}); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "agent") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	listener, err := new(net.ListenConfig).Listen(context.Background(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(ring, conn)
		}
	}()
	t.Setenv("SSH_AUTH_SOCK", socket)
}

func TestLoadRejects(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	writeClosed(t, dir)
	locked, _ := writeSSH(t, dir, "locked", "secret")
	held, _ := writeSSH(t, dir, "held", "")
	_, other := writeSSH(t, dir, "other", "")
	serveAgent(t, other)
	wrong := func(string) (string, error) { return "wrong", nil }
	tests := []struct {
		name, path string
		password   Password
		want       string
	}{
		{"a wrong password", filepath.Join(dir, "closed.key"), wrong, "wrong password"},
		{"a wrong passphrase", locked, wrong, "wrong password"},
		{"the public key of minisign", filepath.Join(dir, "closed.pub"), secret, "no private key"},
		{"an agent without the key", held + ".pub", secret, "the agent does not have this key"},
		{"text", write("text", "# A document\n"), secret, "no private key"},
		{"nothing", write("nothing", ""), secret, "no private key"},
		{"half an SSH key", write("half", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"), secret, "name a private key"},
		{"large", write("large", strings.Repeat("x", maxKeyFile+1)), secret, "no key"},
		{"a folder", dir, secret, "no key"},
	}
	for _, tt := range tests {
		if _, err := Load(tt.path, tt.password); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Load = %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Generate(filepath.Join(dir, "closed"), ""); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("Generate over a key = %v", err)
	}
}

// TestEmbedKeepsOthers signs one file by several keys and again by one of them, then after another build.
func TestEmbedKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	path := artifact(t, dir, "text")
	var keys []*Key
	for _, name := range []string{"one", "two"} {
		if _, err := Generate(filepath.Join(dir, name), ""); err != nil {
			t.Fatal(err)
		}
		key, err := Load(filepath.Join(dir, name+".key"), nobody(t))
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	embed := func(key *Key) int {
		t.Helper()
		s, err := key.Sign(statement(t, path))
		if err == nil {
			err = Embed(path, s, key.Public())
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		list, err := sign.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for i, want := range []int{1, 2, 2} {
		if got := embed(keys[i%2]); got != want {
			t.Errorf("after %d signatures the file has %d, want %d", i+1, got, want)
		}
	}
	if err := errors.Join(accepted(path, keys[0].Public()), accepted(path, keys[1].Public())); err != nil {
		t.Error(err)
	}
	s, err := keys[0].Sign(statement(t, path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Detach(path, s); err != nil {
		t.Fatal(err)
	}
	path = artifact(t, dir, "another text")
	if err := accepted(path, keys[0].Public()); !errors.Is(err, sign.ErrUntrusted) {
		t.Errorf("another build beside an old signature = %v, want a refusal", err)
	}
	if s, err = keys[1].Sign(statement(t, path)); err != nil {
		t.Fatal(err)
	}
	if _, err := Detach(path, s); err != nil || accepted(path, keys[1].Public()) != nil {
		t.Errorf("Detach after another build = %v", err)
	}
	renamed := statement(t, path)
	renamed.Name = "dogs"
	if s, err = keys[1].Sign(renamed); err != nil {
		t.Fatal(err)
	}
	if _, err := Detach(path, s); err == nil || !strings.Contains(err.Error(), `under the name "docs"`) {
		t.Errorf("Detach under another name = %v, want an error", err)
	}
}

// TestEd25519 asks that the key for other envelopes is the one that signs.
func TestEd25519(t *testing.T) {
	dir := t.TempDir()
	if _, err := Generate(filepath.Join(dir, "k"), ""); err != nil {
		t.Fatal(err)
	}
	key, err := Load(filepath.Join(dir, "k.key"), nobody(t))
	if err != nil {
		t.Fatal(err)
	}
	private := key.Ed25519()
	if private == nil || !ed25519.Verify(key.Public().Ed25519(), []byte("text"), ed25519.Sign(private, []byte("text"))) {
		t.Error("the key's Ed25519 is not its own")
	}
}
