package install

import "fmt"

// Hosts returns the hosts that are known, in the order in which they are named.
func Hosts() []*Host {
	home := func(parts ...string) func(*Env) []string {
		return func(e *Env) []string { return []string{e.join(e.Home, parts...)} }
	}
	below := func(parts ...string) func(*Env) (string, error) {
		return func(e *Env) (string, error) { return e.inHome(parts...) }
	}
	config := func(parts ...string) func(*Env) (string, error) {
		return func(e *Env) (string, error) { return e.inConfig(parts...) }
	}
	app := func(parts ...string) func(*Env) (string, error) {
		return func(e *Env) (string, error) { return e.inAppData(parts...) }
	}
	folder := func(place func(*Env) (string, error)) func(*Env) []string {
		return func(e *Env) []string {
			dir, err := place(e)
			if err != nil {
				return nil
			}
			return []string{dir}
		}
	}
	storage := []string{"Code", "User", "globalStorage"}
	cline := append(storage[:3:3], "saoudrizwan.claude-dev", "settings")
	roo := append(storage[:3:3], "rooveterinaryinc.roo-cline", "settings")
	zed := func(e *Env) (string, error) {
		if e.OS == "windows" {
			return e.inAppData("Zed", "settings.json")
		}
		return e.inConfig("zed", "settings.json")
	}
	return []*Host{
		{
			Name: "claude", Title: "Claude Code", key: "mcpServers", shape: typedShape, command: "claude",
			project: []string{".mcp.json"},
			user: func(e *Env) (string, error) {
				if dir := e.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
					return e.join(dir, ".claude.json"), nil
				}
				return e.inHome(".claude.json")
			},
			marks: func(e *Env) []string { return []string{e.join(e.Home, ".claude.json"), e.join(e.Home, ".claude")} },
			note:  "Claude Code asks once whether to trust the servers of a project",
		},
		{
			Name: "codex", Title: "Codex", dialect: tomlText, key: "mcp_servers", command: "codex",
			project: []string{".codex", "config.toml"},
			user: func(e *Env) (string, error) {
				if dir := e.Getenv("CODEX_HOME"); dir != "" {
					return e.join(dir, "config.toml"), nil
				}
				return e.inHome(".codex", "config.toml")
			},
			marks: home(".codex"),
			note:  "Codex reads the file of a project only where the project is trusted",
		},
		{
			Name: "gemini", Title: "Gemini CLI", dialect: jsonComments, key: "mcpServers", command: "gemini",
			project: []string{".gemini", "settings.json"}, user: below(".gemini", "settings.json"), marks: home(".gemini"),
		},
		{
			Name: "cursor", Title: "Cursor", dialect: jsonRelaxed, key: "mcpServers", shape: typedShape, command: "cursor",
			project: []string{".cursor", "mcp.json"}, user: below(".cursor", "mcp.json"), marks: home(".cursor"),
		},
		{
			Name: "windsurf", Title: "Windsurf", dialect: jsonRelaxed, key: "mcpServers", command: "windsurf",
			user: below(".codeium", "windsurf", "mcp_config.json"), marks: home(".codeium", "windsurf"),
		},
		{
			Name: "vscode", Title: "VS Code", dialect: jsonRelaxed, key: "servers", shape: typedShape, command: "code",
			project: []string{".vscode", "mcp.json"}, user: app("Code", "User", "mcp.json"), marks: folder(app("Code", "User")),
		},
		{
			Name: "claude-desktop", Title: "Claude Desktop", key: "mcpServers", windowed: true,
			user: app("Claude", "claude_desktop_config.json"), marks: folder(app("Claude")),
		},
		{
			Name: "opencode", Title: "opencode", dialect: jsonRelaxed, key: "mcp", shape: listShape, command: "opencode",
			project: []string{"opencode.json"}, user: config("opencode", "opencode.json"), marks: folder(config("opencode")),
		},
		{
			Name: "zed", Title: "Zed", dialect: jsonRelaxed, key: "context_servers", command: "zed",
			project: []string{".zed", "settings.json"}, user: zed, marks: folder(zed),
		},
		{
			Name: "cline", Title: "Cline", dialect: jsonRelaxed, key: "mcpServers", user: app(append(cline, "cline_mcp_settings.json")...),
			marks: folder(app(cline...)),
		},
		{
			Name: "roo", Title: "Roo Code", dialect: jsonRelaxed, key: "mcpServers", project: []string{".roo", "mcp.json"},
			user: app(append(roo, "mcp_settings.json")...), marks: folder(app(roo...)),
		},
		{
			Name: "amp", Title: "Amp", dialect: jsonRelaxed, key: "amp.mcpServers", command: "amp",
			project: []string{".amp", "settings.json"}, user: config("amp", "settings.json"), marks: folder(config("amp")),
		},
		{
			Name: "kiro", Title: "Kiro", dialect: jsonRelaxed, key: "mcpServers", command: "kiro",
			project: []string{".kiro", "settings", "mcp.json"}, user: below(".kiro", "settings", "mcp.json"), marks: home(".kiro"),
		},
		{
			Name: "continue", Title: "Continue", dialect: jsonRelaxed, key: "mcpServers", command: "cn",
			project: []string{".continue", "mcpServers", "kdd.json"}, user: below(".continue", "mcpServers", "kdd.json"),
			marks: home(".continue"),
		},
		{
			Name: "junie", Title: "Junie", dialect: jsonRelaxed, key: "mcpServers", command: "junie",
			project: []string{".junie", "mcp", "mcp.json"}, user: below(".junie", "mcp", "mcp.json"), marks: home(".junie"),
		},
		{
			Name: "lmstudio", Title: "LM Studio", dialect: jsonRelaxed, key: "mcpServers", command: "lms", windowed: true,
			user: below(".lmstudio", "mcp.json"), marks: home(".lmstudio"),
		},
		{
			Name: "goose", Title: "Goose", command: "goose", windowed: true, marks: folder(config("goose")), byHand: gooseExtension,
			where: "~/.config/goose/config.yaml",
		},
		{
			Name: "jetbrains", Title: "JetBrains AI Assistant", windowed: true, marks: folder(app("JetBrains")), byHand: jetBrains,
			where: "Settings | Tools | AI Assistant | Model Context Protocol (MCP) | Add | As JSON",
		},
	}
}

// gooseExtension is what Goose's file has of a server. It is YAML that people write too, so it is left to them. Strings
// and lists of JSON are YAML.
func gooseExtension(name string, entry Entry) (string, error) {
	value := func(v any) string { return layout{}.render(v, "") }
	return fmt.Sprintf("extensions:\n  %s:\n    type: stdio\n    name: %s\n    enabled: true\n    cmd: %s\n    args: %s\n    timeout: 300\n",
		name, value(name), value(entry.Command), value(entry.Args)), nil
}

// jetBrains is what the dialog of AI Assistant takes.
func jetBrains(name string, entry Entry) (string, error) {
	text, err := (&jsonFile{strictJSON, "mcpServers", name}).set(nil, (&Host{}).fields(entry))
	return string(text), err
}
