# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds docs/Diagnostics.md, Diagnostics.def and the tests together.

  check_docs.py ROOT

Every row of the .def file must have a section with its text and cure, every
section a row, and the tests that a section names must contain a piece of the
message's text. Rows must be used somewhere in lib/.
"""
import os
import re
import sys


def rows(text):
    """Identifier -> (severity, text, cure); string pieces are joined."""
    found = {}
    string = r'"(?:[^"\\]|\\.)*"'
    strings = rf"{string}(?:\s*{string})*"
    pattern = rf"ADZE_DIAG\((\w+),\s*(\w+),\s*({strings}),\s*({strings})\s*\)"
    for name, severity, message, cure in re.findall(pattern, text):
        join = lambda s: "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', s))
        found[name] = (severity.lower(), join(message), join(cure))
    return found


def sections(text):
    found = {}
    for part in re.split(r"^### ", text, flags=re.M)[1:]:
        name, body = part.split("\n", 1)
        found[name.strip()] = body
    return found


def piece(message):
    """The beginning of the longest stretch of the text without arguments."""
    return max(re.split(r"\{\d+\}", message), key=len).strip(" :'")[:17].strip()


def main(root):
    read = lambda *path: open(os.path.join(root, *path), encoding="utf-8").read()
    table = rows(read("include", "adze", "Diagnostics.def"))
    pages = sections(read("docs", "Diagnostics.md"))
    sources = ""
    for folder, _, files in os.walk(os.path.join(root, "lib")):
        for name in files:
            if name.endswith((".cpp", ".h")):
                sources += read(folder, name)

    wrong = []
    for name in sorted(set(table) - set(pages)):
        wrong.append(f"{name}: not in docs/Diagnostics.md")
    for name in sorted(set(pages) - set(table)):
        wrong.append(f"{name}: in docs/Diagnostics.md only")
    for name in sorted(set(table) & set(pages)):
        severity, message, cure = table[name]
        body = pages[name]
        if f"> {severity}: {message}\n" not in body:
            wrong.append(f"{name}: the text differs")
        if bool(cure) != ("> to fix:" in body) or (
            cure and f"> to fix: {cure}\n" not in body
        ):
            wrong.append(f"{name}: the cure differs")
        if not re.search(rf"\bDiag::{name}\b", sources):
            wrong.append(f"{name}: nothing reports it")
        one = r"`[^`]+`"
        test = re.search(rf"^Test: (?:({one}(?:,\s{one})*)|none, .+)$", body, flags=re.M)
        if not test:
            wrong.append(f"{name}: names no test")
            continue
        for path in re.findall(r"`([^`]+)`", test.group(1) or ""):
            try:
                if piece(message) not in read(path):
                    wrong.append(f"{name}: {path} does not test it")
            except OSError:
                wrong.append(f"{name}: {path} does not exist")
    for line in wrong:
        print(line)
    print(f"{len(table)} messages, {len(wrong)} problems")
    return 1 if wrong or not table else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
