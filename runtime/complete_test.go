package runtime

import (
	"slices"
	"testing"
)

func TestComplete(t *testing.T) {
	svc := serve(t, corpus(t, "handbook"))
	for _, test := range []struct {
		name  string
		q     CompleteRequest
		first []string // that Values begin with
		total int      // -1: any
	}{
		{"paths that begin so come first", CompleteRequest{Kind: CompletePath, Typed: "security/a"}, []string{"security/auth.md"}, -1},
		{"whatever the case", CompleteRequest{Kind: CompletePath, Typed: "SECURITY/Auth.md"}, []string{"security/auth.md"}, 1},
		{"paths that hold it", CompleteRequest{Kind: CompletePath, Typed: "auth.md"}, []string{"security/auth.md"}, -1},
		{"anchors behind a path", CompleteRequest{Kind: CompletePath, Typed: "security/auth.md#acc"}, []string{"security/auth.md#access-tokens", "security/auth.md#account-lockout"}, 2},
		{"anchors of a path", CompleteRequest{Kind: CompleteAnchor, Typed: "acc", Of: "security/auth.md"}, []string{"access-tokens", "account-lockout"}, 2},
		{"anchors of an address", CompleteRequest{Kind: CompleteAnchor, Typed: "acc", Of: "kdd://doc/security/auth.md#x"}, []string{"access-tokens", "account-lockout"}, 2},
		{"anchors of nothing", CompleteRequest{Kind: CompleteAnchor, Typed: "", Of: "none.md"}, nil, 0},
		{"folders", CompleteRequest{Kind: CompleteFolder, Typed: "s"}, []string{"security/", "services/"}, 2},
		{"what is in a folder", CompleteRequest{Kind: CompleteFolder, Typed: "security/"}, []string{"security/auth.md"}, -1},
		{"anchors behind a path in a folder", CompleteRequest{Kind: CompleteFolder, Typed: "security/auth.md#acc"}, []string{"security/auth.md#access-tokens", "security/auth.md#account-lockout"}, 2},
		{"ids", CompleteRequest{Kind: CompleteEntity, Typed: "rf-auth"}, []string{"RF-AUTH-001"}, -1},
		{"titles", CompleteRequest{Kind: CompleteTitle, Typed: "authentication s"}, []string{"Authentication System"}, 1},
		{"domains", CompleteRequest{Kind: CompleteDomain, Typed: "sec"}, []string{"security"}, 1},
		{"nothing", CompleteRequest{Kind: CompletePath, Typed: "zxqwv"}, nil, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := svc.Complete(t.Context(), test.q)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(test.first); len(got.Values) < n || !slices.Equal(got.Values[:n], test.first) || test.total >= 0 && got.Total != test.total {
				t.Errorf("Complete(%+v) = %q, %d, want %q first, %d", test.q, got.Values, got.Total, test.first, test.total)
			}
		})
	}
}
