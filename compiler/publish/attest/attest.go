// Package attest writes what made an artifact in the form that supply-chain tools check: an in-toto statement with SLSA
// provenance, in a Sigstore bundle.
//
//	in-toto Statement v1   https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md
//	SLSA provenance v1     https://slsa.dev/spec/v1.0/provenance
//	DSSE v1                https://github.com/secure-systems-lab/dsse
//	Sigstore bundle v0.3   https://docs.sigstore.dev/about/bundle/
//
// These are small forms of JSON; the modules that have them bring protocol buffers and some 70 others.
package attest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"kdd/format/index"
)

// The types that a statement and its parts name.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	buildType     = "urn:kdd:build:v1"
	payloadType   = "application/vnd.in-toto+json"
	bundleType    = "application/vnd.dev.sigstore.bundle.v0.3+json"
)

// Statement is an in-toto statement about one artifact.
type Statement struct {
	Type          string     `json:"_type"`
	Subject       []Resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     Provenance `json:"predicate"`
}

// Resource is a file, or something else that has a digest.
type Resource struct {
	Name        string            `json:"name,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Digest      map[string]string `json:"digest,omitempty"` // hex, by algorithm
	Annotations map[string]any    `json:"annotations,omitempty"`
}

// Provenance is SLSA's.
type Provenance struct {
	Definition struct {
		Type         string         `json:"buildType"`
		External     map[string]any `json:"externalParameters"`
		Internal     map[string]any `json:"internalParameters,omitempty"`
		Dependencies []Resource     `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	Details struct {
		Builder struct {
			ID      string            `json:"id"`
			Version map[string]string `json:"version,omitempty"`
		} `json:"builder"`
		Metadata struct {
			Invocation string `json:"invocationId,omitempty"`
		} `json:"metadata,omitzero"`
	} `json:"runDetails"`
}

// Options say what an artifact does not know of itself.
type Options struct {
	Builder    string // a URI of what builds: a workflow of a CI
	Invocation string // a URI of this run of it; "" = not known
	Source     string // a URI of the repository; "" = not known
	// Program is the file of the kdd that attests, and Version its version. It is listed if a kdd of this version made the
	// artifact; "" = it is not listed.
	Program, Version string
}

// Of returns the statement about the artifact at path.
func Of(path string, o Options) (*Statement, error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	digest, err := fileDigest(path)
	if err != nil {
		return nil, err
	}
	root := x.File.RootHash()
	s := &Statement{Type: statementType, PredicateType: predicateType, Subject: []Resource{{
		Name: filepath.Base(path), Digest: map[string]string{"sha256": digest},
		Annotations: map[string]any{"kddxRoot": hex.EncodeToString(root[:])},
	}}}
	p, m := &s.Predicate, x.Meta
	p.Definition.Type = buildType
	p.Definition.External = map[string]any{"options": m.Options, "encoder": m.Encoder}
	for name, text := range map[string]string{"title": m.Title, "baseURL": m.BaseURL, "encoderFrom": m.EncoderFrom} {
		if text != "" {
			p.Definition.External[name] = text
		}
	}
	p.Definition.Internal = map[string]any{"analyzer": m.Analyzer, "chunker": m.Chunker, "optionsHash": m.OptionsHash}
	p.Definition.Dependencies = append(p.Definition.Dependencies, sources(x, o.Source))
	if m.Model != nil {
		p.Definition.Dependencies = append(p.Definition.Dependencies, Resource{Name: m.Model.Name,
			Digest: map[string]string{"sha256": m.Model.SHA256}, Annotations: map[string]any{"kind": "model", "licence": m.Model.Licence}})
		p.Definition.Internal["engine"], p.Definition.Internal["precision"] = m.Model.Engine, m.Model.Precision
	}
	p.Details.Builder.ID, p.Details.Metadata.Invocation = o.Builder, o.Invocation
	p.Details.Builder.Version = map[string]string{"kdd": m.MadeBy, "format": fmt.Sprint(x.File.Version())}
	if o.Program != "" && "kdd "+o.Version == m.MadeBy {
		digest, err := fileDigest(o.Program)
		if err != nil {
			return nil, err
		}
		p.Definition.Dependencies = append(p.Definition.Dependencies, Resource{Name: "kdd",
			Digest: map[string]string{"sha256": digest}, Annotations: map[string]any{"kind": "compiler", "version": m.MadeBy}})
	}
	return s, nil
}

// sources describes what was compiled. Its digest "kddTree" is the SHA-256, in hex, over path, size and hash of each
// document's source; "gitCommit" is there if the documents are those of the commit.
func sources(x *index.Index, repository string) Resource {
	p := x.File.Provenance()
	r := Resource{Name: "sources", Digest: map[string]string{"kddTree": x.Meta.TreeHash}, Annotations: map[string]any{
		"documents": x.Docs(),
	}}
	switch {
	case gitObject.MatchString(p.Commit) && !p.Dirty:
		r.Digest["gitCommit"] = p.Commit
	case p.Commit != "":
		r.Annotations["commit"] = p.Commit
	}
	if p.Date != "" {
		r.Annotations["commitDate"] = p.Date
	}
	if p.Dirty {
		r.Annotations["dirty"] = true
	}
	if repository != "" {
		r.URI = "git+" + repository
	}
	return r
}

// gitObject is the full name of a commit, as the digest "gitCommit" wants it.
var gitObject = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// bundle is a Sigstore bundle whose signature a key checks that its reader has.
type bundle struct {
	MediaType string `json:"mediaType"`
	Material  struct {
		PublicKey struct {
			Hint string `json:"hint"`
		} `json:"publicKey"`
	} `json:"verificationMaterial"`
	Envelope struct {
		Payload     string      `json:"payload"` // base64
		PayloadType string      `json:"payloadType"`
		Signatures  []signature `json:"signatures"`
	} `json:"dsseEnvelope"`
}

type signature struct {
	Sig   string `json:"sig"` // base64
	KeyID string `json:"keyid,omitempty"`
}

// Bundle signs a statement and returns the bundle. The key's hint is the SHA-256 of its public key's DER, in base64.
func Bundle(s *Statement, key ed25519.PrivateKey) ([]byte, error) {
	payload, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	hint := sha256.Sum256(der)
	var b bundle
	b.MediaType = bundleType
	b.Material.PublicKey.Hint = base64.StdEncoding.EncodeToString(hint[:])
	b.Envelope.Payload, b.Envelope.PayloadType = base64.StdEncoding.EncodeToString(payload), payloadType
	sig := ed25519.Sign(key, authenticated(payloadType, payload))
	b.Envelope.Signatures = []signature{{Sig: base64.StdEncoding.EncodeToString(sig)}}
	out, err := json.Marshal(&b)
	return append(out, '\n'), err
}

// authenticated is DSSE's pre-authentication encoding: what is signed of a payload.
func authenticated(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

// PublicKey returns a public key as PEM, which cosign and others take.
func PublicKey(key ed25519.PublicKey) ([]byte, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}
