package answer

// Follow returns what to search for, and what the conversation is about after this question. For a question that stands
// alone both are the question itself. For a follow-up the subject of the question before is searched for too; if the
// subject stays the same, so is what was asked about it last, provided that it was answered.
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
