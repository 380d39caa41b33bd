#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over the files of lib/ and tools/, as many at once as processors.

A file that was clean is not looked at again until it, a header of the project,
the configuration or its compile command changes. Ends with `N passed, M
failed, K skipped`, counting files.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def common_key(program):
    """What all results depend on: the configuration and every header."""
    key = hashlib.sha256()
    version = subprocess.run([program, "--version"], capture_output=True, text=True)
    key.update(version.stdout.encode())
    headers = [ROOT / ".clang-tidy"]
    for folder in ["include", "lib"]:
        headers += [p for p in sorted((ROOT / folder).rglob("*"))
                    if p.suffix in {".h", ".hpp", ".def", ".inc"}]
    for path in headers:
        key.update(str(path).encode())
        key.update(path.read_bytes())
    return key.hexdigest()


def entries(build):
    """The compile commands of files that are to be checked."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in sorted(commands, key=lambda e: e["file"]):
        path = pathlib.Path(entry["file"])
        if (ROOT / "lib") in path.parents or (ROOT / "tools") in path.parents:
            yield entry


def check(program, build, cache, shared, entry):
    """(file, True if clean, what was said)"""
    path = pathlib.Path(entry["file"])
    key = hashlib.sha256(shared.encode())
    key.update(entry["command"].encode())
    key.update(path.read_bytes())
    mark = cache / key.hexdigest()
    if mark.exists():
        return path, True, ""
    run = subprocess.run(
        [program, "-p", str(build), "--quiet",
         "--extra-arg=-Wno-unknown-warning-option", str(path)],
        capture_output=True, text=True)
    if run.returncode == 0:
        mark.touch()
        return path, True, ""
    text = re.sub(r"^\d+ warnings.*\n", "", run.stdout + run.stderr, flags=re.M)
    return path, False, text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--filter", default="", help="regular expression on the path")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    program = shutil.which("clang-tidy-19") or shutil.which("clang-tidy")
    if not program:
        print("clang-tidy not found")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    cache = options.build / "tidy-clean"
    cache.mkdir(exist_ok=True)
    shared = common_key(program)
    todo = [e for e in entries(options.build) if re.search(options.filter, e["file"])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(check, program, options.build, cache, shared, e) for e in todo]
        for job in jobs:
            path, clean, text = job.result()
            if not clean:
                failed += 1
                print(f"{path.relative_to(ROOT)}:\n{text}")
    print(f"{len(todo) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not todo else 0


if __name__ == "__main__":
    sys.exit(main())
