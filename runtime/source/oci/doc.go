// Package oci reads artifacts in OCI registries: Docker Hub, ghcr.io, Quay, Harbor, zot and others.
//
//	ref, err := oci.Parse("oci://ghcr.io/you/docs:main")
//	repo, err := oci.Connect(ctx, ref, oci.Options{})
//	found, err := repo.Resolve(ctx)
//	body, err := repo.Fetch(ctx, found.Layer, 0)
//
// An artifact is a manifest with one layer, the bytes of a .kddx as they are. What a registry answers is hostile: a
// manifest is bounded and compared with its digest, and who reads a layer compares it with the digest that the manifest
// has for it. Errors are of package wire.
//
// It is a client of its own, since kddq reads registries too: oras-go, which kdd pushes with, compiles so many regular
// expressions whenever a program starts that kddq would start .4 ms later, whatever it is asked.
package oci
