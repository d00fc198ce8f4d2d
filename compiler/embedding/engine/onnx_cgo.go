//go:build cgo

package engine

import (
	"fmt"
	"os"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"kdd/format/encoder"
)

// Supported says whether this binary can load ONNX Runtime.
const Supported = true

// loaded guards the one ONNX Runtime that a process can have. It stays until the process ends: unloading a library
// whose threads and caches are still about gains nothing.
var loaded struct {
	sync.Mutex
	path string
}

// loadLibrary loads the library at path, or reports why it cannot be.
func loadLibrary(path string) error {
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.path == path {
		return nil
	}
	if loaded.path != "" {
		return &LibraryError{Path: path, Reason: "another ONNX Runtime is already loaded, " + loaded.path, Do: "use one library in a process"}
	}
	if err := silence(); err != nil {
		return &LibraryError{Path: path, Reason: err.Error()}
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		reason := err.Error()
		if strings.HasSuffix(reason, "setting ORT API base: 2") { // the library gave no table of functions
			reason = "this ONNX Runtime is too old: it does not have the functions that kdd asks for"
		}
		return &LibraryError{Path: path, Reason: reason, Do: "want ONNX Runtime " + minVersion + " or later"}
	}
	// On Windows events go to the system, which this stops.
	if err := ort.DisableTelemetry(); err != nil {
		return &LibraryError{Path: path, Reason: err.Error()}
	}
	loaded.path = path
	return nil
}

// silence keeps ONNX Runtime from reporting usage. Since 1.29 its builds for Linux and macOS begin with that when the
// environment is made: they store an id of the machine in the user's cache folder and send what models are loaded. What
// DisableTelemetry turns off is then under way, so that the library must be told before it is loaded, by the one way it
// has.
func silence() error { return os.Setenv("ORT_DISABLE_TELEMETRY", "1") }

// onnxEngine runs one session from many goroutines.
type onnxEngine struct {
	src     Source
	session *ort.DynamicAdvancedSession
	version string
	level   string
	own     bool // the graph is kdd's: ids int32 → pooled vector
}

// openONNX loads ONNX Runtime and the model's graph.
func openONNX(src Source, library string, device Device) (Engine, error) {
	if err := loadLibrary(library); err != nil {
		return nil, err
	}
	options, err := sessionOptions()
	if err != nil {
		return nil, err
	}
	defer options.Destroy()
	e := &onnxEngine{src: src, version: ort.GetVersion(), level: cpuLevel(), own: src.Inputs == nil}
	if device == CUDA {
		if err := addCUDA(options); err != nil {
			return nil, &LibraryError{Path: library, Reason: "no CUDA: " + err.Error(),
				Do: "install ONNX Runtime for GPUs with the CUDA that it wants, or use --device cpu"}
		}
		e.level = string(CUDA)
	}
	inputs, output := src.Inputs, src.Output
	if e.own {
		inputs, output = []string{"ids"}, "embedding"
	}
	e.session, err = ort.NewDynamicAdvancedSession(src.ONNX, inputs, []string{output}, options)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrModel, src.ONNX, err)
	}
	// A run of one text tells a graph with other inputs or another width now, not in the middle of a build.
	if err := e.Embed(make([]float32, src.Dim), []int32{0}); err != nil {
		e.Close()
		return nil, fmt.Errorf("%w: %s: %v", ErrModel, src.ONNX, err)
	}
	return e, nil
}

// sessionOptions returns the settings of every session: one thread per run, no thread pools, no memory planned for
// a length, and no rewriting of the graph beyond constant folding, since kdd's graphs come fused.
func sessionOptions() (*ort.SessionOptions, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	for _, err := range []error{
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetExecutionMode(ort.ExecutionModeSequential),
		o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableBasic),
		o.SetMemPattern(false),
		o.SetCpuMemArena(true),
		o.AddSessionConfigEntry("session.use_device_allocator_for_initializers", "1"),
	} {
		if err != nil {
			o.Destroy()
			return nil, err
		}
	}
	return o, nil
}

// addCUDA puts the CUDA provider before the processor's. The GPU is the first that CUDA_VISIBLE_DEVICES leaves. Products
// are of float32: TF32, the default of newer GPUs, has 10 bits of fraction.
func addCUDA(o *ort.SessionOptions) error {
	cuda, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	defer cuda.Destroy()
	if err := cuda.Update(map[string]string{"device_id": "0", "use_tf32": "0"}); err != nil {
		return err
	}
	return o.AppendExecutionProviderCUDA(cuda)
}

// Name returns "onnxruntime".
func (e *onnxEngine) Name() string { return "onnxruntime" }

