package cli

import (
	"strconv"

	"kdd/runtime"
	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// keyVariable is where the key of a language model's endpoint is: others on the machine can see flags.
const keyVariable = "KDD_LLM_KEY"

// modelFlags are the options of commands that answer questions.
func modelFlags() []Flag {
	return []Flag{
		{Name: "llm", Value: "URL",
			Help: "let a language model write (chat completions of OpenAI's API): it is sent the question, what was found, " +
				"and the key in " + keyVariable},
		{Name: "llm-model", Value: "NAME", Help: "the model to ask for there"},
		{Name: "llm-context", Value: "TOKENS", Default: strconv.Itoa(generate.DefaultContext),
			Help: "how much its server is set to read and write at most"},
		{Name: "llm-timeout", Value: "DURATION", Default: generate.DefaultTimeout.String(),
			Help: "longest wait; then the answer is made without it"},
	}
}

// answering is serviceConfig with the language model that the options name.
func (c *Call) answering() (runtime.Config, error) {
	config := c.serviceConfig()
	address := c.Text("llm")
	if address == "" {
		if c.Given("llm-model") || c.Given("llm-context") || c.Given("llm-timeout") {
			return config, usageError("--llm-model, --llm-context and --llm-timeout need --llm URL")
		}
		return config, nil
	}
	if c.Text("llm-model") == "" {
		return config, usageError("--llm needs --llm-model NAME")
	}
	timeout, err := c.Duration("llm-timeout", "30s")
	if err != nil {
		return config, err
	}
	tokens, err := c.Count("llm-context", generate.MinContext)
	if err != nil {
		return config, err
	}
	if config.Model, err = generate.New(address, c.Text("llm-model"), c.getenv(keyVariable), tokens, timeout); err != nil {
		return config, usageError("--llm: %s", wire.Clean(err.Error()))
	}
	return config, nil
}
