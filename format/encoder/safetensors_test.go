package encoder

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

type tensor struct {
	shape  []int
	values []float32
}

// safetensors writes a file of tensors of one type.
func safetensors(m map[string]tensor, dtype string) []byte {
	var header, data []byte
	header = append(header, `{"__metadata__":{"format":"pt"}`...)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		start := len(data)
		for _, v := range m[name].values {
			bits := math.Float32bits(v)
			switch dtype {
			case "F32":
				data = binary.LittleEndian.AppendUint32(data, bits)
			case "BF16":
				data = binary.LittleEndian.AppendUint16(data, uint16((bits+0x8000)>>16))
			case "F16": // values of the tests are in the normal range, or below it and flushed
				if exp := int(bits>>23&0xff) - 112; exp > 0 {
					data = binary.LittleEndian.AppendUint16(data, uint16(bits>>16&0x8000|uint32(exp)<<10)+uint16((bits&0x7fffff+0x1000)>>13))
				} else {
					data = append(data, 0, 0)
				}
			}
		}
		shape := strings.ReplaceAll(fmt.Sprint(m[name].shape), " ", ",")
		header = fmt.Appendf(header, `,%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, name, dtype, shape, start, len(data))
	}
	header = append(header, '}')
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

func tensorFile(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestOpenTensorsErrors(t *testing.T) {
	checkCorrupt(t, func(b []byte) error { _, err := OpenTensors(b); return err }, []flaw{
		{"empty", nil, "0 bytes, want a header length"},
		{"web page", []byte("<!DOCTYPE html><p>sign in"), "a web page"},
		{"pointer", []byte("version https://git-lfs.github.com/spec/v1\noid"), "a Git LFS pointer"},
		{"huge header", binary.LittleEndian.AppendUint64(nil, 1<<40), "a header of 1099511627776 bytes, want at most 67108864"},
		{"cut header", tensorFile(`{"a":1}`, 0)[:10], "a header of 7 bytes in a file of 10"},
		{"not json", tensorFile(`{"a"`, 0), "header: unexpected end"},
		{"not a tensor", tensorFile(`{"a":1}`, 0), `tensor "a": json`},
		{"offsets", tensorFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, 4), `tensor "a": data_offsets [4 0]`},
		{"negative", tensorFile(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, 4), `tensor "a": json`},
		{"past the end", tensorFile(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, 4), "ends at byte 8 of 4; was the download cut?"},
		{"length", tensorFile(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4), "4 bytes, F32[2] has 8"},
		{"overflow", tensorFile(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0), "is larger than memory"},
		{"gap", tensorFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, 8), `"a" starts at byte 4, the one before it ends at 0`},
		{"overlap", tensorFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, 6),
			`"b" starts at byte 2, the one before it ends at 4`},
		{"rest", tensorFile(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 5), "5 bytes of tensors, the header says 4"},
	})
}

func TestTensorsFloat32(t *testing.T) {
	const header = `{"half":{"dtype":"F16","shape":[7],"data_offsets":[0,14]},"ids":{"dtype":"I64","shape":[1],"data_offsets":[14,22]},` +
		`"new":{"dtype":"F7","shape":[9],"data_offsets":[22,24]},"none":{"dtype":"F32","shape":[0,3],"data_offsets":[24,24]}}`
	b := tensorFile(header, 24)
	for i, h := range []uint16{0x3c00, 0xc000, 0x0001, 0x03ff, 0x7bff, 0x7c00, 0x8000} {
		binary.LittleEndian.PutUint16(b[8+len(header)+2*i:], h)
	}
	tensors, err := OpenTensors(b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(tensors.Names()), "[half ids new none]"; got != want {
		t.Errorf("Names = %s, want %s", got, want)
	}
	got, err := tensors.Float32("half", 7)
	want := []float32{1, -2, 1.0 / (1 << 24), 1023.0 / (1 << 24), 65504, float32(math.Inf(1)), 0}
	if err != nil || !slices.Equal(got, want) || !math.Signbit(float64(got[6])) {
		t.Errorf("Float32(half) = %v, %v, want %v with a negative zero", got, err, want)
	}
	if got, err := tensors.Float32("none", 0, 3); err != nil || len(got) != 0 {
		t.Errorf("Float32(none) = %v, %v, want nothing", got, err)
	}
	for _, tt := range []struct {
		name  string
		shape []int
		want  string
	}{
		{"ids", []int{1}, "tensor ids: type I64, want F32, F16 or BF16"},
		{"new", []int{9}, "tensor new: type F7, want"},
		{"half", []int{8}, "tensor half: shape [7], want [8]"},
		{"gone", []int{8, 2}, "tensor gone: missing, want float [8 2]"},
	} {
		if _, err := tensors.Float32(tt.name, tt.shape...); err == nil || !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Float32(%s) = %v, want ErrModel with %q", tt.name, err, tt.want)
		}
	}
}

func TestParseConfig(t *testing.T) {
	const valid = `{"architectures":["BertModel"],"model_type":"bert","hidden_act":"gelu","hidden_size":384,"num_hidden_layers":6,` +
		`"num_attention_heads":12,"intermediate_size":1536,"vocab_size":30522,"max_position_embeddings":512,"type_vocab_size":2}`
	c, err := ParseConfig([]byte(valid))
	want := Config{Hidden: 384, Layers: 6, Heads: 12, Intermediate: 1536, Vocab: 30522, Positions: 512, Types: 2, Epsilon: 1e-12}
	if err != nil || c != want {
		t.Fatalf("ParseConfig = %+v, %v, want %+v", c, err, want)
	}
	for _, tt := range []struct {
		name, old, new string
		edit           func(*Config)
	}{
		{"tanh", `"gelu"`, `"gelu_new"`, func(c *Config) { c.Activation = GELUTanh }},
		{"relu", `"gelu"`, `"relu"`, func(c *Config) { c.Activation = ReLU }},
		{"roberta", `["BertModel"],"model_type":"bert"`, `["RobertaForMaskedLM"],"model_type":"roberta"`, func(c *Config) { c.Offset, c.Positions = 2, 510 }},
		{"xlm-roberta", `["BertModel"],"model_type":"bert"`, `["XLMRobertaModel"],"model_type":"xlm-roberta","pad_token_id":3`, func(c *Config) { c.Offset, c.Positions = 4, 508 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := want
			tt.edit(&want)
			if c, err := ParseConfig([]byte(strings.Replace(valid, tt.old, tt.new, 1))); err != nil || c != want {
				t.Errorf("ParseConfig = %+v, %v, want %+v", c, err, want)
			}
		})
	}
	for _, tt := range []struct {
		name, old, new, want string
		is                   error
	}{
		{"padding", `["BertModel"],"model_type":"bert"`, `[],"model_type":"roberta","pad_token_id":512`, `pad_token_id: 512 with 512 positions`, ErrModel},
		{"not json", "{", "<", "content: invalid", ErrCorrupt},
		{"other model", `"bert"`, `"mpnet"`, `model_type: "mpnet", want one of bert, roberta, xlm-roberta and camembert`, ErrModel},
		{"other architecture", "BertModel", "MPNetModel", `architectures: "MPNetModel", want BertModel`, ErrModel},
		{"activation", `"gelu"`, `"silu"`, `hidden_act: "silu", want gelu, gelu_new`, ErrModel},
		{"positions", `"type_vocab_size":2`, `"type_vocab_size":2,"position_embedding_type":"relative_key"`, `"relative_key", want "absolute"`, ErrModel},
		{"decoder", `"type_vocab_size":2`, `"type_vocab_size":2,"is_decoder":true`, `is_decoder: true`, ErrModel},
		{"no width", `"hidden_size":384,`, ``, `hidden_size: 0, want 1 to 8192`, ErrModel},
		{"negative", `"num_hidden_layers":6`, `"num_hidden_layers":-6`, `num_hidden_layers: -6`, ErrModel},
		{"heads", `"num_attention_heads":12`, `"num_attention_heads":11`, `11, want a divisor of hidden_size 384`, ErrModel},
		{"huge", `"hidden_size":384,"num_hidden_layers":6`, `"hidden_size":8184,"num_hidden_layers":128`, `weights in the layers`, ErrModel},
		{"epsilon", `"type_vocab_size":2`, `"type_vocab_size":2,"layer_norm_eps":-1`, `layer_norm_eps: -1`, ErrModel},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseConfig([]byte(strings.Replace(valid, tt.old, tt.new, 1)))
			if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ParseConfig = %v, want %v with %q", err, tt.is, tt.want)
			}
		})
	}
}

func FuzzOpenTensors(f *testing.F) {
	f.Add(safetensors(map[string]tensor{"a": {[]int{2, 2}, []float32{1, 2, 3, 4}}, "b": {[]int{1}, []float32{5}}}, "F32"))
	f.Add(safetensors(map[string]tensor{"a": {[]int{3}, []float32{1, 2, 3}}}, "BF16"))
	f.Add(tensorFile(`{"a":{"dtype":"F16","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := OpenTensors(data)
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("OpenTensors = %v, want ErrCorrupt", err)
			}
			return
		}
		for _, name := range tensors.Names() {
			shape, _ := tensors.Shape(name)
			values, err := tensors.Float32(name, shape...)
			if err != nil && !errors.Is(err, ErrModel) {
				t.Fatalf("Float32(%q) = %v, want ErrModel", name, err)
			}
			if len(values) > len(data) {
				t.Fatalf("Float32(%q) has %d values from %d bytes", name, len(values), len(data))
			}
		}
	})
}
