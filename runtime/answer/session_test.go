package answer

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestSessionsAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	s := NewSessions(func() time.Time { return now })
	s.Add(Name{Session: SharedSession}, Turn{Question: "q"})
	s.Add(Name{}, Turn{Question: "q"})
	if len(s.Turns(Name{Session: SharedSession})) != 0 || len(s.Turns(Name{})) != 0 {
		t.Error("the shared session has a history")
	}
	for i := range MaxTurns + 3 {
		s.Add(Name{Session: "a"}, Turn{Question: fmt.Sprint(i), Answer: strings.Repeat("é", maxTurnText)})
	}
	turns := s.Turns(Name{Session: "a"})
	if len(turns) != MaxTurns || turns[0].Question != "3" || len(turns[0].Answer) > maxTurnText {
		t.Errorf("%d turns, the first %q with %d bytes", len(turns), turns[0].Question, len(turns[0].Answer))
	}
	for i := range MaxSessions {
		if i == MaxSessions/2 {
			s.Add(Name{Session: "a"}, Turn{Question: "still here"})
		}
		s.Add(Name{Session: fmt.Sprint("n", i)}, Turn{Question: "q"})
	}
	if s.recent.Len() != MaxSessions || len(s.byName) != MaxSessions || s.Turns(Name{Session: "a"}) == nil || s.Turns(Name{Session: "n0"}) != nil {
		t.Errorf("%d sessions; the ones used last have to stay", s.recent.Len())
	}
	now = now.Add(MaxIdle + time.Second)
	if s.Turns(Name{Session: "a"}) != nil || s.recent.Len() != 0 || len(s.byName) != 0 {
		t.Error("a session outlives its time")
	}
}

// TestSessionsOfOthersStay: who begins many conversations drives out their own.
func TestSessionsOfOthersStay(t *testing.T) {
	s := NewSessions(time.Now)
	for i := range 3 {
		s.Add(Name{"a", fmt.Sprint(i)}, Turn{Question: "q"})
	}
	for i := range 3 * MaxSessions {
		s.Add(Name{"b", fmt.Sprint(i)}, Turn{Question: "q"})
	}
	for i := range 3 {
		if s.Turns(Name{"a", fmt.Sprint(i)}) == nil {
			t.Errorf("session %d of a is gone", i)
		}
	}
	if s.Turns(Name{"b", fmt.Sprint(3*MaxSessions - 1)}) == nil || s.Turns(Name{"b", "0"}) != nil || s.Turns(Name{"b", "a"}) != nil {
		t.Error("of b's sessions, the ones used last have to stay")
	}
	for i := range 2 * MaxSessions { // one each: the oldest goes
		s.Add(Name{fmt.Sprint("c", i), "x"}, Turn{Question: "q"})
	}
	if s.recent.Len() != MaxSessions || len(s.byName) != MaxSessions || s.Turns(Name{fmt.Sprint("c", 2*MaxSessions-1), "x"}) == nil {
		t.Errorf("%d sessions, want %d with the last", s.recent.Len(), MaxSessions)
	}
}

// TestSessionsHoldNoMore: of a long question what is remembered is held, and not the whole text.
func TestSessionsHoldNoMore(t *testing.T) {
	s := NewSessions(time.Now)
	long := strings.Repeat("é", 1<<20)
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used()
	for i := range 20 {
		s.Add(Name{Session: fmt.Sprint(i)}, Turn{Question: strings.Clone(long), Answer: strings.Clone(long)})
	}
	if after := used(); after > before+8<<20 {
		t.Errorf("20 sessions hold %d bytes, want less than 8 MiB", after-before)
	}
	runtime.KeepAlive(s)
}

func TestFollow(t *testing.T) {
	const first = "how long are access tokens valid"
	before := []Turn{{Question: first, About: first, Answered: true}}
	for question, alone := range map[string]bool{
		"and refresh tokens?": false, "why?": false, "how do I renew it": false, "show me an example": false, "¿y los otros?": false, "¿cómo lo uso?": false, "¿cuáles son sus atributos?": false,
		"¿cómo la base de datos crece?": true, "¿dónde guarda el sistema de pago sus datos?": true,
		"what is a session": true, "which ports are open": true,
	} {
		got, _ := Follow(before, question)
		if alone != (got == question) || !strings.HasPrefix(got, question) {
			t.Errorf("Follow(%q) = %q, want it alone: %v", question, got, alone)
		}
		if got, about := Follow(nil, question); got != question || about != question {
			t.Errorf("Follow(%q) without a history = %q", question, got)
		}
	}
}

// A conversation stays with its subject until another is named, and does not grow.
func TestFollowOn(t *testing.T) {
	var turns []Turn
	for _, step := range []struct {
		question, searched string
		refused            bool
	}{
		{"how long are access tokens valid", "how long are access tokens valid", false},
		{"and who can revoke them", "and who can revoke them how long are access tokens valid", false},
		{"where do they do that", "where do they do that and who can revoke them how long are access tokens valid", true},
		{"show me an example", "show me an example how long are access tokens valid", false},
		{"why?", "why? how long are access tokens valid", false},
		{"what about refresh tokens", "what about refresh tokens how long are access tokens valid", false},
		{"who can revoke them", "who can revoke them what about refresh tokens", false},
		{"dame un ejemplo", "dame un ejemplo who can revoke them what about refresh tokens", false},
		{"which ports are open", "which ports are open", true},
		{"and how?", "and how? which ports are open", false},
	} {
		searched, about := Follow(turns, step.question)
		if searched != step.searched {
			t.Errorf("%q searches for %q, want %q", step.question, searched, step.searched)
		}
		turns = append(turns, Turn{Question: step.question, About: about, Answered: !step.refused})
	}
}
