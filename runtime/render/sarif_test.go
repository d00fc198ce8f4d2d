package render

import (
	"encoding/json"
	"strings"
	"testing"

	"kdd/runtime/wire"

	"github.com/google/jsonschema-go/jsonschema"
)

// sarifSchema says what the parts of SARIF 2.1.0 that we write look like, by the standard's sections 3.13 to 3.49:
// which properties exist, which must be there, which values they take. It is our own reading; a property that is not in
// it is a mistake.
const sarifSchema = `{
  "type": "object", "additionalProperties": false, "required": ["version", "runs"],
  "properties": {
    "$schema": {"type": "string", "pattern": "^https://"},
    "version": {"const": "2.1.0"},
    "runs": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/run"}}
  },
  "$defs": {
    "message": {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}},
    "level": {"enum": ["none", "note", "warning", "error"]},
    "location": {"type": "object", "additionalProperties": false, "properties": {
      "uri": {"type": "string", "minLength": 1, "pattern": "^[!-~]+$"}, "uriBaseId": {"type": "string"}, "description": {"$ref": "#/$defs/message"}}},
    "run": {"type": "object", "additionalProperties": false, "required": ["tool", "results"], "properties": {
      "tool": {"type": "object", "additionalProperties": false, "required": ["driver"], "properties": {"driver": {"$ref": "#/$defs/driver"}}},
      "originalUriBaseIds": {"type": "object", "additionalProperties": {"$ref": "#/$defs/location"}},
      "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
      "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}}},
    "driver": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
      "name": {"type": "string"}, "semanticVersion": {"type": "string", "pattern": "^[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?$"},
      "rules": {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/rule"}}}},
    "rule": {"type": "object", "additionalProperties": false, "required": ["id"], "properties": {
      "id": {"type": "string"}, "name": {"type": "string"},
      "shortDescription": {"$ref": "#/$defs/message"}, "fullDescription": {"$ref": "#/$defs/message"}, "help": {"$ref": "#/$defs/message"},
      "defaultConfiguration": {"type": "object", "additionalProperties": false, "properties": {"level": {"$ref": "#/$defs/level"}}},
      "properties": {"type": "object", "properties": {"tags": {"type": "array", "uniqueItems": true, "items": {"type": "string"}}}}}},
    "result": {"type": "object", "additionalProperties": false, "required": ["message"], "properties": {
      "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": -1}, "level": {"$ref": "#/$defs/level"},
      "message": {"$ref": "#/$defs/message"},
      "locations": {"type": "array", "items": {"type": "object", "additionalProperties": false, "properties": {
        "physicalLocation": {"type": "object", "additionalProperties": false, "required": ["artifactLocation"], "properties": {
          "artifactLocation": {"$ref": "#/$defs/location", "required": ["uri"]},
          "region": {"type": "object", "additionalProperties": false, "required": ["startLine"], "properties": {
            "startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}}}}}}}},
      "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
      "baselineState": {"enum": ["new", "unchanged", "updated", "absent"]}}}
  }
}`

