package engine

import (
	"cmp"
	"errors"
	"fmt"

	"kdd/format/encoder"
)

// Engine evaluates one model. Embed may be called from many goroutines at once; Close may not overlap with it.
type Engine interface {
	// Name is "onnxruntime" or "go".
	Name() string
	// Version is the engine's own: ONNX Runtime's release, or the number of the Go transformer's arithmetic.
	Version() string
	// CPU is the feature level that the engine's results depend on, such as "amd64-avx2"; "cuda" where a GPU runs it.
	CPU() string
	// Dim is the length of a vector.
	Dim() int
	// Embed writes the vector of one text to dst.
	//
	// Shapes: ids [n] with the special tokens, 1 ≤ n ≤ the model's positions; dst [Dim].
	// Units: unit length if the model normalises.
	Embed(dst []float32, ids []int32) error
	// Close frees the model. It is called once, after the last Embed.
	Close() error
}

// Batcher is an engine that evaluates texts of one length together, which is quicker where they are short. The last
// bits of a vector then depend on the batch: it is for work that always has the same batches, and for a build's texts
// where only rows are kept that Agreed makes the same.
type Batcher interface {
	// EmbedBatch writes the vectors of texts to dst.
	//
	// Shapes: ids [texts, n] row-major; dst [texts, Dim].
	EmbedBatch(dst []float32, ids []int32, texts int) error
}

// Kind names an engine, or leaves the choice open.
type Kind string

// The kinds.
const (
	Auto Kind = "auto" // ONNX Runtime where it is found, else Go
	ONNX Kind = "onnx" // ONNX Runtime or an error
	Go   Kind = "go"   // the Go transformer
)

// ParseKind reads the value of a flag.
func ParseKind(s string) (Kind, error) {
	switch k := Kind(s); k {
	case "":
		return Auto, nil
	case Auto, ONNX, Go:
		return k, nil
	}
	return "", fmt.Errorf("engine %q, want auto, onnx or go", s)
}

// Device is what an engine runs on.
type Device string

// The devices.
const (
	CPU  Device = "cpu"
	CUDA Device = "cuda" // one of NVIDIA's, by ONNX Runtime's CUDA provider
)

// ParseDevice reads the value of a flag.
func ParseDevice(s string) (Device, error) {
	switch d := Device(s); d {
	case "", CPU:
		return CPU, nil
	case CUDA:
		return CUDA, nil
	}
	return "", fmt.Errorf("device %q, want cpu or cuda", s)
}

// Source is the model as an engine wants it.
type Source struct {
	ONNX    string   // path of the ONNX file
	Inputs  []string // its inputs; nil means one int32 input "ids", as kdd's own graphs have it
	Output  string   // its output; "" means "embedding", pooled and normalised
	Dim     int      // of the vectors that are wanted
	Whole   int      // of the vectors that the model gives, of which the first Dim are wanted; 0: all are
	Vocab   int
	MaxIDs  int             // positions of the model
	Pooling encoder.Pooling // where the graph leaves it to the engine
	Unit    bool            // normalisation, likewise
	Dense   []Dense         // modules after the pooling, which kdd's own graphs have inside
	Weights string          // path of model.safetensors for the Go transformer; "" if there is none
	Config  string          // path of config.json, for the Go transformer
}

// Dense is a dense module.
type Dense struct {
	Weights    string // path of its safetensors
	In, Out    int
	Bias, Tanh bool
}

// Options choose an engine.
type Options struct {
	Kind    Kind   // "" is Auto
	Device  Device // "" is CPU; CUDA is for ONNX Runtime alone
	Library string // path of ONNX Runtime's shared library or of its folder; "" searches, see FindLibrary
}

// Errors that Open's errors are.
var (
	// ErrNoLibrary: there is no ONNX Runtime, or this binary cannot use one.
	ErrNoLibrary = errors.New("no ONNX Runtime")
	// ErrLibrary: there is a file, but it is not an ONNX Runtime that works here.
	ErrLibrary = errors.New("unusable ONNX Runtime")
	// ErrModel: the model cannot be evaluated by the engine.
	ErrModel = errors.New("unusable model")
)

// LibraryError says what is wrong with a shared library and what to do about it.
type LibraryError struct {
	Path   string
	Reason string
	Do     string // what its user can do, "" if nothing is known
	None   bool   // there is no library at all: ErrNoLibrary, else ErrLibrary
}

// Error gives path, reason and cure.
func (e *LibraryError) Error() string {
	s := e.Reason
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if e.Do != "" {
		s += "; " + e.Do
	}
	return s
}

// Cure says what to do about it.
func (e *LibraryError) Cure() string { return e.Do }

// Is matches ErrNoLibrary or ErrLibrary.
func (e *LibraryError) Is(target error) bool {
	if e.None {
		return target == ErrNoLibrary
	}
	return target == ErrLibrary
}

// Open returns the engine for a model. With Auto a missing ONNX Runtime is not an error: the Go transformer takes its
// place, and notice says so in one line. A library that the user named must work.
func Open(src Source, o Options) (e Engine, notice string, err error) {
	if o.Device == CUDA {
		if o.Kind == Go {
			return nil, "", errors.New("engine go with device cuda, want onnx")
		}
		o.Kind = ONNX
	}
	switch o.Kind {
	case Go:
		e, err = openGo(src)
		return e, "", err
	case "", Auto, ONNX:
	default:
		return nil, "", fmt.Errorf("engine %q, want auto, onnx or go", o.Kind)
	}
	lib, err := FindLibrary(o.Library)
	if err == nil || !Supported { // without cgo it says that no library would help
		e, err = openONNX(src, lib.Path, o.Device)
	}
	if err == nil || o.Kind == ONNX || lib.Named || src.Weights == "" || !fallback(err) {
		return e, "", err
	}
	e, goErr := openGo(src)
	if goErr != nil {
		return nil, "", errors.Join(err, goErr)
	}
	return e, fmt.Sprintf("embedding with the Go transformer, several times slower: %v", err), nil
}

// fallback says whether another engine may succeed where err came from.
func fallback(err error) bool {
	return errors.Is(err, ErrNoLibrary) || errors.Is(err, ErrLibrary)
}

// ID returns what an engine's vectors depend on: "onnxruntime 1.31.1 amd64-avx2".
func ID(e Engine) string { return e.Name() + " " + e.Version() + " " + e.CPU() }

// whole returns how many numbers the model gives.
func (s *Source) whole() int { return cmp.Or(s.Whole, s.Dim) }

// check reports a text that the model has no place for.
func (s *Source) check(dst []float32, ids []int32) error {
	if len(dst) != s.Dim {
		return fmt.Errorf("vector of %d numbers, want %d", len(dst), s.Dim)
	}
	if len(ids) == 0 || len(ids) > s.MaxIDs {
		return fmt.Errorf("text of %d wordpieces, want 1 to %d", len(ids), s.MaxIDs)
	}
	for i, id := range ids {
		if id < 0 || int(id) >= s.Vocab {
			return fmt.Errorf("wordpiece %d is %d, want 0 to %d", i, id, s.Vocab-1)
		}
	}
	return nil
}
