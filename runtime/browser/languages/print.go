package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// printer prints Go as JavaScript. The code of stemmers is generated, of few forms, so that this is short; what it does
// not know ends it. Strings stay bytes, a character of JavaScript each, so that places in them mean the same.
type printer struct {
	strings.Builder
	unknown string // the first that it does not know
	loops   int
}

func (p *printer) put(parts ...string) {
	for _, s := range parts {
		p.WriteString(s)
	}
}

func (p *printer) fail(n ast.Node) {
	if p.unknown == "" {
		p.unknown = fmt.Sprintf("%T", n)
	}
}

func (p *printer) file(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "Stem" {
				p.put("export ")
			}
			p.put("function ", d.Name.Name, "(env,ctx)")
			p.stmt(d.Body)
			p.put("\n")
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					p.value(v)
				}
			}
		}
	}
}

func (p *printer) value(v *ast.ValueSpec) {
	for i, name := range v.Names {
		p.put("let ", name.Name, "=")
		switch {
		case i < len(v.Values):
			p.expr(v.Values[i])
		case fmt.Sprint(v.Type) == "bool":
			p.put("false")
		default:
			p.put("0")
		}
		p.put(";\n")
	}
}

func (p *printer) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		p.put("{\n")
		for _, one := range s.List {
			p.stmt(one)
		}
		p.put("}\n")
	case *ast.AssignStmt:
		p.assign(s)
	case *ast.DeclStmt:
		for _, one := range s.Decl.(*ast.GenDecl).Specs {
			p.value(one.(*ast.ValueSpec))
		}
	case *ast.ExprStmt:
		p.expr(s.X)
		p.put(";\n")
	case *ast.IncDecStmt:
		p.expr(s.X)
		p.put(s.Tok.String(), ";\n")
	case *ast.IfStmt:
		p.put("if(")
		p.expr(s.Cond)
		p.put(")")
		p.stmt(s.Body)
		if s.Else != nil {
			p.put("else ")
			p.stmt(s.Else)
		}
	case *ast.LabeledStmt:
		p.put(s.Label.Name, ":\n")
		p.stmt(s.Stmt)
	case *ast.ForStmt:
		if s.Init != nil || s.Cond != nil || s.Post != nil {
			p.fail(s)
		}
		p.put("for(;;)")
		p.stmt(s.Body)
	case *ast.RangeStmt:
		p.times(s)
	case *ast.BranchStmt:
		p.put(s.Tok.String(), " ", s.Label.Name, ";\n")
	case *ast.ReturnStmt:
		p.put("return ")
		p.expr(s.Results[0])
		p.put(";\n")
	default:
		p.fail(s)
	}
}

func (p *printer) assign(s *ast.AssignStmt) {
	if len(s.Lhs) != 1 && s.Tok != token.DEFINE {
		p.fail(s)
		return
	}
	if name, ok := s.Lhs[0].(*ast.Ident); ok && name.Name == "_" {
		return
	}
	op := s.Tok.String()
	if s.Tok == token.DEFINE {
		op = "="
	}
	for i := range s.Lhs {
		if s.Tok == token.DEFINE {
			p.put("let ")
		}
		p.expr(s.Lhs[i])
		p.put(op)
		p.expr(s.Rhs[i])
		p.put(";\n")
	}
}

// times prints a loop over [2]struct{}{} or make([]struct{}, n).
func (p *printer) times(s *ast.RangeStmt) {
	var n ast.Expr
	switch x := s.X.(type) {
	case *ast.CompositeLit:
		n = x.Type.(*ast.ArrayType).Len
	case *ast.CallExpr:
		n = x.Args[1]
	default:
		p.fail(s)
		return
	}
	p.loops++
	i := "i" + strconv.Itoa(p.loops)
	p.put("for(let ", i, "=")
	p.expr(n)
	p.put(";", i, ">0;", i, "--)")
	p.stmt(s.Body)
}

func (p *printer) expr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "nil" {
			p.put("null")
		} else {
			p.put(e.Name)
		}
	case *ast.BasicLit:
		p.literal(e)
	case *ast.ParenExpr:
		p.put("(")
		p.expr(e.X)
		p.put(")")
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			p.put(e.Op.String())
		}
		p.expr(e.X)
	case *ast.BinaryExpr:
		p.expr(e.X)
		switch e.Op {
		case token.EQL, token.NEQ:
			p.put(e.Op.String(), "=")
		case token.QUO, token.REM:
			p.fail(e)
		default:
			p.put(e.Op.String())
		}
		p.expr(e.Y)
	case *ast.SelectorExpr:
		if fmt.Sprint(e.X) == "snowballRuntime" {
			p.put(map[string]string{"MaxInt": "2147483647", "MinInt": "-2147483648"}[e.Sel.Name])
			return
		}
		p.expr(e.X)
		p.put(".", e.Sel.Name)
	case *ast.TypeAssertExpr:
		p.expr(e.X)
	case *ast.CallExpr:
		p.call(e)
	case *ast.CompositeLit:
		p.composite(e)
	case *ast.FuncLit:
		p.put("(env,ctx)=>")
		p.stmt(e.Body)
	default:
		p.fail(e)
	}
}

// literal prints a number, or a string byte by byte.
func (p *printer) literal(e *ast.BasicLit) {
	if e.Kind != token.STRING {
		p.put(e.Value)
		return
	}
	s, err := strconv.Unquote(e.Value)
	if err != nil {
		p.fail(e)
		return
	}
	p.put(`"`)
	for i := range len(s) {
		if b := s[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			fmt.Fprintf(p, `\x%02x`, b)
		} else {
			p.WriteByte(b)
		}
	}
	p.put(`"`)
}

func (p *printer) call(e *ast.CallExpr) {
	if f, ok := e.Fun.(*ast.Ident); ok && (f.Name == "int32" || f.Name == "int") {
		p.put("(")
		p.expr(e.Args[0])
		p.put(")")
		return
	}
	if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "RuneCountInString" {
		p.put("env.letters()") // of env.Current(), always
		return
	}
	p.expr(e.Fun)
	p.put("(")
	for i, a := range e.Args {
		if i > 0 {
			p.put(",")
		}
		p.expr(a)
	}
	p.put(")")
}

// composite prints lists as arrays, an Among as an array of its fields, and the context of a stemmer as an object.
func (p *printer) composite(e *ast.CompositeLit) {
	_, named := e.Type.(*ast.Ident)
	open, end := "[", "]"
	if named {
		open, end = "{", "}"
	}
	p.put(open)
	for i, x := range e.Elts {
		if i > 0 {
			p.put(",")
		}
		if pair, ok := x.(*ast.KeyValueExpr); ok {
			if named {
				p.expr(pair.Key)
				p.put(":")
			}
			x = pair.Value
		}
		p.expr(x)
	}
	p.put(end)
}
