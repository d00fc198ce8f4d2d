"""Loads sections into one engine and asks it the queries, one after another on one thread.

    python3 peers.py ENGINE FOLDER [K]

FOLDER has sections.jsonl (id, path, text), queries.jsonl (text) and, for engines that compare vectors, vectors.f32 and
query-vectors.f32 (rows of float32 of unit length, as many columns as dim.txt says). It prints one line of JSON:

    {"engine", "version", "settings", "build_s", "bytes", "memory_mb", "ms": [one a query], "hits": [[ids of the first K]]}

or {"engine", "absent": why} where the engine is not installed, or {"engine", "failed": why}.
"""

import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS", "LANCE_CPU_THREADS"):
    os.environ[variable] = "1"


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


def size(path):
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(path) for name in names)


class Tantivy:
    settings = "one field, en_stem, words joined by OR, one segment"

    def build(self, folder, work):
        import tantivy

        self.version = tantivy.__version__
        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("id", stored=True, fast=True)
        schema.add_text_field("text", tokenizer_name="en_stem")
        self.path = work
        self.index = tantivy.Index(schema.build(), path=work)
        writer = self.index.writer(heap_size=512_000_000, num_threads=1)
        for row in rows(folder, "sections.jsonl"):
            document = tantivy.Document()
            document.add_unsigned("id", row["id"])
            document.add_text("text", row["text"])
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.searcher = self.index.searcher()

    def search(self, query, _, k):
        parsed = self.index.parse_query(" ".join(words(query)), ["text"])
        return [self.searcher.doc(address)["id"][0] for _, address in self.searcher.search(parsed, k, count=False).hits]


class FTS5:
    settings = "porter unicode61, words joined by OR, optimized"
    version = sqlite3.sqlite_version

    def build(self, folder, work):
        self.path = os.path.join(work, "fts.db")
        self.db = sqlite3.connect(self.path)
        self.db.execute("CREATE VIRTUAL TABLE s USING fts5(text, tokenize='porter unicode61')")
        self.db.executemany("INSERT INTO s(rowid, text) VALUES (?, ?)", ((r["id"], r["text"]) for r in rows(folder, "sections.jsonl")))
        self.db.execute("INSERT INTO s(s) VALUES ('optimize')")
        self.db.commit()

    def search(self, query, _, k):
        match = " OR ".join(f'"{w}"' for w in dict.fromkeys(words(query)))
        return [r[0] for r in self.db.execute("SELECT rowid FROM s WHERE s MATCH ? ORDER BY rank LIMIT ?", (match, k))]


class Ripgrep:
    settings = "a process a query over the text files, files by their number of matching lines"

    def build(self, folder, work):
        found = shutil.which("rg")
        if not found:
            raise ImportError("rg is not on the PATH")
        self.version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
        self.path = os.path.join(folder, "corpus")
        self.first = {}
        for row in rows(folder, "sections.jsonl"):
            self.first.setdefault(row["path"], row["id"])

    def search(self, query, _, k):
        pattern = "|".join(re.escape(w) for w in dict.fromkeys(words(query)) if len(w) > 3)
        ran = subprocess.run(["rg", "--threads", "1", "-ciw", "-e", pattern, "."], cwd=self.path, capture_output=True, text=True)
        counts = [line.rsplit(":", 1) for line in ran.stdout.splitlines()]
        best = sorted(counts, key=lambda c: (-int(c[1]), c[0]))[:k]
        return [self.first[os.path.normpath(path)] for path, _ in best if os.path.normpath(path) in self.first]


