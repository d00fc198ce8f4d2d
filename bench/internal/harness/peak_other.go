//go:build !unix

package harness

import (
	"os"
	"time"
)

// Peak is not known here.
func Peak(*os.ProcessState) int64 { return 0 }

// CPU is not known here.
func CPU() time.Duration { return 0 }
