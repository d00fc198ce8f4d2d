package oci

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseChallenge(t *testing.T) {
	tests := []struct {
		name, text, scheme string
		want               map[string]string
	}{
		{"bearer", `Bearer realm="https://auth.example.com/token",service="registry",scope="repository:a/b:pull,push"`, "bearer",
			map[string]string{"realm": "https://auth.example.com/token", "service": "registry", "scope": "repository:a/b:pull,push"}},
		{"spaces and case", ` BEARER  Realm = "x" , service=y z="a \"b\""`, "bearer", map[string]string{"realm": "x", "service": "y", "z": `a "b"`}},
		{"basic", `Basic realm="x"`, "basic", map[string]string{"realm": "x"}},
		{"alone", "Negotiate", "negotiate", map[string]string{}},
		{"not closed", `Bearer realm="x`, "bearer", map[string]string{"realm": "x"}},
		{"empty", "", "", map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scheme, params := parseChallenge(tt.text)
			if scheme != tt.scheme || !maps.Equal(params, tt.want) {
				t.Errorf("parseChallenge(%s) = %s %q, want %s %q", tt.text, scheme, params, tt.scheme, tt.want)
			}
		})
	}
}

// FuzzParseChallenge: no header of a registry makes the reader panic or run without end, or gives more than it has.
func FuzzParseChallenge(f *testing.F) {
	for _, text := range []string{`Bearer realm="https://a/token",service="b"`, `Bearer a=b, c="d\"e"`, `Basic`, `x ==,=`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, params := parseChallenge(text)
		n := 0
		for _, value := range params {
			n += len(value)
		}
		if n > len(text) {
			t.Errorf("parseChallenge(%q) has %d bytes of values", text, n)
		}
	})
}

func TestRealm(t *testing.T) {
	tests := []struct{ name, host, realm, err string }{
		{"same host", "https://ghcr.io", "https://ghcr.io/token", ""},
		{"another host", "https://registry-1.docker.io", "https://auth.docker.io/token", ""},
		{"http behind https", "https://ghcr.io", "http://ghcr.io/token", "speaks http: nothing is sent there"},
		{"this machine", "https://ghcr.io", "https://127.0.0.1/token", "an address of this machine or network"},
		{"the network's metadata", "http://registry.example.com", "http://169.254.169.254/token", "an address of this machine or network"},
		{"this machine from this machine", "http://127.0.0.1:5000", "http://localhost:5001/token", ""},
		{"name and password", "https://ghcr.io", "https://a:b@ghcr.io/token", "want https://HOST"},
		{"file", "https://ghcr.io", "file:///etc/passwd", "want https://HOST"},
		{"none", "https://ghcr.io", "", "want https://HOST"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scheme, host, _ := strings.Cut(tt.host, "://")
			r := &Repository{Reference: Reference{Host: host, Name: "docs"}, plain: scheme == "http"}
			_, err := r.realm(tt.realm)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("realm(%s) = %v, want %q", tt.realm, err, tt.err)
			}
		})
	}
}

