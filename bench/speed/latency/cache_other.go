//go:build !linux

package latency

import "errors"

func dropCache(string) error { return errors.ErrUnsupported }
