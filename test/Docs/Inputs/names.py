# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""names.py ROOT [FILE...]: the documents name only what exists.

Every relative link, and every path in backquotes that looks like a file of
this project, must lead to a file: from the document's folder, the root, lib/,
include/, include/adze/, test/, or, for a name without a folder, anywhere in
these. Fenced blocks are not looked at.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
files = [pathlib.Path(f) for f in sys.argv[2:]] or [root / "README.md", *sorted(root.glob("docs/*.md"))]
bases = [root, root / "lib", root / "include", root / "include/adze", root / "test"]
known = {p.name for base in bases[1:] for p in base.rglob("*")}
checked = wrong = 0


def exists(document, name):
    if "/" not in name and name in known:
        return True
    places = [document.parent, *bases]
    return any(next(place.glob(name), None) for place in places)


for document in files:
    fenced = False
    for number, line in enumerate(document.read_text().splitlines(), start=1):
        fenced ^= line.startswith("```")
        if fenced:
            continue
        names = re.findall(r"\]\((?!http)([^)#]+)", line)
        names += re.findall(r"`([\w./*-]+\.(?:cpp|h|def|py|test|ll|md))`", line)
        names += re.findall(r"`((?:lib|test|tools|include|benchmarks|docs)/[\w./-]+)`", line)
        for name in dict.fromkeys(names):
            checked += 1
            if not exists(document, name):
                wrong += 1
                print(f"{document.name}:{number}: there is no {name}")
print(f"{checked} names, {wrong} wrong")
sys.exit(1 if wrong else 0)
