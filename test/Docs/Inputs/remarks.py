# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the example of docs/Remarks.md, before and after the change that the
document shows, and compares the remarks with those of the document."""

import argparse
import pathlib
import re
import subprocess
import sys


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def remarks_of(text):
    """One remark an entry; a remark may be broken into lines."""
    joined = " ".join(text.split())
    return [" ".join(part.split())
            for part in re.findall(r"energy\.c:\d+:\d+: remark:.*?\[-R[a-z=-]+\]", joined)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--plugin", required=True)
    options = parser.parse_args()
    document = options.document.read_text()
    source = blocks(document, "c")[0]
    change = blocks(document, "diff")[0].splitlines()
    old, new = (line[1:] for line in change)
    assert source.count(old) == 1
    shown = blocks(document, "text")
    options.folder.mkdir(parents=True, exist_ok=True)
    differ = 0
    for text, expected in zip([source, source.replace(old, new)], shown, strict=True):
        (options.folder / "energy.c").write_text(text)
        result = subprocess.run(
            [options.clang, "-O2", "-g", "-fpass-plugin=" + options.plugin, "-Rpass=adze",
             "-Rpass-missed=adze", "-Rpass-analysis=adze", "-fno-caret-diagnostics", "-c",
             "energy.c", "-o", "energy.o"], cwd=options.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True)
        said, told = remarks_of(result.stdout), remarks_of(expected)
        if not said or said != told:
            differ += 1
            for line in told:
                if line not in said:
                    print("the document:", line)
            for line in said:
                if line not in told:
                    print("the compiler:", line)
    print(f"{len(shown)} compilations, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
