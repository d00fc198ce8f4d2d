// Package signing makes signatures of artifacts. Package kdd/format/sign says what they are of, and checks them.
package signing

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"strings"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"kdd/compiler/diag"
	"kdd/format/sign"
)

// Key is a private key, or one that an agent has.
type Key struct {
	minisign *minisign.PrivateKey // nil for SSH
	signer   ssh.Signer
	agent    net.Conn
	public   *sign.Key
}

// ID names the key, as verify does.
func (k *Key) ID() string { return k.public.ID }

// Public returns what checks the key's signatures.
func (k *Key) Public() *sign.Key { return k.public }

// Close leaves the agent.
func (k *Key) Close() error {
	if k.agent == nil {
		return nil
	}
	return k.agent.Close()
}

// Password asks for the password of the key at path.
type Password func(path string) (string, error)

const (
	maxKeyFile = 64 << 10
	wantKey    = "name a private key of minisign or OpenSSH, or a public key of OpenSSH whose private one an agent has"
)

// Load reads a private key of minisign or OpenSSH; or a public one of OpenSSH, which the agent at SSH_AUTH_SOCK signs
// for. password is asked where the key has one.
func Load(path string, password Password) (*Key, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxKeyFile {
		return nil, diag.Cure(wantKey, "%s: no key", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(data, []byte("-----BEGIN ")):
		return loadSSH(path, data, password)
	case isAuthorizedKey(data):
		return loadAgent(path, data)
	}
	return loadMinisign(path, data, password)
}

func loadMinisign(path string, data []byte, password Password) (*Key, error) {
	var key minisign.PrivateKey
	if minisign.IsEncrypted(data) {
		text, err := password(path)
		if err != nil {
			return nil, err
		}
		if key, err = minisign.DecryptKey(text, data); err != nil {
			return nil, diag.Cure("give the password that it was made with", "%s: wrong password, or a damaged key", path)
		}
	} else if err := key.UnmarshalText(data); err != nil {
		return nil, diag.Cure(wantKey, "%s: no private key", path)
	}
	public, ok := key.Public().(minisign.PublicKey)
	if !ok {
		return nil, fmt.Errorf("%s: a key without a public one", path)
	}
	keys, err := sign.ParseKeys(path, []byte(public.String()))
	if err != nil {
		return nil, err
	}
	return &Key{minisign: &key, public: keys[0]}, nil
}

func loadSSH(path string, data []byte, password Password) (*Key, error) {
	signer, err := ssh.ParsePrivateKey(data)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		text, asked := password(path)
		if asked != nil {
			return nil, asked
		}
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(data, []byte(text)); err != nil {
			return nil, diag.Cure("give the password that it was made with", "%s: wrong password, or a damaged key", path)
		}
	}
	if err != nil {
		return nil, diag.Cure(wantKey, "%s: %w", path, err)
	}
	return sshKey(path, signer)
}

func sshKey(path string, signer ssh.Signer) (*Key, error) {
	keys, err := sign.ParseKeys(path, ssh.MarshalAuthorizedKey(signer.PublicKey()))
	if err != nil {
		return nil, err
	}
	return &Key{signer: signer, public: keys[0]}, nil
}

func isAuthorizedKey(data []byte) bool {
	_, _, _, _, err := ssh.ParseAuthorizedKey(data)
	return err == nil
}

func loadAgent(path string, data []byte) (*Key, error) {
	public, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil, err
	}
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return nil, diag.Cure("start an agent and add the key to it (ssh-add), or name the private key", "%s: a public key, and SSH_AUTH_SOCK names no agent", path)
	}
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return nil, diag.Cure("start the agent again", "SSH_AUTH_SOCK: %w", err)
	}
	signers, err := agent.NewClient(conn).Signers()
	if err != nil {
		conn.Close()
		return nil, diag.Cure("start the agent again", "the agent at SSH_AUTH_SOCK: %w", err)
	}
	for _, s := range signers {
		if bytes.Equal(s.PublicKey().Marshal(), public.Marshal()) {
			key, err := sshKey(path, s)
			if err == nil {
				key.agent = conn
			}
			return key, err
		}
	}
	conn.Close()
	return nil, diag.Cure("add it (ssh-add), or name the private key", "%s: the agent does not have this key", path)
}

// Sign signs a statement. A minisign signature is not prehashed, so that signify checks it too.
func (k *Key) Sign(s *sign.Statement) (sign.Signature, error) {
	text := s.Text()
	if k.minisign != nil {
		b, err := k.SignFile(text, strings.TrimSpace("name:"+s.Name+" commit:"+s.Commit+" date:"+s.Date))
		return sign.Signature{Statement: string(text), Kind: sign.Minisign, Text: string(b)}, err
	}
	sig, err := sshsig.Sign(bytes.NewReader(text), k.signer, sshsig.HashSHA512, sign.Namespace)
	if err != nil {
		return sign.Signature{}, fmt.Errorf("%s: %w", k.ID(), err)
	}
	return sign.Signature{Statement: string(text), Kind: sign.SSH, Text: string(sshsig.Armor(sig))}, nil
}

// SignFile signs the bytes of a file as minisign does, not prehashed. Keys of SSH cannot.
func (k *Key) SignFile(data []byte, comment string) ([]byte, error) {
	if k.minisign == nil {
		return nil, diag.Cure(`make one with "kdd keygen"`, "%s: files are signed by keys of minisign only", k.ID())
	}
	return append(minisign.SignWithComments(*k.minisign, data, comment, "signature by "+k.ID()), '\n'), nil
}

// Ed25519 returns the key that signs as such, for envelopes of other forms; nil if it is of another kind or an agent's.
func (k *Key) Ed25519() ed25519.PrivateKey {
	if k.minisign == nil {
		return nil
	}
	text, err := k.minisign.MarshalText()
	if err != nil {
		return nil
	}
	_, line, _ := bytes.Cut(text, []byte("\n"))
	raw, err := base64.StdEncoding.DecodeString(string(line))
	if err != nil || len(raw) < privateAt+ed25519.PrivateKeySize {
		return nil
	}
	return ed25519.PrivateKey(raw[privateAt : privateAt+ed25519.PrivateKeySize])
}

// privateAt is where a minisign key has its Ed25519 key: algorithms, salt, limits and number stand before it.
const privateAt = 2 + 2 + 2 + 32 + 8 + 8 + 8

// Generate makes a pair of minisign keys: base.key, with the password unless it is "", and base.pub. It replaces nothing.
func Generate(base, password string) (*sign.Key, error) {
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	secret, err := private.MarshalText()
	if password != "" {
		secret, err = minisign.EncryptKey(password, private)
	}
	if err != nil {
		return nil, err
	}
	open, err := public.MarshalText()
	if err != nil {
		return nil, err
	}
	if err := create(base+".key", append(secret, '\n'), 0o600); err != nil {
		return nil, err
	}
	if err := create(base+".pub", append(open, '\n'), 0o644); err != nil {
		os.Remove(base + ".key")
		return nil, err
	}
	keys, err := sign.ParseKeys(base+".pub", open)
	if err != nil {
		return nil, err
	}
	return keys[0], nil
}

// create writes a file that is not there yet.
func create(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if errors.Is(err, fs.ErrExist) {
		return diag.Cure("name another with -o; a key that is lost cannot be made again", "%s: is there already", path)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}
