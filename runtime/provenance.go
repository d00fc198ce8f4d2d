package runtime

import (
	"encoding/hex"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/wire"
)

// Provenance returns what the artifact at path says of itself. It checks no more than that the file opens.
func Provenance(path string) (p *wire.Provenance, err error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	list, err := sign.All(x.File, path)
	if err != nil {
		return nil, err
	}
	root, from, m := x.File.RootHash(), x.File.Provenance(), x.Meta
	p = &wire.Provenance{
		SchemaVersion: "provenance.v1", Path: path, IndexID: x.File.ID(), Root: hex.EncodeToString(root[:]),
		Format: format.Version, MadeBy: m.MadeBy, Title: m.Title, Documents: x.Docs(), TreeHash: m.TreeHash,
		OptionsHash: m.OptionsHash, Commit: from.Commit, Date: from.Date, Dirty: from.Dirty, Encoder: m.Encoder,
		Model: modelStats(m.Model),
	}
	for _, s := range list {
		if claim, err := sign.Parse([]byte(s.Statement)); err == nil && claim.Root == root {
			p.Signatures = append(p.Signatures, wire.ClaimedSignature{Kind: string(s.Kind), Name: claim.Name,
				Commit: claim.Commit, Date: claim.Date})
		}
	}
	return p, nil
}

// modelStats describes the model of an artifact's vectors; nil if it has none.
func modelStats(m *index.Model) *wire.ModelStats {
	if m == nil {
		return nil
	}
	return &wire.ModelStats{Name: m.Name, SHA256: m.SHA256, Dim: m.Dim, Whole: m.Whole, Pooling: m.Pooling, Precision: m.Precision,
		Engine: m.Engine, Licence: m.Licence}
}
