"""The engines that peers.py drives.

Each is a class: it takes its package when it is made (ImportError: it is not installed), build() writes an index of the
sections of a folder into another one, open() loads that, and search() returns the numbers of the best sections. Each has
the settings that its own manual advises, for one thread.
"""

import json
import os
import re
import shutil
import sqlite3
import subprocess


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def vectors(folder, name):
    import numpy

    with open(os.path.join(folder, "dim.txt"), encoding="ascii") as f:
        dim = int(f.read())
    return numpy.fromfile(os.path.join(folder, name), dtype=numpy.float32).reshape(-1, dim)


def words(text):
    return re.findall(r"\w+", text.lower())


MAPPED = "PRAGMA mmap_size = 8000000000"


class Tantivy:
    settings = "one field, en_stem, words joined by OR, one segment"

    def __init__(self):
        import tantivy

        self.lib, self.version = tantivy, tantivy.__version__

    def build(self, folder, work):
        schema = self.lib.SchemaBuilder()
        schema.add_unsigned_field("id", stored=True, fast=True)
        schema.add_text_field("text", tokenizer_name="en_stem")
        writer = self.lib.Index(schema.build(), path=work).writer(heap_size=512_000_000, num_threads=1)
        for row in rows(folder, "sections.jsonl"):
            document = self.lib.Document()
            document.add_unsigned("id", row["id"])
            document.add_text("text", row["text"])
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    def open(self, folder, work):
        self.index = self.lib.Index.open(work)
        self.searcher = self.index.searcher()

    def search(self, query, _, k):
        parsed = self.index.parse_query(" ".join(words(query)), ["text"])
        return [self.searcher.doc(address)["id"][0] for _, address in self.searcher.search(parsed, k, count=False).hits]


class FTS5:
    settings = "porter unicode61, words joined by OR, optimized, mapped"
    version = sqlite3.sqlite_version

    def build(self, folder, work):
        db = sqlite3.connect(os.path.join(work, "fts.db"))
        db.execute("CREATE VIRTUAL TABLE s USING fts5(text, tokenize='porter unicode61')")
        db.executemany("INSERT INTO s(rowid, text) VALUES (?, ?)", ((r["id"], r["text"]) for r in rows(folder, "sections.jsonl")))
        db.execute("INSERT INTO s(s) VALUES ('optimize')")
        db.commit()
        db.close()

    def open(self, folder, work):
        self.db = sqlite3.connect(os.path.join(work, "fts.db"))
        self.db.execute(MAPPED)

    def search(self, query, _, k):
        match = " OR ".join(f'"{w}"' for w in dict.fromkeys(words(query)))
        return [r[0] for r in self.db.execute("SELECT rowid FROM s WHERE s MATCH ? ORDER BY rank LIMIT ?", (match, k))]


class Ripgrep:
    settings = "a process a query over the text files, files by their number of matching lines"

    def __init__(self):
        found = shutil.which("rg")
        if not found:
            raise ImportError("rg is not on the PATH")
        self.version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def build(self, folder, work):
        first = {}
        for row in rows(folder, "sections.jsonl"):
            first.setdefault(row["path"], row["id"])
        with open(os.path.join(work, "first.json"), "w", encoding="utf-8") as f:
            json.dump(first, f)

    def open(self, folder, work):
        self.path = os.path.join(folder, "corpus")
        with open(os.path.join(work, "first.json"), encoding="utf-8") as f:
            self.first = json.load(f)

    def search(self, query, _, k):
        pattern = "|".join(re.escape(w) for w in dict.fromkeys(words(query)) if len(w) > 3)
        ran = subprocess.run(["rg", "--threads", "1", "-ciw", "-e", pattern, "."], cwd=self.path, capture_output=True, text=True)
        counts = [line.rsplit(":", 1) for line in ran.stdout.splitlines()]
        best = sorted(counts, key=lambda c: (-int(c[1]), c[0]))[:k]
        return [self.first[os.path.normpath(path)] for path, _ in best if os.path.normpath(path) in self.first]


