package model

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/onnx"
)

// fromGraph stores an ONNX file as it is.
func (im *importer) fromGraph() error {
	name := ""
	for _, n := range []string{"onnx/" + ONNXFile, ONNXFile} {
		if name == "" && im.src.has(n) {
			name = n
		}
	}
	if name == "" {
		for _, f := range im.src.other {
			switch base := filepath.Base(f); {
			case base == "model.safetensors.index.json":
				return diag.Cure("join them into one model.safetensors", "%w", sourceError("the weights are split over several files (%s)", base))
			case base == "pytorch_model.bin" || base == "tf_model.h5" || strings.HasSuffix(base, ".msgpack"):
				return diag.Cure("save the model as model.safetensors", "%w", sourceError("only %s, which can run code when it is read", base))
			}
		}
		return sourceError("neither model.safetensors nor an ONNX file")
	}
	var err error
	im.info.SHA256, err = im.create(ONNXFile, func(w io.Writer) error { return im.src.copyTo(w, name) })
	if err != nil {
		return err
	}
	im.info.ONNXSHA256 = im.info.SHA256
	if err := im.checkSHA256(name); err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(im.dir, ONNXFile))
	if err != nil {
		return err
	}
	defer f.Close()
	size := im.info.file(ONNXFile).Bytes
	sig, err := onnx.Inspect(f, size)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if sig.External {
		return diag.Cure("save the model as one ONNX file", "%w", sourceError("%s: weights lie in another file", name))
	}
	if im.info.ONNX, err = callOf(sig, im.config.Hidden); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// callOf works out how to call a graph that kdd did not write.
func callOf(sig onnx.Signature, dim int) (*Graph, error) {
	const int64Type, floatType = 7, 1
	g := &Graph{}
	for _, p := range sig.Inputs {
		switch p.Name {
		case "input_ids", "attention_mask", "token_type_ids":
		default:
			return nil, sourceError("input %q, want input_ids, attention_mask and token_type_ids", p.Name)
		}
		if p.Elem != int64Type {
			return nil, sourceError("input %q has element type %d, want %d (int64)", p.Name, p.Elem, int64Type)
		}
		g.Inputs = append(g.Inputs, p.Name)
	}
	for _, want := range []string{"sentence_embedding", "last_hidden_state", "token_embeddings"} {
		for _, p := range sig.Outputs {
			if p.Name != want || g.Output != "" {
				continue
			}
			if last := len(p.Shape) - 1; last >= 0 && p.Shape[last] != fmt.Sprint(dim) && p.Shape[last][0] >= '0' && p.Shape[last][0] <= '9' {
				return nil, sourceError("output %q is %s wide, want %d", p.Name, p.Shape[last], dim)
			}
			if p.Elem != floatType {
				return nil, sourceError("output %q has element type %d, want %d (float32)", p.Name, p.Elem, floatType)
			}
			g.Output = p.Name
		}
	}
	if g.Output == "" {
		return nil, sourceError("no output sentence_embedding or last_hidden_state")
	}
	return g, nil
}
