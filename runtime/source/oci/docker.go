package oci

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// credential is a login at a registry: a name and password, or one of the two tokens.
type credential struct {
	user, password string
	identity       string // for the token server
	registryToken  string // for the registry itself
}

// The limits of docker's configuration and of its helpers.
const (
	maxConfig     = 4 << 20 // bytes
	helperTimeout = 30 * time.Second
	// hubKey is the key of Docker Hub in docker's configuration.
	hubKey = "https://index.docker.io/v1/"
)

// dockerConfig is docker's config.json, as far as it is about logins.
type dockerConfig struct {
	Auths       map[string]dockerAuth `json:"auths"`
	CredHelpers map[string]string     `json:"credHelpers"`
	CredsStore  string                `json:"credsStore"`
}

// dockerAuth is the login at one registry.
type dockerAuth struct {
	Auth          string `json:"auth"` // NAME:PASSWORD in base64
	Username      string `json:"username"`
	Password      string `json:"password"`
	IdentityToken string `json:"identitytoken"`
	RegistryToken string `json:"registrytoken"`
}

// dockerCredential returns what docker's configuration has for a registry: of the helper for it, else of the helper for
// all, else of the file. It is empty where docker has no configuration, or none for the registry.
func dockerCredential(ctx context.Context, server string) (credential, error) {
	path, err := dockerConfigPath()
	if err != nil {
		return credential{}, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return credential{}, nil
	}
	if err != nil {
		return credential{}, err
	}
	defer f.Close()
	var config dockerConfig
	if err := json.NewDecoder(io.LimitReader(f, maxConfig)).Decode(&config); err != nil {
		return credential{}, fmt.Errorf("%s: %w", path, err)
	}
	key := server
	if server == "registry-1.docker.io" {
		key = hubKey
	}
	if helper := cmp.Or(config.CredHelpers[key], config.CredsStore); helper != "" {
		return askHelper(ctx, helper, key)
	}
	auth, found := config.Auths[key]
	for other, a := range config.Auths { // docker wrote addresses there once
		if !found && hostOf(other) == hostOf(key) {
			auth = a
		}
	}
	return auth.credential()
}

// dockerConfigPath returns where docker's configuration is.
func dockerConfigPath() (string, error) {
	if dir := os.Getenv("DOCKER_CONFIG"); dir != "" {
		return filepath.Join(dir, "config.json"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".docker", "config.json"), nil
}

// hostOf returns the host of a key of docker's configuration.
func hostOf(key string) string {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://")
	host, _, _ := strings.Cut(key, "/")
	return host
}

// credential reads a login of the file.
func (a dockerAuth) credential() (credential, error) {
	c := credential{a.Username, a.Password, a.IdentityToken, a.RegistryToken}
	if a.Auth == "" {
		return c, nil
	}
	pair, err := base64.StdEncoding.DecodeString(a.Auth)
	if err != nil {
		return credential{}, err
	}
	user, password, found := strings.Cut(string(pair), ":")
	if !found {
		return credential{}, errors.New("a login without a password")
	}
	c.user, c.password = user, strings.TrimRight(password, "\x00")
	return c, nil
}

// askHelper runs a credential helper, docker-credential-NAME, as docker does: it reads the registry and writes the login.
func askHelper(ctx context.Context, name, key string) (credential, error) {
	if strings.ContainsAny(name, `/\`) {
		return credential{}, fmt.Errorf("the credential helper %q is no name", name)
	}
	ctx, cancel := context.WithTimeout(ctx, helperTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "docker-credential-"+name, "get")
	cmd.Stdin = strings.NewReader(key)
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		if bytes.Contains(out, []byte("credentials not found")) { // it says so on standard output
			return credential{}, nil
		}
		return credential{}, err
	}
	var login struct{ Username, Secret string }
	if err := json.Unmarshal(out, &login); err != nil {
		return credential{}, err
	}
	if login.Username == "<token>" {
		return credential{identity: login.Secret}, nil
	}
	return credential{user: login.Username, password: login.Secret}, nil
}
