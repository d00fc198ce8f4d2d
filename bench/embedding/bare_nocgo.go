//go:build !cgo

package main

import "errors"

// bareLoop needs cgo.
type bareLoop struct{}

func newBareLoop(string, [][]int32, int) (*bareLoop, error) {
	return nil, errors.New("the bare loop needs a binary built with cgo")
}

func (b *bareLoop) run(int) error { return nil }

func (b *bareLoop) close() {}
