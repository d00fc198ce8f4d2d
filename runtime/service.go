package runtime

import (
	"context"

	"kdd/runtime/shape"
)

// Config says which artifacts a Service answers from and how it names their sources.
type Config struct {
	Index   []string          // FILE or NAME=FILE; empty: looked for
	Dir     string            // working folder for the search; "" = the process's
	Environ map[string]string // KDD_INDEX, KDD_INDEX_PATH, KDD_SPECS_PATH, KDD_ROOT
	Root    string            // where sources may be found, for URLs; wins over KDD_ROOT
	Version string            // of the program, for stats
}

// Service answers from artifacts. It is safe for concurrent use. Nothing is opened before the first call.
type Service struct {
	config Config
}

// New returns a Service; it reads nothing yet, so it cannot fail.
func New(c Config) *Service { return &Service{config: c} }

// Close releases the mappings once running calls have ended.
func (s *Service) Close() error { return nil }

var errNotYet = shape.NewError(shape.CodeInternal, "not wired yet", "")

// Search finds the sections that answer a query.
func (s *Service) Search(ctx context.Context, q shape.SearchRequest) (*shape.SearchResponse, error) {
	return nil, errNotYet
}

// FindSpec finds a document by its name.
func (s *Service) FindSpec(ctx context.Context, q shape.FindSpecRequest) (*shape.SearchResponse, error) {
	return nil, errNotYet
}

// Related lists the neighbourhood of an entity.
func (s *Service) Related(ctx context.Context, q shape.RelatedRequest) (*shape.RelatedResponse, error) {
	return nil, errNotYet
}

// Read returns the markdown of a document or section.
func (s *Service) Read(ctx context.Context, q shape.ReadRequest) (*shape.ReadResponse, error) {
	return nil, errNotYet
}

// List lists documents.
func (s *Service) List(ctx context.Context, q shape.ListRequest) (*shape.ListResponse, error) {
	return nil, errNotYet
}

// Stats says what the artifacts hold.
func (s *Service) Stats(ctx context.Context, q shape.StatsRequest) (*shape.StatsResponse, error) {
	return nil, errNotYet
}
