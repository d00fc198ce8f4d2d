package onnx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// ErrCorrupt marks bytes that are not an ONNX model.
var ErrCorrupt = errors.New("corrupt ONNX model")

// Port is an input or an output of a graph.
type Port struct {
	Name  string
	Elem  int      // TensorProto.DataType; 0 if it is not a tensor
	Shape []string // "1", or the dimension's name, or "?"
}

// Signature is what a graph takes and gives.
type Signature struct {
	Inputs, Outputs []Port // inputs with a stored value aside
	External        bool   // some weights lie in other files
}

// maxPorts and maxName bound what Inspect keeps; real encoders have three inputs with names of 20 bytes.
const (
	maxPorts = 64
	maxName  = 256
)

// Inspect reads a model's inputs and outputs and passes over the rest: its nodes, and its weights without reading them.
//
// Cost: one small read per node and tensor.
func Inspect(r io.ReaderAt, size int64) (Signature, error) {
	var s Signature
	var inputs []Port
	stored := map[string]bool{}
	graphs := 0
	r = &bounded{r: r, left: maxReads}
	err := fields(r, 0, size, func(f field) error {
		if f.number != 7 || f.wire != wireBytes {
			return nil
		}
		graphs++
		return fields(r, f.start, f.end, func(f field) error {
			if f.wire != wireBytes {
				return nil
			}
			switch f.number {
			case 5:
				return inspectTensor(r, f, stored, &s)
			case 11, 12:
				p, err := inspectPort(r, f)
				if err != nil {
					return err
				}
				if f.number == 12 {
					s.Outputs = append(s.Outputs, p)
				} else {
					inputs = append(inputs, p)
				}
				if len(inputs) > maxPorts && len(stored) == 0 || len(s.Outputs) > maxPorts || len(inputs) > 1<<16 {
					return fmt.Errorf("%w: too many inputs or outputs", ErrCorrupt)
				}
			}
			return nil
		})
	})
	if err != nil {
		return Signature{}, err
	}
	for _, p := range inputs {
		if !stored[p.Name] {
			s.Inputs = append(s.Inputs, p)
		}
	}
	if graphs != 1 || len(s.Inputs) == 0 || len(s.Outputs) == 0 {
		return Signature{}, fmt.Errorf("%w: %d graphs, %d inputs, %d outputs, want one graph with both", ErrCorrupt, graphs, len(s.Inputs), len(s.Outputs))
	}
	return s, nil
}

// maxReads bounds the work on a file of tiny fields.
const maxReads = 1 << 20

// bounded is a reader that gives up after so many reads.
type bounded struct {
	r    io.ReaderAt
	left int
}

// ReadAt reads, or reports that the file has too many fields.
func (b *bounded) ReadAt(p []byte, off int64) (int, error) {
	if b.left--; b.left < 0 {
		return 0, fmt.Errorf("more than %d fields", maxReads)
	}
	return b.r.ReadAt(p, off)
}

// inspectTensor notes the name of an initializer and whether its data lies elsewhere.
func inspectTensor(r io.ReaderAt, t field, stored map[string]bool, s *Signature) error {
	return fields(r, t.start, t.end, func(f field) error {
		switch {
		case f.number == 8 && f.wire == wireBytes:
			name, err := f.text(r)
			if err == nil && len(stored) < 1<<16 {
				stored[name] = true
			}
			return err
		case f.number == 14 && f.wire == wireVarint && f.value == 1:
			s.External = true
		}
		return nil
	})
}

// inspectPort reads a ValueInfoProto.
func inspectPort(r io.ReaderAt, v field) (Port, error) {
	var p Port
	err := fields(r, v.start, v.end, func(f field) (err error) {
		switch {
		case f.number == 1 && f.wire == wireBytes:
			p.Name, err = f.text(r)
		case f.number == 2 && f.wire == wireBytes:
			err = fields(r, f.start, f.end, func(f field) error { // TypeProto
				if f.number != 1 || f.wire != wireBytes {
					return nil
				}
				return fields(r, f.start, f.end, func(f field) error { // TypeProto.Tensor
					switch {
					case f.number == 1 && f.wire == wireVarint:
						p.Elem = int(f.value & 0xffff)
					case f.number == 2 && f.wire == wireBytes:
						return fields(r, f.start, f.end, func(f field) error { // TensorShapeProto
							if f.number != 1 || f.wire != wireBytes || len(p.Shape) > maxPorts {
								return nil
							}
							d := "?"
							err := fields(r, f.start, f.end, func(f field) (err error) {
								switch {
								case f.number == 1 && f.wire == wireVarint:
									d = fmt.Sprint(int64(f.value))
								case f.number == 2 && f.wire == wireBytes:
									d, err = f.text(r)
								}
								return err
							})
							p.Shape = append(p.Shape, d)
							return err
						})
					}
					return nil
				})
			})
		}
		return err
	})
	return p, err
}

// field is one field of a message: a value, or the range of its bytes.
type field struct {
	number     int
	wire       int
	value      uint64
	start, end int64
}

// text reads a string field.
func (f field) text(r io.ReaderAt) (string, error) {
	if f.end-f.start > maxName {
		return "", fmt.Errorf("%w: name of %d bytes at byte %d, want at most %d", ErrCorrupt, f.end-f.start, f.start, maxName)
	}
	b := make([]byte, f.end-f.start)
	if _, err := r.ReadAt(b, f.start); err != nil {
		return "", fmt.Errorf("%w: %v", ErrCorrupt, err)
	}
	return string(b), nil
}

// fields calls visit for each field of the message in [start, end).
func fields(r io.ReaderAt, start, end int64, visit func(field) error) error {
	var buf [2 * binary.MaxVarintLen64]byte
	for at := start; at < end; {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), end-at)], at)
		if n == 0 && err != nil {
			return fmt.Errorf("%w: byte %d: %v", ErrCorrupt, at, err)
		}
		key, k := binary.Uvarint(buf[:n])
		if k <= 0 || key>>3 == 0 || key>>3 > 1<<29 {
			return fmt.Errorf("%w: byte %d: not a field", ErrCorrupt, at)
		}
		f := field{number: int(key >> 3), wire: int(key & 7)}
		begin := at + int64(k)
		switch f.wire {
		case wireVarint:
			v, m := binary.Uvarint(buf[k:n])
			if m <= 0 {
				return fmt.Errorf("%w: byte %d: number without an end", ErrCorrupt, begin)
			}
			f.value, at = v, begin+int64(m)
		case 1:
			at = begin + 8
		case wireFixed4:
			at = begin + 4
		case wireBytes:
			v, m := binary.Uvarint(buf[k:n])
			if m <= 0 || v > uint64(end-begin) {
				return fmt.Errorf("%w: byte %d: field %d ends after its message", ErrCorrupt, begin, f.number)
			}
			f.start = begin + int64(m)
			f.end = f.start + int64(v)
			at = f.end
		default:
			return fmt.Errorf("%w: byte %d: wire type %d", ErrCorrupt, at, f.wire)
		}
		if at > end {
			return fmt.Errorf("%w: byte %d: field %d ends after its message", ErrCorrupt, begin, f.number)
		}
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}
