package ask

import (
	"context"

	"kdd/runtime/answer"
)

// MaxSessionID is how long the name of a session may be.
const MaxSessionID = 128

type askerKey struct{}

// WithAsker returns a context in which the names of conversations belong to who. So somebody else who guesses the name
// of a conversation, or has the same one because a page gives all its visitors one name, does not learn what was asked
// in it.
func WithAsker(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, askerKey{}, who)
}

// sessionOf returns the name under which a conversation is remembered.
func sessionOf(ctx context.Context, name string) answer.Name {
	who, _ := ctx.Value(askerKey{}).(string)
	return answer.Name{Asker: who, Session: name}
}
