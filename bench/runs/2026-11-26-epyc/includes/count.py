"""Counts the code of an artifact's documents, as `kdd read` gives them.

    python3 count.py KDD FILE.kddx DOCUMENT...
"""
import json, re, subprocess, sys

DIRECTIVE = re.compile(r"\{\{#\w+ .*\}\}|-+8<-+|<<<|<!--\s*@include:|^\[included: ")


def text(kdd, file, document):
    parts, offset = [], 0
    while True:
        run = subprocess.run([kdd, "read", document, "-i", file, "--format", "json", "--offset", str(offset)],
                             capture_output=True, text=True)
        answer = json.loads(run.stdout)
        parts.append(answer["markdown"])
        offset = answer.get("next_offset")
        if not offset:
            return "".join(parts)


def code(markdown):
    """Fenced blocks, those with a line of code that is no directive, and such lines."""
    blocks = full = lines = 0
    mark, held = None, 0
    for line in markdown.splitlines():
        bare = line.lstrip(" \t>")
        fence = re.match(r"(`{3,}|~{3,})", bare)
        if mark is None:
            if fence and not ("`" in bare[fence.end():] and bare[0] == "`"):
                mark, held = fence[1], 0
        elif fence and fence[1].startswith(mark) and not bare[fence.end():].strip():
            blocks, full, lines, mark = blocks + 1, full + (held > 0), lines + held, None
        elif bare.strip() and not DIRECTIVE.search(bare.strip()):
            held += 1
    return blocks, full, lines


kdd, file, *documents = sys.argv[1:]
total = [0, 0, 0]
for d in documents:
    total = [a + b for a, b in zip(total, code(text(kdd, file, d)))]
print("%d documents, %d fenced blocks, %d with code, %d lines of code" % (len(documents), *total))
