#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the tapes of the benchmarks have not grown.

The remarks of the compiler (docs/Remarks.md) say how large the tape of each
derivative is, as a sum of products of trip counts. tape-limits.txt has a line
for each product that may occur, with the bytes of an iteration that it may
have at most:

    benchmark | derivative | iterations | bytes

`once` stands for what is kept once in a call. A product that the table does not
have is a fault, as is one that has grown. --write makes a new table.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def parts(text, operator):
    """Splits at an operator that stands in no parentheses."""
    depth, part, result = 0, "", []
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth == 0 and c == operator:
            result.append(part.strip())
            part = ""
        else:
            part += c
    return result + [part.strip()]


def terms(size):
    """The bytes for each product of counts in a size."""
    result = collections.Counter()
    for term in parts(size, "+"):
        factors = parts(term, "*")
        bytes_ = 1
        if re.fullmatch(r"\d+", factors[0]):
            bytes_ = int(factors.pop(0))
        result[" * ".join(sorted(factors)) or "once"] += bytes_
    return result


def sizes_of(options, source):
    """What the remarks say of one benchmark: (derivative, product) -> bytes."""
    plain_c = source.suffix == ".c"
    command = [options.cc if plain_c else options.cxx, "-O3", "-g",
               "-std=c11" if plain_c else "-std=c++17", "-I",
               HERE.parent / "include", f"-fpass-plugin={options.plugin.resolve()}",
               "-Rpass-analysis=adze", "-fno-caret-diagnostics", "-c", source, "-o",
               os.devnull]
    result = subprocess.run([str(c) for c in command], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        sys.exit(result.stdout)
    sizes, seen = collections.Counter(), 0
    for line in result.stdout.splitlines():
        match = re.search(r"remark: the ((?:(?!another version).)*) needs (no tape|a tape of (.*?) bytes)", line)
        if not match:
            continue
        seen += 1
        for product, count in terms(match[3]).items() if match[3] else ():
            key = match[1], product
            sizes[key] = max(sizes[key], count)
    return sizes, seen


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            name, derivative, product, count = (cell.strip() for cell in line.split("|"))
            table[name, derivative, product] = int(count)
    return table


def write_table(path, found):
    comments = [line for line in path.read_text().splitlines() if line.startswith("#")]
    rows = [" | ".join([*key, str(count)]) for key, count in found.items()]
    path.write_text("\n".join([*comments, *rows, ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--plugin", type=pathlib.Path,
                        default=HERE.parent / "build" / "lib" / "Adze.so")
    parser.add_argument("--cc", default=os.environ.get("CC", "clang-19"))
    parser.add_argument("--cxx", default=os.environ.get("CXX", "clang++-19"))
    parser.add_argument("--limits", type=pathlib.Path, default=HERE / "tape-limits.txt")
    parser.add_argument("--write", action="store_true", help="make a new table")
    options = parser.parse_args()
    sources = sorted(HERE.glob("*/*_adze.c*"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda source: sizes_of(options, source), sources))
    found = {(source.parent.name, *key): count
             for source, (sizes, _) in zip(sources, results) for key, count in sizes.items()}
    if options.write:
        write_table(options.limits, found)
        return 0
    limits, faults = read_table(options.limits), 0
    for key, count in found.items():
        limit = limits.get(key)
        if limit is None or count > limit:
            faults += 1
            print(f"{key[0]}: the {key[1]} keeps {count} bytes for each of {key[2]}"
                  f"{'' if limit is None else f', at most {limit} are allowed'}")
        elif count < limit:
            print(f"{key[0]}: {count} bytes for each of {key[2]} suffice; the limit is {limit}")
    # Forward mode alone has no tape to tell of.
    silent = [source.parent.name for source, (_, seen) in zip(sources, results)
              if not seen and "fwddiff" not in source.read_text()]
    for name in silent:
        print(f"{name}: no remark about a tape")
    print(f"{len(sources)} benchmarks, {len(found)} sizes, {faults + len(silent)} faults")
    return 1 if faults or silent else 0


if __name__ == "__main__":
    sys.exit(main())
