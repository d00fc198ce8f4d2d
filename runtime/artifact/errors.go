package artifact

import (
	"errors"
	"io/fs"

	"kdd/format"
	"kdd/format/sign"
	"kdd/runtime/source"
	"kdd/runtime/wire"
)

// FileError gives an error of package format or of the operating system a code, and puts the file's path before its
// text.
func FileError(path string, err error) error {
	var known *wire.Error
	var system *fs.PathError
	var broken *format.PanicError
	var elsewhere *source.Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.As(err, &elsewhere):
		return sourceError(elsewhere).Because(err)
	case errors.Is(err, sign.ErrUntrusted):
		return wire.From(wire.CodeIndexUntrusted, path+": ", err)
	case errors.As(err, &broken):
		return wire.From(wire.CodeInternal, "", broken)
	case errors.Is(err, format.ErrNotKddx):
		return wire.From(wire.CodeIndexCorrupt, path+": ", err)
	case errors.Is(err, format.ErrVersion):
		return wire.From(wire.CodeIndexVersion, path+": ", err)
	case errors.Is(err, format.ErrCorrupt):
		return wire.NewError(wire.CodeIndexCorrupt, path+": "+err.Error(), `check it with "kdd verify", then build or download it again`).Because(err)
	case errors.Is(err, format.ErrTooBig):
		return wire.From(wire.CodeTooLarge, path+": ", err)
	case errors.Is(err, fs.ErrPermission):
		return wire.NewError(wire.CodeIO, path+": no permission to read it", "").Because(err)
	case errors.As(err, &system):
		return wire.From(wire.CodeIO, path+": ", system.Err).Because(err)
	}
	return wire.From(wire.CodeIO, path+": ", err)
}

// sourceCodes are the codes of what can be wrong with an artifact that lies elsewhere.
var sourceCodes = map[error]string{
	source.ErrChanged: wire.CodeStaleIndex, source.ErrUnreachable: wire.CodeIO, source.ErrUnauthorized: wire.CodeUnauthorized,
	source.ErrNotFound: wire.CodeIndexNotFound, source.ErrRateLimited: wire.CodeRateLimited,
	source.ErrTooLarge: wire.CodeTooLarge,
}

// sourceError gives an error of an artifact that lies elsewhere its code.
func sourceError(e *source.Error) *wire.Error {
	code, ok := sourceCodes[e.Kind]
	if !ok {
		code = wire.CodeIO
	}
	return wire.NewError(code, e.Place+": "+e.Wrong, e.Hint)
}

// WrittenError is the error for a file that was changed in place while it was mapped.
func WrittenError(path string) error {
	return wire.NewError(wire.CodeIndexCorrupt, path+": the file was changed in place while it was open", "ask again; to update an index write a new file and rename it over the old one, as kdd build does")
}
