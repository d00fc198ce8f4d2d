package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/runtime/wire"
)

// The sarif types are the part of SARIF 2.1.0 that a report uses, with the properties that GitHub code scanning needs.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool       sarifTool                `json:"tool"`
	BaseIDs    map[string]sarifLocation `json:"originalUriBaseIds"`
	ColumnKind string                   `json:"columnKind"`
	Results    []sarifResult            `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name            string      `json:"name"`
	SemanticVersion string      `json:"semanticVersion,omitempty"`
	Rules           []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string           `json:"id"`
	Name             string           `json:"name"`
	ShortDescription sarifText        `json:"shortDescription"`
	FullDescription  sarifText        `json:"fullDescription"`
	Help             sarifText        `json:"help"`
	Configuration    sarifLevel       `json:"defaultConfiguration"`
	Properties       sarifRuleDetails `json:"properties"`
}

type sarifRuleDetails struct {
	Tags []string `json:"tags"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID        string            `json:"ruleId"`
	RuleIndex     int               `json:"ruleIndex"`
	Level         string            `json:"level"`
	Message       sarifText         `json:"message"`
	Locations     []sarifPlace      `json:"locations"`
	Fingerprints  map[string]string `json:"partialFingerprints"`
	BaselineState string            `json:"baselineState,omitempty"`
}

type sarifPlace struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifLocation `json:"artifactLocation"`
	Region   sarifRegion   `json:"region"`
}

type sarifLocation struct {
	URI         string     `json:"uri,omitempty"`
	BaseID      string     `json:"uriBaseId,omitempty"`
	Description *sarifText `json:"description,omitempty"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn,omitempty"`
}

// sourceRoot names the folder that URIs are relative to: the top of the repository.
const sourceRoot = "SRCROOT"

// sarif prints a report as SARIF 2.1.0. A finding about a whole file stands at its first line, since code scanning
// shows nothing without one; findings that share a fingerprint are told apart by their number.
func sarif(v *wire.LintReport) string {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "kdd", SemanticVersion: v.Version, Rules: []sarifRule{}}},
		BaseIDs:    map[string]sarifLocation{sourceRoot: {Description: &sarifText{"the top of the repository"}}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	rules := map[string]int{}
	seen := map[string]int{}
	for i := range v.Findings {
		f := &v.Findings[i]
		index, known := rules[f.Code]
		if !known {
			index = len(rules)
			rules[f.Code] = index
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(v.Known, f))
		}
		seen[f.Fingerprint]++
		r := sarifResult{
			RuleID: f.Code, RuleIndex: index, Level: f.Severity, Message: sarifText{wire.Clean(joined("; ", f.Message, f.Hint))},
			Fingerprints: map[string]string{"kdd/v1": f.Fingerprint, "primaryLocationLineHash": fmt.Sprintf("%s:%d", f.Fingerprint, seen[f.Fingerprint])},
		}
		if v.Baseline != nil {
			r.BaselineState = "new"
		}
		r.Locations = []sarifPlace{{sarifPhysical{
			Artifact: sarifLocation{URI: (&url.URL{Path: cmp.Or(f.Source, f.Path, ".")}).String(), BaseID: sourceRoot}, Region: sarifRegion{Line: max(f.Line, 1), Column: f.Col},
		}}}
		run.Results = append(run.Results, r)
	}
	out, err := json.MarshalIndent(&sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	}, "", "  ")
	if err != nil {
		panic(err) // plain strings and numbers
	}
	return string(out) + "\n"
}

func sarifRuleOf(known []wire.LintRule, f *wire.LintFinding) sarifRule {
	r := wire.LintRule{Code: f.Code, Name: f.Rule, Severity: f.Severity, About: f.Rule}
	if i := slices.IndexFunc(known, func(k wire.LintRule) bool { return k.Code == f.Code }); i >= 0 {
		r = known[i]
	}
	about := sentence(wire.Clean(r.About))
	return sarifRule{
		ID: r.Code, Name: pascal(r.Name), ShortDescription: sarifText{about}, FullDescription: sarifText{about}, Help: sarifText{about},
		Configuration: sarifLevel{r.Severity}, Properties: sarifRuleDetails{[]string{"documentation", r.Name}},
	}
}

// sentence makes a line of words a sentence.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(s[n:], ".") + "."
}

// pascal turns broken-link into BrokenLink.
func pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// These are the escapes that GitHub's runner decodes, in properties and in the message.
var (
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	annotationData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
)

// annotations prints one workflow command a finding, which GitHub Actions shows beside the line.
func annotations(v *wire.LintReport) string {
	var b strings.Builder
	for i := range v.Findings {
		f := &v.Findings[i]
		command := "notice"
		if f.Severity == "error" || f.Severity == "warning" {
			command = f.Severity
		}
		var properties []string
		add := func(key, value string) {
			properties = append(properties, key+"="+annotationProperty.Replace(wire.Clean(value)))
		}
		if source := cmp.Or(f.Source, f.Path); source != "" {
			add("file", source)
			if f.Line > 0 {
				add("line", strconv.Itoa(f.Line))
				if f.Col > 0 {
					add("col", strconv.Itoa(f.Col))
				}
			}
		}
		add("title", f.Rule+" ["+f.Code+"]")
		message := wire.Clean(f.Message)
		if f.Hint != "" {
			message += "\n" + wire.Clean(f.Hint)
		}
		fmt.Fprintf(&b, "::%s %s::%s\n", command, strings.Join(properties, ","), annotationData.Replace(message))
	}
	return b.String()
}
