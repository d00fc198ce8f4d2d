package signing

import (
	"bufio"
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/filetest"
	"kdd/format/sign"
)

func pemOf(b *pem.Block) []byte { return pem.EncodeToMemory(b) }

// run runs a program in dir; the test is skipped where it is absent.
func run(t *testing.T, dir string, stdin []byte, name string, args ...string) string {
	t.Helper()
	return filetest.Run(t, dir, stdin, filetest.Program(t, name, "apt-get install minisign signify-openbsd openssh-client"), args...)
}

// signed makes the artifact docs.kddx in a folder, its statement and a signature beside it, by the key at path.
func signed(t *testing.T, dir, path string, password Password) (artifactPath string, key *Key) {
	t.Helper()
	key, err := Load(path, password)
	if err != nil {
		t.Fatal(err)
	}
	artifactPath = artifact(t, dir, "text")
	s, err := key.Sign(statement(t, artifactPath))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Detach(artifactPath, s); err != nil {
		t.Fatal(err)
	}
	return artifactPath, key
}

// given puts in a signature that a program made, and asks that the key in the file public accepts it alone.
func given(t *testing.T, artifactPath, signature string, key *Key) {
	t.Helper()
	s, err := Given(signature, statement(t, artifactPath))
	if err == nil {
		os.Remove(artifactPath + ".root")
		err = Embed(artifactPath, s, nil)
	}
	if err == nil {
		err = accepted(artifactPath, key.Public())
	}
	if err != nil {
		t.Errorf("%s: %v", filepath.Base(signature), err)
	}
}

// TestMinisign has minisign check what kdd signs with its own key, and kdd what minisign signs with kdd's and its own.
func TestMinisign(t *testing.T) {
	dir := t.TempDir()
	if _, err := Generate(filepath.Join(dir, "ours"), ""); err != nil {
		t.Fatal(err)
	}
	path, ours := signed(t, dir, filepath.Join(dir, "ours.key"), nobody(t))
	if out := run(t, dir, nil, "minisign", "-Vm", "docs.kddx.root", "-p", "ours.pub"); !strings.Contains(out, "name:docs commit:1f4e") {
		t.Errorf("minisign -V says %q", out)
	}
	for _, mode := range []string{"-S", "-Sl"} { // prehashed and not
		run(t, dir, nil, "minisign", mode, "-s", "ours.key", "-x", "by.minisig", "-m", "docs.kddx.root")
		given(t, path, filepath.Join(dir, "by.minisig"), ours)
		path, _ = signed(t, dir, filepath.Join(dir, "ours.key"), nobody(t))
	}
	run(t, dir, nil, "minisign", "-G", "-W", "-p", "theirs.pub", "-s", "theirs.key")
	if os.Getenv("KDD_INTEROP") != "" { // passwords take 1 GiB, five times that under the race detector
		if _, err := Generate(filepath.Join(dir, "closed"), "secret"); err != nil {
			t.Fatal(err)
		}
		run(t, dir, []byte("secret\n"), "minisign", "-S", "-s", "closed.key", "-x", "by.minisig", "-m", "docs.kddx.root")
		given(t, path, filepath.Join(dir, "by.minisig"), &Key{public: keyOf(t, filepath.Join(dir, "closed.pub"))})
		run(t, dir, []byte("secret\nsecret\n"), "minisign", "-G", "-f", "-p", "theirs.pub", "-s", "theirs.key")
	}
	_, theirs := signed(t, dir, filepath.Join(dir, "theirs.key"), secret)
	run(t, dir, nil, "minisign", "-Vm", "docs.kddx.root", "-p", "theirs.pub")
	if err := accepted(path, theirs.Public()); err != nil {
		t.Error(err)
	}
}