class Faiss:
    def __init__(self, kind):
        self.kind = kind
        self.settings = {"flat": "IndexFlatIP", "sq8": "8 bits, inner product", "hnsw": "M 32, efConstruction 100, efSearch 64"}[kind]

    def build(self, folder, work):
        import faiss

        faiss.omp_set_num_threads(1)
        self.version = faiss.__version__
        data = vectors(folder, "vectors.f32")
        dim = data.shape[1]
        if self.kind == "flat":
            index = faiss.IndexFlatIP(dim)
        elif self.kind == "sq8":
            index = faiss.IndexScalarQuantizer(dim, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
            index.train(data)
        else:
            index = faiss.IndexHNSWFlat(dim, 32, faiss.METRIC_INNER_PRODUCT)
            index.hnsw.efConstruction, index.hnsw.efSearch = 100, 64
        index.add(data)
        self.path = os.path.join(work, "index.faiss")
        faiss.write_index(index, self.path)
        self.index = index

    def search(self, _, vector, k):
        return self.index.search(vector.reshape(1, -1), k)[1][0].tolist()


class USearch:
    settings = "HNSW of 8-bit rows, connectivity 32, expansion 100 and 64"

    def build(self, folder, work):
        import usearch
        from usearch.index import Index

        self.version = usearch.__version__
        data = vectors(folder, "vectors.f32")
        import numpy

        self.index = Index(ndim=data.shape[1], metric="cos", dtype="i8", connectivity=32, expansion_add=100, expansion_search=64)
        self.index.add(numpy.arange(len(data)), data, threads=1)
        self.path = os.path.join(work, "index.usearch")
        self.index.save(self.path)

    def search(self, _, vector, k):
        return self.index.search(vector, k, threads=1).keys.tolist()


class SQLiteVec:
    settings = "vec0, float32, cosine, every row"

    def build(self, folder, work):
        import apsw  # a SQLite that may load extensions, which Python's own may not
        import sqlite_vec

        self.path = os.path.join(work, "vec.db")
        self.db = apsw.Connection(self.path)
        self.db.enable_load_extension(True)
        self.db.load_extension(sqlite_vec.loadable_path())
        self.version = next(self.db.execute("SELECT vec_version()"))[0]
        data = vectors(folder, "vectors.f32")
        self.db.execute(f"CREATE VIRTUAL TABLE v USING vec0(e float[{data.shape[1]}] distance_metric=cosine)")
        with self.db:
            self.db.executemany("INSERT INTO v(rowid, e) VALUES (?, ?)", ((i, row.tobytes()) for i, row in enumerate(data)))

    def search(self, _, vector, k):
        return [r[0] for r in self.db.execute("SELECT rowid FROM v WHERE e MATCH ? AND k = ? ORDER BY distance", (vector.tobytes(), k))]


class DuckDB:
    settings = "array_cosine_similarity of every row, one thread"

    def build(self, folder, work):
        import duckdb
        import pyarrow

        self.version = duckdb.__version__
        data = vectors(folder, "vectors.f32")
        self.dim = data.shape[1]
        self.path = os.path.join(work, "duck.db")
        self.db = duckdb.connect(self.path)
        self.db.execute("SET threads = 1")
        values = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(data.ravel()), self.dim)
        table = pyarrow.table({"id": pyarrow.array(range(len(data))), "e": values})
        self.db.register("rows", table)
        self.db.execute(f"CREATE TABLE v AS SELECT id, e::FLOAT[{self.dim}] AS e FROM rows")
        self.db.unregister("rows")
        self.db.execute("CHECKPOINT")

    def search(self, _, vector, k):
        statement = f"SELECT id FROM v ORDER BY array_cosine_similarity(e, ?::FLOAT[{self.dim}]) DESC LIMIT ?"
        return [r[0] for r in self.db.execute(statement, [vector.tolist(), k]).fetchall()]


class LanceDB:
    def __init__(self, kind):
        self.kind = kind
        self.settings = {"words": "full-text index, English stems", "hybrid": "every row by cosine and the full-text index, fused by RRF"}[kind]

    def build(self, folder, work):
        import lancedb

        self.version = lancedb.__version__
        self.path = work
        texts = [r["text"] for r in rows(folder, "sections.jsonl")]
        records = [{"id": i, "text": t} for i, t in enumerate(texts)]
        if self.kind == "hybrid":
            for record, vector in zip(records, vectors(folder, "vectors.f32")):
                record["vector"] = vector
        self.table = lancedb.connect(work).create_table("s", records)
        self.table.create_fts_index("text", language="English", stem=True, remove_stop_words=True, replace=True)
        if self.kind == "hybrid":
            from lancedb.rerankers import RRFReranker

            self.reranker = RRFReranker()

    def search(self, query, vector, k):
        text = " ".join(words(query))
        if self.kind == "words":
            asked = self.table.search(text, query_type="fts")
        else:
            asked = self.table.search(query_type="hybrid").vector(vector).text(text).distance_type("cosine").rerank(self.reranker)
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
    "lancedb-hybrid": lambda: LanceDB("hybrid"),
}


def measure(name, folder, k):
    engine = ENGINES[name]()
    with tempfile.TemporaryDirectory() as work:
        start = time.perf_counter()
        engine.build(folder, work)
        built = time.perf_counter() - start
        asked = [r["text"] for r in rows(folder, "queries.jsonl")]
        embedded = [None] * len(asked)
        if os.path.exists(os.path.join(folder, "query-vectors.f32")):
            embedded = list(vectors(folder, "query-vectors.f32"))
        for query, vector in list(zip(asked, embedded))[:5]:
            engine.search(query, vector, k)
        took, hits = [], []
        for query, vector in zip(asked, embedded):
            start = time.perf_counter()
            found = engine.search(query, vector, k)
            took.append(round((time.perf_counter() - start) * 1000, 4))
            hits.append(found)
        return {
            "engine": name, "version": engine.version, "settings": engine.settings, "build_s": round(built, 2),
            "bytes": size(engine.path), "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
            "ms": took, "hits": hits,
        }


def main():
    name, folder, k = sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10
    try:
        result = measure(name, folder, k)
    except ImportError as e:
        result = {"engine": name, "absent": str(e)}
    except Exception as e:  # the row ends with its message, the run goes on
        result = {"engine": name, "failed": f"{type(e).__name__}: {e}"}
    print(json.dumps(result))


if __name__ == "__main__":
    main()
