package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// prompt is a task that a person starts in a host: instructions, followed by what the index has for the task.
type prompt struct {
	name, title, describe string
	arguments             []promptArgument
	write                 func(args map[string]string) string // the instructions
	calls                 func(args map[string]string) []promptCall
}

// promptArgument is one argument of a prompt; complete is a kind of runtime.Complete.
type promptArgument struct {
	name, describe, complete string
	required                 bool
}

// promptCall is an operation whose answer a prompt includes.
type promptCall struct {
	operation string
	args      map[string]any
}

// prompts returns all prompts, sorted by name.
func prompts() []prompt {
	return []prompt{
		{
			name: "answer-from-docs", title: "Answer from the documentation",
			describe: "Answer a question from the indexed documentation alone, with citations, or say that it does not tell.",
			arguments: []promptArgument{
				{"question", "what to answer", runtime.CompleteTitle, true},
				{"domain", "only documents of this domain", runtime.CompleteDomain, false},
			},
			write: func(args map[string]string) string {
				return fmt.Sprintf("Answer this question from the project's documentation: %s\n\n"+
					"1. The search results below are a start. Search again with kdd_search in other words where they do not fit.\n"+
					"2. Read what you rely on with kdd_read_section: a snippet is not enough.\n"+
					"3. Answer only what the text says, and cite each statement as path#anchor with its lines.\n"+
					"4. Where the documentation does not tell, or contradicts itself, say so and cite both places.", args["question"])
			},
			calls: func(args map[string]string) []promptCall {
				q := map[string]any{"query": args["question"]}
				if args["domain"] != "" {
					q["domains"] = []string{args["domain"]}
				}
				return []promptCall{{"search", q}}
			},
		},
		{
			name: "impact-review", title: "Review what a change touches",
			describe: "List what a planned change of a document, requirement or other entity touches, and what to check and run again.",
			arguments: []promptArgument{
				{"entity", "id, name, path or title of what is to change", runtime.CompleteEntity, true},
				{"change", "what is to change, in a sentence", runtime.CompleteTitle, false},
			},
			write: func(args map[string]string) string {
				change := ""
				if args["change"] != "" {
					change = "\nThe change: " + args["change"]
				}
				return fmt.Sprintf("Review what a change of %s touches.%s\n\n"+
					"1. Below is what depends on it. Look at the nearest with kdd_read_section; kdd_related shows the relations one by one.\n"+
					"2. For each dependant say whether the change breaks it, needs an edit, or leaves it alone, and cite path#anchor with lines.\n"+
					"3. List the scenarios and tests to run again.\n"+
					"4. Ask kdd_inspect for lint with the node for findings that are there already, so that they are not blamed on the change.", args["entity"], change)
			},
			calls: func(args map[string]string) []promptCall {
				return []promptCall{{"impact", map[string]any{"entity": args["entity"]}}}
			},
		},
		{
			name: "onboard", title: "Get to know the documentation",
			describe: "A guided first reading of the documentation, of all of it or of one domain.",
			arguments: []promptArgument{
				{"domain", "only this domain", runtime.CompleteDomain, false},
			},
			write: func(args map[string]string) string {
				about := "this project"
				if args["domain"] != "" {
					about = fmt.Sprintf("the domain %s of this project", args["domain"])
				}
				return fmt.Sprintf("Introduce a new colleague to %s by its documentation.\n\n"+
					"1. Below is what the index holds. Pick the five to ten documents that explain most: overviews, decisions, the main processes.\n"+
					"2. Read them with kdd_read_section, and look with kdd_related at what links them.\n"+
					"3. Write: what it is for, its main parts and words, how the important things work, decisions to know, where to read on. Cite path#anchor for each.\n"+
					"4. End with what the documentation leaves open.", about)
			},
			calls: func(args map[string]string) []promptCall {
				list := map[string]any{"limit": 100, "max_bytes": maxIndexBytes}
				if args["domain"] != "" {
					list["domain"] = args["domain"]
				}
				return []promptCall{{"stats", nil}, {"list", list}}
			},
		},
	}
}

// promptNamed returns the prompt of that name, or nil.
func promptNamed(name string) *prompt {
	all := prompts()
	if at := slices.IndexFunc(all, func(p prompt) bool { return p.name == name }); at >= 0 {
		return &all[at]
	}
	return nil
}

// completed returns how each argument is completed.
func (p *prompt) completed() map[string]string {
	kinds := map[string]string{}
	for _, a := range p.arguments {
		kinds[a.name] = a.complete
	}
	return kinds
}

func addPrompts(server *mcp.Server, svc *runtime.Service) {
	for _, p := range prompts() {
		made := &mcp.Prompt{Name: p.name, Title: p.title, Description: p.describe}
		for _, a := range p.arguments {
			made.Arguments = append(made.Arguments, &mcp.PromptArgument{Name: a.name, Description: a.describe, Required: a.required})
		}
		server.AddPrompt(made, p.handler(svc))
	}
}

// handler answers prompts/get with the instructions and one message for each operation that the prompt calls.
// Operations are called as tools call them.
func (p *prompt) handler(svc *runtime.Service) mcp.PromptHandler {
	return func(ctx context.Context, request *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args, err := p.check(request.Params.Arguments)
		if err != nil {
			return nil, err
		}
		result := &mcp.GetPromptResult{Description: p.describe, Messages: []*mcp.PromptMessage{said(wire.CleanLines(p.write(args)))}}
		for _, call := range p.calls(args) {
			o := runtime.OperationNamed(call.operation)
			answer, err := o.Run(ctx, svc, call.args)
			if err != nil {
				return nil, protocolError(err, "")
			}
			result.Messages = append(result.Messages, said(fmt.Sprintf("%s %s answers:\n%s", o.Tool, wire.CleanLines(string(wire.Encode(given(call.args)))), agentText(brief(answer)))))
		}
		return result, nil
	}
}

func given(args map[string]any) map[string]any {
	if args == nil {
		return map[string]any{}
	}
	return args
}

func said(text string) *mcp.PromptMessage {
	return &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: text}}
}

// check returns the trimmed arguments, or an error that names the missing or unknown one.
func (p *prompt) check(arguments map[string]string) (map[string]string, error) {
	names := make([]string, len(p.arguments))
	args := map[string]string{}
	for i, a := range p.arguments {
		names[i] = a.name
		if args[a.name] = strings.TrimSpace(arguments[a.name]); a.required && args[a.name] == "" {
			return nil, invalid("%s needs the argument %q: %s", p.name, a.name, a.describe)
		}
	}
	for name := range arguments {
		if !slices.Contains(names, name) {
			hint := "it takes " + strings.Join(names, ", ")
			if near := wire.Nearest(name, names); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, invalid("%s: unknown argument %q; %s", p.name, wire.Shorten(name, 60), hint)
		}
	}
	return args, nil
}
