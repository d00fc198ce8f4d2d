package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

type args = map[string]any

// ask is one question to a service: an operation with its arguments, or "complete" with a kind.
type ask struct {
	operation string
	args      args
}

func (a ask) name() string { return fmt.Sprint(a.operation, " ", a.args) }

func (a ask) do(ctx context.Context, s *runtime.Service) (any, error) {
	if a.operation != "complete" {
		return runtime.OperationNamed(a.operation).Run(ctx, s, a.args)
	}
	kind, _ := a.args["kind"].(string)
	of, _ := a.args["of"].(string)
	return s.Complete(ctx, runtime.CompleteRequest{Kind: kind, Of: of, Typed: "a"})
}

type answer struct {
	json string
	err  error
}

// askedDocs are spread over the artifact.
const askedDocs = 8

// questions returns what is asked of an artifact: each operation, about documents, sections and words that it has.
func questions(x *index.Index) []ask {
	asks := []ask{{"stats", nil}, {"list", nil}, {"lint", nil}, {"graph", nil}}
	vectors, err := x.Vectors()
	meaning := err == nil && vectors != nil
	for i := range min(askedDocs, x.Docs()) {
		d := index.DocID(i * x.Docs() / min(askedDocs, x.Docs()))
		path, title, node, kind := x.DocPath(d), x.DocTitle(d), x.DocNodeID(d), x.DocKind(d)
		from, to := x.DocSections(d)
		heading, anchor := x.SectionHeading(to-1), x.SectionAnchor(to-1)
		asks = append(asks,
			ask{"search", args{"query": title, "explain": true, "limit": 20}},
			ask{"search", args{"query": "how does " + heading + " work", "kinds": []string{kind}}},
			ask{"search", args{"query": heading, "facets": true, "diversity": "off", "sort": "date"}},
			ask{"ask", args{"query": "What is " + heading + "?"}},
			ask{"find-spec", args{"name": title}},
			ask{"find-spec", args{"name": strings.Replace(title, "e", "", 1)}},
			ask{"related", args{"entity": node, "depth": 2}},
			ask{"impact", args{"entity": node, "depth": 3}},
			ask{"context", args{"hints": []string{node, title}}},
			ask{"read", args{"file": path}},
			ask{"list", args{"kind": kind, "path_glob": "**"}},
		)
		if to-1 > from && anchor != "" {
			asks = append(asks, ask{"read", args{"file": path, "anchor": anchor}})
		}
		if meaning {
			asks = append(asks, ask{"similar", args{"file": path}})
		}
	}
	return asks
}

// further returns what is asked of an artifact whose hashes are right, besides questions: operations whose answers
// tell what verify finds, or take the artifact as a whole.
func further(x *index.Index) []ask {
	asks := []ask{
		{"violations", nil}, {"orphans", nil}, {"doctor", nil}, {"schema", nil},
		{"list", args{"facets": true, "sort": "date", "since": "1999-01-01"}},
		{"search", args{"query": "what is it about", "mode": "vector", "limit": 50, "expand": 5, "max_bytes": runtime.NoLimit}},
		{"search", args{"query": "authentikation tokne* \"the document\" -no", "explain": true, "expand": 2}},
	}
	for _, kind := range []string{runtime.CompletePath, runtime.CompleteEntity, runtime.CompleteTitle, runtime.CompleteDomain} {
		asks = append(asks, ask{"complete", args{"kind": kind}})
	}
	if x.Docs() > 0 {
		path, node := x.DocPath(0), x.DocNodeID(0)
		asks = append(asks,
			ask{"coverage", args{"node": node}},
			ask{"complete", args{"kind": runtime.CompleteAnchor, "of": path}},
			ask{"graph", args{"node": node, "depth": 3, "limit": 5000}})
	}
	return asks
}

// elapsed is what differs between two runs of a question; the cursor names the file by its path's name only.
var elapsed = regexp.MustCompile(`"time_ms":[0-9.e+-]+`)

// answers asks everything of the file at path.
func answers(path string, asks []ask) []answer {
	s := runtime.New(runtime.Config{Index: []string{path}, Environ: map[string]string{}, Dir: filepath.Dir(path)})
	defer s.Close()
	list := make([]answer, len(asks))
	for i, a := range asks {
		list[i] = one(s, a)
		list[i].json = strings.ReplaceAll(list[i].json, filepath.Dir(path), "")
	}
	return list
}

func one(s *runtime.Service, a ask) answer {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	v, err := a.do(ctx, s)
	if err != nil {
		return answer{err: err}
	}
	return answer{json: elapsed.ReplaceAllString(string(wire.Encode(v)), "")}
}

// corrupt says whether an error is what a damaged file may give.
func corrupt(err error) bool {
	var known *wire.Error
	return errors.As(err, &known) && (known.Code == wire.CodeIndexCorrupt || known.Code == wire.CodeIndexVersion)
}

// sentinel says whether an error is one of those that package format gives for a file.
func sentinel(err error) bool {
	return errors.Is(err, format.ErrCorrupt) || errors.Is(err, format.ErrVersion) || errors.Is(err, format.ErrNotKddx) || errors.Is(err, format.ErrTooBig)
}

// verify runs kddq verify: it names a damage with exit code 3, or with an error of the file.
func (t *trial) verify(path string) (named bool, err error) {
	cmd := exec.Command(t.kddq, "verify", path, "--format", "json")
	var messages bytes.Buffer
	cmd.Stderr = &messages
	err = cmd.Run()
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) {
		return false, err
	}
	var said wire.Error
	if exit.ExitCode() == 3 || json.Unmarshal(messages.Bytes(), &said) == nil && corrupt(&said) {
		return true, nil
	}
	return false, fmt.Errorf("verify: %w: %.500s", err, messages.String())
}
