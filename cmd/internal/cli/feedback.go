package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"kdd/runtime/feedback"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

const feedbackHelp = "FILE is what serve --feedback FILE writes: a JSON object a line; FILE.1, which was put aside " +
	"when FILE had grown, is read too."

func feedbackStatsCommand() *Command {
	return &Command{
		Name: "feedback stats", Group: GroupServe, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary:  "count the feedback to answers, and name the queries that were answered worst",
		Help:     feedbackHelp,
		Examples: []string{"feedback stats feedback.jsonl", "feedback stats feedback.jsonl --format json"},
		Flags:    func() []Flag { return []Flag{textOrJSON("how to print it")} },
		Run: func(c *Call) error {
			records, broken, err := readFeedback(c.Args[0])
			if err != nil {
				return err
			}
			return render.Write(c.Stdout, c.Text("format"), feedback.Summarize(records, broken), render.Style{})
		},
	}
}

func feedbackExportCommand() *Command {
	return &Command{
		Name: "feedback export", Group: GroupServe, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "make questions for eval of the feedback to answers",
		Help: "Prints a line of JSON for each query with at least one place that an answer cited and more people found " +
			"good than bad: eval takes the lines as a file of questions. " + feedbackHelp,
		Examples: []string{"feedback export feedback.jsonl --output questions.jsonl",
			"feedback export feedback.jsonl > questions.jsonl"},
		Flags: func() []Flag {
			return []Flag{outputFlag("write to this file instead of standard output"),
				textOrJSON("of errors; the questions are always lines of JSON")}
		},
		Run: runFeedbackExport,
	}
}

func runFeedbackExport(c *Call) error {
	records, broken, err := readFeedback(c.Args[0])
	if err != nil {
		return err
	}
	lines, questions, left := feedback.Export(records)
	if output := c.Text("output"); output != "" {
		err = writeOutput("output", output, lines, c.Args[0], feedback.Aside(c.Args[0]))
	} else {
		_, err = c.Stdout.Write(lines)
	}
	if err != nil {
		return err
	}
	note := fmt.Sprintf("questions: %d; queries without a place that was found good: %d", questions, left)
	if broken > 0 {
		note += fmt.Sprintf("; lines that are no records: %d", broken)
	}
	c.Notef("%s", note)
	return nil
}

func readFeedback(path string) ([]feedback.Record, int, error) {
	records, broken, err := feedback.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, wire.NewError(wire.CodeNotFound, fmt.Sprintf("no file %s", wire.Clean(path)),
			`"serve --feedback FILE" writes one`).Because(err)
	}
	return records, broken, err
}
