// Package questions reads files of questions.
package questions

import (
	"fmt"
	"os"
	"strings"
)

// Read returns the texts of a file of questions: of each line the second column, or the whole line where it has one only.
// Columns are parted by tabs; a line without text is passed over. The error is the file system's, or says that there are
// none.
func Read(path string) ([]string, error) {
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
