package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kdd/runtime"
)

// probe runs a command with the flags of argv and hands its Call to look.
func probe(t *testing.T, flags []Flag, argv []string, look func(*Call)) error {
	t.Helper()
	command := &Command{
		Name: "probe", MaxArgs: -1,
		Flags:     func() []Flag { return flags },
		ConfigDir: WorkingDir,
		Run:       func(c *Call) error { look(c); return nil },
	}
	tool := Tool{Name: "kdd", Commands: []*Command{command}}
	return tool.run(t.Context(), append([]string{"probe"}, argv...), strings.NewReader(""), io.Discard, io.Discard)
}

// TestOptionsOrder checks flags > environment > kdd.yaml > default for each type of flag.
func TestOptionsOrder(t *testing.T) {
	const env = "KDD_TEST_OPTION"
	tests := []struct {
		name   string
		flag   Flag
		argv   string
		env    string
		config string
		want   string
		given  bool
	}{
		{"nothing", Flag{Name: "o"}, "", "", "", "", false},
		{"default", Flag{Name: "o", Default: "d"}, "", "", "", "d", false},
		{"config", Flag{Name: "o", Default: "d", Setting: "title"}, "", "", "title: c", "c", true},
		{"environment over config", Flag{Name: "o", Default: "d", Env: env, Setting: "title"}, "", "e", "title: c",
			"e", true},
		{"flag over all", Flag{Name: "o", Default: "d", Env: env, Setting: "title"}, "--o f", "e", "title: c", "f", true},
		{"empty flag over all", Flag{Name: "o", Default: "d", Env: env, Setting: "title"}, "--o=", "e", "title: c", "", true},
		{"empty environment counts as absent", Flag{Name: "o", Env: env, Setting: "title"}, "", "", "title: c", "c", true},
		{"last flag", Flag{Name: "o"}, "--o 1 --o 2", "", "", "2", true},
		{"switch of config", Flag{Name: "o", Type: Switch, Setting: "strict"}, "", "", "strict: true", "true", true},
		{"switch against config", Flag{Name: "o", Type: Switch, Setting: "strict"}, "--o=false", "", "strict: true",
			"false", true},
		{"list of config", Flag{Name: "o", Type: List, Setting: "include"}, "", "", "include: [a, b]", "a b", true},
		{"list of flags replaces it", Flag{Name: "o", Type: List, Setting: "include"}, "--o x,y --o z", "",
			"include: [a, b]", "x,y z", true},
		{"config has what other commands take", Flag{Name: "o", Default: "text", Enum: []string{"text", "json"},
			Setting: "show.format"}, "", "", "show: {format: csv}", "text", false},
		{"optional alone", Flag{Name: "o", Type: Optional, Bare: "auto"}, "--o", "", "", "auto", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv(env, tt.env)
			if tt.config != "" {
				if err := os.WriteFile("kdd.yaml", []byte(tt.config), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			err := probe(t, []Flag{tt.flag}, strings.Fields(tt.argv), func(c *Call) {
				if got := strings.Join(c.List("o"), " "); got != tt.want || c.Given("o") != tt.given {
					t.Errorf("option = %q, given %t, want %q, %t", got, c.Given("o"), tt.want, tt.given)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestColor(t *testing.T) {
	tests := []struct {
		name, argv, noColor, config string
		want                        bool
	}{
		{"no terminal", "", "", "", false},
		{"flag", "--color always", "", "", true},
		{"flag over NO_COLOR", "--color always", "1", "", true},
		{"NO_COLOR over kdd.yaml", "", "1", "show: {color: always}", false},
		{"kdd.yaml", "", "", "show: {color: always}", true},
		{"flag over kdd.yaml", "--color never", "", "show: {color: always}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("NO_COLOR", tt.noColor)
			if err := os.WriteFile("kdd.yaml", []byte(tt.config), 0o644); err != nil {
				t.Fatal(err)
			}
			err := probe(t, []Flag{colorFlag()}, strings.Fields(tt.argv), func(c *Call) {
				if got := c.Color(&bytes.Buffer{}); got != tt.want {
					t.Errorf("Color = %t, want %t", got, tt.want)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestServiceConfig(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("flag", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range environment {
		t.Setenv(name, "")
	}
	t.Setenv("KDD_INDEX", "env.kddx")
	t.Setenv("KDD_ROOT", "/env")
	err := probe(t, commonFlags(), strings.Fields("-i a.kddx --index b=c.kddx --root flag"), func(c *Call) {
		got := c.serviceConfig()
		if strings.Join(got.Index, " ") != "a.kddx b=c.kddx" || got.Root != "flag" ||
			got.Environ["KDD_INDEX"] != "env.kddx" || len(got.Environ) != 2 {
			t.Errorf("serviceConfig = %+v", got)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestCommands checks that every command of the table says what it needs to, and that no two flags share a spelling.
func TestCommands(t *testing.T) {
	tool := Standalone()
	for _, c := range tool.commands() {
		if c.Summary == "" || c.Group == "" || len(c.Examples) == 0 || c.Run == nil {
			t.Errorf("%s lacks a summary, group, example or Run", c.Name)
		}
		spellings := map[string]string{"help": "help", "h": "help"}
		for _, f := range c.flags() {
			if f.Help == "" {
				t.Errorf("%s --%s has no help", c.Name, f.Name)
			}
			for _, s := range append([]string{f.Name}, f.Aliases...) {
				if other, taken := spellings[s]; taken {
					t.Errorf("%s: --%s means %s and %s", c.Name, s, other, f.Name)
				}
				spellings[s] = f.Name
			}
			if f.Setting != "" && !strings.HasPrefix(f.Setting, "show.") {
				t.Errorf("%s --%s: setting %s is not about how things are shown", c.Name, f.Name, f.Setting)
			}
		}
		for _, example := range c.Examples {
			if !strings.HasPrefix(example, c.Name+" ") && example != c.Name {
				t.Errorf("%s: example %q is of another command", c.Name, example)
			}
		}
	}
}

// TestOperationFlags checks that each parameter of each operation can be given, also by its older names.
func TestOperationFlags(t *testing.T) {
	for _, op := range runtime.Operations() {
		flags := operationFlags(&op)
		for _, p := range op.Params {
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				if !p.Arg && findFlag(flags, dashed(name)) == nil {
					t.Errorf("%s: no flag for %s", op.Name, name)
				}
			}
		}
	}
}

func TestWhereValues(t *testing.T) {
	got, err := whereValues([]string{"owner=ana", "owner=noor", "x==y", "empty="})
	if err != nil || strings.Join(got["owner"], ",") != "ana,noor" || got["x"][0] != "=y" || got["empty"][0] != "" {
		t.Errorf("whereValues = %v, %v", got, err)
	}
	for _, bad := range []string{"owner", "=ana", " =x", ""} {
		if _, err := whereValues([]string{bad}); err == nil || ExitCode(err) != ExitUsage {
			t.Errorf("whereValues(%q) = %v, want a usage error", bad, err)
		}
	}
}

// TestInterrupt checks that a signal ends the context, and that the exit code says so: a terminal that closes too.
func TestInterrupt(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		signal os.Signal
		code   int
		says   string
	}{{os.Interrupt, ExitInterrupted, "kdd: interrupted\n"}, {syscall.SIGTERM, ExitTerminated, "kdd: terminated\n"},
		{syscall.SIGHUP, ExitTerminated, "kdd: terminated\n"}} {
		// below nohup a signal is ignored, which kdd respects, until somebody asks for it
		own := make(chan os.Signal, 1)
		signal.Notify(own, tt.signal)
		t.Cleanup(func() { signal.Stop(own) })
		wait := &Command{Name: "wait", Run: func(c *Call) error {
			if err := self.Signal(tt.signal); err != nil {
				return err
			}
			select {
			case <-c.Context.Done():
				return context.Cause(c.Context)
			case <-time.After(30 * time.Second):
				return nil
			}
		}}
		var stderr bytes.Buffer
		code := Run(Tool{Name: "kdd", Commands: []*Command{wait}}, []string{"wait"}, nil, io.Discard, &stderr)
		if code != tt.code || stderr.String() != tt.says {
			t.Errorf("Run after %v = %d, stderr %q, want %d, %q", tt.signal, code, stderr.String(), tt.code, tt.says)
		}
	}
}

// TestConfigDir checks that a query reads kdd.yaml of the working folder and of no other.
func TestConfigDir(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kdd.yaml"), []byte("titel: x"), 0o644); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(below)
	if err := probe(t, nil, nil, func(*Call) {}); err != nil {
		t.Errorf("kdd.yaml of a folder above: %v, want it not to be read", err)
	}
	t.Chdir(dir)
	if err := probe(t, nil, nil, func(*Call) {}); err == nil || !strings.Contains(err.Error(), "kdd.yaml:1: ") {
		t.Errorf("broken kdd.yaml = %v, want an error with its place", err)
	}
}
