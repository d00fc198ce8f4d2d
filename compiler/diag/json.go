package diag

// JSON is the wire form of a Diagnostic.
type JSON struct {
	Path     string `json:"path,omitempty"`
	Line     int    `json:"line,omitempty"`
	Col      int    `json:"col,omitempty"`
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Rule     string `json:"rule"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty"`
}

// JSON returns the wire form of d.
func (d Diagnostic) JSON() JSON {
	return JSON{
		Path: d.Path, Line: d.Line, Col: d.Col, Severity: d.Severity.String(),
		Code: d.Code, Rule: d.Rule, Message: d.Text, Hint: d.Hint,
	}
}

// ListJSON returns the wire form of all of ds; never nil, so that it encodes as an array.
func ListJSON(ds []Diagnostic) []JSON {
	list := make([]JSON, len(ds))
	for i := range ds {
		list[i] = ds[i].JSON()
	}
	return list
}
