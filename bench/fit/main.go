// Command fit fits the weights that artifacts and answers have: go run ./bench/fit lists what it fits.
package main

import (
	"os"

	"kdd/bench/fit/beside"
	"kdd/bench/fit/calibration"
	"kdd/bench/fit/spread"
	"kdd/bench/fit/tuning"
	"kdd/bench/internal/harness"
	"kdd/bench/quality/asked"
)

var table = []harness.Measurement{
	{Name: "tuning", Measures: "other weights of the ranking beside those of an artifact", Run: tuning.Run},
	{Name: "beside", Measures: "other artifacts of the same sources beside those that are there", Run: beside.Run},
	{Name: "spread", Measures: "rules by which the hits of one document stand behind those of others", Run: spread.Run},
	{Name: "calibration", Measures: "what turns a raw score into a probability", Run: calibration.Run},
	{Name: "sentences", Measures: "the weights by which the unit is chosen that an answer begins with", Run: asked.FitSentences},
	{Name: "outcome", Measures: "the weights by which an answer is right, and the probabilities from which ask answers and names passages", Run: asked.Fit},
}

func main() { os.Exit(harness.Main("fit", table, os.Args[1:], os.Stdout, os.Stderr)) }
