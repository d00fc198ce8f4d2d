package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeldir"
	"kdd/compiler/embedding/remote"
	"kdd/runtime/wire"
)

// modelCommands are the commands that bring and keep document encoders.
func modelCommands() []*cli.Command {
	return []*cli.Command{
		{
			Name: "model import", Group: cli.GroupCompile, Summary: "make a model of a folder, wheel or zip archive",
			Usage: "DIR|WHEEL|ZIP", MinArgs: 1, MaxArgs: 1, Flags: importFlags,
			Help: "Reads a sentence-transformers folder as Hugging Face has it (config.json, tokenizer.json, " +
				"model.safetensors or an ONNX file), or an archive of one, and keeps it for \"kdd build\" in KDD_MODELS, else " +
				"in the user's data folder, where builds find it from anywhere. ONNX Runtime's Python package is taken too: " +
				"with its library a build embeds several times faster. A model that embeds queries otherwise than documents (a " +
				"Router, or two folders joined by --query-model) has its own folder for them.",
			Examples: []string{"model import ./all-MiniLM-L6-v2", "model import model.whl --name all-MiniLM-L6-v2",
				"model import onnxruntime-1.31.1-cp311-cp311-manylinux_2_28_x86_64.whl"},
			Run: func(c *cli.Call) error {
				if engine.IsLibraryArchive(c.Args[0]) {
					return keepLibrary(c, func(models string) (string, error) { return engine.ImportLibrary(c.Args[0], models) })
				}
				options, done, err := importOptions(c)
				if err != nil {
					return err
				}
				m, err := model.Import(c.Context, c.Args[0], options)
				done()
				return printModel(c, m, err)
			},
		},
		{
			Name: "model pull", Group: cli.GroupCompile, Summary: "download a model from a hub and import it, or ONNX Runtime",
			Usage: "OWNER/NAME[@REVISION]", MaxArgs: 1, Flags: modelPullFlags,
			Help: "Downloads from the Hugging Face hub, or from HF_ENDPOINT; HF_TOKEN is sent if it is set. Files are checked " +
				"against the hub's checksums, and the commit is recorded. A download that stops goes on at the next try.\n" +
				"With --runtime it brings ONNX Runtime " + modeldir.LibraryVersion + " in place of a model: out of its Python " +
				"package, from a file, a folder with it or a URL (of a folder with / at its end). Only a library whose sha256 " +
				"kdd knows is kept.",
			Examples: []string{"model pull sentence-transformers/all-MiniLM-L6-v2",
				"model pull --runtime https://mirror.example.com/wheels/", "model pull --runtime ./wheels"},
			Run: func(c *cli.Call) error {
				if runtime := c.Text("runtime"); runtime != "" || len(c.Args) == 0 {
					if runtime == "" || len(c.Args) > 0 {
						return cli.Usage("model pull takes OWNER/NAME, or --runtime WHERE, and not both")
					}
					return keepLibrary(c, func(models string) (string, error) {
						return engine.PullLibrary(c.Context, runtime, models)
					})
				}
				options, done, err := importOptions(c)
				if err != nil {
					return err
				}
				pull := model.PullOptions{ImportOptions: options}
				if _, err := os.Stat(options.QueryModel); err != nil { // not a folder here: of the hub
					pull.QueryModel, pull.QueryID = "", options.QueryModel
				}
				m, err := model.Pull(c.Context, c.Args[0], pull)
				done()
				return printModel(c, m, err)
			},
		},
		{
			Name: "model list", Group: cli.GroupCompile, Summary: "list the models that a build can take",
			Flags: modelFormat, Examples: []string{"model list"}, Run: listModels,
		},
		{
			Name: "model verify", Group: cli.GroupCompile, Summary: "check that a model is what it was when it was imported",
			Usage: "[NAME|DIR]", MaxArgs: 1, Examples: []string{"model verify all-MiniLM-L6-v2"}, Run: verifyModel,
		},
	}
}

func modelPullFlags() []cli.Flag {
	return append(importFlags(), cli.Flag{Name: "runtime", Value: "WHERE",
		Help: "bring ONNX Runtime from this file, folder or URL"})
}

func modelFormat() []cli.Flag {
	return []cli.Flag{{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "what to print"}}
}

