// Package oci pushes artifacts to OCI registries and pulls them.
//
// Push makes the same manifest of the same file, without a clock, so that a second push changes and uploads nothing. Pull
// takes what runtime/source/oci finds, goes on where a run before has stopped, and replaces a file only by one that was
// compared with its digest and opens as a .kddx.
package oci
