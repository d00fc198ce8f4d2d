// Package snippet chooses the part of a section that a hit shows, and the words in it that a query asks for.
package snippet
