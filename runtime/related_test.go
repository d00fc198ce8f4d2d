package runtime

import (
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/wire"
)

// specs is a small tree of typed documents, with an id, aliases, headings and scenarios.
var specs = tree{
	"01-domain/entities/Pedido.md":              "---\nkind: entity\naliases: [Orden, Purchase Order]\n---\n# Pedido\n\n## Descripción\n\nTexto con [[BR-PAGO-001]].\n\n## Atributos\n\n[[Cliente]]\n",
	"01-domain/entities/Cliente.md":             "---\nkind: entity\n---\n# Cliente\n\n## Descripción\n\nTexto.\n",
	"01-domain/rules/BR-PAGO-001.md":            "---\nid: BR-PAGO-001\nkind: business-rule\n---\n# Pago único\n\n## Declaración\n\nCada [[Pedido]] tiene un pago.\n",
	"02-behavior/commands/CMD-001-CrearPago.md": "---\nkind: command\n---\n# Crear pago\n\n## Descripción\n\nVer [[BR-PAGO-001]].\n",
	"04-verification/examples/pago.feature":     "@BR-PAGO-001\nFeature: Pagos\n\n  Scenario: Pago doble\n    Given un Pedido\n    When se paga\n    Then falla\n",
	"notes/twin.md":                             "# Read me\n\nText.\n",
	"other/twin.md":                             "# Read me too\n\nText.\n",
}

