package answer

// Follow returns what to search for, and what the question is about, for the one behind it: for a question that stands
// alone both are itself. Else what the one before was about is searched for too. If it stays with that, so is what was
// asked of it last, if that had an answer.
func Follow(turns []Turn, question string) (searched, about string) {
	keep := lexicon().keepsSubject().MatchString(question)
	if len(turns) == 0 || !keep && !lexicon().changesSubject().MatchString(question) {
		return question, question
	}
	last := &turns[len(turns)-1]
	if !keep {
		return question + " " + last.About, question
	}
	searched = question
	if last.Answered && last.Question != last.About && FormOf(last.Question) != Example {
		searched += " " + last.Question
	}
	return searched + " " + last.About, last.About
}
