package wire

import (
	"kdd/format/index"
)

// EvalRequest asks how well an artifact answers questions whose answers are known.
type EvalRequest struct {
	Mode  string   `json:"mode,omitempty"`  // hybrid, lexical, vector
	Group string   `json:"group,omitempty"` // "" = the groups of the questions, prefix = by their ids, none
	Gate  []string `json:"gate,omitempty"`  // least values: nDCG@10=.76, section.nDCG@10=.48, GROUP.hit@1=.9
	Worst int      `json:"worst,omitempty"` // how many of the worst questions to list

	Questions *index.QuestionSet       `json:"-"` // nil = those that the artifact carries
	Sides     []EvalSide               `json:"-"` // two, the older first: they are compared
	Baseline  map[string][]index.Place `json:"-"` // an older run, by question id; nil = none
	Older     string                   `json:"-"` // name of the baseline
	Every     bool                     `json:"-"` // text forms list every question that was won or lost
	Progress  func(done, total int)    `json:"-"` // hears how far it is, one call at a time; nil = nobody
}

// EvalSide is an artifact with a setting.
type EvalSide struct {
	Name  string // in the report
	Index string // name of the artifact; "" = the only one
	Mode  string // "" = the request's

	Diversity string // on, off: the bare ranking; "" = on
}

// EvalSet is what was asked.
type EvalSet struct {
	Name      string   `json:"name"`
	Questions int      `json:"questions"`
	Document  int      `json:"document"` // questions that are measured by document: they have a relevant one
	Section   int      `json:"section"`  // questions that are measured by section
	Groups    []string `json:"groups,omitempty"`
}

// EvalRow is what a system reached on questions: means, each in 0-1.
type EvalRow struct {
	System    string  `json:"system"`
	Level     string  `json:"level"`           // document or section
	Group     string  `json:"group,omitempty"` // absent: all questions
	Questions int     `json:"questions"`
	NDCG10    float64 `json:"ndcg_10"` // with linear gain
	MRR10     float64 `json:"mrr_10"`
	Hit1      float64 `json:"hit_1"`
	Hit3      float64 `json:"hit_3"`
	Recall10  float64 `json:"recall_10"`
	Recall100 float64 `json:"recall_100"`
}

// EvalDifference compares two systems question by question.
type EvalDifference struct {
	System    string  `json:"system"`
	Less      string  `json:"less"` // the system that is taken away
	Level     string  `json:"level"`
	Group     string  `json:"group,omitempty"`
	Metric    string  `json:"metric"`
	Questions int     `json:"questions"`
	Mean      float64 `json:"mean"`
	Low       float64 `json:"low"` // of the 95 % interval: paired bootstrap
	High      float64 `json:"high"`
	Won       int     `json:"won"` // questions that system answers better
	Lost      int     `json:"lost"`
	Tied      int     `json:"tied"`
	// the largest change first; of all questions, by document, against what is compared with
	WonBy  []EvalChange `json:"won_by,omitempty"`
	LostBy []EvalChange `json:"lost_by,omitempty"`
	// First are the questions whose first result is another one, better or not; of all questions, against what is compared with
	First []EvalFirst `json:"first,omitempty"`
}

// EvalChange is a question that two systems answer differently well.
type EvalChange struct {
	ID   string  `json:"id"`
	Text string  `json:"text"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// EvalFirst is a question whose first results differ: path#anchor, "" where nothing was found.
type EvalFirst struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	From string `json:"from"`
	To   string `json:"to"`
}

// EvalQuestion is one question and what came of it.
type EvalQuestion struct {
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Group   string   `json:"group,omitempty"`
	NDCG10  float64  `json:"ndcg_10"`           // by document
	Section *float64 `json:"section,omitempty"` // nDCG@10 by section, where one is asked for
	First   int      `json:"first"`             // rank of the first relevant document; 0: it was not found
	Found   []string `json:"found"`             // what came first, path#anchor
	Want    []string `json:"want"`              // what answers it, the best first
}

// EvalMissing is a judged place that the index has not: a question that wants it cannot be answered well.
type EvalMissing struct {
	Place     string   `json:"place"` // path#anchor as judged
	Path      string   `json:"path"`
	Anchor    string   `json:"anchor,omitempty"`
	Reason    string   `json:"reason"`            // document, section: not there; several: the name of several places; no_text: of its own
	Nearest   string   `json:"nearest,omitempty"` // path#anchor that was most likely meant; absent if nothing is near
	Questions []string `json:"questions"`         // the first ten that want it
}

// EvalGate is a least value and what was reached.
type EvalGate struct {
	Gate string  `json:"gate"` // as asked
	Got  float64 `json:"got"`
	Want float64 `json:"want"`
	OK   bool    `json:"ok"`
}

// EvalReport is eval_report.v1.
type EvalReport struct {
	Envelope
	Set         EvalSet          `json:"set"`               // what was asked
	Mode        string           `json:"mode"`              // as answered
	Encoder     string           `json:"encoder"`           // of queries: none, distilled, exact
	Rows        []EvalRow        `json:"rows"`              // the system first, then what it is compared with
	Differences []EvalDifference `json:"differences"`       // of nDCG@10
	Gates       []EvalGate       `json:"gates,omitempty"`   // in the order of the request
	Failing     int              `json:"failing,omitempty"` // gates that were not reached
	Worst       []EvalQuestion   `json:"worst,omitempty"`   // by nDCG@10 by document, then by section
	Missing     []EvalMissing    `json:"missing,omitempty"` // judged places that the index has not, a thousand at most
	TimeMS      float64          `json:"time_ms"`           // milliseconds that the answer took

	Run   map[string][]index.Place `json:"-"` // what the system answered, best first
	Asked []index.Question         `json:"-"` // the questions
	Every bool                     `json:"-"` // as asked
}
