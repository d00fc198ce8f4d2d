package runtime

import (
	"testing"

	"kdd/runtime/wire"
)

// TestFileNames checks that a file name with its extension, alone or with the end of its path, means the documents that
// have it, for search, find-spec and related alike; however short it is, and whatever else is called much the same.
func TestFileNames(t *testing.T) {
	s := serve(t, tree{
		"common/tar.md":          "# tar\n\nArchiving.\n\n## Extract\n\ntext\n",
		"common/bzip2.md":        "# bzip2\n\nSee tar, tar.md or a tar.md file.\n",
		"common/git-tar.md":      "# git tar\n\nmd tar md tar\n",
		"api/index.md":           "# The interface\n\ntext\n",
		"guide/Überblick.mdx":    "# Overview\n\ntext\n",
		"features/login.feature": "Feature: Signing in\n\n  Scenario: One\n    Given a user\n",
	}.compile(t))
	for _, tt := range []struct{ name, file, node string }{
		{"tar.md", "common/tar.md", "doc:common/tar.md"},
		{"TAR.MD", "common/tar.md", "doc:common/tar.md"},
		{"common/tar.md", "common/tar.md", "doc:common/tar.md"},
		{"api/index.md", "api/index.md", "doc:api/index.md"},
		{"überblick.mdx", "guide/Überblick.mdx", "doc:guide/Überblick.mdx"},
		{"login.feature", "features/login.feature", "SCN:login"},
	} {
		if r := must(s.FindSpec(t.Context(), wire.FindSpecRequest{Name: tt.name})); r.Count == 0 || r.Results[0].Path != tt.file || r.Results[0].Score < .9 {
			t.Errorf("FindSpec(%s) = %+v, want %s first", tt.name, r.Results, tt.file)
		}
		if r := must(s.Search(t.Context(), wire.SearchRequest{Query: tt.name})); r.Count == 0 || r.Results[0].Path != tt.file {
			t.Errorf("Search(%s) = %+v, want %s first", tt.name, r.Results, tt.file)
		}
		if r, err := s.Related(t.Context(), wire.RelatedRequest{Entity: tt.name}); err != nil || r.NodeID != tt.node {
			t.Errorf("Related(%s) = %+v, %v, want %s", tt.name, r, err, tt.node)
		}
	}
	if r, err := s.Related(t.Context(), wire.RelatedRequest{Entity: "tar.md#extract"}); err != nil || r.NodeID != "doc:common/tar.md#extract" {
		t.Errorf("Related(tar.md#extract) = %+v, %v", r, err)
	}
	for _, name := range []string{"other/tar.md", "tar.mdx", ".md", "extract.md"} {
		_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: name})
		want(t, err, wire.CodeNotFound)
	}
}
