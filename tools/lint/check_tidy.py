#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over the files of lib/ and tools/, as many at once as processors.

All of them, or with `--recent HOURS` those that changed in the last hours before
the newest commit, or since, and these without the checks that take longest: a
changed header is checked through the file of its name, or else through the first
that includes it. A file that was clean is not looked at
again until it, a header of the project that it includes, the configuration or its
compile command changes. Ends with `N passed, M failed, K skipped`, counting files.
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


HEADERS = {".h", ".hpp", ".def", ".inc"}
# A third of the time of a file, most of it in the headers of LLVM.
SLOW_CHECKS = ["misc-redundant-expression"]
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def common_key(command):
    """What all results depend on: the program, the configuration and the options."""
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True)
    options = "\n".join(command[1:]).encode()
    return version.stdout.encode() + (ROOT / ".clang-tidy").read_bytes() + options


class Includes:
    """Which headers of the project a file includes, directly or by others.

    A name stands for every header of the project whose path ends with it: more
    than the compiler finds, never less.
    """

    def __init__(self):
        self.by_name = {}
        for folder in ["include", "lib", "tools"]:
            for path in sorted((ROOT / folder).rglob("*")):
                if path.suffix in HEADERS:
                    self.by_name.setdefault(path.name, []).append(path)
        self.direct = {}

    def directly_from(self, path):
        if path not in self.direct:
            found = []
            for name in INCLUDE.findall(path.read_text(errors="replace")):
                parts = tuple(p for p in pathlib.PurePath(name).parts if p not in {".", ".."})
                found += [h for h in self.by_name.get(parts[-1] if parts else "", [])
                          if h.parts[-len(parts):] == parts]
            self.direct[path] = found
        return self.direct[path]

    def of(self, path):
        seen, work = set(), [path]
        while work:
            for header in self.directly_from(work.pop()):
                if header not in seen:
                    seen.add(header)
                    work.append(header)
        return sorted(seen)


def key_of(shared, includes, entry):
    """What the result of one file depends on."""
    path = pathlib.Path(entry["file"])
    key = hashlib.sha256(shared)
    key.update(entry["command"].encode())
    for source in [path, *includes.of(path)]:
        key.update(str(source.relative_to(ROOT)).encode())
        key.update(source.read_bytes())
    return key.hexdigest()


def entries(build):
    """The compile commands of files that are to be checked."""
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in sorted(commands, key=lambda e: e["file"]):
        path = pathlib.Path(entry["file"])
        if (ROOT / "lib") in path.parents or (ROOT / "tools") in path.parents:
            yield entry


def git(*arguments):
    """Lines that git prints; none where this is no checkout."""
    run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return run.stdout.split("\n")[:-1] if run.returncode == 0 else []


def changed_recently(hours):
    """Paths that differ from the last commit that is \p hours older than the newest; None
    where the history does not say."""
    newest = git("log", "-1", "--format=%ct")
    base = git("rev-list", "-1", f"--before={int(newest[0]) - hours * 3600}", "HEAD") if newest else []
    if not base:
        return None
    names = git("diff", "--name-only", base[0]) + git("ls-files", "-o", "--exclude-standard")
    return {ROOT / name for name in names}


def includers(header, sources):
    """The one of \p sources through which to check \p header."""
    for source in sources:
        if source.stem == header.stem and source.parent.name in header.parts:
            return {source}
    pattern = re.compile(rf'#include "([^"]*/)?{re.escape(header.name)}"')
    for source in sources:
        if pattern.search(source.read_text()):
            return {source}
    return set()


def recent(todo, hours):
    """The entries of \p todo that are to be checked for what changed."""
    changed = changed_recently(hours)
    if changed is None or ROOT / ".clang-tidy" in changed:
        return todo
    sources = [pathlib.Path(e["file"]) for e in todo]
    wanted = set(changed)
    for path in sorted(changed):
        if path.suffix in HEADERS and path.exists():
            wanted |= includers(path, sources)
    return [e for e in todo if pathlib.Path(e["file"]) in wanted]


def check(command, mark, path):
    """(file, True if clean, what was said)"""
    if mark.exists():
        return path, True, ""
    run = subprocess.run([*command, str(path)], capture_output=True, text=True)
    if run.returncode == 0:
        mark.touch()
        return path, True, ""
    text = re.sub(r"^\d+ warnings.*\n", "", run.stdout + run.stderr, flags=re.M)
    return path, False, text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--filter", default="", help="regular expression on the path")
    parser.add_argument("--recent", type=int, metavar="HOURS", help="only what changed")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--program", metavar="PATH", help="clang-tidy, if not that of PATH")
    options = parser.parse_args()
    program = options.program or shutil.which("clang-tidy-19") or shutil.which("clang-tidy")
    if not program:
        print("clang-tidy not found")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    cache = options.build / "tidy-clean"
    cache.mkdir(exist_ok=True)
    command = [program, "-p", str(options.build), "--quiet",
               "--extra-arg=-Wno-unknown-warning-option"]
    if options.recent:
        command.append("--checks=" + ",".join("-" + name for name in SLOW_CHECKS))
    shared, includes = common_key(command), Includes()
    todo = [e for e in entries(options.build) if re.search(options.filter, e["file"])]
    every = len(todo)
    if options.recent:
        todo = recent(todo, options.recent)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(check, command, cache / key_of(shared, includes, e),
                            pathlib.Path(e["file"])) for e in todo]
        for job in jobs:
            path, clean, text = job.result()
            if not clean:
                failed += 1
                print(f"{path.relative_to(ROOT)}:\n{text}")
    if len(todo) < every:
        print(f"{every - len(todo)} files have not changed (tools/lint/check_tidy.py looks at all)")
    # Nothing to look at is no failure, if there is something that did not change.
    passed = len(todo) - failed if todo else min(every, 1)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not every else 0


if __name__ == "__main__":
    sys.exit(main())
