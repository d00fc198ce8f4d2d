// Package draw writes a small graph for other programs and for eyes: DOT, GraphML, Mermaid, and SVG without an external
// program.
//
// The layout of an SVG is by stress: nodes want to be as far apart as they are in the graph, which shows clusters and
// keeps edges short. Boxes are then pushed apart until none overlaps, and parts that are not connected are set side by
// side. Nothing is random: the same graph gives the same picture. Up to about 50 nodes a picture can be read; beyond a
// few hundred it is only a map.
//
// The package knows nothing about documents: whoever calls it says what nodes are called.
package draw
