#!/usr/bin/env python3
"""Compares kdd's wordpieces with the reference library's, on every line and every whole file below a folder.

    pip install tokenizers
    python3 bench/interop/tokens/check.py MODEL/tokenizer.json FOLDER...

Prints the first differences and exits with 1 if there are any. Truncation and padding of the tokenizer.json are off.
"""
import os
import subprocess
import sys
import time

from tokenizers import Tokenizer

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    path = os.path.abspath(sys.argv[1])
    reference = Tokenizer.from_file(path)
    reference.no_truncation()
    reference.no_padding()
    bad = lines = pieces = files = 0
    for folder in map(os.path.abspath, sys.argv[2:]):
        started = time.time()
        ours = subprocess.run(["go", "run", "./bench/interop", "tokens", "-tokenizer", path, folder],
                              cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout.decode()
        took = time.time() - started
        text = []
        name = None
        for row in ours.splitlines():
            place, _, ids = row.partition("\t")
            file, _, number = place.rpartition(":")
            if file != name:
                with open(os.path.join(folder, file), "rb") as f:
                    whole = f.read().decode()
                name, text = file, [whole] + whole.split("\n")
                files += 1
            got = [int(i) for i in ids.split()]
            want = reference.encode(text[int(number)], add_special_tokens=False).ids
            lines += 1
            pieces += len(want)
            if got != want:
                bad += 1
                if bad <= 10:
                    print(f"{place}: {text[int(number)][:200]!r}\n  got  {got[:50]}\n  want {want[:50]}")
        print(f"{folder}: {took:.1f} s for ours with go run")
    print(f"{files} files, {lines} lines and files, {pieces} wordpieces, {bad} different")
    if bad or not lines:
        sys.exit(1)


main()
