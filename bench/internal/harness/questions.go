package harness

import (
	"fmt"
	"os"
	"strings"
)

// Questions returns the texts of a file of questions: of each line the second column, or the whole line where there is
// only one column. Columns are separated by tabs; a line without text is skipped. A file without a question is an
// error.
func Questions(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var texts []string
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if text := strings.TrimSpace(cells[min(1, len(cells)-1)]); text != "" {
			texts = append(texts, text)
		}
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("%s: no questions", path)
	}
	return texts, nil
}
