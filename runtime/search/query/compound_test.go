package query

import (
	"slices"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
)

// TestCompounds reads words that the documents lack as the words that they are put together of.
func TestCompounds(t *testing.T) {
	german := corpustest.Index(t, map[string]string{
		"a.md": "# Hintergrundtasks\n\nDie Aufgaben laufen im Hintergrund und werden nach der Antwort ausgeführt. Der Speicher ist klein.\n",
		"b.md": "# Die Größe\n\nDie Verbindung zu der Datenbank und die Grenze des Pools werden hier beschrieben. Das ist nicht über allen.\n",
	})
	dutch := corpustest.Index(t, map[string]string{"a.md": "# Instellingen\n\nHet geheugen van de server is niet groot en de grens wordt in het bestand gezet dat je zelf maakt.\n"})
	english := corpustest.Index(t, map[string]string{"a.md": "# Background\n\nThe tasks are run in the background of the server, and that is all there is to it.\n"})
	for _, tt := range []struct {
		x     *index.Index
		query string
		want  []string
	}{
		{german, "Hintergrundaufgaben", []string{"hintergrund", "aufgaben"}},
		{german, "Wie groß sind Hintergrundaufgaben?", []string{"gross", "hintergrund", "aufgaben"}},
		{german, "Verbindungsgrenze", []string{"verbindung", "grenze"}},
		{german, "Datenbankverbindungsgrenze", []string{"datenbank", "verbindung", "grenze"}},
		{german, "Speichergröße", []string{"speicher", "grosse"}},
		{german, "Hintergrundtasks", []string{"hintergrundtasks"}},
		{german, "Hintergrundfarben", []string{"hintergrundfarben"}},
		{german, "Überverbindung", []string{"uberverbindung"}},
		{german, "+Hintergrundaufgaben", []string{"hintergrundaufgaben"}},
		{dutch, "geheugengrens", []string{"geheugen", "grens"}},
		{english, "backgroundtasks", []string{"backgroundtasks"}},
	} {
		q := Read([]*index.Index{tt.x}, tt.query, Options{})[0]
		var got []string
		last := uint32(0)
		for i, w := range q.Words {
			if i > 0 && w.Pos <= last {
				t.Errorf("%s: word %d stands at %d, the one before at %d", tt.query, i, w.Pos, last)
			}
			got, last = append(got, w.Text), w.Pos
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: words %q, want %q (notes %q)", tt.query, got, tt.want, q.Notes)
		}
		if whole := len(got) == 1; whole == (len(q.Notes) > 0) && tt.query[0] != '+' {
			t.Errorf("%s: notes %q", tt.query, q.Notes)
		}
	}
}
