# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles files without markers with and without plugins and compares.

  identical.py --clang CLANG --least N [--flags "FLAGS" ...] [--with "FLAGS" ...] FILE...

Each file is compiled at one of the levels, in turn, or at all that are given;
once without and once with each of the --with flags. The objects must be equal.
Objects lie in a folder of this run: two runs of one test at the same time
must not compare each other's.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

LEVELS = ["-O2", "-O0", "-O3 -g", "-O2 -fno-strict-aliasing", "-Os -flto", "-O1",
          "-O2 -flto=thin", "-O0 -g", "-O3"]


def compile_to(target, clang, flags, source):
    """None, or what the compiler says against the file."""
    language = ["-x", "c++", "-std=c++20"] if source.suffix == ".cpp" else ["-x", "c"]
    run = subprocess.run([clang, *language, *shlex.split(flags), "-w", "-c", str(source),
                          "-o", str(target)], capture_output=True, text=True)
    return None if run.returncode == 0 else f"{source.name} {flags}: {run.stderr}"


def differences(clang, source, level, with_flags, folder):
    plain = folder / "plain.o"
    if wrong := compile_to(plain, clang, level, source):
        return [wrong]
    found = []
    for flags in with_flags:
        other = folder / "other.o"
        wrong = compile_to(other, clang, f"{level} {flags}", source)
        if not wrong and plain.read_bytes() != other.read_bytes():
            wrong = f"{source.name} {level}: another object with {flags}"
        found += [wrong] if wrong else []
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--clang", required=True)
    parser.add_argument("--with", dest="with_flags", action="append", required=True)
    parser.add_argument("--level", action="append", help="in place of the usual ones")
    parser.add_argument("--least", type=int, default=1,
                        help="so many files must be given")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    # Programs with markers are not this test's business.
    files = sorted(f for f in set(options.files) if "__enzyme_" not in f.read_text())
    turn = itertools.cycle(LEVELS)
    work = [(f, level) for f in files for level in options.level or [next(turn)]]
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def one(number):
            folder = pathlib.Path(top) / str(number)
            folder.mkdir()
            source, level = work[number]
            return differences(options.clang, source, level, options.with_flags, folder)
        found = [line for lines in pool.map(one, range(len(work))) for line in lines]
    for line in found:
        print(line)
    print(f"{len(files)} files, {len(work) * len(options.with_flags)} comparisons, "
          f"{len(found)} differences")
    if len(files) < options.least:
        sys.exit(f"there should be {options.least} files")
    sys.exit(1 if found else 0)


main()
