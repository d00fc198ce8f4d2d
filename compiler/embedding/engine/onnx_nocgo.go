//go:build !cgo

package engine

// Supported says whether this binary can load ONNX Runtime.
const Supported = false

// openONNX reports that this binary was built without cgo.
func openONNX(Source, string, Device) (Engine, error) {
	return nil, &LibraryError{None: true, Reason: "this kdd was built without cgo and cannot load ONNX Runtime",
		Do: "leave the library out or use --engine go, or take a kdd built with cgo"}
}
