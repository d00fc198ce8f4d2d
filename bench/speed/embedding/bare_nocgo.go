//go:build !cgo

package embedding

import "errors"

// bareLoop needs cgo.
type bareLoop struct{}

func newBareLoop(string, *setting, [][]int32, int) (*bareLoop, error) {
	return nil, errors.New("the bare loop needs a binary built with cgo")
}

func (b *bareLoop) run() error { return nil }

func (b *bareLoop) vectors() []float32 { return nil }

func (b *bareLoop) close() {}
