// Package compiler turns folders of markdown into one .kddx artifact.
//
// The phases are walk (package source), parse (markdown), split (chunk), then the builders over the same chunks
// (lexicon, graph), then the writer of package format. Work within a phase is parallel; ids and bytes are given once,
// in path order, so the same sources and options give the same file on any machine.
package compiler