func importFlags() []cli.Flag {
	return append([]cli.Flag{
		{Name: "query-model", Value: "MODEL",
			Help: "queries are embedded with this model (default: a query route of the model, or itself)"},
		{Name: "name", Value: "NAME", Help: "what to call it (default: the source's name)"},
		{Name: "sha256", Value: "HEX", Help: "refuse weights that have another sha256"},
		{Name: "licence", Aliases: []string{"license"}, Value: "ID",
			Help: "record this licence (default: what the model card says)"},
		{Name: "max-tokens", Value: "N", Default: "0", Help: "limit of a text in wordpieces; 0 = what the model says"},
		{Name: "languages", Value: "LIST",
			Help: "languages of the texts it understands, as en,de; any = all (default: what the model card or the " +
				"vocabulary says)"},
		{Name: "query-prefix", Value: "TEXT", Help: "text before each query, for models that need one"},
		{Name: "document-prefix", Value: "TEXT", Help: "text before each document, for models that need one"},
		{Name: "replace", Type: cli.Switch, Help: "replace a model of this name that has other weights"},
		engineFlag(),
		libraryFlag(),
		progressFlag(),
	}, modelFormat()...)
}

func engineFlag() cli.Flag {
	return cli.Flag{Name: "engine", Enum: []string{"auto", "onnx", "go"}, Default: "auto",
		Help: "of the model; auto: ONNX Runtime if found, else Go"}
}

func deviceFlag() cli.Flag {
	return cli.Flag{Name: "device", Enum: []string{"cpu", "cuda"}, Default: "cpu",
		Help: "of ONNX Runtime; cuda: in a build of it that has it"}
}

func libraryFlag() cli.Flag {
	return cli.Flag{Name: "onnxruntime", Value: "FILE",
		Help: "its shared library or folder; else KDD_ONNXRUNTIME, else looked for"}
}

// embedKeyVariable is where the key of an embedding server is: others on the machine can see flags.
const embedKeyVariable = "KDD_EMBED_KEY"

// remoteFlags name a server that embeds.
func remoteFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "embed-url", Value: "URL", Help: "a server embeds: it is sent all texts, and the key in " + embedKeyVariable},
		{Name: "embed-model", Value: "NAME", Help: "its model (default: what the server says)"},
		{Name: "embed-api", Enum: []string{"auto", "openai", "tei"}, Default: "auto", Help: "what it speaks"},
		{Name: "embed-prefix", Value: "TEXT", Help: "text before each document, if its model needs one"},
	}
}

// remoteOptions translates them.
func remoteOptions(c *cli.Call) (o remote.Options, err error) {
	o = remote.Options{URL: c.Text("embed-url"), Model: c.Text("embed-model")}
	if o.URL == "" {
		if c.Given("embed-model") || c.Given("embed-api") || c.Given("embed-prefix") {
			return o, cli.Usage("--embed-model, --embed-api and --embed-prefix need --embed-url URL")
		}
		return o, nil
	}
	if api := c.Text("embed-api"); api != "auto" {
		o.API = remote.API(api)
	}
	o.Key = os.Getenv(embedKeyVariable)
	return o, nil
}

// progressFlag is --progress; more are values beside auto and never.
func progressFlag(more ...string) cli.Flag {
	f := cli.Flag{Name: "progress", Enum: append([]string{"auto", "never"}, more...), Default: "auto",
		Help: "auto: a bar on a terminal"}
	if len(more) > 0 {
		f.Help += "; json: a line a second"
	}
	return f
}

// importOptions translates the flags; done takes the progress bar off the screen.
func importOptions(c *cli.Call) (o model.ImportOptions, done func(), err error) {
	kind, err := engine.ParseKind(c.Text("engine"))
	if err != nil {
		return o, nil, err
	}
	o = model.ImportOptions{
		QueryModel: c.Text("query-model"),

		Name:    c.Text("name"),
		SHA256:  c.Text("sha256"),
		Licence: c.Text("licence"),
		Replace: c.Switch("replace"),
		Engine:  engine.Options{Kind: kind, Library: c.Text("onnxruntime")},
		Notice:  func(text string) { c.Notef("%s", wire.Clean(text)) },
	}
	if o.MaxTokens, err = c.Count("max-tokens", 0); err != nil {
		return o, nil, err
	}
	if c.Given("query-prefix") || c.Given("document-prefix") {
		o.Prefixes = &model.Prefixes{Query: c.Text("query-prefix"), Document: c.Text("document-prefix")}
	}
	if c.Given("languages") {
		if o.Languages, err = model.ParseLanguages(c.Text("languages")); err != nil {
			return o, nil, cli.Usage("--languages: %v", err)
		}
	}
	bar := newProgress(c, false)
	if bar == nil {
		return o, func() {}, nil
	}
	o.Progress = bar.set
	return o, bar.clear, nil
}

