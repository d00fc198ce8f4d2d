package sign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Key is a public key, or what one line of a file of allowed signers says.
type Key struct {
	ID string // for messages: "minisign 1F4A…", or the fingerprint and principals of an SSH key

	ed25519  ed25519.PublicKey // of minisign and signify
	number   [8]byte           // of the key: a hint
	minisign minisign.PublicKey
	ssh      ssh.PublicKey
	from, to time.Time // when its signatures count; zero = always
}

// rawKey is the size of a minisign or signify key: "Ed", number, key.
const rawKey = 2 + 8 + ed25519.PublicKeySize

// ParseKeys reads a file of public keys: one of minisign or signify, with its comment or without; public keys of
// OpenSSH; or a file of allowed signers (ssh-keygen(1)). place stands in errors.
func ParseKeys(place string, data []byte) ([]*Key, error) {
	var list []*Key
	for number, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if !isKeyLine(line) {
			continue
		}
		k, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", place, number+1, err)
		}
		if k != nil {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no public key for signatures of artifacts", place)
	}
	return list, nil
}

// KeyLines returns the lines of a file that ParseKeys reads keys from.
func KeyLines(data []byte) (list []string) {
	for line := range strings.SplitSeq(string(data), "\n") {
		if line = strings.TrimSpace(line); isKeyLine(line) {
			list = append(list, line)
		}
	}
	return list
}

// isKeyLine says whether a line is neither empty nor a comment.
func isKeyLine(line string) bool {
	return line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "untrusted comment:")
}

// parseLine reads one key; nil if it is one that signs other things.
func parseLine(line string) (*Key, error) {
	if raw, err := base64.StdEncoding.DecodeString(line); err == nil {
		return minisignKey(line, raw)
	}
	if pub, comment, options, _, err := ssh.ParseAuthorizedKey([]byte(line)); err == nil && len(options) == 0 {
		return sshKey(pub, comment)
	}
	return allowedSigner(line)
}

func minisignKey(line string, raw []byte) (*Key, error) {
	if len(raw) != rawKey || string(raw[:2]) != "Ed" {
		return nil, fmt.Errorf("%d bytes in base64 that are no public key of minisign or signify, want %d", len(raw), rawKey)
	}
	k := &Key{ed25519: ed25519.PublicKey(raw[10:])}
	copy(k.number[:], raw[2:])
	if err := k.minisign.UnmarshalText([]byte(line)); err != nil {
		return nil, err
	}
	k.ID = fmt.Sprintf("minisign %016X", k.minisign.ID())
	return k, nil
}

func sshKey(pub ssh.PublicKey, comment string) (*Key, error) {
	if _, ok := pub.(*ssh.Certificate); ok {
		return nil, errCertificate
	}
	return &Key{ssh: pub, ID: strings.TrimSpace(ssh.FingerprintSHA256(pub) + " " + comment)}, nil
}

var errCertificate = errors.New("certificates are not read; name the key itself")

// allowedSigner reads "principals [options] keytype key" of a file of allowed signers. Lines for other namespaces count
// as none; those of certificate authorities are refused, since their certificates are not read here.
func allowedSigner(line string) (*Key, error) {
	parts := signerLine.FindStringSubmatch(line)
	if parts == nil {
		return nil, notSigner(line)
	}
	pub, _, options, _, err := ssh.ParseAuthorizedKey([]byte(parts[2]))
	if err != nil {
		return nil, notSigner(line)
	}
	k, err := sshKey(pub, strings.Trim(parts[1], `"`))
	if err != nil {
		return nil, err
	}
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		value = strings.Trim(value, `"`)
		switch strings.ToLower(name) {
		case "namespaces":
			if !hasNamespace(value) {
				return nil, nil
			}
		case "valid-after":
			k.from, err = parseTime(value)
		case "valid-before":
			k.to, err = parseTime(value)
		case "cert-authority":
			return nil, fmt.Errorf("cert-authority: %w", errCertificate)
		default:
			return nil, fmt.Errorf("unknown option %.40q of an allowed signer", name)
		}
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}

