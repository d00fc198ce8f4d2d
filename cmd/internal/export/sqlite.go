package export

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a database as an export of kdd: bytes 68 to 71 of its header.
const applicationID = 0x4b444458 // KDDX

// isSQLiteExport says that a file begins as an SQLite database that newSQLite made.
func isSQLiteExport(head []byte) bool {
	return len(head) >= 72 && bytes.HasPrefix(head, []byte("SQLite format 3\x00")) &&
		binary.BigEndian.Uint32(head[68:]) == applicationID
}

// sqliteColumns are the columns of a chunk. Lists are JSON; a vector is float32, little-endian, as sqlite-vec reads it.
const sqliteColumns = `id TEXT NOT NULL UNIQUE, path TEXT NOT NULL, anchor TEXT NOT NULL, url TEXT NOT NULL,
  title TEXT NOT NULL, heading_path TEXT NOT NULL, text TEXT NOT NULL, first_line INTEGER NOT NULL,
  last_line INTEGER NOT NULL, kind TEXT NOT NULL, type TEXT NOT NULL, domain TEXT NOT NULL, status TEXT NOT NULL,
  stale INTEGER NOT NULL, language TEXT NOT NULL, date TEXT NOT NULL, tags TEXT NOT NULL, aliases TEXT NOT NULL,
  front_matter TEXT NOT NULL, links TEXT NOT NULL, sha256 TEXT NOT NULL`

// sqliteSink fills a database in one transaction. It has no journal: until it is whole nobody sees it.
type sqliteSink struct {
	db     *sql.DB
	tx     *sql.Tx
	insert *sql.Stmt
	vector []byte
}

func newSQLite(path string, j *job) (sink, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if path = filepath.ToSlash(path); !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/a
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	s := &sqliteSink{db: db}
	if err := s.create(j); err != nil {
		db.Close()
		return nil, sqliteError(err)
	}
	return s, nil
}

// create makes the tables and begins the transaction of the rows.
func (s *sqliteSink) create(j *job) (err error) {
	columns, marks := sqliteColumns, strings.Repeat(", ?", 20)
	if j.about.dim() > 0 {
		columns, marks = columns+", vector BLOB NOT NULL", marks+", ?"
	}
	for _, statement := range []string{
		"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA cache_size = -8000", fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("CREATE TABLE %q (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID", j.name+"_about"),
		fmt.Sprintf("CREATE TABLE %q (%s)", j.name, columns),
	} {
		if _, err := s.db.Exec(statement); err != nil {
			return err
		}
	}
	if s.tx, err = s.db.Begin(); err != nil {
		return err
	}
	for _, p := range j.about.pairs() {
		if _, err := s.tx.Exec(fmt.Sprintf("INSERT INTO %q VALUES (?, ?)", j.name+"_about"), p.key, p.value); err != nil {
			return err
		}
	}
	s.insert, err = s.tx.Prepare(fmt.Sprintf("INSERT INTO %q VALUES (?%s)", j.name, marks))
	return err
}

// Write inserts a row.
func (s *sqliteSink) Write(row *Row) error {
	frontMatter, links, err := jsonTexts(row)
	if err != nil {
		return err
	}
	values := []any{row.ID, row.Path, row.Anchor, row.URL, row.Title, jsonList(row.HeadingPath), row.Text, row.FirstLine,
		row.LastLine, row.Kind, row.Type, row.Domain, row.Status, row.Stale, row.Language, row.Date, jsonList(row.Tags),
		jsonList(row.Aliases), frontMatter, links, row.SHA256}
	if row.Vector != nil {
		s.vector = s.vector[:0]
		for _, x := range row.Vector {
			s.vector = binary.LittleEndian.AppendUint32(s.vector, math.Float32bits(x))
		}
		values = append(values, s.vector)
	}
	_, err = s.insert.Exec(values...)
	return sqliteError(err)
}

// Close commits and closes the database.
func (s *sqliteSink) Close() error {
	return sqliteError(errors.Join(s.insert.Close(), s.tx.Commit(), s.db.Close()))
}

// jsonList returns texts as a list in JSON.
func jsonList(texts []string) string {
	b, _ := json.Marshal(texts) // strings always encode
	return string(b)
}

// sqliteError gives a full disk the error of the operating system, which has a cure.
func sqliteError(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_FULL {
		return fmt.Errorf("%w (%s)", syscall.ENOSPC, e)
	}
	return err
}
