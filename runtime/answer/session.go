package answer

import (
	"container/list"
	"strings"
	"sync"
	"time"

	"kdd/format/text"
)

// The bounds of remembered conversations.
const (
	// the ones used last stay, of each asker as many as of another where there is no room for all
	MaxSessions = 256
	MaxTurns    = 6                // of each
	MaxIdle     = 30 * time.Minute // after which a session is forgotten
	maxTurnText = 2000             // bytes of a question or answer
)

// SharedSession is the name that widgets send by default. Everyone has it, so it has no history.
const SharedSession = "web"

// Name identifies a conversation: its name, and who leads it. Asker is "" if a process has one user.
type Name struct{ Asker, Session string }

// Turn is one question of a conversation and its answer.
type Turn struct {
	Question string // as it was asked
	About    string // the question that names what it is about
	Answer   string
	Answered bool // not refused
}

// Sessions are conversations by name, in memory alone. They are safe for concurrent use.
type Sessions struct {
	now func() time.Time

	mu     sync.Mutex
	byName map[Name]*list.Element
	recent *list.List // of *session, the one used last in front
}

type session struct {
	name  Name
	turns []Turn
	used  time.Time
}

// NewSessions returns an empty memory; now is its clock.
func NewSessions(now func() time.Time) *Sessions {
	return &Sessions{now: now, byName: map[Name]*list.Element{}, recent: list.New()}
}

// remembered says whether n names a single conversation.
func (n Name) remembered() bool { return n.Session != "" && n.Session != SharedSession }

// Turns returns the turns of a conversation, oldest first, or nil if it is not known.
func (s *Sessions) Turns(name Name) []Turn {
	if !name.remembered() {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	e := s.byName[name]
	if e == nil {
		return nil
	}
	return append([]Turn(nil), e.Value.(*session).turns...)
}

// Add remembers a turn.
func (s *Sessions) Add(name Name, t Turn) {
	if !name.remembered() {
		return
	}
	t.Question, t.About, t.Answer = cut(t.Question), cut(t.About), cut(t.Answer)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
	e := s.byName[name]
	if e == nil {
		e = s.recent.PushFront(&session{name: name})
		s.byName[name] = e
	}
	s.recent.MoveToFront(e)
	own := e.Value.(*session)
	own.turns, own.used = append(own.turns, t), s.now()
	if n := len(own.turns) - MaxTurns; n > 0 {
		own.turns = append([]Turn(nil), own.turns[n:]...)
	}
	if s.recent.Len() > MaxSessions {
		s.drop(s.excess())
	}
}

// excess returns the conversation to drop if there are too many: the least recently used one of whoever has the most.
// So nobody can push out the conversations of others by beginning many. Cost: MaxSessions steps.
func (s *Sessions) excess() *list.Element {
	count, most := map[string]int{}, 0
	for name := range s.byName {
		count[name.Asker]++
		most = max(most, count[name.Asker])
	}
	e := s.recent.Back()
	for count[e.Value.(*session).name.Asker] < most {
		e = e.Prev()
	}
	return e
}

// cut returns the part of a text that is remembered, as a copy, so that a larger text around it is not held in memory.
func cut(raw string) string { return strings.Clone(text.CutRunes(raw, maxTurnText)) }

// forget drops the conversations that were not used for long.
func (s *Sessions) forget() {
	for e := s.recent.Back(); e != nil && s.now().Sub(e.Value.(*session).used) > MaxIdle; e = s.recent.Back() {
		s.drop(e)
	}
}

func (s *Sessions) drop(e *list.Element) {
	delete(s.byName, e.Value.(*session).name)
	s.recent.Remove(e)
}
