//go:build !linux

package main

import "errors"

func dropCache(string) error { return errors.ErrUnsupported }
