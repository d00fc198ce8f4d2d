// Package trust decides which artifacts are answered from: with a [Policy], those alone that a trusted key has signed.
//
// A policy comes from flags, the environment, or the system's administrator; never from kdd.yaml or from beside an
// artifact, which come with what is to be checked.
package trust
