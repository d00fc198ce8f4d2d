package runtime

import "context"

// Run decodes args by the operation's parameters (aliases, defaults, ranges, "did you mean") and calls its method.
//
// args holds JSON values as encoding/json decodes them with UseNumber or without; strings are accepted for numbers and
// booleans where surfaces that have only strings (flags, URL queries) call it. The error is a *shape.Error:
// invalid_input names the field, what was given and what it takes.
func (o *Operation) Run(ctx context.Context, s *Service, args map[string]any) (any, error) {
	return nil, errNotYet
}