func sarifRules(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(sarifSchema), &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// report has findings of every sort: with and without a place, of two rules, twice the same, with hostile text.
func report() *wire.LintReport {
	finding := wire.LintFinding{Rule: "broken-link", Code: "KDD201", Severity: "warning", Path: "a b/ü:#.md", Source: "docs/a b/ü:#.md", Line: 12, Col: 4,
		Message: "link \"x\": no such document\n\x1b[31m\u202e", Hint: "did you mean, 100% sure: y?", Fingerprint: "00112233aabbccdd"}
	whole := wire.LintFinding{Rule: "unreadable", Code: "KDD001", Severity: "error", Path: "c:d.md", Message: "cannot be read", Fingerprint: "1100"}
	build := wire.LintFinding{Rule: "coverage-hole", Code: "KDD234", Severity: "note", Message: "about the whole", Fingerprint: "22"}
	return &wire.LintReport{
		Findings: []wire.LintFinding{finding, finding, whole, build}, Version: "0.1.0-dev",
		Known: []wire.LintRule{{Code: "KDD201", Name: "broken-link", Severity: "warning", About: "a link leads to a document that does not exist"}},
	}
}

func TestSARIFHasTheStandardsShape(t *testing.T) {
	schema := sarifRules(t)
	for name, r := range map[string]*wire.LintReport{"findings": report(), "none": {}, "with a baseline": {Findings: report().Findings, Baseline: &wire.LintBaseline{}}} {
		t.Run(name, func(t *testing.T) {
			var log map[string]any
			if err := json.Unmarshal([]byte(sarif(r)), &log); err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(log); err != nil {
				t.Errorf("sarif = %s\n%v", sarif(r), err)
			}
			log["version"] = "2.0.0"
			if schema.Validate(log) == nil {
				t.Error("the schema takes version 2.0.0, so it checks nothing")
			}
		})
	}
}

// What code scanning needs beyond the schema.
func TestSARIFIsWhatCodeScanningTakes(t *testing.T) {
	var log sarifLog
	text := sarif(report())
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	prints := map[string]bool{}
	for i, r := range run.Results {
		if rule := run.Tool.Driver.Rules[r.RuleIndex]; rule.ID != r.RuleID {
			t.Errorf("result %d: rule %s at index %d, which is %s", i, r.RuleID, r.RuleIndex, rule.ID)
		}
		if len(r.Locations) != 1 || r.Locations[0].Physical.Region.Line < 1 || r.Locations[0].Physical.Artifact.BaseID != sourceRoot {
			t.Errorf("result %d: locations %+v, want one with a line", i, r.Locations)
		}
		if print := r.Fingerprints["primaryLocationLineHash"]; prints[print] {
			t.Errorf("result %d: fingerprint %s twice", i, print)
		} else {
			prints[print] = true
		}
	}
	for got, want := range map[string]string{
		run.Results[0].Locations[0].Physical.Artifact.URI: "docs/a%20b/%C3%BC:%23.md",
		run.Results[2].Locations[0].Physical.Artifact.URI: "./c:d.md",
		run.Results[2].Level:                              "error",
		run.Tool.Driver.Rules[0].ShortDescription.Text:    "A link leads to a document that does not exist.",
		run.Tool.Driver.Rules[0].Name:                     "BrokenLink",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if strings.ContainsAny(text, "\x1b\u202e") {
		t.Error("control characters in the text")
	}
}

func TestAnnotations(t *testing.T) {
	want := "::warning file=docs/a b/ü%3A#.md,line=12,col=4,title=broken-link [KDD201]::link \"x\": no such document �[31m%0Adid you mean, 100%25 sure: y?\n"
	r := report()
	r.Findings = r.Findings[:1]
	if got := annotations(r); got != want {
		t.Errorf("annotations = %q, want %q", got, want)
	}
	r.Findings = report().Findings[2:]
	want = "::error file=c%3Ad.md,title=unreadable [KDD001]::cannot be read\n::notice title=coverage-hole [KDD234]::about the whole\n"
	if got := annotations(r); got != want {
		t.Errorf("annotations = %q, want %q", got, want)
	}
}

func TestReadBaseline(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"report", `{"schema_version":"lint_report.v1","findings":[{"fingerprint":"a"},{"fingerprint":"b"},{"fingerprint":"a"}],"total":3}`, ""},
		{"empty", `{"schema_version":"lint_report.v1","findings":[],"total":0}`, ""},
		{"no JSON", `a.md:1: warning`, "b.json: not JSON: "},
		{"another answer", `{"schema_version":"list_response.v1"}`, `b.json: got schema_version "list_response.v1", want "lint_report.v1"`},
		{"cut", `{"schema_version":"lint_report.v1","findings":[{"fingerprint":"a"}],"total":9,"truncated":true}`, "b.json: it holds 1 of 9 findings; write one with"},
		{"a page", `{"schema_version":"lint_report.v1","findings":[{"fingerprint":"a"}],"total":2,"cursor":"x"}`, "b.json: it holds 1 of 2 findings"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			known, err := wire.ReadBaseline("b.json", []byte(test.text))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
				t.Errorf("ReadBaseline(%s) = %v, want %q", test.text, err, test.want)
			}
			if test.name == "report" && (known["a"] != 2 || known["b"] != 1) {
				t.Errorf("ReadBaseline = %v, want a twice and b once", known)
			}
		})
	}
}