// Version returns ONNX Runtime's release.
func (e *onnxEngine) Version() string { return e.version }

// CPU returns the feature level of this machine, or "cuda".
func (e *onnxEngine) CPU() string { return e.level }

// Dim returns the length of a vector.
func (e *onnxEngine) Dim() int { return e.src.Dim }

// Close frees the session.
func (e *onnxEngine) Close() error { return e.session.Destroy() }

// Embed runs the graph on one text.
func (e *onnxEngine) Embed(dst []float32, ids []int32) error {
	if err := e.src.check(dst, ids); err != nil {
		return err
	}
	if !e.own {
		return e.embedForeign(dst, ids)
	}
	return e.run(dst, ids, 1)
}

// EmbedBatch runs the graph on texts of one length, see Batcher.
func (e *onnxEngine) EmbedBatch(dst []float32, ids []int32, texts int) error {
	n, dim := len(ids)/texts, e.src.Dim
	if !e.own {
		for i := range texts {
			if err := e.Embed(dst[i*dim:(i+1)*dim], ids[i*n:(i+1)*n]); err != nil {
				return err
			}
		}
		return nil
	}
	for i := range texts {
		if err := e.src.check(dst[i*dim:(i+1)*dim], ids[i*n:(i+1)*n]); err != nil {
			return err
		}
	}
	return e.run(dst, ids, texts)
}

// run evaluates kdd's own graph.
func (e *onnxEngine) run(dst []float32, ids []int32, texts int) error {
	if e.src.Whole == 0 {
		return e.runWhole(dst, ids, texts)
	}
	all := make([]float32, texts*e.src.Whole)
	if err := e.runWhole(all, ids, texts); err != nil {
		return err
	}
	for i := range texts {
		row := dst[i*e.src.Dim : (i+1)*e.src.Dim]
		copy(row, all[i*e.src.Whole:])
		encoder.Unit(row)
	}
	return nil
}

// runWhole is run for all dimensions.
func (e *onnxEngine) runWhole(dst []float32, ids []int32, texts int) error {
	in, err := ort.NewTensor(ort.Shape{int64(texts), int64(len(ids) / texts)}, ids)
	if err != nil {
		return err
	}
	defer in.Destroy()
	out, err := ort.NewTensor(ort.Shape{int64(texts), int64(e.src.whole())}, dst)
	if err != nil {
		return err
	}
	defer out.Destroy()
	return e.session.Run([]ort.Value{in}, []ort.Value{out})
}

// embedForeign runs a graph that was imported as it is: int64 inputs of the usual names, token vectors or a pooled
// vector out.
func (e *onnxEngine) embedForeign(dst []float32, ids []int32) error {
	n := int64(len(ids))
	var inputs []ort.Value
	defer func() {
		for _, v := range inputs {
			v.Destroy()
		}
	}()
	for _, name := range e.src.Inputs {
		values := make([]int64, n)
		for i, id := range ids {
			switch name {
			case "input_ids":
				values[i] = int64(id)
			case "attention_mask":
				values[i] = 1
			}
		}
		t, err := ort.NewTensor(ort.Shape{1, n}, values)
		if err != nil {
			return err
		}
		inputs = append(inputs, t)
	}
	outputs := []ort.Value{nil}
	if err := e.session.Run(inputs, outputs); err != nil {
		return err
	}
	defer outputs[0].Destroy()
	out, ok := outputs[0].(*ort.Tensor[float32])
	if !ok {
		return fmt.Errorf("output %q is not float32", e.src.Output)
	}
	all := make([]float32, e.src.whole())
	shape, dim := out.GetShape(), int64(len(all))
	switch {
	case shape.Equals(ort.Shape{1, dim}):
		copy(all, out.GetData())
	case shape.Equals(ort.Shape{1, n, dim}):
		e.pool(all, out.GetData())
	default:
		return fmt.Errorf("output %q has shape %v, want [1, %d] or [1, %d, %d]", e.src.Output, shape, dim, n, dim)
	}
	copy(dst, all)
	if e.src.Unit {
		encoder.Unit(dst)
	}
	return nil
}

// pool makes one vector of the token vectors [n, dim].
func (e *onnxEngine) pool(dst, rows []float32) {
	copy(dst, rows)
	if e.src.Pooling == encoder.PoolCLS {
		return
	}
	for i, v := range rows[len(dst):] {
		if d := &dst[i%len(dst)]; e.src.Pooling == encoder.PoolMax {
			*d = max(*d, v)
		} else {
			*d += v
		}
	}
	if e.src.Pooling == encoder.PoolMax {
		return
	}
	for i := range dst {
		dst[i] /= float32(len(rows) / len(dst))
	}
}
