package main

import (
	"bufio"
	"fmt"
	"kdd/runtime/analyze"
	"os"
	"time"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "detect" {
		for _, f := range os.Args[2:] {
			b, _ := os.ReadFile(f)
			fmt.Println(analyze.Detect(string(b)), f)
		}
		return
	}
	if len(os.Args) > 2 && os.Args[1] == "bench" {
		a := analyze.New()
		n := 0
		var toks []analyze.Token
		for pass := 0; pass < 4; pass++ {
			t0 := time.Now()
			n = 0
			k := 0
			for _, f := range os.Args[2:] {
				b, _ := os.ReadFile(f)
				s := string(b)
				n += len(s)
				toks = a.Tokens(toks[:0], s)
				for _, t := range toks {
					if !t.Whole {
						a.Stem("en", t.Lower)
						k++
					}
				}
			}
			d := time.Since(t0)
			fmt.Println(n, k, d, float64(n)/1e6/d.Seconds(), "MB/s")
		}
		return
	}
	a := analyze.New()
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		fmt.Println(sc.Text())
		for _, t := range a.Tokens(nil, sc.Text()) {
			f := ""
			if t.Whole {
				f += "W"
			}
			if t.Part {
				f += "P"
			}
			if t.CJK {
				f += "C"
			}
			fmt.Printf("   %d %q %q %d-%d %s en=%q es=%q\n", t.Pos, t.Fold, t.Lower, t.Start, t.End, f, a.Stem("en", t.Lower), a.Stem("es", t.Lower))
		}
	}
}