class Faiss:
    def __init__(self, kind):
        import faiss

        faiss.omp_set_num_threads(1)
        self.lib, self.version, self.kind = faiss, faiss.__version__, kind
        self.settings = {"flat": "IndexFlatIP: float32, every row", "sq8": "8 bits a value, inner product, every row",
                         "hnsw": "HNSW of float32 rows, M 32, efConstruction 100, efSearch 64"}[kind]

    def build(self, folder, work):
        data = vectors(folder, "vectors.f32")
        dim = data.shape[1]
        if self.kind == "flat":
            index = self.lib.IndexFlatIP(dim)
        elif self.kind == "sq8":
            index = self.lib.IndexScalarQuantizer(dim, self.lib.ScalarQuantizer.QT_8bit, self.lib.METRIC_INNER_PRODUCT)
            index.train(data)
        else:
            index = self.lib.IndexHNSWFlat(dim, 32, self.lib.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction = 100
        index.add(data)
        self.lib.write_index(index, os.path.join(work, "index.faiss"))

    def open(self, folder, work):
        self.index = self.lib.read_index(os.path.join(work, "index.faiss"))
        if self.kind == "hnsw":
            self.index.hnsw.efSearch = 64

    def search(self, _, vector, k):
        return self.index.search(vector.reshape(1, -1), k)[1][0].tolist()


class USearch:
    settings = "HNSW of bf16 rows, connectivity 32, expansion 128 to add and 64 to search, loaded"

    def __init__(self):
        import usearch
        from usearch.index import Index

        self.Index, self.version = Index, usearch.__version__

    def build(self, folder, work):
        import numpy

        data = vectors(folder, "vectors.f32")
        index = self.Index(ndim=data.shape[1], metric="ip", dtype="bf16", connectivity=32, expansion_add=128, expansion_search=64)
        index.add(numpy.arange(len(data)), data, threads=1)
        index.save(os.path.join(work, "index.usearch"))

    def open(self, folder, work):
        self.index = self.Index.restore(os.path.join(work, "index.usearch"))
        self.index.expansion_search = 64

    def search(self, _, vector, k):
        return self.index.search(vector, k, threads=1).keys.tolist()


class SQLiteVec:
    settings = "vec0, float32, L2 (its fastest; of unit rows the cosine's order), every row, mapped"

    def __init__(self):
        import apsw  # a SQLite that may load extensions, which Python's own may not
        import sqlite_vec

        self.apsw, self.lib, self.version = apsw, sqlite_vec, sqlite_vec.__version__

    def connect(self, work):
        db = self.apsw.Connection(os.path.join(work, "vec.db"))
        db.enable_load_extension(True)
        db.load_extension(self.lib.loadable_path())
        return db

    def build(self, folder, work):
        data = vectors(folder, "vectors.f32")
        db = self.connect(work)
        db.execute(f"CREATE VIRTUAL TABLE v USING vec0(e float[{data.shape[1]}])")
        with db:
            db.executemany("INSERT INTO v(rowid, e) VALUES (?, ?)", ((i, row.tobytes()) for i, row in enumerate(data)))
        db.close()

    def open(self, folder, work):
        self.db = self.connect(work)
        list(self.db.execute(MAPPED))

    def search(self, _, vector, k):
        return [r[0] for r in self.db.execute("SELECT rowid FROM v WHERE e MATCH ? AND k = ? ORDER BY distance", (vector.tobytes(), k))]


class DuckDB:
    settings = "array_inner_product of every row, float32"

    def __init__(self):
        import duckdb
        import pyarrow

        self.lib, self.arrow, self.version = duckdb, pyarrow, duckdb.__version__

    def build(self, folder, work):
        data = vectors(folder, "vectors.f32")
        dim = data.shape[1]
        db = self.lib.connect(os.path.join(work, "duck.db"))
        db.execute("SET threads = 1")
        values = self.arrow.FixedSizeListArray.from_arrays(self.arrow.array(data.ravel()), dim)
        db.register("rows", self.arrow.table({"id": self.arrow.array(range(len(data))), "e": values}))
        db.execute(f"CREATE TABLE v AS SELECT id, e::FLOAT[{dim}] AS e FROM rows")
        db.unregister("rows")
        db.execute("CHECKPOINT")
        db.close()

    def open(self, folder, work):
        self.db = self.lib.connect(os.path.join(work, "duck.db"), read_only=True)
        self.db.execute("SET threads = 1")

    def search(self, _, vector, k):
        statement = f"SELECT id FROM v ORDER BY array_inner_product(e, ?::FLOAT[{len(vector)}]) DESC LIMIT ?"
        return [r[0] for r in self.db.execute(statement, [vector.tolist(), k]).fetchall()]


class LanceDB:
    indexed = 100_000  # rows from which on its manual advises an index of vectors

    def __init__(self, kind):
        import lancedb

        self.lib, self.version, self.kind = lancedb, lancedb.__version__, kind
        self.has_words, self.has_vectors = kind != "vectors", kind != "words"

    def build(self, folder, work):
        texts = [r["text"] for r in rows(folder, "sections.jsonl")]
        records = [{"id": i} for i in range(len(texts))]
        if self.has_words:
            for record, text in zip(records, texts):
                record["text"] = text
        if self.has_vectors:
            for record, vector in zip(records, vectors(folder, "vectors.f32")):
                record["vector"] = vector
        table = self.lib.connect(work).create_table("s", records)
        if self.has_words:
            table.create_fts_index("text", language="English", stem=True, remove_stop_words=True, replace=True)
        if self.has_vectors and len(records) >= self.indexed:
            table.create_index(metric="dot", index_type="IVF_HNSW_SQ", vector_column_name="vector")

    def open(self, folder, work):
        self.table = self.lib.connect(work).open_table("s")
        parts = []
        if self.has_words:
            parts.append("full-text index, English stems, no stop words")
        if self.has_vectors:
            parts.append(f"every row by inner product below {self.indexed} rows, from there on IVF_HNSW_SQ as it is given")
        if self.kind == "hybrid":
            from lancedb.rerankers import RRFReranker

            self.reranker = RRFReranker()
            parts.append("fused by RRF")
        self.settings = "; ".join(parts)

    def search(self, query, vector, k):
        text = " ".join(words(query))
        if self.kind == "words":
            asked = self.table.search(text, query_type="fts")
        elif self.kind == "vectors":
            asked = self.table.search(vector).distance_type("dot")
        else:
            asked = self.table.search(query_type="hybrid").vector(vector).text(text).distance_type("dot").rerank(self.reranker)
        return [r["id"] for r in asked.limit(k).select(["id"]).to_list()]


ENGINES = {
    "tantivy": Tantivy,
    "sqlite-fts5": FTS5,
    "ripgrep": Ripgrep,
    "lancedb-words": lambda: LanceDB("words"),
    "faiss-flat": lambda: Faiss("flat"),
    "faiss-sq8": lambda: Faiss("sq8"),
    "faiss-hnsw": lambda: Faiss("hnsw"),
    "usearch": USearch,
    "sqlite-vec": SQLiteVec,
    "duckdb": DuckDB,
    "lancedb-vectors": lambda: LanceDB("vectors"),
    "lancedb-hybrid": lambda: LanceDB("hybrid"),
}