// TestEveryNodeIDResolves checks that each node id that an answer can give leads back to its node.
func TestEveryNodeIDResolves(t *testing.T) {
	for name, path := range map[string]string{"specs": specs.compile(t), "random": random(5, 20).compile(t)} {
		s := serve(t, path)
		err := s.with(t.Context(), func(set *artifact.Set) error {
			a := set.Artifacts[0]
			for n := range index.NodeID(a.Nodes()) {
				want := n
				if a.NodeIsSection(n) && a.SectionLevel(a.NodeSection(n)) == 0 {
					want = a.NodeOfDoc(a.NodeDoc(n)) // the document's own section goes by the document's id
				}
				id := names.InfoOf(a, n).ID
				if _, got, _, err := names.FindNode(set, id); err != nil || got.Node != want {
					t.Errorf("%s: entity(%q) = node %d, %v, want %d", name, id, got.Node, err, want)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestRelatedFinds(t *testing.T) {
	s := serve(t, specs.compile(t))
	tests := []struct{ entity, id, also string }{
		{"Entity:Pedido", "Entity:Pedido", ""},
		{"pedido", "Entity:Pedido", ""},
		{" ORDEN ", "Entity:Pedido", ""},
		{"purchase order", "Entity:Pedido", ""},
		{"BR-PAGO-001", "BR:BR-PAGO-001", ""},
		{"pago unico", "BR:BR-PAGO-001", ""},
		{"CMD-001", "CMD:CMD-001-CrearPago", ""},
		{"CMD-001-CrearPago", "CMD:CMD-001-CrearPago", ""},
		{"01-domain/rules/BR-PAGO-001.md", "BR:BR-PAGO-001", ""},
		{"./01-domain/rules/BR-PAGO-001.md", "BR:BR-PAGO-001", ""},
		{"01-domain/rules/BR-PAGO-001.md#declaracion", "BR:BR-PAGO-001#declaración", ""},
		{"doc:notes/twin.md", "doc:notes/twin.md", ""},
		{"kdd://doc/notes/twin.md", "doc:notes/twin.md", ""},
		{"Atributos", "Entity:Pedido#atributos", ""},
		{"twin", "doc:notes/twin.md", "doc:other/twin.md"},
		{"Pago doble", "", ""},
	}
	for _, tt := range tests {
		resp, err := s.Related(t.Context(), wire.RelatedRequest{Entity: tt.entity})
		if err != nil || tt.id != "" && resp.NodeID != tt.id {
			t.Errorf("Related(%s) = %+v, %v, want %s", tt.entity, resp, err, tt.id)
			continue
		}
		if also := strings.Join(resp.Warnings, "|"); (tt.also == "") != (also == "") || !strings.Contains(also, tt.also) {
			t.Errorf("Related(%s) warns %q, want %q", tt.entity, also, tt.also)
		}
		for _, r := range resp.Related {
			if r.NodeID == resp.NodeID {
				t.Errorf("Related(%s) has itself: %+v", tt.entity, r)
			}
		}
	}
}

func TestRelatedEdges(t *testing.T) {
	s := serve(t, specs.compile(t))
	resp := must(s.Related(t.Context(), wire.RelatedRequest{Entity: "BR-PAGO-001", Direction: "in", EdgeTypes: []string{"wiki_link"}}))
	var from []string
	for _, r := range resp.Related {
		from = append(from, r.Path)
		if r.Direction != "incoming" || r.Relation != "WIKI_LINK" || r.Distance != 1 || !strings.Contains(r.SourceURL, "#L") || r.FoundBy == "" {
			t.Errorf("%+v", r)
		}
	}
	slices.Sort(from)
	if text := strings.Join(from, " "); text != "01-domain/entities/Pedido.md 02-behavior/commands/CMD-001-CrearPago.md" {
		t.Errorf("linked from %s", text)
	}
	_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: "BR-PAGO-001", EdgeTypes: []string{"WIKILINK"}})
	if e := want(t, err, wire.CodeInvalidInput); !strings.Contains(e.Hint, "did you mean WIKI_LINK?") {
		t.Errorf("%v", e)
	}
	// Pages of one give all of it, in the same order.
	whole := must(s.Related(t.Context(), wire.RelatedRequest{Entity: "Pedido", Depth: 3, Limit: 100, Page: wire.Page{MaxBytes: -1}}))
	q := wire.RelatedRequest{Entity: "Pedido", Depth: 3, Limit: 1}
	for i, r := range whole.Related {
		one := must(s.Related(t.Context(), q))
		if one.Count != 1 || one.Related[0] != r || one.Total != whole.Total || (one.Cursor == "") != (i == whole.Total-1) {
			t.Fatalf("page %d: %+v, want %+v", i, one, r)
		}
		q.Cursor = one.Cursor
	}
	if whole.Total < 4 || whole.Count != whole.Total {
		t.Errorf("%d of %d", whole.Count, whole.Total)
	}
}

func TestSuggestions(t *testing.T) {
	s := serve(t, specs.compile(t))
	tests := []struct{ entity, want string }{
		{"BR-PAGO-002", "BR-PAGO-001"}, {"Pedidoo", "Pedido"}, {"Purchase Ordr", "Purchase Order"}, {"cmd-01", "CMD-001"}, {"Atribuos", "Atributos"}, {"Pago dobel", "Pago doble"},
	}
	for _, tt := range tests {
		_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: tt.entity})
		e := want(t, err, wire.CodeNotFound)
		if list, _ := e.Details["suggestions"].([]string); !slices.Contains(list, tt.want) || !strings.HasPrefix(e.Hint, "did you mean ") {
			t.Errorf("Related(%s): %v %v, want %s as it is written", tt.entity, e, e.Details, tt.want)
		}
	}
	for _, entity := range []string{`zx\qwv`, "\x1b[31mzzzzqq", strings.Repeat("zxqwv ", 10_000)} {
		_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: entity})
		if e := want(t, err, wire.CodeNotFound); e.Details != nil || strings.Contains(e.Message, `\\`) || strings.Contains(e.Message, "\x1b") || len(e.Message) > 300 {
			t.Errorf("Related(%.20q): %v %v", entity, e, e.Details)
		}
	}
	_, err := s.Related(t.Context(), wire.RelatedRequest{Entity: "notes/twin.md#nosuch"})
	if e := want(t, err, wire.CodeNotFound); !strings.Contains(e.Message, `notes/twin.md has no section "nosuch"`) {
		t.Errorf("%v", e)
	}
}
