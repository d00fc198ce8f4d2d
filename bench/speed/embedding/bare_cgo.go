//go:build cgo

package embedding

import (
	"slices"
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"

	"kdd/compiler/embedding/onnx"
)

// bareLoop is ONNX Runtime with nothing around it: tensors are made beforehand.
type bareLoop struct {
	workers int
	dim     int
	texts   int
	batches [][]int
	session *ort.DynamicAdvancedSession
	inputs  []ort.Value
	outputs []ort.Value
}

// newBareLoop opens a session and makes the tensors. The library is loaded already.
func newBareLoop(graph string, s *setting, texts [][]int32, dim int) (b *bareLoop, err error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	level := []ort.GraphOptimizationLevel{
		ort.GraphOptimizationLevelDisableAll, ort.GraphOptimizationLevelEnableBasic,
		ort.GraphOptimizationLevelEnableExtended, ort.GraphOptimizationLevelEnableAll,
	}[slices.Index(levels, s.level)]
	errs := []error{
		o.SetIntraOpNumThreads(s.threads), o.SetInterOpNumThreads(1), o.SetExecutionMode(ort.ExecutionModeSequential),
		o.SetGraphOptimizationLevel(level), o.SetMemPattern(s.pattern), o.SetCpuMemArena(s.arena),
	}
	for _, e := range s.entries {
		errs = append(errs, o.AddSessionConfigEntry(e[0], e[1]))
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	b = &bareLoop{workers: s.workers, dim: dim, texts: len(texts), batches: s.batches(texts)}
	b.session, err = ort.NewDynamicAdvancedSession(graph, []string{onnx.InputName}, []string{onnx.OutputName}, o)
	if err != nil {
		return nil, err
	}
	for _, batch := range b.batches {
		var ids []int32
		for _, i := range batch {
			ids = append(ids, texts[i]...)
		}
		in, err := ort.NewTensor(ort.Shape{int64(len(batch)), int64(len(ids) / len(batch))}, ids)
		if err != nil {
			b.close()
			return nil, err
		}
		b.inputs = append(b.inputs, in)
		out, err := ort.NewEmptyTensor[float32](ort.Shape{int64(len(batch)), int64(dim)})
		if err != nil {
			b.close()
			return nil, err
		}
		b.outputs = append(b.outputs, out)
	}
	return b, nil
}

// run evaluates all texts.
func (b *bareLoop) run() error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, b.workers)
	for w := range b.workers {
		group.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.inputs) {
					return
				}
				errs[w] = b.session.Run(b.inputs[i:i+1], b.outputs[i:i+1])
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// vectors are the rows of the texts, as the last run left them.
func (b *bareLoop) vectors() []float32 {
	rows := make([]float32, b.texts*b.dim)
	for k, batch := range b.batches {
		out := b.outputs[k].(*ort.Tensor[float32]).GetData()
		for j, i := range batch {
			copy(rows[i*b.dim:], out[j*b.dim:(j+1)*b.dim])
		}
	}
	return rows
}

// close frees session and tensors.
func (b *bareLoop) close() {
	for _, v := range slices.Concat(b.inputs, b.outputs) {
		v.Destroy()
	}
	b.session.Destroy()
}
