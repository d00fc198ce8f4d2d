package compiler

import "time"

// phases measures how long each phase takes, for the report only.
type phases struct {
	start, at time.Time
	name      string
	seconds   map[string]float64
}

func newPhases() *phases {
	now := time.Now()
	return &phases{start: now, at: now, seconds: map[string]float64{}}
}

// begin ends the running phase and starts another; "" starts none.
func (p *phases) begin(name string) {
	now := time.Now()
	if p.name != "" {
		p.seconds[p.name] += now.Sub(p.at).Seconds()
	}
	p.name, p.at = name, now
}

func (p *phases) end() map[string]float64 {
	p.begin("")
	p.seconds["total"] = p.at.Sub(p.start).Seconds()
	return p.seconds
}
