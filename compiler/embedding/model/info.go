package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kdd/compiler/embedding/modeldir"
	"kdd/format/encoder"
)

// The files of a model folder.
const (
	InfoFile      = "kdd-model.json"
	ConfigFile    = "config.json"
	TokenizerFile = "tokenizer.json"
	VocabFile     = "vocab.txt"
	WeightsFile   = "model.safetensors"
	ONNXFile      = "model.onnx"
	PriorFile     = "prior.i8"
)

// infoVersion is the version of the model folder: of its layout, and of how what is in it was made. It goes up with
// either, so that one model gives the same artifacts everywhere: 2, languages; 3, word vectors that learned from random
// texts; 4, and from prose; 5, of vectors that are the same on every processor.
const infoVersion = 5

// Info is kdd-model.json: what a model is and where it came from.
type Info struct {
	Version int    `json:"version"`
	Name    string `json:"name"`
	// of the weights: model.safetensors, or the ONNX file where there is none; of their sums, if there are dense modules
	SHA256       string   `json:"sha256"`
	Architecture string   `json:"architecture"`
	Dim          int      `json:"dim"`
	MaxTokens    int      `json:"max_tokens"`       // of a text, special tokens included
	Pooling      string   `json:"pooling"`          // "mean", "cls" or "max"
	Dense        []Dense  `json:"dense,omitempty"`  // modules after the pooling
	Static       *Static  `json:"static,omitempty"` // set where the model is a table, in place of an encoder
	Normalize    bool     `json:"normalize"`        // always: scores are cosines
	Cased        bool     `json:"cased,omitempty"`  // for vocab.txt: letters keep their case
	Prefixes     Prefixes `json:"prefixes"`
	Languages    []string `json:"languages"` // ISO 639 codes of the texts it understands; none: unknown, so any
	Licence      string   `json:"licence,omitempty"`
	Source       string   `json:"source,omitempty"`   // hub id, or the base name of what was imported
	Revision     string   `json:"revision,omitempty"` // the hub's commit
	ONNXSHA256   string   `json:"onnx_sha256"`
	PriorSHA256  string   `json:"prior_sha256"`
	PriorEngine  string   `json:"prior_engine"`           // what made the word vectors: engine.ID
	PriorPieces  int      `json:"prior_pieces,omitempty"` // how many were evaluated, if not all
	Vocab        int      `json:"vocab"`
	Positions    int      `json:"positions"`
	// the model of queries, in the folder "query", where it is another one
	QueryModel *QueryModel `json:"query_model,omitempty"`
	ONNX       *Graph      `json:"onnx,omitempty"` // set where the ONNX file is the source's own
	Files      []File      `json:"files"`          // all but kdd-model.json, by name
}

// Listing is model_list.v1: what "kdd model" prints as JSON.
type Listing struct {
	SchemaVersion string `json:"schema_version"`
	Models        []Kept `json:"models"` // each with its kdd-model.json
	// path of ONNX Runtime's library, if one was found or imported
	Runtime string `json:"runtime,omitempty"`
}

// Kept is a model of a Listing.
type Kept struct {
	Path string `json:"path"` // folder of the model
	*Info
}

// Prefixes are put before a text, by what it is. Models such as E5 need them.
type Prefixes struct {
	Query    string `json:"query"`
	Document string `json:"document"`
}

// Static says how a table of word vectors is read: a text's vector is the mean of its pieces' rows.
type Static struct {
	Unknown bool `json:"unknown"` // whether pieces that the vocabulary lacks count, with a row of their own
}

// Graph says how to call an ONNX file that kdd did not write.
type Graph struct {
	Inputs []string `json:"inputs"`
	Output string   `json:"output"`
}

// File is a file of the model folder.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// HasWeights says whether the folder holds safetensors: what the Go transformer and an exact encoder in the artifact
// need.
func (i *Info) HasWeights() bool { return i.file(WeightsFile) != nil }

// file returns the entry of a file, or nil.
func (i *Info) file(name string) *File {
	for k := range i.Files {
		if i.Files[k].Name == name {
			return &i.Files[k]
		}
	}
	return nil
}

var (
	namePattern   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)
	sha256Pattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// checkName reports a name that cannot be that of a folder everywhere.
func checkName(name string) error {
	if !namePattern.MatchString(name) || strings.HasSuffix(name, ".") {
		return fmt.Errorf("model name %q, want letters, digits, '.', '_' and '-', at most 100, a letter or digit first", name)
	}
	if name == modeldir.LibraryFolder {
		return fmt.Errorf("model name %q, which is the folder of ONNX Runtime", name)
	}
	return nil
}

// readInfo reads and checks the kdd-model.json of a folder.
func readInfo(dir string) (*Info, error) {
	data, err := os.ReadFile(filepath.Join(dir, InfoFile))
	if err != nil {
		return nil, err
	}
	info := &Info{}
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(info); err != nil {
		return nil, brokenError("%s: %s: %v", dir, InfoFile, err)
	}
	if info.Version != infoVersion {
		return nil, importAgain("%s: model folder of version %d, this kdd reads %d", dir, info.Version, infoVersion)
	}
	problem := ""
	switch encoder := info.Static == nil; {
	case checkName(info.Name) != nil:
		problem = "name " + info.Name
	case !sha256Pattern.MatchString(info.SHA256) || encoder && !sha256Pattern.MatchString(info.ONNXSHA256):
		problem = "sha256 " + info.SHA256 + " or " + info.ONNXSHA256
	case info.Dim < 1 || info.Dim > 1<<16 || info.Vocab < 1 || info.Vocab > 1<<24 || encoder && (info.Positions < 3 || info.Positions > 1<<24):
		problem = fmt.Sprintf("dim %d, vocab %d, positions %d", info.Dim, info.Vocab, info.Positions)
	case encoder && (info.MaxTokens < 3 || info.MaxTokens > info.Positions):
		problem = fmt.Sprintf("max_tokens %d of %d positions", info.MaxTokens, info.Positions)
	case !poolingKnown(info.Pooling):
		problem = "pooling " + info.Pooling
	case info.QueryModel != nil && !sha256Pattern.MatchString(info.QueryModel.SHA256):
		problem = "query model " + info.QueryModel.SHA256
	case !info.Normalize:
		problem = "normalize false"
	}
	if problem == "" {
		problem = info.checkHead()
	}
	for _, f := range info.Files {
		if checkName(f.Name) != nil {
			problem = fmt.Sprintf("file name %q", f.Name)
		}
	}
	if problem != "" {
		return nil, importAgain("%s: %s: unexpected %s", dir, InfoFile, problem)
	}
	return info, nil
}

func poolingKnown(name string) bool {
	_, ok := encoder.ParsePooling(name)
	return ok
}

// PoolingKind returns the pooling, which readInfo has checked.
func (i *Info) PoolingKind() encoder.Pooling {
	p, _ := encoder.ParsePooling(i.Pooling)
	return p
}

// writeInfo writes kdd-model.json.
func writeInfo(dir string, info *Info) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(info); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, InfoFile), buf.Bytes(), 0o644)
}
