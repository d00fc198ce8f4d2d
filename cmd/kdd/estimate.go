package main

import (
	"fmt"
	"runtime"
	"time"

	"kdd/compiler"
)

// estimate tells once how long embedding will take, from the texts that were embedded first, and passes on what it hears.
type estimate struct {
	next      compiler.Progress
	say       func(text string)
	sentences bool // the query encoder is learned too, which embeds sentences

	embedding   bool
	total, done int
	begun       time.Time
}

const (
	// estimateAfter is how long texts are embedded before the rest is estimated.
	estimateAfter = 3 * time.Second
	// longEmbedding is what is worth telling.
	longEmbedding = 20 * time.Second
	// maxSentences is how many sentences the query encoder is learned from at most; a chunk is as long as sentencesOfChunk.
	maxSentences, sentencesOfChunk = 10_000, 9
)

// Phase begins a phase of total steps.
func (e *estimate) Phase(name string, total int) {
	e.embedding, e.total, e.done, e.begun = name == "embed", total, 0, time.Now()
	e.next.Phase(name, total)
}

// Step adds n done steps.
func (e *estimate) Step(n int) {
	e.next.Step(n)
	e.done += n
	took := time.Since(e.begun)
	if !e.embedding || took < estimateAfter {
		return
	}
	e.embedding = false // it is told once
	rate := float64(e.done) / took.Seconds()
	texts := float64(e.total - e.done)
	if e.sentences {
		texts += float64(min(maxSentences, 2*e.total)) / sentencesOfChunk
	}
	if left := time.Duration(texts / rate * float64(time.Second)); left >= longEmbedding {
		e.say(fmt.Sprintf("embedding %s, %.0f a second: about %s; a build that is stopped goes on where it was",
			count(e.total, "chunk"), rate, roughly(left)))
	}
}

// roughly is a duration as people say it.
func roughly(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 55:
		return fmt.Sprintf("%d seconds", max(1, int(s+5)/10)*10)
	case s < 90:
		return "a minute"
	case s < 90*60:
		return fmt.Sprintf("%.0f minutes", s/60)
	default:
		return fmt.Sprintf("%.1f hours", s/3600)
	}
}

// chunksPerSecond is what one processor embeds with ONNX Runtime: 5,901 chunks of react's documentation and the sentences
// of the query encoder took two of them 141 s (bench/runs/2026-11-22-xeon/embedding).
const chunksPerSecond = 21

// embeddingCost guesses, where there is no model to try, how long chunks would take.
func embeddingCost(chunks int) time.Duration {
	return time.Duration(float64(chunks) / chunksPerSecond / float64(runtime.GOMAXPROCS(0)) * float64(time.Second))
}
