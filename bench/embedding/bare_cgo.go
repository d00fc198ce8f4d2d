//go:build cgo

package main

import (
	"sync"
	"sync/atomic"

	ort "github.com/yalue/onnxruntime_go"
)

// bareLoop is ONNX Runtime with nothing around it: tensors are made beforehand, in the order longest first.
type bareLoop struct {
	session *ort.DynamicAdvancedSession
	inputs  []ort.Value
	outputs []ort.Value
}

// newBareLoop opens a session with the settings that kdd's engine has. The library is loaded already.
func newBareLoop(graph string, texts [][]int32, dim int) (*bareLoop, error) {
	o, err := ort.NewSessionOptions()
	if err != nil {
		return nil, err
	}
	defer o.Destroy()
	for _, err := range []error{
		o.SetIntraOpNumThreads(1),
		o.SetInterOpNumThreads(1),
		o.SetExecutionMode(ort.ExecutionModeSequential),
		o.SetGraphOptimizationLevel(ort.GraphOptimizationLevelEnableBasic),
		o.SetMemPattern(false),
		o.SetCpuMemArena(true),
		o.AddSessionConfigEntry("session.use_device_allocator_for_initializers", "1"),
		o.AddSessionConfigEntry("session.x64quantprecision", "1"),
	} {
		if err != nil {
			return nil, err
		}
	}
	b := &bareLoop{}
	if b.session, err = ort.NewDynamicAdvancedSession(graph, []string{"ids"}, []string{"embedding"}, o); err != nil {
		return nil, err
	}
	longest := 0
	for _, t := range texts {
		longest = max(longest, len(t))
	}
	for n := longest; n > 0; n-- {
		for _, t := range texts {
			if len(t) != n {
				continue
			}
			in, err := ort.NewTensor(ort.Shape{1, int64(n)}, t)
			if err != nil {
				return nil, err
			}
			out, err := ort.NewEmptyTensor[float32](ort.Shape{1, int64(dim)})
			if err != nil {
				return nil, err
			}
			b.inputs, b.outputs = append(b.inputs, in), append(b.outputs, out)
		}
	}
	return b, nil
}

// run evaluates all texts.
func (b *bareLoop) run(workers int) error {
	var next atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
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

// close frees session and tensors.
func (b *bareLoop) close() {
	for i := range b.inputs {
		b.inputs[i].Destroy()
		b.outputs[i].Destroy()
	}
	b.session.Destroy()
}
