package compiler

import (
	"fmt"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/format/encoder"
)

// cut has the model here give the dimensions that are wanted. All of its own are what no option says: a file does not
// depend on how that was said. A server's are cut by openRemote.
func (e *embedder) cut(o *Options) error {
	head := e.parts.Head()
	server := head != nil && o.PartsOnly && strings.HasPrefix(head.Recipe.ModelSHA256, embedding.ServerModel)
	if o.Dimensions == 0 || o.Remote.URL != "" || server {
		return nil
	}
	m, trained, err := e.model.Cut(o.Dimensions)
	if err != nil {
		return err
	}
	if !trained && o.Notice != nil {
		o.Notice(fmt.Sprintf("the first %d of %d dimensions: nothing says that the model %s was trained for that; "+
			"kdd eval tells what it costs", o.Dimensions, e.model.Dim, e.model.Name))
	}
	if e.model = m; m.Whole == 0 {
		o.Dimensions = 0
	}
	return nil
}

// cutServer is cut for a server's model of dim dimensions. It returns how many are kept.
func (e *embedder) cutServer(o *Options, dim int) (int, error) {
	switch {
	case o.Dimensions > dim:
		return 0, diag.Cure("leave it out to keep all", "dimensions %d: want 1 to %d, those of the server's model", o.Dimensions, dim)
	case o.Dimensions == 0 || o.Dimensions == dim:
		o.Dimensions = 0
		return dim, nil
	}
	e.recipe.Dimensions, e.recipe.Whole = o.Dimensions, dim
	return o.Dimensions, nil
}

// firstDimensions returns the first dim numbers of each row of all, [n, whole], divided by their length.
func firstDimensions(all []float32, whole, dim int) []float32 {
	if whole == dim {
		return all
	}
	rows := make([]float32, 0, len(all)/whole*dim)
	for at := 0; at < len(all); at += whole {
		rows = append(rows, all[at:at+dim]...)
		encoder.Unit(rows[len(rows)-dim:])
	}
	return rows
}
