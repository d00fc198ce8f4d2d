"""Parses an install script in PowerShell and casks in Ruby: parse.py FILE... What cannot be parsed ends it with 1."""

import sys

import tree_sitter
import tree_sitter_powershell
import tree_sitter_ruby

languages = {"ps1": tree_sitter_powershell.language(), "rb": tree_sitter_ruby.language()}


def wrong(node):
    """The first node that is no part of the language."""
    if node.is_error or node.is_missing:
        return node
    return next(filter(None, map(wrong, node.children)), None)


failed = False
for path in sys.argv[1:]:
    parser = tree_sitter.Parser(tree_sitter.Language(languages[path.rsplit(".", 1)[1]]))
    with open(path, "rb") as f:
        node = wrong(parser.parse(f.read()).root_node)
    if node:
        failed = True
        print(f"{path}:{node.start_point[0] + 1}: not of the language: {node.text[:80]}")
sys.exit(failed)
