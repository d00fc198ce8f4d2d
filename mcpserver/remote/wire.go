package remote

// The answers of "kdd remote". Names, descriptions and content in them come from other servers. The JSON has them
// unchanged, with invisible characters escaped; the text form neutralises them.

// States of a ServerStatus.
const (
	StateOK       = "ok"
	StateFailing  = "failing"
	StateDisabled = "disabled"
)

// ServerStatus is one configured MCP server and how it answered.
type ServerStatus struct {
	Name         string   `json:"name"`
	Transport    string   `json:"transport"`              // stdio, sse or http
	Address      string   `json:"address"`                // command line or URL as configured, variables not filled in
	State        string   `json:"state"`                  // ok, failing (error says why) or disabled
	Error        string   `json:"error,omitempty"`        // why it is failing
	Stderr       string   `json:"stderr,omitempty"`       // last lines that a failing server wrote to standard error
	Server       string   `json:"server,omitempty"`       // name and version that it gives itself
	Protocol     string   `json:"protocol,omitempty"`     // version of MCP that it speaks
	Instructions string   `json:"instructions,omitempty"` // what it tells a host's model; in capabilities only
	Features     []string `json:"features,omitempty"`     // tools, resources, prompts, completions, logging
	Tools        int      `json:"tools"`
	Resources    int      `json:"resources"`
	Templates    int      `json:"templates"`
	Prompts      int      `json:"prompts"`
	Cached       bool     `json:"cached,omitempty"` // the lists come from the cache; the server was not asked
	Warnings     []string `json:"warnings,omitempty"`
}

// Tool is a tool of another server.
type Tool struct {
	Name         string `json:"name"`          // mcp__SERVER__TOOL, as call takes it
	Server       string `json:"server"`        // name in the configuration
	OriginalName string `json:"original_name"` // name at the server
	Title        string `json:"title,omitempty"`
	Description  string `json:"description,omitempty"`
	// read_only, destructive, idempotent, open_world: what the server claims
	Hints        []string `json:"hints,omitempty"`
	InputSchema  any      `json:"input_schema,omitempty"`  // JSON Schema of the arguments
	OutputSchema any      `json:"output_schema,omitempty"` // JSON Schema of structured_content
}

// Resource is a resource of another server, or a template of resources.
type Resource struct {
	Name        string `json:"name"`   // mcp__SERVER__URI, as read takes it
	Server      string `json:"server"` // name in the configuration
	URI         string `json:"uri"`    // at the server; a URI template (RFC 6570) among templates
	Label       string `json:"label,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mime_type,omitempty"`
	SizeBytes   int64  `json:"size_bytes,omitempty"`
}

// Prompt is a prompt of another server.
type Prompt struct {
	Name         string     `json:"name"`          // mcp__SERVER__PROMPT, as prompt takes it
	Server       string     `json:"server"`        // name in the configuration
	OriginalName string     `json:"original_name"` // name at the server
	Title        string     `json:"title,omitempty"`
	Description  string     `json:"description,omitempty"`
	Arguments    []Argument `json:"arguments"`
}

// Argument is an argument of a Prompt.
type Argument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// ServerList is remote_servers.v1.
type ServerList struct {
	SchemaVersion string         `json:"schema_version"`
	Servers       []ServerStatus `json:"servers"`   // all that were asked, in the order of the configuration
	Count         int            `json:"count"`     // entries before anything was cut off
	Failing       int            `json:"failing"`   // how many are failing
	Truncated     bool           `json:"truncated"` // something was cut off to keep max_bytes
}

// ToolList is remote_tools.v1.
type ToolList struct {
	SchemaVersion string         `json:"schema_version"`
	Tools         []Tool         `json:"tools"`     // in the order of servers
	Count         int            `json:"count"`     // entries before anything was cut off
	Truncated     bool           `json:"truncated"` // something was cut off to keep max_bytes
	Servers       []ServerStatus `json:"servers"`   // all that were asked, in the order of the configuration
}

// ResourceList is remote_resources.v1.
type ResourceList struct {
	SchemaVersion string         `json:"schema_version"`
	Resources     []Resource     `json:"resources"` // in the order of servers
	Templates     []Resource     `json:"templates"` // of resources, in the order of servers
	Count         int            `json:"count"`     // of both
	Truncated     bool           `json:"truncated"` // something was cut off to keep max_bytes
	Servers       []ServerStatus `json:"servers"`   // all that were asked, in the order of the configuration
}

// PromptList is remote_prompts.v1.
type PromptList struct {
	SchemaVersion string         `json:"schema_version"`
	Prompts       []Prompt       `json:"prompts"`   // in the order of servers
	Count         int            `json:"count"`     // entries before anything was cut off
	Truncated     bool           `json:"truncated"` // something was cut off to keep max_bytes
	Servers       []ServerStatus `json:"servers"`   // all that were asked, in the order of the configuration
}

// Capabilities is remote_capabilities.v1: everything that the servers have.
type Capabilities struct {
	SchemaVersion string         `json:"schema_version"`
	Servers       []ServerStatus `json:"servers"`   // all that were asked, in the order of the configuration
	Tools         []Tool         `json:"tools"`     // in the order of servers
	Resources     []Resource     `json:"resources"` // in the order of servers
	Templates     []Resource     `json:"templates"` // of resources, in the order of servers
	Prompts       []Prompt       `json:"prompts"`   // in the order of servers
	Truncated     bool           `json:"truncated"` // something was cut off to keep max_bytes
}

// Content is a piece of what a tool, resource or prompt of another server gave.
type Content struct {
	Type     string `json:"type"`           // text, image, audio, resource or resource_link
	Role     string `json:"role,omitempty"` // of a prompt's message: user or assistant
	Text     string `json:"text,omitempty"`
	Data     string `json:"data,omitempty"` // base64 of what is no text
	MIMEType string `json:"mime_type,omitempty"`
	URI      string `json:"uri,omitempty"`
	Name     string `json:"name,omitempty"`
}

// CallResult is remote_call.v1: what a tool answered.
type CallResult struct {
	SchemaVersion     string    `json:"schema_version"`
	Name              string    `json:"name"`                         // mcp__SERVER__… as it was asked for
	Server            string    `json:"server"`                       // name in the configuration
	OriginalName      string    `json:"original_name"`                // name at the server
	IsError           bool      `json:"is_error"`                     // the tool or its server reported an error
	Content           []Content `json:"content"`                      // what the tool gave
	StructuredContent any       `json:"structured_content,omitempty"` // the same as JSON, where the tool has that
	Truncated         bool      `json:"truncated"`                    // something was cut off to keep max_bytes
}

// ReadResult is remote_read.v1: what a resource holds.
type ReadResult struct {
	SchemaVersion string    `json:"schema_version"`
	Name          string    `json:"name"`      // mcp__SERVER__… as it was asked for
	Server        string    `json:"server"`    // name in the configuration
	URI           string    `json:"uri"`       // at the server
	Contents      []Content `json:"contents"`  // what the resource holds
	Truncated     bool      `json:"truncated"` // something was cut off to keep max_bytes
}

// PromptResult is remote_prompt.v1: the messages that a prompt makes.
type PromptResult struct {
	SchemaVersion string    `json:"schema_version"`
	Name          string    `json:"name"`                  // mcp__SERVER__… as it was asked for
	Server        string    `json:"server"`                // name in the configuration
	OriginalName  string    `json:"original_name"`         // name at the server
	Description   string    `json:"description,omitempty"` // of the prompt
	Messages      []Content `json:"messages"`              // in order
	Truncated     bool      `json:"truncated"`             // something was cut off to keep max_bytes
}
