#!/usr/bin/env python3
"""Reads a .kddx file by format/FORMAT.md alone (§ is a chapter of it): reader.py FILE COMMAND [ARGUMENT]...
Commands: verify; documents; section PATH [ANCHOR]; postings TERM...; words WORD[/LANGUAGE:STEM,...]..., which gives the
BM25 of chunks (stems are Snowball's); vectors TEXT, which gives the cosine of each chunk. Answers are JSON or markdown.
It takes ASCII words, WordPiece vocabularies and tables without form 4."""
import bisect, functools, hashlib, json, math, operator, struct, sys, types, unicodedata
from array import array
import zstandard

def need(ok, why): return ok or sys.exit("reader: " + why)
def u32(b, at=0): return struct.unpack_from("<I", b, at)[0]
def u64(b, at=0): return struct.unpack_from("<Q", b, at)[0]
def sha(b): return hashlib.sha256(b).digest()
def f32(x): return array("f", [x])[0]
def up(n, size): return -(-n // size)  # n / size, rounded up
def uvarint(b, at):
    if b[at] < 128: return b[at], at + 1
    more, end = uvarint(b, at + 1)
    return b[at] & 127 | more << 7, end
def crc32c(data):
    c = 0xFFFFFFFF
    for byte in data:
        c ^= byte
        for _ in range(8): c = c >> 1 ^ 0x82F63B78 * (c & 1)
    return c ^ 0xFFFFFFFF

class File:
    """The container and its encodings, §2 to §8. Each page is compared with its hash and with those above it."""
    def __init__(self, path):
        self.f = open(path, "rb")
        head = self.f.read(128)
        need(head[:8] == b"KDDX\r\n\x1a\n" and u32(head, 8) == u32(head, 12) == 0, "no .kddx file of version 0")
        directory, self.id, self.blocks = self.f.read(64 * u32(head, 32)), head[64:72].hex(), {}
        need(sha(head[:64] + bytes(32) + head[96:] + directory) == head[64:96], "the root hash is another")
        for at in range(0, len(directory), 64):
            flags, offset, length, rows, root = struct.unpack_from("<IQQQ32s", directory, at + 4)
            size = 1 << (flags >> 8) if flags >> 8 else max(1, length)
            levels = [up(length, size)]  # hashes of each level, the root's too
            while levels[-1] > 1: levels.append(up(levels[-1], 128))
            self.blocks[directory[at : at + 4].decode()] = types.SimpleNamespace(
                offset=offset, length=length, rows=rows, root=root, size=size, levels=levels[:-1], at={})
        place = 0  # in TREE: the highest level first, on each the blocks by offset
        for level in reversed(range(max(len(b.levels) for b in self.blocks.values()))):
            for b in sorted(self.blocks.values(), key=lambda b: b.offset):
                if level < len(b.levels): b.at[level], place = place, place + 32 * b.levels[level]
        need(place == self.blocks["TREE"].length, "TREE is not as long as the directory says")
        self.tree = self.read("TREE")
        self.meta = json.loads(self.read("META"))
        need(self.meta["analyzer"] == 2, "terms are of another analyzer")

    @functools.cache
    def page(self, tag, i):
        b = self.blocks[tag]
        self.f.seek(b.offset + i * b.size)
        got = sha(data := self.f.read(min(b.size, b.length - i * b.size)))
        for level, n in enumerate(b.levels):
            node = self.tree[b.at[level] : b.at[level] + 32 * n][i // 128 * 4096 :][:4096]
            need(node[i % 128 * 32 :][:32] == got, f"{tag}: a page or node is not what the hash above it says")
            got, i = sha(node), i // 128
        return need(got == b.root, f"{tag}: a page or node is not what the hash above it says") and data

    def read(self, tag, at=0, n=None):
        b = self.blocks[tag]
        n = b.length - at if n is None else n
        need(at >= 0 and n >= 0 and at + n <= b.length, f"{tag}: bytes {at} to {at + n} of {b.length}")
        first = at // b.size
        return b"".join(self.page(tag, i) for i in range(first, up(at + n, b.size)))[at - first * b.size :][:n]

    @functools.cache
    def column(self, tag, number):
        b = self.read(tag)
        rows, at = u64(b, 8), 16 + 16 * u32(b)
        for c in range(number + 1):
            _, width, rising, _, base = struct.unpack_from("<IBBHQ", b, 16 + 16 * c)
            anchors, at = at, at + up(rows, 64) * 8 * rising
            word, at = int.from_bytes(b[at : at + up(rows * width, 8)], "little"), at + up(rows * width, 64) * 8 + 8
        values = [word >> i * width & (1 << width) - 1 for i in range(rows)]
        return [v + (u64(b, anchors + i // 64 * 8) if rising else base) for i, v in enumerate(values)]

    @functools.cache
    def strings(self, tag):
        b, found, last = self.read(tag), [], b""
        at = 8 + 4 * u32(b, 4)
        for i in range(u32(b)):
            shared, at = uvarint(b, at) if i % 16 else (0, at)
            rest, at = uvarint(b, at)
            last, at = last[:shared] + b[at : at + rest], at + rest
            found.append(last)
        return found

    def text(self, start, end):
        index = self.read("TEXT", 16, 12 * u32(self.read("TEXT", 12, 4)))
        out, at, place = b"", 0, 16 + len(index)
        for n, packed, crc in struct.iter_unpack("<3I", index):
            if at < end and start < at + n:
                need(crc32c(frame := self.read("TEXT", place, packed)) == crc, "TEXT: a frame has another checksum")
                frame = zstandard.ZstdDecompressor().stream_reader(frame).read(n + 1)
                out += need(len(frame) == n and frame, "TEXT: a frame has another size")[max(0, start - at) : end - at]
            at, place = at + n, place + packed
        return out

class Bits:  # limited Rice codes, §9.2
    def __init__(self, data): self.word, self.at = int.from_bytes(data, "little"), 0
    def next(self, k):
        ones = next(i for i in range(17) if i == 16 or not self.word >> self.at + i & 1)
        k = 32 if ones == 16 else k
        self.at += ones + (ones < 16) + k
        return (ones % 16 << k) + (self.word >> self.at - k & (1 << k) - 1)

@functools.cache
def posting(f, term):
    """In how many chunks a term stands, and by field [row, frequency, positions or null], §9.1."""
    terms = f.strings("TERM")
    i = bisect.bisect_left(terms, term)
    if terms[i : i + 1] != [term]: return 0, {}
    n, lists, fields, at, place = f.column("TRLS", 0)[i], [], {}, 1, 0
    (start, end), (first, last) = f.column("PLST", 0)[n : n + 2], f.column("PLST", 1)[n : n + 2]
    b, placed = f.read("POST", start, end - start), f.read("POSN", first, last - first)
    chunks, at = uvarint(b, at) if b[0] & 3 else (0, at)
    for field in (k for k in range(4) if b[0] >> k & 1):
        n, at = uvarint(b, at)
        size, at = uvarint(b, at) if b[0] & 15 >> field + 1 << field + 1 else (len(b), at)
        has = b[0] >> field + 4 & 1
        spots, at = uvarint(b, at) if has and b[0] >> field + 5 else (len(placed) * has, at)
        lists.append((field, n, size, has, spots))
    for field, n, size, has, spots in lists:
        fields[field] = listed(f, field, n, b[at : at + size], placed[place : place + spots] if has else None)
        at, place = at + size, place + spots
    return chunks or len(fields.get(2, [])), fields

def listed(f, field, count, b, placed):
    """The postings of a list, §9.3."""
    rows, at, place, blocks, found, row = f.blocks[("DOCS", "SECS", "CHNK", "LNKT")[field]].rows, 0, 0, [], [], -1
    for _ in range(up(count, 128) if count > 128 else 0):  # skip entries: rows, bytes, bytes of positions, impact
        size, at = uvarint(b, uvarint(b, at)[1])
        spots, at = uvarint(b, at) if placed is not None else (0, at)
        blocks, at = blocks + [(size, spots)], at + 1
    for size, spots in blocks or [(len(b), len(placed or b""))]:
        body, spotted = b[at : at + size], (placed or b"")[place : place + spots]
        at, place, gap, often = at + size, place + spots, max(1, (rows // (count + 1)).bit_length()) - 1, 0
        first, apart = ((1, 2), (2, 2), (5, 4), (5, 4))[field]
        if count >= 16:
            gap, often, body = body[0] & 31, body[0] >> 5, body[1:]
            first, apart, spotted = (spotted[0] & 15, spotted[0] >> 4, spotted[1:]) if spotted else (0, 0, spotted)
        bits, spotted = Bits(body), Bits(spotted)
        block = [row := row + bits.next(gap) + 1 for _ in range(min(128, count - len(found)))]
        for number, times in [(r, 1 if count >= 16 and often == 7 else bits.next(often) + 1) for r in block]:
            spots = [spotted.next(first)] if placed is not None else None
            while spots and len(spots) < times: spots.append(spots[-1] + spotted.next(apart))
            found.append((number, times, spots))
    return need(row < rows and found, "a posting lies outside its table")

def words(f, *query):
    """BM25 of each chunk, §13.1."""
    w, n, ideal, sums, lengths = f.meta["weights"], f.blocks["CHNK"].rows, 0, {}, f.column("CHNK", 4)[:]
    weight = w["title"], w["path"], 1
    below = f.column("DOCS", 17), f.column("SECS", 9), list(range(n + 1))  # the chunks of a row, by field
    for field, tokens in (0, f.column("DOCS", 11)), (1, f.column("SECS", 8)):
        for row in range(len(tokens) - 1):
            for c in range(*below[field][row : row + 2]): lengths[c] += weight[field] * tokens[row]
    def often(term, out):
        for field, row, times in ((k, *p[:2]) for k in range(3) for p in posting(f, term)[1].get(k, [])):
            for c in range(*below[field][row : row + 2]): out[c] = out.get(c, 0) + weight[field] * times
        return out
    for word in query:
        fold, _, stems = word.lower().partition("/")
        stems = {k["language"]: fold for k in f.meta["languages"]} | dict(s.split(":") for s in stems.split(",") if s)
        terms = [f"\1{language}\1{stem}".encode() for language, stem in stems.items()] + [fold.encode()]
        df, counts, other = max(posting(f, t)[0] for t in terms), {}, {}
        ideal += (idf := math.log(1 + (n - df + 0.5) / (df + 0.5)))
        for t in terms: counts.update((c, max(v, counts.get(c, 0))) for c, v in often(t, {}).items())
        for t in f.strings("TERM"): t.startswith(f"\2{fold}\2".encode()) and often(t, other)
        for c, v in counts.items():
            share = 1 - (1 - w["plain_accents"]) * min(other.get(c, 0) / v, 1)
            norm = w["k1"] * (1 - w["b"] + w["b"] * lengths[c] * n / f.meta["lengths"]["chunks"])
            sums[c] = sums.get(c, 0) + idf * share * v / (v + norm)
    return {c: v / ideal for c, v in sorted(sums.items())}

def pieces(f, text):
    """The ids of a text's wordpieces, §11 EVOC."""
    b, ids, out, spaced = f.read("EVOC"), {}, [], ""
    kind, n, _, slots, _, _, flags, longest, unknown = struct.unpack_from("<9I", b)
    need(kind == 1, "EVOC: no WordPiece")
    lengths = 64 + 4 * u32(b, 44) + 4 * up(n, 16) + up(slots * (2 if n < 65535 else 4), 4) * 4
    at = lengths + n
    for i, size in enumerate(b[lengths:at]): ids[b[at : at + size]], at = i, at + size
    for r in text:
        kind, base = unicodedata.category(r), unicodedata.normalize("NFD", r) if flags & 2 else r
        if flags & 4 and (kind[0] == "C" and r not in "\t\n\r" or r == "\ufffd"): continue
        apart = kind[0] == "P" or kind[0] == "S" and r < "\x80" or flags & 8 and "CJK" in unicodedata.name(r, "")
        base = "".join(m for m in base if not flags & 2 or unicodedata.category(m) != "Mn")
        spaced += f" {base} " if apart else base
    for word in (spaced.lower() if flags & 1 else spaced).split():
        found, rest = [], word.encode() if len(word) <= longest else b""
        while rest:
            end = next((e for e in range(len(rest), 0, -1) if b"##" * bool(found) + rest[:e] in ids), 0)
            found, rest = (found + [ids[b"##" * bool(found) + rest[:end]]], rest[end:]) if end else ([], b"")
        out += found or [unknown]
    return out

def embed(f, ids):
    """The unit vector of wordpieces, §11 ETAB, in float32."""
    dim, count, n, pairs, first = struct.unpack("<5I", f.read("ETAB", 4, 20))
    sections, groups, total = list(struct.iter_unpack("<4I", f.read("ETAB", 64, 16 * n))), up(dim, 32), [0] * dim
    wide, strides = 2 if sum(s[1] for s in sections) < 65535 else 4, (0, dim, groups * 16, up(dim, 8))
    sizes, places, end = [wide * count, 8 * pairs], [], 64 + 16 * n
    for form, n, _, _ in sections: sizes += 4 * n, n * groups * (form == 2), n * strides[form]
    for size in sizes:
        places.append(up(end, 64) * 64)
        end = places[-1] + size if size else end
    def row(r):
        i = 0
        while r >= sections[i][1]: r, i = r - sections[i][1], i + 1
        form, (scales, shares, values) = sections[i][0], places[2 + 3 * i : 5 + 3 * i]
        b, at = f.read("ETAB", values + strides[form] * r, strides[form]), scales + 4 * r
        scale = array("f", f.read("ETAB", at, 4))[0]
        if form == 1: return (scale * v for v in array("b", b))
        if form == 3: return (scale * (1 - 2 * (b[k // 8] >> k % 8 & 1)) for k in range(dim))
        step = [f32(f32(scale * v) / 255) for v in f.read("ETAB", shares + groups * r, groups)]
        return (step[k // 32] * ((b[k // 2] >> k % 2 * 4 & 15) - 8) for k in range(dim))
    pair = {k: i for i, (k,) in enumerate(struct.iter_unpack("<Q", f.read("ETAB", places[1], 8 * pairs)))}
    for i, piece in enumerate(ids):
        known = int.from_bytes(f.read("ETAB", places[0] + wide * piece, wide), "little")
        both = pair.get(ids[i - 1] << 32 | piece, -1) if i else -1
        for r in [known - 1] * (known > 0) + [first + both] * (both >= 0):
            total = array("f", map(operator.add, total, array("f", row(r))))
    length = math.sqrt(sum(x * x for x in total))
    return array("f", (x * f32(1 / length) for x in total)) if length else total

def vectors(f, text):
    """The cosine of each chunk, §13.2."""
    q, (dim, _, n) = embed(f, pieces(f, text)), struct.unpack("<IIQ", f.read("VECS", 0, 16))
    step = f32(max(map(abs, q)) / 8192) or 1
    q, scales = [round(f32(x / step)) for x in q], array("f", f.read("VECS", 64 + n * dim, 4 * n))
    rows = (array("b", f.read("VECS", 64 + c * dim, dim)) for c in range(n))
    return [max(-1, min(1, f32(f32(sum(map(operator.mul, q, row)) * step) * s))) for row, s in zip(rows, scales)]

def strings(f, tag, column): return [f.strings("STRS")[n].decode() for n in f.column(tag, column)]
def verify(f): return {"index_id": f.id, "bytes": sum(len(f.read(tag)) for tag in f.blocks)}
def postings(f, *terms): return [posting(f, t.encode()) for t in terms]
def documents(f): return list(zip(*(strings(f, "DOCS", c)[:-1] for c in (0, 1, 4))))  # path, title, kind

def section(f, path, anchor=""):
    d = strings(f, "DOCS", 0).index(path)
    s = strings(f, "SECS", 1).index(anchor, *f.column("DOCS", 16)[d : d + 2])
    start = f.column("DOCS", 15)[d] + f.column("SECS", 4)[s]
    return f.text(start, start + f.column("SECS", 5)[s]).decode()

answer = globals()[sys.argv[2]](File(sys.argv[1]), *sys.argv[3:])
print(answer if isinstance(answer, str) else json.dumps(answer), end="")
