package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeldir"
	"kdd/runtime/wire"
)

// checkModels says to doctor what a build would embed with, and where that was found. That there is none is no fault.
func checkModels(context.Context) []wire.Check {
	return []wire.Check{checkModel(), checkRuntime()}
}

// checkModel looks for the model that a build takes where none is named.
func checkModel() wire.Check {
	m, err := model.Find("")
	if errors.Is(err, model.ErrNoModel) {
		var looked []string
		for _, f := range modeldir.All() {
			looked = append(looked, f.Path+" ("+f.From+")")
		}
		c := wire.CheckOf("model", "", modelError(err))
		c.OK, c.Detail = true, c.Detail+" in "+strings.Join(looked, ", ")+": a build goes by words (--no-vectors)"
		return c
	} else if err != nil {
		return wire.CheckOf("model", "", modelError(err))
	}
	return wire.Check{Name: "model", OK: true,
		Detail: fmt.Sprintf("%s, %s, in %s", m.Name, languagesText(m.Languages), m.Path)}
}

// checkRuntime looks for the engine that a build takes where none is named.
func checkRuntime() wire.Check {
	if !engine.Supported {
		return wire.Check{Name: "runtime", OK: true, Detail: "this kdd was built without cgo: a build embeds with Go, " +
			"several times slower than with ONNX Runtime"}
	}
	lib, err := engine.FindLibrary("")
	if errors.Is(err, engine.ErrNoLibrary) {
		c := wire.CheckOf("runtime", "", modelError(err))
		c.OK, c.Detail = true, c.Detail+": a build embeds with Go, several times slower"
		return c
	} else if err != nil {
		return wire.CheckOf("runtime", "", modelError(err))
	}
	return wire.Check{Name: "runtime", OK: true, Detail: "ONNX Runtime, " + lib.Path + " (" + lib.From + ")"}
}