// TestDockerCredential reads configurations as docker writes them, and asks helpers.
func TestDockerCredential(t *testing.T) {
	pair := base64.StdEncoding.EncodeToString([]byte("ann:se:cret"))
	tests := []struct {
		name, config, server string
		want                 credential
		fails                bool
	}{
		{"pair", `{"auths":{"ghcr.io":{"auth":"` + pair + `"}}}`, "ghcr.io", credential{user: "ann", password: "se:cret"}, false},
		{"address", `{"auths":{"https://ghcr.io/v2/":{"auth":"` + pair + `"}}}`, "ghcr.io", credential{user: "ann", password: "se:cret"}, false},
		{"another host", `{"auths":{"ghcr.io":{"auth":"` + pair + `"}}}`, "ghcr.io.example.com", credential{}, false},
		{"another port", `{"auths":{"localhost:1":{"auth":"` + pair + `"}}}`, "localhost:2", credential{}, false},
		{"hub", `{"auths":{"https://index.docker.io/v1/":{"username":"ann","password":"x"}}}`, "registry-1.docker.io", credential{user: "ann", password: "x"}, false},
		{"tokens", `{"auths":{"h":{"identitytoken":"i","registrytoken":"r"}}}`, "h", credential{identity: "i", registryToken: "r"}, false},
		{"helper of a host", `{"credHelpers":{"ghcr.io":"good"},"credsStore":"nosuch"}`, "ghcr.io", credential{user: "ann for ghcr.io", password: "secret"}, false},
		{"helper of all", `{"auths":{"ghcr.io":{}},"credsStore":"good"}`, "ghcr.io", credential{user: "ann for ghcr.io", password: "secret"}, false},
		{"helper with a token", `{"credsStore":"token"}`, "ghcr.io", credential{identity: "secret"}, false},
		{"helper without", `{"credsStore":"none"}`, "ghcr.io", credential{}, false},
		{"helper that fails", `{"credsStore":"fails"}`, "ghcr.io", credential{}, true},
		{"no helper", `{"credsStore":"nosuch"}`, "ghcr.io", credential{}, true},
		{"helper that is a path", `{"credsStore":"/../../good"}`, "ghcr.io", credential{}, true},
		{"no JSON", `{`, "ghcr.io", credential{}, true},
		{"no base64", `{"auths":{"h":{"auth":"?"}}}`, "h", credential{}, true},
		{"no pair", `{"auths":{"h":{"auth":"YW5u"}}}`, "h", credential{}, true},
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, script := range map[string]string{
		"good":  `read host; echo '{"Username":"ann for '$host'","Secret":"secret"}'`,
		"token": `echo '{"Username":"<token>","Secret":"secret"}'`,
		"none":  `echo "credentials not found in native keychain"; exit 1`,
		"fails": `echo "locked"; exit 1`,
	} {
		if err := os.WriteFile(filepath.Join(dir, "docker-credential-"+name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := os.Stat("/bin/sh"); err != nil && strings.HasPrefix(tt.name, "helper") {
				return // Windows: a helper is a program there
			}
			config := t.TempDir()
			t.Setenv("DOCKER_CONFIG", config)
			if err := os.WriteFile(filepath.Join(config, "config.json"), []byte(tt.config), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := dockerCredential(t.Context(), tt.server)
			if got != tt.want || (err != nil) != tt.fails {
				t.Errorf("dockerCredential = %+v, %v, want %+v, an error: %t", got, err, tt.want, tt.fails)
			}
		})
	}
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	if got, err := dockerCredential(t.Context(), "ghcr.io"); err != nil || got != (credential{}) {
		t.Errorf("without a configuration: %+v, %v, want nothing", got, err)
	}
}

// TestToken asks a token server in each way, once for many requests, and again when the token is no longer taken.
func TestToken(t *testing.T) {
	tests := []struct{ name, auth, want string }{
		{"nobody", `{}`, "GET scope=repository%3Ayou%2Fdocs%3Apull&service=s and nobody"},
		{"password", `{"username":"ann","password":"secret"}`, "GET scope=repository%3Ayou%2Fdocs%3Apull&service=s and ann:secret"},
		{"identity token", `{"identitytoken":"id"}`,
			"POST client_id=kdd&grant_type=refresh_token&refresh_token=id&scope=repository%3Ayou%2Fdocs%3Apull&service=s and nobody"},
		{"registry token", `{"registrytoken":"t1"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			valid := "t1"
			mux := http.NewServeMux()
			s := httptest.NewServer(mux)
			defer s.Close()
			mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				user, password, ok := r.BasicAuth()
				who := "nobody"
				if ok {
					who = user + ":" + password
				}
				asked = append(asked, r.Method+" "+r.URL.RawQuery+string(body)+" and "+who)
				json.NewEncoder(w).Encode(map[string]string{"access_token": valid})
			})
			mux.HandleFunc("/v2/", func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer "+valid {
					w.Header().Add("WWW-Authenticate", "Negotiate")
					w.Header().Add("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="s"`, s.URL))
					w.WriteHeader(http.StatusUnauthorized)
				}
			})
			host := strings.TrimPrefix(s.URL, "http://")
			dir := t.TempDir()
			t.Setenv("DOCKER_CONFIG", dir)
			if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"auths":{"`+host+`":`+tt.auth+`}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			repo, err := Connect(t.Context(), Reference{Host: host, Name: "you/docs"}, Options{PlainHTTP: true})
			if err != nil {
				t.Fatal(err)
			}
			get := func() int {
				resp, err := repo.get(t.Context(), "/x", nil)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				return resp.StatusCode
			}
			if got := []int{get(), get()}; got[0] != 200 || got[1] != 200 {
				t.Errorf("statuses %d, want 200", got)
			}
			if got := strings.Join(asked, "; "); got != tt.want {
				t.Errorf("the token server was asked %s, want %s", got, tt.want)
			}
			valid = "t2"
			if want := 200; tt.want != "" && get() != want || len(asked) != 2*min(1, len(tt.want)) {
				t.Errorf("with another token: asked %q", asked)
			}
		})
	}
}
