// Package snippet chooses the part of a section that a hit shows, and turns the places of the query's words into marks of
// characters. What is text in a section and what markup is said by package plain, and which words match is found in
// package search (highlights in show.go).
package snippet
