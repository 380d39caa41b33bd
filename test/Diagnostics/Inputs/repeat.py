# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs saved reproducers and compares what they say with what clang said.

  repeat.py TOLD FOLDER ADZE_OPT

TOLD holds the messages of clang. Each script in FOLDER must fail, and say
nothing that is not there. Prints how many messages each repeats.
"""
import os
import pathlib
import re
import subprocess
import sys


def messages(text):
    """Message with its lines -> text, without the prefix that a tool adds and
    without the source lines that clang shows."""
    found = []
    for line in text.splitlines():
        if match := re.match(r"(?:(.*?:\d+:\d+): )?error: (?:(.*?:\d+:\d+): )?(.*)",
                             line):
            place = match[1] or match[2]
            found.append(f"{place}: {match[3]}")
        elif found and line.startswith("  ") and not re.match(r" *\d* \|", line):
            found[-1] += "\n" + line
    return found


def main(told, folder, tool):
    said = messages(pathlib.Path(told).read_text())
    repeated = set()
    scripts = sorted(pathlib.Path(folder).glob("*.sh"))
    left = {p.name for p in pathlib.Path(folder).iterdir()}
    expected = {name for p in scripts for name in (p.name, p.stem + ".ll")}
    if left != expected:
        sys.exit(f"the folder has {sorted(left)}")
    for script in scripts:
        run = subprocess.run([str(script.resolve())], text=True,
                             stderr=subprocess.PIPE,
                             env={**os.environ, "ADZE_OPT": tool})
        again = messages(run.stderr)
        if run.returncode != 1 or not again:
            sys.exit(f"{script.name} ended with {run.returncode}: {run.stderr}")
        for message in again:
            if message not in said:
                sys.exit(f"{script.name} says what was not said:\n{message}")
        repeated.update(again)
        plural = "" if len(again) == 1 else "s"
        print(f"{script.stem} repeats {len(again)} message{plural}")
    print(f"{len(repeated)} of {len(said)} messages repeated")


main(*sys.argv[1:])
