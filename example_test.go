package kdd_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"testing"

	"kdd"
	"kdd/compiler"
)

// docs is a .kddx file made of the handbook in testdata.
var docs string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "kdd")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	docs = filepath.Join(folder, "handbook.kddx")
	o := compiler.Options{Sources: []string{"testdata/corpora/handbook"}, Output: docs, NoVectors: true, CacheDir: "-"}
	if _, err := compiler.Build(context.Background(), o); err != nil {
		log.Fatal(err)
	}
	return m.Run()
}

func ExampleOpen() {
	index, err := kdd.Open(docs)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	found, err := index.Search(context.Background(), kdd.SearchRequest{Query: "how does authentication work", Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Results {
		fmt.Printf("%s#%s, lines %d to %d: %s\n", hit.Path, hit.Anchor, hit.Lines[0], hit.Lines[1], hit.Section)
	}
	// Output: security/auth.md#authentication-flow, lines 21 to 42: Authentication Flow
}

func ExampleOpen_missing() {
	_, err := kdd.Open("no-such.kddx")
	var e *kdd.Error
	if errors.As(err, &e) && e.Code == kdd.IndexNotFound {
		fmt.Println(filepath.Base(e.Message))
		fmt.Println(e.Hint)
	}
	// Output:
	// no-such.kddx: no such file
	// build it with "kdd build", or name another with -i
}

func ExampleIndex_Search_filter() {
	index, err := kdd.Open(docs)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	found, err := index.Search(context.Background(), kdd.SearchRequest{
		Query: "database", Limit: 2, Filter: kdd.Filter{Kinds: []string{"runbook"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range found.Results {
		fmt.Println(hit.Kind, hit.Path, hit.Anchor)
	}
	// Output:
	// runbook runbooks/database-failover.md database-failover
	// runbook runbooks/database-failover.md fence-the-old-primary
}

func ExampleIndex_Ask() {
	index, err := kdd.Open(docs)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	for _, question := range []string{"how long are access tokens valid", "who won the world cup in 1966"} {
		answer, err := index.Ask(context.Background(), kdd.AskRequest{Query: question})
		if err != nil {
			log.Fatal(err)
		}
		if !answer.Answered() {
			fmt.Println(answer.Outcome+":", answer.RefusalReason)
			continue
		}
		fmt.Println(answer.Citations[0].Quote)
		fmt.Println(answer.Citations[0].Path, answer.Citations[0].Lines)
	}
	// Output:
	// Access tokens become JSON Web Tokens, signed with Ed25519 and valid for 15 minutes. Gateways verify them locally with a
	// cached key set. Refresh tokens stay opaque, are stored hashed and may be used once.
	// decisions/ADR-0004.md [24 25]
	// refused: low_evidence
}

func ExampleIndex_Read() {
	index, err := kdd.Open(docs)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	section, err := index.Read(context.Background(), kdd.ReadRequest{File: "security/auth.md", Anchor: "account-lockout"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(section.Markdown)
	// Output:
	// ## Account lockout
	//
	// After five failed attempts within ten minutes the account is locked for fifteen minutes (RF-AUTH-002). The owner gets an
	// e-mail with the time and the network the attempts came from. A correct password during the lock does not open it, and
	// the answer does not tell that it was correct. Support can lift a lock only after a call back to the number on file.
}

func ExampleIndex_Related() {
	index, err := kdd.Open(docs)
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	around, err := index.Related(context.Background(), kdd.RelatedRequest{Entity: "RF-AUTH-002", EdgeTypes: []string{"IMPLEMENTS", "DEPENDS_ON"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range around.Related {
		fmt.Println(r.Direction, r.Relation, r.Name)
	}
	// Output:
	// incoming IMPLEMENTS AuthService
	// outgoing DEPENDS_ON Sign-in with a second factor
}
