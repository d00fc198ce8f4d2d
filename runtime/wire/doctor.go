package wire

// DoctorRequest asks whether everything is in order.
type DoctorRequest struct {
	Page
}

// Check is one thing that was looked at.
type Check struct {
	// index, open, verify, sources, encoder, memory, config, environment, registration
	Name   string `json:"name"`
	Index  string `json:"index,omitempty"` // name of the artifact that it is about, where there are several
	OK     bool   `json:"ok"`              //
	Detail string `json:"detail"`          // what was found
	Hint   string `json:"hint,omitempty"`  // what to do
}

// DoctorResponse is doctor.v1.
type DoctorResponse struct {
	Envelope
	OK     bool    `json:"ok"`     // every check is, those that were left out too
	Failed int     `json:"failed"` // how many are not, those that were left out too
	Checks []Check `json:"checks"` // in the order in which they were made
	Count  int     `json:"count"`  // how many are here
	Rest
}

// CheckOf makes a failed check of an error.
func CheckOf(name, index string, err error) Check {
	e := AsError(err)
	return Check{Name: name, Index: index, Detail: e.Message, Hint: e.Hint}
}

// FitDoctor cuts checks to a budget, as FitSearch cuts hits.
func FitDoctor(resp *DoctorResponse, b Budget) {
	p := paged[Check]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, what: "a check", items: &resp.Checks,
		prepare: func(c *Check) { c.Index, c.Detail, c.Hint = Clean(c.Index), Clean(c.Detail), Clean(c.Hint) },
		shorten: func(c *Check, n int) {
			limit := 640 >> n
			c.Index, c.Detail, c.Hint = Shorten(c.Index, limit), Shorten(c.Detail, limit), Shorten(c.Hint, limit)
		},
	}
	p.fit(b)
}
