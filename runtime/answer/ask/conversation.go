package ask

import (
	"context"

	"kdd/runtime/answer"
)

// MaxSessionID is the greatest length of a conversation's name, in bytes.
const MaxSessionID = 128

type askerKey struct{}

// WithAsker returns a context in which names of conversations belong to who. Without it two people with the same name
// for a conversation would see each other's questions; a page may give that name to all its visitors, or somebody may
// guess it.
func WithAsker(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, askerKey{}, who)
}

// sessionOf returns the name under which a conversation is remembered.
func sessionOf(ctx context.Context, name string) answer.Name {
	who, _ := ctx.Value(askerKey{}).(string)
	return answer.Name{Asker: who, Session: name}
}
