package markdown

func (b *builder) gherkin() {}