// signerLine takes the principals off a line of allowed signers; they stand in quotes if they have spaces.
var signerLine = regexp.MustCompile(`^("[^"]*"|[^ \t"]+)[ \t]+(.*)$`)

func notSigner(line string) error {
	return fmt.Errorf("%.60q is no public key of minisign, signify or OpenSSH, and no line of allowed signers", line)
}

// hasNamespace says whether a list of patterns, as of ssh_config(5), takes "kddx": one of them matches, and none that
// begins with "!".
func hasNamespace(list string) bool {
	found := false
	for pattern := range strings.SplitSeq(list, ",") {
		pattern, not := strings.CutPrefix(pattern, "!")
		expression := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
		if match, err := regexp.MatchString("^"+expression+"$", Namespace); err == nil && match {
			if not {
				return false
			}
			found = true
		}
	}
	return found
}

// parseTime reads a time as ssh-keygen does: YYYYMMDD, or with HHMM or HHMMSS; with Z in UTC, else of this machine.
func parseTime(text string) (time.Time, error) {
	place, digits := time.Local, text
	if rest, ok := strings.CutSuffix(text, "Z"); ok {
		place, digits = time.UTC, rest
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if t, err := time.ParseInLocation(layout, digits, place); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is no time, want as 20261124 or 20261124130000Z", text)
}

// Ed25519 returns the key of minisign or signify as such; nil for others.
func (k *Key) Ed25519() ed25519.PublicKey { return k.ed25519 }

// Made says whether the key made a signature, at whatever time.
func (k *Key) Made(s *Signature) bool {
	always := *k
	always.from, always.to = time.Time{}, time.Time{}
	return always.Verify(s, time.Time{})
}

// WellFormed says whether a signature's text can be read.
func (s *Signature) WellFormed() bool {
	switch s.Kind {
	case Minisign:
		var m minisign.Signature
		return m.UnmarshalText([]byte(s.Text)) == nil
	case SSH:
		_, err := sshsig.Unarmor([]byte(s.Text))
		return err == nil
	}
	return signifySignature(s.Text) != nil
}

// OfOther says that a signature is surely not of its statement. Only one of SSH, which has its public key, tells.
func (s *Signature) OfOther() bool {
	if s.Kind != SSH {
		return false
	}
	sig, err := sshsig.Unarmor([]byte(s.Text))
	return err == nil && sshsig.Verify(strings.NewReader(s.Statement), sig, sig.PublicKey, sig.HashAlgorithm, Namespace) != nil
}

// Verify says whether the key made a signature of its statement. now is when signatures are looked at, for keys that
// count for some time only.
func (k *Key) Verify(s *Signature, now time.Time) bool {
	text := []byte(s.Statement)
	switch {
	case !k.from.IsZero() && now.Before(k.from) || !k.to.IsZero() && !now.Before(k.to):
		return false
	case s.Kind == Minisign && k.ed25519 != nil:
		return minisign.Verify(k.minisign, text, []byte(s.Text))
	case s.Kind == Signify && k.ed25519 != nil:
		raw := signifySignature(s.Text)
		return raw != nil && bytes.Equal(raw[2:10], k.number[:]) && ed25519.Verify(k.ed25519, text, raw[10:])
	case s.Kind == SSH && k.ssh != nil:
		sig, err := sshsig.Unarmor([]byte(s.Text))
		return err == nil && sshsig.Verify(bytes.NewReader(text), sig, k.ssh, sig.HashAlgorithm, Namespace) == nil
	}
	return false
}

// signifySignature decodes a comment and a line of "Ed", the key's number and the signature; nil if it is none.
func signifySignature(text string) []byte {
	comment, rest, _ := strings.Cut(text, "\n")
	line, _, _ := strings.Cut(rest, "\n")
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
	if err != nil || !strings.HasPrefix(comment, "untrusted comment:") || len(raw) != 2+8+ed25519.SignatureSize || string(raw[:2]) != "Ed" {
		return nil
	}
	return raw
}
