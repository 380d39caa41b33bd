#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles programs several times and fails where the objects differ.

The programs are those of test/Numeric, a sample of them spread over all
folders. Each is compiled three times with the same command, under environments
of different size: that moves the stack, and with it, beside what the system
randomizes, the addresses by which a container could be ordered. The objects
must be equal, or else the same error be told.

Prints one line for each program that differs and ends with
`N passed, M failed, 0 skipped`, counting programs.

usage: check_determinism.py --plugin Adze.so [--programs N] [--levels O0,O2]
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Bytes of an additional variable: none, some, and more than a page, each no
# multiple of the alignment of the stack.
PADDING = [0, 1237, 40961]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--plugin", type=pathlib.Path, required=True)
    parser.add_argument("--clang-plugin", type=pathlib.Path,
                        help="given to clang for every third program, if it is there; "
                        "default: beside --plugin")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "test" / "Numeric")
    parser.add_argument("--programs", type=int, default=60,
                        help="how many (default 60); 0 for all")
    parser.add_argument("--levels", default="O2,O0,O3",
                        help="given to the programs in turn (default O2,O0,O3)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    return parser.parse_args()


def chosen(options):
    """The sample, in the order of names."""
    everything = [p for p in sorted(options.folder.rglob("*"))
                  if p.suffix in {".c", ".cpp"} and p.name != "check.c"
                  and "selftest" not in p.parts
                  and "skip-unless=" not in p.read_text()]
    if not options.programs or options.programs >= len(everything):
        return everything
    return sorted(random.Random(options.seed).sample(everything, options.programs))


def flags_of(source):
    """What a program of test/Numeric asks for itself."""
    flags = []
    for words in re.findall(r"^\s*//\s*ADZE:\s*(.*)$", source.read_text(), re.M):
        for word in shlex.split(words):
            if word.startswith("flags="):
                flags += shlex.split(word.partition("=")[2])
    return flags


def command(options, number, source):
    levels = options.levels.split(",")
    plugin = options.plugin.resolve()
    flags = [options.clang, "-" + levels[number % len(levels)], "-g" if number % 4 == 3
             else "-g0", "-w", "-fno-color-diagnostics", f"-I{options.folder}",
             f"-I{ROOT / 'include'}", "-Xclang", "-load", "-Xclang", str(plugin),
             f"-fpass-plugin={plugin}", *flags_of(source)]
    front_end = (options.clang_plugin or plugin.parent / "ClangAdze.so").resolve()
    if number % 3 == 1 and front_end.is_file():
        flags.append(f"-fplugin={front_end}")
    language = "c++" if source.suffix == ".cpp" else "c"
    return [*flags, "-DADZE_REVERSE=1", "-DADZE_FORWARD=1", "-x", language, "-c",
            str(source)]


def outcome(command_line, target, padding):
    """(exit status, object, messages) of one compilation."""
    environment = {**os.environ, "LC_ALL": "C", "ADZE_PADDING": "x" * padding}
    run = subprocess.run([*command_line, "-o", str(target)], env=environment,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    made = target.read_bytes() if target.exists() else b""
    target.unlink(missing_ok=True)
    return run.returncode, made, run.stdout


def fault(options, number, source, folder):
    """What differs between the compilations of a program; "" if nothing does."""
    line = command(options, number, source)
    # One path for all: it may stand in the object.
    target = folder / f"{number}.o"
    first, *others = [outcome(line, target, p) for p in PADDING]
    if any(other != first for other in others):
        what = ("another exit status" if any(o[0] != first[0] for o in others) else
                "another object" if any(o[1] != first[1] for o in others) else
                "other messages")
        return f"{what} when compiled again: {shlex.join(line)}"
    # Errors are compared as well, but must be the plugin's own.
    if first[0] and b"to fix:" not in first[2]:
        return f"does not compile: {shlex.join(line)}\n{first[2].decode(errors='replace')}"
    return ""


def main():
    options = parse_arguments()
    programs = chosen(options)
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        faults = list(pool.map(
            lambda pair: fault(options, *pair, pathlib.Path(folder)),
            enumerate(programs)))
    for source, text in zip(programs, faults):
        if text:
            print(f"{source.relative_to(options.folder)}: {text}")
    failed = sum(bool(text) for text in faults)
    print(f"{len(programs)} programs, each compiled {len(PADDING)} times")
    print(f"{len(programs) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
