"""Starts the program kdd of this package, with ONNX Runtime's library of the package onnxruntime where that is here."""

import importlib.util
import os
import subprocess
import sys


def library():
    """The folder of ONNX Runtime's shared library, or None. The package itself is not imported."""
    found = importlib.util.find_spec("onnxruntime")
    for place in (found and found.submodule_search_locations) or ():
        folder = os.path.join(place, "capi")
        if os.path.isdir(folder):
            return folder
    return None


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kdd.exe" if os.name == "nt" else "kdd")
    if not os.environ.get("KDD_ONNXRUNTIME"):
        folder = library()
        if folder:
            os.environ["KDD_ONNXRUNTIME"] = folder
    args = [program] + sys.argv[1:]
    if os.name != "nt":
        os.execv(program, args)
    try:  # there is no exec on Windows: its caller would not wait
        sys.exit(subprocess.call(args))
    except KeyboardInterrupt:
        sys.exit(130)
