# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the examples of a document, and compares what they print.

An example is a block of C or C++ with a block of text behind it. The last line is
`N examples, M differ`; the exit status is 1 if M is not 0.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

EXAMPLE = re.compile(r"```(c|cpp)\n(.*?)```\n\n```text\n(.*?)```", re.S)


def printed(command):
    """What the command prints, and whether it ends as it should."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, timeout=120, check=False)
    return done.stdout.decode("utf-8", "replace"), done.returncode == 0


def outcome(options, language, source, level):
    program = source.with_suffix(f".{level}")
    compiler = options.clang if language == "c" else options.clangxx
    text, fine = printed([compiler, f"-{level}", f"-fpass-plugin={options.plugin}", str(source),
                          "-o", str(program), "-lm"])
    return printed([str(program)])[0] if fine else text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--plugin", required=True)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    text = options.document.read_text()
    differ = count = 0
    for count, match in enumerate(EXAMPLE.finditer(text), 1):
        language, code, expected = match.groups()
        source = options.folder / f"example{count}.{language}"
        source.write_text(code)
        line = text.count("\n", 0, match.start()) + 1
        for level in ("O0", "O2"):
            result = outcome(options, language, source, level)
            if result != expected:
                differ += 1
                print(f"line {line} at {level}: printed {result!r}, not {expected!r}")
    print(f"{count} examples, {differ} differ")
    return 1 if differ or not count else 0


if __name__ == "__main__":
    sys.exit(main())
