package model

import (
	"encoding/json"
	"path"
	"strings"

	"kdd/compiler/diag"
)

// layout is what the small files of a sentence-transformers model say about it.
type layout struct {
	pooling   string // "mean", "cls" or "max"
	maxTokens int    // 0 if nothing says
	prefixes  Prefixes
	rooted    bool    // the mean is the sum over √n
	dense     []Dense // modules after the pooling
	unpooled  bool    // prefixes are to be left out of the pooling
	licence   string
	languages []string // nil if the card names none
	cased     bool     // for a model with vocab.txt only
}

// readLayout reads modules.json, the pooling's configuration, sentence_bert_config.json and the like.
func readLayout(s *source) (*layout, error) {
	l := &layout{}
	poolingFile := "1_Pooling/config.json"
	var modules []module
	if found, err := readJSON(s, "modules.json", &modules); err != nil {
		return nil, err
	} else if found {
		poolingFile = ""
		unit := false
		for i, m := range modules {
			switch m.kind() {
			case "Transformer":
				if m.Path != "" && m.Path != "." || i != 0 {
					return nil, sourceError("modules.json: transformer in folder %q, want the model's top", m.Path)
				}
			case "Pooling":
				poolingFile = path.Join(m.Path, "config.json")
			case "Normalize":
				unit = true
			case "Dense":
				if poolingFile == "" || unit {
					return nil, sourceError("modules.json: a Dense module in %q, want it between Pooling and Normalize", m.Path)
				}
				if err := l.addDense(s, m.Path); err != nil {
					return nil, err
				}
			default:
				return nil, diag.Cure("choose a model without it", "%w", sourceError("modules.json: module of type %q; want Transformer, Pooling, Dense and Normalize only: "+
					"its vectors go through more than kdd evaluates", m.Type))
			}
		}
		if poolingFile == "" {
			return nil, sourceError("modules.json: no Pooling module")
		}
	}
	if err := l.readPooling(s, poolingFile); err != nil {
		return nil, err
	}

	var sentence struct {
		MaxSeqLength int `json:"max_seq_length"`
	}
	if _, err := readJSON(s, "sentence_bert_config.json", &sentence); err != nil {
		return nil, err
	}
	var tok struct {
		ModelMaxLength float64 `json:"model_max_length"` // 1e30 stands for "no limit"
		DoLowerCase    *bool   `json:"do_lower_case"`
	}
	if _, err := readJSON(s, "tokenizer_config.json", &tok); err != nil {
		return nil, err
	}
	l.maxTokens = sentence.MaxSeqLength
	if l.maxTokens <= 0 && tok.ModelMaxLength > 0 && tok.ModelMaxLength < 1<<20 {
		l.maxTokens = int(tok.ModelMaxLength)
	}
	l.cased = tok.DoLowerCase != nil && !*tok.DoLowerCase

	return l, l.readCard(s)
}

// readCard reads what the files beside the weights say of prompts, licence and languages.
func (l *layout) readCard(s *source) error {
	var st struct {
		Prompts map[string]string
	}
	if _, err := readJSON(s, "config_sentence_transformers.json", &st); err != nil {
		return err
	}
	l.prefixes.Query = st.Prompts["query"]
	for _, key := range documentRoutes {
		if p, ok := st.Prompts[key]; ok {
			l.prefixes.Document = p
			break
		}
	}

	readme, err := s.read("README.md")
	if err != nil {
		return err
	}
	l.licence = frontMatterLicence(string(readme))
	l.languages, _ = cardLanguages(string(readme))
	return nil
}

// readPooling reads a Pooling module's configuration.
func (l *layout) readPooling(s *source, name string) error {
	var p struct {
		Mode string `json:"pooling_mode"`
		CLS  bool   `json:"pooling_mode_cls_token"`
		Mean bool   `json:"pooling_mode_mean_tokens"`
		Max  bool   `json:"pooling_mode_max_tokens"`
		Root bool   `json:"pooling_mode_mean_sqrt_len_tokens"`
		Last bool   `json:"pooling_mode_lasttoken"`
		Wgt  bool   `json:"pooling_mode_weightedmean_tokens"`

		Prompt *bool `json:"include_prompt"`
	}
	found, err := readJSON(s, name, &p)
	if err != nil {
		return err
	}
	if !found {
		return sourceError("no %s: not a sentence-transformers model, which says how token vectors become one", name)
	}
	modes := []string{p.Mode}
	if p.Mode == "" {
		modes = modes[:0]
		for _, m := range []struct {
			on   bool
			name string
		}{{p.CLS, "cls"}, {p.Mean, "mean"}, {p.Max, "max"}, {p.Root, "mean_sqrt_len_tokens"}, {p.Last, "lasttoken"}, {p.Wgt, "weightedmean"}} {
			if m.on {
				modes = append(modes, m.name)
			}
		}
	}
	switch mode := strings.Join(modes, " and "); mode {
	case "cls", "mean", "max":
		l.pooling = mode
	case "mean_sqrt_len_tokens", "mean_sqrt_len":
		l.pooling, l.rooted = "mean", true // one direction, and vectors are normalised
	default:
		return sourceError("%s: unsupported pooling %q, want one of mean, cls, max and mean_sqrt_len_tokens", name, mode)
	}
	l.unpooled = p.Prompt != nil && !*p.Prompt
	return nil
}

// readJSON decodes a file of the source, if it is there.
func readJSON(s *source, name string, into any) (found bool, err error) {
	data, err := s.read(name)
	if err != nil || data == nil {
		return false, err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return false, sourceError("%s: %v", name, err)
	}
	return true, nil
}

// frontMatterLicence finds "license: x" in a model card's front matter.
func frontMatterLicence(card string) string {
	for line := range strings.SplitSeq(frontMatter(card), "\n") {
		if v, ok := strings.CutPrefix(line, "license:"); ok {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}
