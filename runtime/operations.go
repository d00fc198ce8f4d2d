package runtime

import (
	"kdd/runtime/answer/ask"
	"kdd/runtime/search"
)

// searchHelp explains the query language to people; package search/query has its grammar.
const searchHelp = `A query is a question or keywords. It may hold "a phrase", +must, -mustnot, AND, OR, NOT, (groups), prefix*, fuzzy~ and ` +
	"title:, heading:, path:, kind:, tag:, domain:, status: or lang: before a value. Case, accents, endings and typos do " +
	"not matter; other languages are translated (docs/COMMANDS.md)."

// askHelp explains to people what an answer is.
const askHelp = `The answer is made of whole sentences, list items, code or table rows of the documents, each with a marker; the ` +
	"sources stand below it. Where the documents may not answer the question it names the closest sections and claims " +
	"nothing; where they do not, it says so. Both exit 4. Nothing leaves the machine, unless --llm names a language model " +
	"(docs/COMMANDS.md)."

func operations() []Operation {
	return append([]Operation{
		define((*Service).Search, Operation{
			Name: "search", Tool: "kdd_search", Title: "Search the documentation",
			Summary: "find the sections that answer a query",
			Help:    searchHelp,
			Describe: "Find the sections of the documentation that answer a question or match keywords, best first, each with its url, lines and a snippet. " +
				"Use it instead of grep, glob or reading files when you look for how something works, where it is described, or a term whose wording you do not know. " +
				`Examples: {"query":"how does authentication work"}; {"query":"retry policy","domains":["security"],"limit":3}. ` +
				`A query may hold "a phrase", +must, -mustnot, OR, prefix*, fuzzy~ and title:, heading:, path:, kind:, tag:, lang: before a value. Read a hit with kdd_read_section.`,
			Hint: "search documentation, specs, decisions",
			Params: params([]Param{
				{Name: "query", Type: StringParam, Required: true, Arg: true, Aliases: []string{"q", "question", "text"}, Help: "question or keywords", Examples: []any{"how does authentication work"}},
				{Name: "mode", Listed: "hybrid unless given", Type: StringParam, Default: "hybrid", Enum: []string{"hybrid", "lexical", "vector"}, Synonyms: []string{"keyword=lexical", "keywords=lexical", "bm25=lexical", "semantic=vector"}, Help: "hybrid, lexical or vector"},
				limitParam(5, 100),
				{Name: "score_threshold", Listed: "-", Type: NumberParam, Min: 0, Max: 1, Aliases: []string{"min_score"}, Help: "only hits with at least this score, 0 to 1"},
				{Name: "expand", Listed: "neighbours of each hit below it, 0 to 5", Type: IntParam, Min: 0, Max: 5, Help: "how many neighbours of each hit to put below it, 0 to 5"},
				{Name: "sort", Listed: "date: the newest of the good hits first", Type: StringParam, Enum: []string{search.SortRelevance, search.SortDate}, Help: "relevance (unless given), or date: of the hits at least half as good as the best the newest first"},
				{Name: "facets", Listed: "count documents by kind, domain, status, tag", Type: BoolParam, Help: "count the documents of all hits by kind, domain, status, tag, language and folder"},
				{Name: "diversity", Listed: "-", Type: StringParam, Enum: []string{search.DiversityOn, search.DiversityOff},
					Help: "on (unless given): near duplicates are one hit, and at most two of the first five are of one document; off: the ranking as it is"},
				{Name: "group", Listed: "document: one hit each", Type: StringParam, Enum: []string{search.GroupSection, search.GroupDocument},
					Synonyms: []string{"sections=section", "documents=document", "file=document", "page=document"}, Help: "hits by section (unless given) or by document"},
				{Name: "explain", Listed: "-", Type: BoolParam, Help: "show each part of each score"},
				detailParam(),
			}, filterParams(), pageParams()),
			Examples: []map[string]any{{"query": "how does authentication work", "limit": 3}, {"query": "token expiry", "domains": []string{"security"}}},
		}),
		define((*Service).Ask, Operation{
			Name: "ask", Tool: "kdd_ask", Title: "Answer a question from the documentation",
			Summary: "answer a question with sentences of the documents, or say that they have none",
			Help:    askHelp,
			Describe: "Answer one question from the documentation in a few of its sentences, steps, code or table rows, each with its source as path#anchor and lines; or name the closest sections (outcome closest), or say that it has no answer (outcome refused). " +
				"Use it for a question that one passage answers; to look around use kdd_search. " +
				`Examples: {"query":"how long are access tokens valid"}; {"query":"and refresh tokens?","session_id":"a1"}.`,
			Hint: "answer a question with citations",
			Params: params([]Param{
				{Name: "query", Type: StringParam, Required: true, Arg: true, Aliases: []string{"question", "q", "text"}, Help: "the question", Examples: []any{"how long are access tokens valid"}},
				{Name: "session_id", Listed: "a name of yours, for follow-up questions", Type: StringParam, Help: "name of a conversation in a process that stays, for follow-up questions"},
				{Name: "max_tokens", Listed: "20 to 4000 (400 unless given)", Type: IntParam, Default: ask.DefaultAnswer, Min: 20, Max: 4000, Help: "length of the answer, 20 to 4000; one of sentences has at most 120 words"},
				{Name: "explain", Listed: "-", Type: BoolParam, Help: "show what decided: the evidence, and of each sentence the parts of its score"},
			}, filterParams()),
			Examples: []map[string]any{{"query": "how long are access tokens valid"}, {"query": "who approves a deploy", "domains": []string{"operations"}}},
			Prose:    true,
		}),
		define((*Service).FindSpec, Operation{
			Name: "find-spec", Tool: "kdd_find_spec", Title: "Find a document by its name",
			Summary: "find a document by id, file name, alias or title",
			Describe: "Find a document by its id, file name, alias or title; then come search hits. Use it instead of glob when you know what a document is called but not where it is. " +
				`Example: {"name":"ADR-0004"}.`,
			Hint: "find document by id or title",
			Params: params([]Param{
				{Name: "name", Type: StringParam, Required: true, Arg: true, Aliases: called("name", "path", "query", "q"), Help: "id, file name, alias or title", Examples: []any{"ADR-0004"}},
				limitParam(5, 100), detailParam(),
			}, pageParams()),
			Examples: []map[string]any{{"name": "ADR-0004"}},
		}),
		define((*Service).Related, Operation{
			Name: "related", Tool: "kdd_related", Title: "Related documents and entities",
			Summary: "list what an entity is linked with",
			Describe: "List what a document, section or entity is linked with: links, references, mentions and containment, each with its relation, direction and place. " +
				"Use it instead of grepping for a name when you want to know what refers to it. " +
				`Example: {"entity":"RF-AUTH-001","edge_types":["IMPLEMENTS","DEPENDS_ON"]}.`,
			Hint: "links, references, neighbours",
			Params: params([]Param{
				{Name: "entity", Type: StringParam, Required: true, Arg: true, Aliases: called("entity", "path"), Help: "id, name, path, alias, title or heading", Examples: []any{"RF-AUTH-001"}},
				{Name: "depth", Listed: "1 to 3 (1 unless given)", Type: IntParam, Default: 1, Min: 1, Max: 3, Help: "how many edges away, 1 to 3"},
				{Name: "edge_types", Listed: "such as LINK, IMPLEMENTS", Type: StringsParam, Aliases: []string{"edge_type"}, Split: true, Help: "only edges of these types, for example LINK, WIKI_LINK, IMPLEMENTS", Examples: []any{[]string{"IMPLEMENTS", "DEPENDS_ON"}}},
				{Name: "direction", Listed: "both unless given", Type: StringParam, Default: "both", Enum: []string{"both", "out", "in"}, Synonyms: []string{"outgoing=out", "incoming=in", "outbound=out", "inbound=in"}, Help: "both, out or in"},
				limitParam(20, 100),
			}, pageParams()),
			Examples: []map[string]any{{"entity": "RF-AUTH-001", "edge_types": []string{"IMPLEMENTS", "DEPENDS_ON"}}},
		}),
		define((*Service).Similar, Operation{
			Name: "similar", Tool: "kdd_similar", Title: "Sections that say something similar",
			Summary: "find the sections that are nearest in meaning to a section",
			Describe: "Find the sections nearest in meaning to a section, chunk or document, in other documents before its own. " +
				"Use it for what else is written about the same: overlaps, contradictions, text to change along. " +
				`Example: {"file":"security/auth.md#refresh"}.`,
			Hint: "similar sections, overlaps, more like this",
			Params: params([]Param{
				{Name: "file", Type: StringParam, Required: true, Arg: true, Aliases: called("file"), Help: "path, path#anchor, chunk as in search results, id or title", Examples: []any{"security/auth.md#refresh"}},
				limitParam(5, 100), detailParam(),
			}, filterParams(), pageParams()),
			Examples: []map[string]any{{"file": "security/auth.md#refresh"}},
		}),
		define((*Service).Read, Operation{
			Name: "read", Tool: "kdd_read_section", Title: "Read a section",
			Summary: "print the markdown of a document or section",
			Describe: "Read the markdown of a section or a whole document as written, from the index. Use it after kdd_search instead of opening the file. " +
				`Examples: {"file":"security/auth.md#refresh"}; {"file":"security/auth.md#L12-L34"}, only these lines. The first line of the answer says which part it is and the offset to go on with.`,
			Hint: "read section, open document",
			Params: []Param{
				{Name: "file", Listed: "path or url of a hit, with #anchor or #L10-L20; else id, alias or title", Type: StringParam, Required: true, Arg: true, Aliases: called("file", "path"), Help: "path as in search results, with or without #anchor or lines (#L10-L20); else an id, alias or title", Examples: []any{"security/auth.md#authentication-flow"}},
				{Name: "anchor", Listed: "-", Type: StringParam, Aliases: []string{"section", "heading"}, Help: "anchor of the section; the whole document without it"},
				{Name: "max_bytes", Listed: "512 to 65536 (16384 unless given)", Type: IntParam, Default: 16384, Min: 512, Max: 65536, Help: "how many bytes at most, 512 to 65536 (on the command line 0 = no limit)"},
				{Name: "offset", Listed: "byte to start at", Type: IntParam, Default: 0, Min: 0, Max: 1 << 40, Help: "byte of the section to start at"},
			},
			Examples: []map[string]any{{"file": "security/auth.md#authentication-flow"}},
			Prose:    true,
		}),
		define((*Service).List, Operation{
			Name: "list", Tool: "kdd_list", Title: "List documents",
			Summary: "list documents by kind, domain, status, tag, language, path or front matter",
			Describe: "List documents by kind, domain, status, tag, path, date or front matter. Use it instead of ls or glob to see what documentation there is. " +
				`Examples: {"kind":"requirement","limit":10}; {"path_glob":"guides/**"}.`,
			Hint: "list documents, table of contents",
			Params: params([]Param{
				{Name: "kind", Listed: "such as requirement", Type: StringParam, Aliases: []string{"kinds"}, Help: "only documents of this kind", Examples: []any{"requirement"}},
				{Name: "domain", Listed: "such as security", Type: StringParam, Aliases: []string{"domains"}, Help: "only documents of this domain", Examples: []any{"security"}},
				{Name: "status", Listed: "such as accepted", Type: StringParam, Help: "only documents of this status (INDEXED means any)"},
				{Name: "tag", Type: StringParam, Aliases: []string{"tags"}, Help: "only documents with this tag"},
				{Name: "language", Listed: "-", Type: StringParam, Aliases: []string{"languages", "lang"}, Help: "only documents in this language (ISO 639-1: en, es, ...)"},
				{Name: "path_glob", Listed: "** crosses folders", Type: StringParam, Aliases: []string{"path", "glob"}, Help: "only documents whose path matches this glob (** crosses folders)"},
				{Name: "where", Listed: "FIELD: [VALUES] of front matter", Type: WhereParam, Help: "only documents whose front matter has FIELD=VALUE"},
				{Name: "since", Listed: "date: 2006-01-02", Type: StringParam, Help: "only documents dated on or after this date (2006-01-02)"},
				{Name: "sort", Listed: "path unless given", Type: StringParam, Enum: []string{search.SortPath, search.SortDate, search.SortTitle}, Help: "path (unless given), date (newest first) or title"},
				{Name: "facets", Listed: "-", Type: BoolParam, Help: "count all these documents by kind, domain, status, tag, language and folder"},
				limitParam(20, 200),
			}, pageParams()),
			Examples: []map[string]any{{"domain": "security"}, {"kind": "requirement", "limit": 10}},
		}),
		define((*Service).Stats, Operation{
			Name: "stats", Tool: "kdd_stats", Unlisted: true, Title: "What the index holds",
			Summary:  "show what an artifact holds and what made it",
			Describe: "Show what the index holds: documents, sections, chunks, edges by type, kinds, languages, bytes per block, the encoder, and whether the sources changed since it was compiled. Use it once to learn what can be asked.",
			Hint:     "index size, freshness",
			Params:   pageParams(),
			Examples: []map[string]any{{}},
		}),
		define((*Service).Schema, Operation{
			Name: "schema", Tool: "kdd_schema", Unlisted: true, Title: "What can be asked",
			Summary: "show what this build and the artifact can do, with schemas and examples",
			Describe: "Show what this build and the index can do: every tool with an example, the modes of search that the index has, the codes of errors. With the name of a tool: the JSON Schemas of its arguments and of its answer. " +
				`Use it when a call was refused and its message did not help. Examples: {}; {"tool":"kdd_search"}; {"tool":"error.v1","max_bytes":8192}.`,
			Hint: "JSON schemas, capabilities, examples",
			Params: params([]Param{
				{Name: "tool", Type: StringParam, Arg: true, Help: "a tool, command or schema to show in full", Examples: []any{"kdd_search"}},
			}, pageParams()),
			Examples: []map[string]any{{}, {"tool": "kdd_search"}},
		}),
		define((*Service).Doctor, Operation{
			Name: "doctor", Tool: "kdd_doctor", Unlisted: true, Title: "Is everything in order",
			Summary: "check the artifact, its sources, the machine, the configuration and the hosts",
			Describe: "Check whether everything is in order: the index is found, opens and is whole, its sources are those that were compiled, the query encoder works, there is memory, the configuration and the registrations with agents' hosts are good. Says what to do for each thing that is not. " +
				"Use it when answers are missing, old or wrong. It reads the whole index and all sources once. Example: {}.",
			Hint:     "health check, stale index, diagnosis",
			Params:   pageParams(),
			Examples: []map[string]any{{}},
		}),
	}, graphOperations()...)
}
