package runtime

import (
	"fmt"
	"strings"
	"testing"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestSearchSaysWhatIsAbsent: words that no document has are named as they were typed, and others are not.
func TestSearchSaysWhatIsAbsent(t *testing.T) {
	s := serve(t, tree{
		"a.md": "# Deploying\n\nDeploy the service with its run_task() and wait for readiness. Consumers of a group share partitions.\n",
		"b.md": "# Tokens\n\nAccess tokens are valid for an hour; state stays in the store. 認証の設定\n",
	}.compile(t))
	tests := []struct{ query, want string }{
		{"how long are tokens valid", ""},
		{"how to set up a Kafka consumer group", `no document has "Kafka"`},
		{"Kafka, kafka or RabbitMQ?", `no document has "Kafka", "kafka" or "RabbitMQ"`},
		{"E0382", `no document has "E0382"`},
		{"run_task", ""},
		{"run_consumer_group()", `no document has "run_consumer_group"`},
		{"+run_t*", ""}, // the beginning of a word that is there
		{"run_q* partitions", `no document has "run_q"`},
		{"deployment of services", ""}, // other forms of words that are there
		{"tokens -kafka", ""},          // what must not be there
		{"tokens +kafka", `no document has "kafka"`},
		{"Tokens", ""}, // the name of a document
		{"認証 接続", ""},  // pairs of characters say little by themselves
		{"響應式", `no document has "響應式"`},
		{"웹소켓을 구름다리", `no document has "웹소켓을" or "구름다리"`},
		{"การค้นหา 響", `no document has "การค้นหา" or "響"`},
		{"tokns", `"tokns" is not in the index: read as "tokens"|nothing is named "tokns": read as "Tokens"`},
		{"zeppelin quux wombat xylophone yurt zebra gnu", `no document has "zeppelin", "quux", "wombat", "xylophone" or "yurt" (nor 2 more words)`},
	}
	for _, tt := range tests {
		r, err := s.Search(t.Context(), wire.SearchRequest{Query: tt.query, Mode: "lexical"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Warnings, "|"); got != tt.want {
			t.Errorf("Search(%s) warns %q, want %q", tt.query, got, tt.want)
		}
	}
}

// TestAbsentInAnotherLanguage: of a query in another language than the documents only names are told, however doubtful
// the hits.
func TestAbsentInAnotherLanguage(t *testing.T) {
	f := tree{}
	for i := range 30 {
		f[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("# Part %d\n\nThe service is one of those that are run by the team, and it has to be there at all times.\n", i)
	}
	s := serve(t, f.compile(t))
	for _, tt := range []struct{ query, want string }{
		{"¿cómo se puede gestionar el service con Kafka?", `no document has "Kafka"`},
		{"how do you manage the service with Kafka?", `no document has "manage" or "Kafka"`},
	} {
		r := searched(t, s, wire.SearchRequest{Query: tt.query, Mode: "lexical"})
		if len(r.Results) == 0 || r.Results[0].Score >= search.MinReliable || strings.Join(r.Warnings, "|") != tt.want {
			t.Errorf("Search(%s): %d hits, warnings %q, want %q", tt.query, r.Count, r.Warnings, tt.want)
		}
	}
}
