package remote

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// maxExpandedBytes bounds a value after its variables have been filled in.
const maxExpandedBytes = 1 << 20

// expand replaces ${VAR} by the variable's value, and ${VAR:-default} by the default if VAR is unset or empty. Values
// are not expanded again. "$" without "{" stays. fill is called with each name and value.
func expand(text string, getenv func(string) string, fill func(name, value string)) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		inside, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf(`%q has "${" without "}"`, wire.Clean(wire.Shorten("${"+rest, 60)))
		}
		name, fallback, optional := strings.Cut(inside, ":-")
		if !variableName(name) {
			return "", fmt.Errorf("${%s} is no variable: want ${NAME} or ${NAME:-default}", wire.Clean(wire.Shorten(inside, 60)))
		}
		value := getenv(name)
		if value == "" {
			if !optional {
				return "", fmt.Errorf("the variable %s is not set", name)
			}
			value = fallback
		} else if fill != nil {
			fill(name, value)
		}
		b.WriteString(value)
		if b.Len() > maxExpandedBytes {
			return "", fmt.Errorf("longer than %d bytes with its variables filled in", maxExpandedBytes)
		}
		text = after
	}
}

// variableName reports whether s is the name of an environment variable.
func variableName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// resolved is a Server with its variables filled in, and the secrets that must not be printed.
type resolved struct {
	Server
	secrets []string
}

// notSecret are variables whose values are never secrets.
var notSecret = []string{"HOME", "PATH", "PWD", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR", "TERM"}

// minSecretBytes is the length of the shortest secret that is replaced in messages: shorter ones may be parts of words.
const minSecretBytes = 4

// resolve fills in the variables of s.
func resolve(s *Server, getenv func(string) string) (*resolved, error) {
	r := &resolved{Server: *s}
	hide := func(value string) {
		if len(value) >= minSecretBytes && !slices.Contains(r.secrets, value) {
			r.secrets = append(r.secrets, value)
		}
	}
	var problem error
	fill := func(where, text string, secret bool) string {
		value, err := expand(text, getenv, func(name, value string) {
			if secret && !slices.Contains(notSecret, name) {
				hide(value)
			}
		})
		if err != nil && problem == nil {
			problem = fmt.Errorf("%s: %w", where, err)
		}
		return value
	}
	fillMap := func(where string, values map[string]string) map[string]string {
		if values == nil {
			return nil
		}
		out := map[string]string{}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			out[key] = fill(where+"."+key, values[key], true)
		}
		return out
	}
	r.Command = fill("command", s.Command, false)
	r.Dir = fill("cwd", s.Dir, false)
	r.Args = slices.Clone(s.Args)
	for i := range r.Args {
		r.Args[i] = fill(fmt.Sprintf("args[%d]", i), r.Args[i], true)
	}
	r.Env = fillMap("env", s.Env)
	r.URL = fill("url", s.URL, true)
	r.Headers = fillMap("headers", s.Headers)
	for _, value := range r.Headers {
		hide(value)
	}
	if s.Auth != nil {
		a := *s.Auth
		for _, text := range []*string{&a.Token, &a.Key, &a.Username, &a.Password} {
			*text = fill("auth", *text, true)
		}
		for _, secret := range []string{a.Token, a.Key, a.Password} {
			hide(secret)
		}
		r.Auth = &a
	}
	// Longer ones first: a secret may be part of another.
	slices.SortStableFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
	return r, problem
}

// redact replaces secrets in text by ***.
func (r *resolved) redact(text string) string {
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	return text
}

// Variables returns the names of the variables that the entry reads, sorted.
func (s *Server) Variables() []string {
	names := map[string]bool{}
	note := func(text string) {
		for _, part := range strings.Split(text, "${")[1:] {
			inside, _, closed := strings.Cut(part, "}")
			name, _, _ := strings.Cut(inside, ":-")
			if closed && variableName(name) {
				names[name] = true
			}
		}
	}
	for _, text := range slices.Concat([]string{s.Command, s.Dir, s.URL}, s.Args) {
		note(text)
	}
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, text := range values {
			note(text)
		}
	}
	if a := s.Auth; a != nil {
		for _, text := range []string{a.Token, a.Key, a.Username, a.Password} {
			note(text)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// minContentSecretBytes is the length of the shortest secret that is replaced in answers, which should not be garbled.
const minContentSecretBytes = 8

// redactContent replaces secrets in an answer of the server by ***.
func (r *resolved) redactContent(text string) string {
	for _, secret := range r.secrets {
		if len(secret) >= minContentSecretBytes {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}

// redactValue is redactContent for the strings of a JSON value.
func (r *resolved) redactValue(v any) any {
	switch v := v.(type) {
	case string:
		return r.redactContent(v)
	case []any:
		for i := range v {
			v[i] = r.redactValue(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = r.redactValue(v[key])
		}
	}
	return v
}
