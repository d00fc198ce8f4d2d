// Package bundle packs a kit: artifacts, the programs that answer from them, and what says how to use both, for a site
// without a network.
//
//	report, err := bundle.Write(ctx, bundle.Options{Artifacts: []string{"docs.kddx"}, Output: "kit.tar.gz", …})
//
// A kit is an archive of one folder that has the archive's name:
//
//	kit/README.md                 what to do, in plain words
//	kit/SHA256SUMS                of all other files, for sha256sum -c
//	kit/docs.kddx                 the artifacts, each checked byte by byte
//	kit/docs.kddx.minisig         their signatures, where there are any
//	kit/bin/linux-amd64/kddq      the program for each platform
//	kit/kddq, kddq.cmd            start the program that is for the machine
//	kit/install.sh, install.ps1   check the kit and register it with an agent's host
//	kit/registrations/claude.json what hosts are told, for those who edit their files by hand
//
// The same files give the same bytes: entries are sorted, their times are those of the source commit, their owner is
// nobody and their modes are fixed. Nothing is fetched from a network: programs that are not at hand are an error.
package bundle
