package runtime

import (
	"strings"
	"testing"

	"kdd/runtime/shape"
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
		{"deployment of services", ""}, // other forms of words that are there
		{"tokens -kafka", ""},          // what must not be there
		{"tokens +kafka", `no document has "kafka"`},
		{"Tokens", ""}, // the name of a document
		{"認証 接続", ""},  // pairs of characters say little by themselves
		{"tokns", `"tokns" is not in the index: read as "tokens"|nothing is named "tokns": read as "Tokens"`},
		{"zeppelin quux wombat xylophone yurt zebra gnu", `no document has "zeppelin", "quux", "wombat", "xylophone" or "yurt" (nor 2 more words)`},
	}
	for _, tt := range tests {
		r, err := s.Search(t.Context(), shape.SearchRequest{Query: tt.query, Mode: "lexical"})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Warnings, "|"); got != tt.want {
			t.Errorf("Search(%s) warns %q, want %q", tt.query, got, tt.want)
		}
	}
}
