package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"kdd/compiler/diag"
	"kdd/compiler/embedding"
	"kdd/compiler/parallel"
)

// API is how a server is spoken to.
type API string

// The APIs.
const (
	OpenAI API = "openai" // POST BASE/embeddings
	TEI    API = "tei"    // POST BASE/embed, GET BASE/info
)

// Options say which server and how.
type Options struct {
	URL   string // base of the API: what stands before /embeddings or /embed; /v1 is tried too
	Model string // the name that OpenAI's API wants; "" with TEI: what its /info says
	API   API    // "": TEI if the server has /info, else OpenAI
	Key   string // sent as a bearer token; "" = none
	// Requests is how many are under way at once; 0 is 4
	Requests int
	// Transport makes the connections; nil is the usual one, with the proxy of the environment
	Transport http.RoundTripper
	// FirstWait is the wait before the second try, which doubles with each; 0 is half a second
	FirstWait time.Duration
}

// Limits of requests and answers.
const (
	batchTexts     = 32      // TEI takes no more unless it is told to
	batchBytes     = 1 << 18 // of texts in a request; one longer text is alone
	maxAnswerBytes = 64 << 20
	maxDim         = 1 << 14
	requestTimeout = 2 * time.Minute
)

// Client asks one server. Its methods may be called from several goroutines.
type Client struct {
	o       Options
	address string // of requests for vectors
	http    *http.Client
	probe   embedding.Probe
	dim     int
}

// Open finds out which API the server has and asks it for the probe.
//
// Errors: a *url.Error-like text of the connection, what the server says, or what is wrong with its vectors.
func Open(ctx context.Context, o Options) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(o.URL, "/"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, diag.Cure("give a URL such as http://127.0.0.1:8080 or https://api.example.com/v1", "%q: no address of a server", o.URL)
	}
	if base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, diag.Cure("give scheme, host and path only; a key goes into the environment", "%s: more than an address", base.Redacted())
	}
	if o.Key != "" && base.Scheme == "http" && !loopback(base.Hostname()) {
		return nil, diag.Cure("use https, or unset the key", "%s: the key would be sent unencrypted", base)
	}
	c := &Client{o: o, http: &http.Client{
		Transport: o.Transport, Timeout: requestTimeout,
		CheckRedirect: func(next *http.Request, _ []*http.Request) error {
			return fmt.Errorf("redirected to %s, which is not followed", next.URL.Redacted())
		},
	}}
	if err := c.find(ctx, base); err != nil {
		return nil, c.keyless(err)
	}
	rows, err := c.embed(ctx, embedding.ProbeTexts())
	if err != nil {
		return nil, c.keyless(err)
	}
	c.dim = len(rows[0])
	c.probe = embedding.NewProbe(rows)
	return c, nil
}

// loopback says whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// find sets the API, the model's name and the address of requests.
func (c *Client) find(ctx context.Context, base *url.URL) error {
	if c.o.API != OpenAI {
		var info struct {
			Model string `json:"model_id"`
		}
		err := c.get(ctx, base.JoinPath("info").String(), &info)
		switch {
		case err == nil && keyless(info.Model, c.o.Key) != info.Model: // the artifact has the name
			return diag.Cure("want the name of a model", "%s/info: repeats the key", base)
		case err == nil && info.Model != "":
			if c.o.Model != "" && c.o.Model != info.Model {
				return diag.Cure("start the server with that model, or leave the name out", "%s: serves %q, want %q", base, info.Model, c.o.Model)
			}
			c.o.API, c.o.Model = TEI, info.Model
		case c.o.API == TEI && err != nil:
			return err
		case c.o.API == TEI:
			return diag.Cure("want Hugging Face's Text Embeddings Inference", "%s/info: names no model", base)
		case errors.As(err, new(*net.OpError)) || ctx.Err() != nil:
			return err
		}
	}
	if c.o.API == TEI {
		c.address = base.JoinPath("embed").String()
		return nil
	}
	c.o.API = OpenAI
	if c.o.Model == "" {
		return diag.Cure("name the model that it serves", "%s: OpenAI's API wants the name of a model", base)
	}
	c.address = base.JoinPath("embeddings").String()
	if base.Path == "" {
		c.address = base.JoinPath("v1", "embeddings").String()
	}
	return nil
}

// API is what the server speaks.
func (c *Client) API() API { return c.o.API }

// Model is the name of the server's model.
func (c *Client) Model() string { return c.o.Model }

// Dim is the length of a vector.
func (c *Client) Dim() int { return c.dim }

// Probe are the vectors by which the model is known.
func (c *Client) Probe() embedding.Probe { return c.probe }

// Embed returns the vectors of texts, [len(texts), Dim] row-major, of unit length. done is told, one call at a
// time, how many texts each answer had; nil if nobody wants to know. At its end the server is asked for the probe again: one whose vectors have
// changed in between is an error, since then the texts' are of two models.
func (c *Client) Embed(ctx context.Context, texts []string, done func(texts int)) ([]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	out := make([]float32, len(texts)*c.dim)
	batches := split(texts)
	var mu sync.Mutex
	err := parallel.Each(ctx, cmp.Or(c.o.Requests, 4), len(batches), func(i int) error {
		b := batches[i]
		rows, err := c.embed(ctx, texts[b.from:b.to])
		if err != nil {
			return err
		}
		for k, row := range rows {
			if len(row) != c.dim {
				return diag.Cure(sameModel, "%s: a vector of %d numbers, before they had %d", c.address, len(row), c.dim)
			}
			copy(out[(b.from+k)*c.dim:], row)
		}
		if done != nil {
			mu.Lock()
			defer mu.Unlock()
			done(len(rows))
		}
		return nil
	})
	if err != nil {
		return nil, c.keyless(err)
	}
	rows, err := c.embed(ctx, embedding.ProbeTexts())
	if err != nil {
		return nil, c.keyless(err)
	}
	if now := embedding.NewProbe(rows); !c.probe.Same(now) {
		return nil, diag.Cure(sameModel, "%s: other vectors of the same texts than at the start, cosine %.3f, want %g or more",
			c.address, c.probe.Cosine(now), embedding.SameProbe)
	}
	return out, nil
}

// sameModel is the cure of answers by two models.
const sameModel = "keep the server at one model while it embeds"

// span is texts[from:to].
type span struct{ from, to int }

// split returns texts as batches.
func split(texts []string) []span {
	var batches []span
	for from := 0; from < len(texts); {
		to, bytes := from+1, len(texts[from])
		for to < len(texts) && to-from < batchTexts && bytes+len(texts[to]) <= batchBytes {
			bytes += len(texts[to])
			to++
		}
		batches = append(batches, span{from, to})
		from = to
	}
	return batches
}
