package format

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
)

const (
	requests  = 64       // of one Fetch that run at a time
	widestGap = 1 << 15  // that is read to save a request
	gapBytes  = 1 << 18  // of all gaps that are read because more requests would have to wait
	mergeGap  = pageSize // between two reads, so small that one request costs less than two: padding
)

// part is bytes [from, to) of the file that were asked for; bytes is nil until they have been read.
type part struct {
	from, to uint64
	bytes    []byte
}

// read reads parts of the file, those that lie close together by one request and several requests at a time. It
// returns the parts that were read, in the order of the file.
func (p *pages) read(reads []part) ([]part, error) {
	slices.SortFunc(reads, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	var list []part
	for _, r := range reads {
		if n := len(list); n > 0 && r.from <= list[n-1].to+mergeGap {
			list[n-1].to = max(list[n-1].to, r.to)
			continue
		}
		list = append(list, r)
	}
	list = fewer(list)
	errs := make([]error, len(list))
	slots := make(chan struct{}, requests)
	var group sync.WaitGroup
	for i := range list {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			errs[i] = Guard(func() (err error) {
				list[i].bytes, err = p.request(list[i].from, list[i].to)
				return err
			})
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fewer merges the parts with the smallest gaps between them until no more are left than run at a time: what would wait
// for a second round trip costs less as bytes between two others, if they are not many.
func fewer(list []part) []part {
	over := len(list) - requests
	if over <= 0 {
		return list
	}
	gap := func(i int) uint64 { return list[i].from - list[i-1].to } // before part i
	var order []int                                                  // by gap, the smallest first
	for i := range list[1:] {
		order = append(order, i+1)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gap(a), gap(b)) })
	joins := make([]bool, len(list))
	sum := uint64(0)
	for _, i := range order[:over] {
		if sum += gap(i); gap(i) > widestGap || sum > gapBytes {
			break
		}
		joins[i] = true
	}
	var merged []part
	for i, r := range list {
		if joins[i] {
			merged[len(merged)-1].to = r.to
			continue
		}
		merged = append(merged, r)
	}
	return merged
}

// request returns bytes [from, to) of the file. The first ones are here.
func (p *pages) request(from, to uint64) ([]byte, error) {
	var start []byte
	if have := uint64(len(p.head)); from < have {
		start = p.head[from:min(have, to)]
		if from = have; from >= to {
			return start, nil
		}
	}
	b, err := p.Read(int64(from), int64(to-from))
	if err == nil && uint64(len(b)) != to-from {
		err = fmt.Errorf("%d bytes for [%d, %d)", len(b), from, to)
	}
	if err != nil {
		return nil, &RemoteError{p.Name, err}
	}
	if start == nil {
		return b, nil
	}
	return slices.Concat(start, b), nil
}

// cutPart returns bytes [from, to) of the part that has them.
func cutPart(list []part, from, to uint64) []byte {
	i, found := slices.BinarySearchFunc(list, from, func(p part, from uint64) int { return cmp.Compare(p.from, from) })
	if !found {
		i--
	}
	return list[i].bytes[from-list[i].from : to-list[i].from]
}

// readTrailers reads what follows the file's length.
func (p *pages) readTrailers(length uint64) ([]Trailer, error) {
	if uint64(p.Size) == length {
		return nil, nil
	}
	if uint64(p.Size)-length > maxTrailers*(trailerHeader+maxTrailer) {
		return nil, headerError(int64(length), "%d bytes after the end that are no trailers", uint64(p.Size)-length)
	}
	b, err := p.Read(int64(length), p.Size-int64(length))
	if err != nil {
		return nil, &RemoteError{p.Name, err}
	}
	return parseTrailers(b, length)
}