// keepLibrary has bring put ONNX Runtime's library into the folder of models.
func keepLibrary(c *cli.Call, bring func(models string) (string, error)) error {
	home, err := modeldir.Home()
	if err != nil {
		return err
	}
	path, err := bring(home)
	if err != nil {
		return modelError(err)
	}
	if !engine.Supported {
		c.Notef("this kdd was built without cgo and cannot load it: it embeds with the Go engine")
	}
	if c.Text("format") == "json" {
		return writeListingJSON(c, model.Listing{Runtime: path})
	}
	_, err = fmt.Fprintf(c.Stdout, "ONNX Runtime: %s\n", wire.Clean(path))
	return err
}

// writeListingJSON prints models as JSON.
func writeListingJSON(c *cli.Call, list model.Listing) error {
	list.SchemaVersion = "model_list.v1"
	if list.Models == nil {
		list.Models = []model.Kept{}
	}
	_, err := c.Stdout.Write(append(wire.Encode(list), '\n'))
	return err
}

// modelError gives errors of the model packages their place on the wire.
func modelError(err error) error {
	switch {
	case errors.Is(err, model.ErrNoModel):
		return wire.From(wire.CodeNoModel, "", err)
	case errors.Is(err, model.ErrSource), errors.Is(err, model.ErrHub), errors.Is(err, engine.ErrLibrary):
		return wire.From(wire.CodeIO, "", err)
	}
	return err
}

func printModel(c *cli.Call, m *model.Model, err error) error {
	if err != nil {
		return modelError(err)
	}
	return writeModels(c, []*model.Model{m}, "")
}

func listModels(c *cli.Call) error {
	models, broken, err := model.List()
	if err != nil {
		return modelError(err)
	}
	for _, err := range broken {
		c.Notef("left out: %s", wire.Clean(err.Error()))
	}
	if len(models)+len(broken) == 0 && c.Text("format") == "text" {
		c.Notef("no model; get one with %q", "kdd model pull sentence-transformers/"+model.DefaultName)
	}
	library := ""
	if engine.Supported {
		if lib, err := engine.FindLibrary(""); err == nil {
			library = lib.Path
		}
	}
	return writeModels(c, models, library)
}

// writeModels prints models, and the path of ONNX Runtime's library unless it is "".
func writeModels(c *cli.Call, models []*model.Model, library string) error {
	if c.Text("format") == "json" {
		list := model.Listing{Runtime: library}
		for _, m := range models {
			list.Models = append(list.Models, model.Kept{Path: m.Path, Info: &m.Info})
		}
		return writeListingJSON(c, list)
	}
	var out bytes.Buffer
	for _, m := range models {
		licence := ""
		if m.Licence != "" {
			licence = ", " + m.Licence
		}
		queries := ""
		if side := m.QuerySide(); side != nil {
			queries = ", queries by a " + side.Architecture + " model of their own"
			if side.Licence != "" && side.Licence != m.Licence {
				queries += " (" + side.Licence + ")"
			}
		}
		fmt.Fprintf(&out, "%s: %d dimensions, %s tokens, %s pooling, %s%s%s%s, sha256 %.12s…, in %s\n",
			wire.Clean(m.Name), m.Dim,
			strconv.Itoa(m.MaxTokens), m.Pooling, wire.Clean(languagesText(m.Languages)), wire.Clean(prefixesText(m.Prefixes)),
			wire.Clean(licence), wire.Clean(queries), m.SHA256, wire.Clean(m.Path))
	}
	if library != "" {
		fmt.Fprintf(&out, "ONNX Runtime: %s\n", wire.Clean(library))
	}
	_, err := c.Stdout.Write(out.Bytes())
	return err
}

// languagesText says which languages a model knows, by name if they are few.
func languagesText(codes []string) string {
	const few = 8
	switch n := len(codes); {
	case n == 0:
		return "any language"
	case n == 1:
		return "language " + codes[0]
	case n <= few:
		return "languages " + strings.Join(codes, " ")
	default:
		return fmt.Sprintf("%d languages (%s …)", n, strings.Join(codes[:few], " "))
	}
}

// prefixesText says what is put before a text.
func prefixesText(p model.Prefixes) string {
	if p == (model.Prefixes{}) {
		return ""
	}
	return fmt.Sprintf(", prefixes %q and %q", p.Query, p.Document)
}

func verifyModel(c *cli.Call) error {
	name := ""
	if len(c.Args) > 0 {
		name = c.Args[0]
	}
	m, err := model.Find(name)
	if err != nil {
		return modelError(err)
	}
	if err := m.Verify(c.Context); errors.Is(err, model.ErrBroken) {
		fmt.Fprintf(c.Stdout, "%s\n", wire.Clean(err.Error()))
		return cli.Silent{Err: cli.ErrFindings}
	} else if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: ok, %s\n", wire.Clean(m.Name), wire.Clean(languagesText(m.Languages)))
	return err
}
