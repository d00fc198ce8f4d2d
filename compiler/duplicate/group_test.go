package duplicate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

const page = "The build walks the sources in order, cuts them into chunks, embeds each chunk once and writes one file that answers by itself without a server or a network."

func groups(ctx context.Context, texts []string) ([][]uint32, error) {
	return Groups[uint32](ctx, len(texts), func(i int) string { return texts[i] })
}

func TestGroups(t *testing.T) {
	tests := []struct {
		name  string
		texts []string
		want  [][]uint32
	}{
		{"none", nil, nil},
		{"one", []string{page}, nil},
		{"equal", []string{page, page}, [][]uint32{{0, 1}}},
		{"case and marks do not count", []string{page, strings.ToUpper(strings.ReplaceAll(page, ",", " —")), "other"}, [][]uint32{{0, 1}}},
		{"a word at the end", []string{page, page + " Really."}, [][]uint32{{0, 1}}},
		{"half of it", []string{page, page[:len(page)/2]}, nil},
		{"twice as long", []string{page, page + " " + strings.ReplaceAll(page, "the", "a")}, nil},
		{"too short", []string{"See also the guide", "See also the guide"}, nil},
		{"a short text below two headings", []string{"createRoot › Parameters: the node to render into, a React node", "hydrateRoot › Parameters: the node to render into, a React node"}, nil},
		{"two groups", []string{page, "x " + strings.Repeat("other words stand here and there ", 3) + "a b c d e f g", page, "x " + strings.Repeat("other words stand here and there ", 3) + "a b c d e f g", page}, [][]uint32{{0, 2, 4}, {1, 3}}},
		{"Chinese", []string{"编译器按顺序遍历源文件并将其切成块然后嵌入每一块", "编译器按顺序遍历源文件并将其切成块然后嵌入每一块。", "编译器"}, [][]uint32{{0, 1}}},
		{"empty texts", []string{"", "", "   "}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := groups(t.Context(), tt.texts)
			if err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("Groups = %v, %v, want %v", got, err, tt.want)
			}
		})
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := groups(cancelled, []string{page}); err == nil {
		t.Error("a cancelled context gives no error")
	}
}

// naive compares each text with each leader, in sets of the shingles themselves.
func naive(texts []string) [][]uint32 {
	sets := make([]map[string]bool, len(texts))
	for i, text := range texts {
		sets[i] = map[string]bool{}
		words := strings.Fields(strings.ToLower(text))
		for k := 3; k <= len(words); k++ {
			sets[i][strings.Join(words[k-3:k], " ")] = true
		}
	}
	members := map[int][]uint32{}
	var leaders []int
next:
	for i, set := range sets {
		if len(set) < minShingles {
			continue
		}
		for _, l := range leaders {
			both := 0
			for s := range set {
				if sets[l][s] {
					both++
				}
			}
			if float64(both) >= threshold*float64(len(set)+len(sets[l])-both) {
				members[l] = append(members[l], uint32(i))
				continue next
			}
		}
		leaders = append(leaders, i)
	}
	var groups [][]uint32
	for _, l := range leaders {
		if members[l] != nil {
			groups = append(groups, append([]uint32{uint32(l)}, members[l]...))
		}
	}
	return groups
}

// Sketches and sorted hashes group as comparing all with all does.
func TestGroupsAgainstAllPairs(t *testing.T) {
	grouped := 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		var texts []string
		for range 60 {
			if len(texts) > 0 && r.IntN(2) == 0 { // an earlier one with some words changed
				words := strings.Fields(texts[r.IntN(len(texts))])
				for range r.IntN(6) {
					words[r.IntN(len(words))] = fmt.Sprintf("w%d", r.IntN(300))
				}
				texts = append(texts, strings.Join(words, " "))
				continue
			}
			words := make([]string, 5+r.IntN(120))
			for k := range words {
				words[k] = fmt.Sprintf("w%d", r.IntN(300))
			}
			texts = append(texts, strings.Join(words, " "))
		}
		got, err := groups(t.Context(), texts)
		if want := naive(texts); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: Groups = %v, %v, want %v", seed, got, err, want)
		}
		grouped += len(got)
	}
	if grouped < 100 {
		t.Errorf("%d groups in all, too few to tell anything", grouped)
	}
}

func BenchmarkGroups(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	texts := make([]string, 10_000)
	for i := range texts {
		words := make([]string, 120)
		for k := range words {
			words[k] = fmt.Sprintf("word%d", int(r.ExpFloat64()*2000))
		}
		texts[i] = strings.Join(words, " ")
		if i%10 == 9 {
			texts[i] = texts[i-5]
		}
	}
	total := 0
	for _, text := range texts {
		total += len(text)
	}
	b.SetBytes(int64(total))
	b.ReportAllocs()
	for b.Loop() {
		if groups, err := groups(b.Context(), texts); err != nil || len(groups) != 1000 {
			b.Fatal(len(groups), err)
		}
	}
}
