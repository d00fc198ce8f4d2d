package export

import (
	"crypto/sha1"
	"encoding/hex"
	"io"
)

// qdrantPoints is how many points a line has: a request of some 1.5 MB, of 32 MB that a server takes.
const qdrantPoints = 256

// qdrant writes lines, each the body of an upsert: PUT /collections/NAME/points.
type qdrant struct {
	*lineWriter
	points []qdrantPoint
}

type qdrantPoint struct {
	ID      string `json:"id"`
	Vector  any    `json:"vector"` // a list of numbers; {} without vectors
	Payload *Chunk `json:"payload"`
}

func newQdrant(w io.Writer, _ *job) (sink, error) { return &qdrant{lineWriter: newLineWriter(w)}, nil }

// Write keeps a point until its line is full.
func (q *qdrant) Write(row *Row) error {
	payload := row.Chunk
	point := qdrantPoint{ID: uuidOf(row.ID), Vector: struct{}{}, Payload: &payload}
	if row.Vector != nil {
		point.Vector = append([]float32(nil), row.Vector...)
	}
	if q.points = append(q.points, point); len(q.points) < qdrantPoints {
		return nil
	}
	return q.Close()
}

// Close writes the points that are kept.
func (q *qdrant) Close() error {
	if len(q.points) == 0 {
		return nil
	}
	line := struct {
		Points []qdrantPoint `json:"points"`
	}{q.points}
	q.points = q.points[:0]
	return q.write(line)
}

// uuidOf returns the UUID of a chunk's id, version 5 (RFC 9562) in the namespace of URLs: a point's id is a number or a
// UUID, and the same chunk has to be the same point in the next export.
func uuidOf(id string) string {
	namespace := [16]byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	sum := sha1.Sum(append(namespace[:], "kdd:"+id...))
	sum[6], sum[8] = sum[6]&0x0f|0x50, sum[8]&0x3f|0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// qdrantSchema prints the body of the request that makes the collection.
func qdrantSchema(w io.Writer, j *job) error {
	vectors := object{}
	if dim := j.about.dim(); dim > 0 {
		vectors = object{"size": dim, "distance": "Cosine"}
	}
	return writeIndented(w, object{"vectors": vectors, "metadata": object{"kdd": j.about}})
}