// TestSignify has signify check what kdd signs, and kdd what signify signs.
func TestSignify(t *testing.T) {
	name := "signify-openbsd" // Debian's
	if _, err := exec.LookPath("signify"); err == nil {
		name = "signify"
	}
	dir := t.TempDir()
	if _, err := Generate(filepath.Join(dir, "ours"), ""); err != nil {
		t.Fatal(err)
	}
	path, _ := signed(t, dir, filepath.Join(dir, "ours.key"), nobody(t))
	run(t, dir, nil, name, "-V", "-p", "ours.pub", "-m", "docs.kddx.root", "-x", "docs.kddx.root.minisig")
	run(t, dir, nil, name, "-G", "-n", "-p", "theirs.pub", "-s", "theirs.sec")
	run(t, dir, nil, name, "-S", "-s", "theirs.sec", "-m", "docs.kddx.root", "-x", "by.sig")
	given(t, path, filepath.Join(dir, "by.sig"), &Key{public: keyOf(t, filepath.Join(dir, "theirs.pub"))})
}

// TestOpenSSH has ssh-keygen check what kdd signs, and kdd what ssh-keygen signs, by keys of every type.
func TestOpenSSH(t *testing.T) {
	for _, kind := range []string{"ed25519", "rsa", "ecdsa"} {
		for _, passphrase := range []string{"", "secret"} {
			dir := t.TempDir()
			run(t, dir, nil, "ssh-keygen", "-q", "-t", kind, "-N", passphrase, "-C", "ann", "-f", "id")
			public, err := os.ReadFile(filepath.Join(dir, "id.pub"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "allowed"), append([]byte(`ann@example.com namespaces="kddx" `), public...), 0o644); err != nil {
				t.Fatal(err)
			}
			path, key := signed(t, dir, filepath.Join(dir, "id"), secret)
			text, err := os.ReadFile(path + ".root")
			if err != nil {
				t.Fatal(err)
			}
			run(t, dir, text, "ssh-keygen", "-Y", "verify", "-n", "kddx", "-I", "ann@example.com", "-f", "allowed", "-s", "docs.kddx.root.sig")
			if passphrase != "" {
				continue // it asks on a terminal
			}
			if err := os.Remove(path + ".root.sig"); err != nil {
				t.Fatal(err)
			}
			run(t, dir, nil, "ssh-keygen", "-Y", "sign", "-n", "kddx", "-f", "id", "docs.kddx.root")
			given(t, path, path+".root.sig", key)
			if key := keyOf(t, filepath.Join(dir, "allowed")); !strings.Contains(key.ID, "ann@example.com") || accepted(path, key) != nil {
				t.Errorf("the allowed signer %s is not accepted", key.ID)
			}
		}
	}
}

// TestAgent has OpenSSH's agent sign, by keys of every type, and ssh-keygen check it.
func TestAgent(t *testing.T) {
	dir, err := os.MkdirTemp("", "agent") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("SSH_AUTH_SOCK", filepath.Join(dir, "s"))
	const install = "apt-get install openssh-client"
	agent := exec.CommandContext(t.Context(), filetest.Program(t, "ssh-agent", install), "-D", "-a", os.Getenv("SSH_AUTH_SOCK"))
	out, err := agent.StdoutPipe()
	if err == nil {
		err = agent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { agent.Process.Kill(); agent.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // it says where it listens
		t.Fatal(err)
	}
	for _, kind := range []string{"ed25519", "rsa", "ecdsa"} {
		dir := t.TempDir()
		run(t, dir, nil, "ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "ann", "-f", "id")
		run(t, dir, nil, "ssh-add", "-q", "id")
		if err := os.Remove(filepath.Join(dir, "id")); err != nil {
			t.Fatal(err)
		}
		public := filepath.Join(dir, "id.pub")
		path, key := signed(t, dir, public, nobody(t))
		defer key.Close()
		if err := accepted(path, keyOf(t, public)); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		text, err := os.ReadFile(path + ".root")
		if err != nil {
			t.Fatal(err)
		}
		run(t, dir, text, "ssh-keygen", "-Y", "check-novalidate", "-n", "kddx", "-s", "docs.kddx.root.sig")
	}
}

// keyOf reads a file of one public key.
func keyOf(t *testing.T, path string) *sign.Key {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := sign.ParseKeys(path, b)
	if err != nil || len(keys) != 1 {
		t.Fatalf("ParseKeys = %v, %v", keys, err)
	}
	return keys[0]
}
