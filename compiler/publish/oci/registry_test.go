package oci

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kdd/compiler/filetest"
	source "kdd/runtime/source/oci"
)

// program returns the path of a program, and skips the test where it is absent.
func program(t *testing.T, name string) string {
	t.Helper()
	return filetest.Program(t, name, "apt-get install docker-registry skopeo; go install oras.land/oras/cmd/oras@latest")
}

// run runs a program and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	return filetest.Run(t, "", nil, program(t, name), args...)
}

// certificate writes a certificate of 127.0.0.1 and its key to a folder, and returns the certificate's pool.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return pool
}

// dockerRegistry starts Docker's registry with a login, ann and secret, until the test ends. It returns its host, and how
// to reach it.
func dockerRegistry(t *testing.T, encrypted bool) (host string, o source.Options) {
	t.Helper()
	binary, dir := program(t, "docker-registry"), t.TempDir()
	// of "secret"
	passwords := "ann:$2a$04$Rw5pyuKuQ655/otSkVs0H.kUhQXyUdm0l8PHpHsxKuRkTi/smrR4C\n"
	config := fmt.Sprintf("version: 0.1\nstorage: {filesystem: {rootdirectory: %[1]s/data}}\nauth: {htpasswd: {realm: test, path: %[1]s/passwords}}\nhttp:\n  addr: 127.0.0.1:0\n", dir)
	if encrypted {
		config += fmt.Sprintf("  tls: {certificate: %[1]s/cert.pem, key: %[1]s/key.pem}\n", dir)
		o.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: certificate(t, dir)}}
	}
	for name, text := range map[string]string{"config.yml": config, "passwords": passwords} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), binary, "serve", filepath.Join(dir, "config.yml"))
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	listening := regexp.MustCompile(`listening on (127\.0\.0\.1:\d+)`)
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { // it writes on
				for lines.Scan() {
				}
			}()
			return m[1], o
		}
	}
	t.Fatalf("docker-registry ended before it listened: %v", lines.Err())
	return "", o
}

// TestDockerRegistry pushes to Docker's own registry, pulls from it and reads it by range, and has other programs push
// and pull what kdd does.
func TestDockerRegistry(t *testing.T) {
	for name, encrypted := range map[string]bool{"http": false, "https": true} {
		t.Run(name, func(t *testing.T) {
			host, options := dockerRegistry(t, encrypted)
			dir := t.TempDir()
			t.Setenv("DOCKER_CONFIG", dir)
			run(t, "skopeo", "login", "--tls-verify=false", "--authfile", filepath.Join(dir, "config.json"), "-u", "ann", "-p", "secret", host)
			path := artifact(t, apples, "0123456789abcdef0123456789abcdef01234567")
			file := bytesOf(t, path)
			reference := "oci://" + host + "/you/docs:main"
			first, err := Push(t.Context(), reference, path, PushOptions{Options: options, Tags: []string{"v1"}})
			if err != nil {
				t.Fatal(err)
			}
			second, err := Push(t.Context(), reference, path, PushOptions{Options: options})
			if err != nil || second.UploadedBytes != 0 || second.Digest != first.Digest {
				t.Errorf("the second push: %+v, %v, want nothing uploaded", second, err)
			}
			pull := func(reference string) *PullReport {
				t.Helper()
				out := filepath.Join(t.TempDir(), "out.kddx")
				report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: options, Output: out})
				if err != nil || !bytes.Equal(bytesOf(t, out), file) {
					t.Fatalf("pull %s: %+v, %v, want the file", reference, report, err)
				}
				return report
			}
			pull(reference)
			pull(first.Reference)
			if _, err := Pull(t.Context(), []string{"oci://" + host + "/you/docs:none"}, PullOptions{Options: options}); err == nil || !strings.Contains(err.Error(), "the tags are main, v1") {
				t.Errorf("a tag that is not there: %v, want the tags that are", err)
			}

			plain := "docker://" + host + "/you/docs"
			layout := filepath.Join(t.TempDir(), "layout")
			login := "--authfile=" + filepath.Join(dir, "config.json")
			run(t, "skopeo", "copy", login, "--src-tls-verify=false", plain+":main", "oci:"+layout+":main")
			if got := bytesOf(t, filepath.Join(layout, "blobs", "sha256", strings.TrimPrefix(first.Layer, "sha256:"))); !bytes.Equal(got, file) {
				t.Error("skopeo copies another file")
			}
			run(t, "skopeo", "copy", login, "--dest-tls-verify=false", "oci:"+layout+":main", plain+":copied")
			if copied := pull("oci://" + host + "/you/docs:copied"); copied.Digest != first.Digest {
				t.Errorf("the copy has digest %s, want %s", copied.Digest, first.Digest)
			}

			if encrypted { // package web trusts the system's certificates
				return
			}
			b, _, err := source.Open(t.Context(), reference, options)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			for _, r := range [][2]int64{{0, 4096}, {70_000, 5000}, {int64(len(file)) - 10, 10}} {
				if got, err := b.ReadRange(t.Context(), r[0], r[1]); err != nil || !bytes.Equal(got, file[r[0]:r[0]+r[1]]) {
					t.Errorf("ReadRange(%d, %d) = %d bytes, %v", r[0], r[1], len(got), err)
				}
			}
		})
	}
}

// TestOras has the oras program push a file under types of its own, and pull what kdd pushed.
func TestOras(t *testing.T) {
	program(t, "oras")
	host, options := dockerRegistry(t, false)
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	config := filepath.Join(dir, "config.json")
	run(t, "oras", "login", "--plain-http", "--registry-config", config, "-u", "ann", "-p", "secret", host)
	path := artifact(t, apples, "")
	t.Chdir(filepath.Dir(path))
	for _, kind := range []string{"", ":text/plain", ":application/vnd.oci.image.layer.v1.tar"} {
		run(t, "oras", "push", "--plain-http", "--registry-config", config, host+"/docs:oras", filepath.Base(path)+kind)
		out := filepath.Join(t.TempDir(), "out.kddx")
		if _, err := Pull(t.Context(), []string{"oci://" + host + "/docs:oras"}, PullOptions{Options: options, Output: out}); err != nil || !bytes.Equal(bytesOf(t, out), bytesOf(t, path)) {
			t.Errorf("pull of what oras pushed as %q: %v", kind, err)
		}
	}
	if _, err := Push(t.Context(), "oci://"+host+"/docs:kdd", path, PushOptions{Options: options}); err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	run(t, "oras", "pull", "--plain-http", "--registry-config", config, "-o", there, host+"/docs:kdd")
	if !bytes.Equal(bytesOf(t, filepath.Join(there, filepath.Base(path))), bytesOf(t, path)) {
		t.Error("oras pulls another file")
	}
}
