#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of the C++ interface (see README.md).

Each program is compiled at -O0, -O1 and -O2 as C++17 and C++20, and run. Those in Wrong
must not compile, for the reason that they state. The examples of docs/Cpp.md print what
stands behind them. The last line is `N passed, M failed, K skipped`.
"""
import argparse
import concurrent.futures
import hashlib
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
EXAMPLE = re.compile(r"```cpp\n(.*?)```\n\n```text\n(.*?)```", re.S)
DIRECTIVE = re.compile(r"^// ADZE: (.*)$", re.M)
EXPECT = re.compile(r"^// EXPECT: (.*)$", re.M)


class Program:
    """A source file and what its directives say."""

    def __init__(self, path, text=None, output=None):
        self.path, self.output = path, output
        self.text = path.read_text() if text is None else text
        self.name = path.stem if text is None else f"Cpp.md:{path.stem}"
        self.expect = EXPECT.findall(self.text)
        words = dict(word.partition("=")[::2]
                     for line in DIRECTIVE.findall(self.text) for word in line.split())
        self.headers = [w for w in [words.get("skip-unless", "").removeprefix("header:")]
                        if w]
        self.levels = words.get("levels", "O0,O1,O2").split(",")
        self.standards = words.get("standards", "17,20").split(",")


def drawn(name, level, standards, seed):
    """One of these standards, another one with each seed."""
    number = int(hashlib.sha256(f"{seed} {name} {level}".encode()).hexdigest()[:8], 16)
    return [standards[number % len(standards)]] if standards else []


def examples(build):
    """The examples of the document as programs."""
    found = EXAMPLE.findall((ROOT / "docs" / "Cpp.md").read_text())
    for number, (text, output) in enumerate(found, 1):
        path = build / f"example{number}.cpp"
        path.write_text(text)
        yield Program(path, text, output)


class Runner:
    def __init__(self, options):
        self.options = options
        self.build = Path(options.build_dir)
        self.build.mkdir(parents=True, exist_ok=True)

    def command(self, *more):
        folders = [f"-I{ROOT / 'include'}", f"-I{HERE}"]
        folders += [f"-isystem{folder}" for folder in self.options.system]
        return [self.options.clang, f"-fpass-plugin={self.options.plugin}", "-Wall", "-Wextra",
                "-Werror", *folders, *more]

    def has(self, header):
        source = self.build / "header.cpp"
        source.write_text(f"#include <{header}>\n")
        return self.execute(self.command("-fsyntax-only", str(source)))[0] == 0

    @staticmethod
    def execute(command, limit=300):
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  stdin=subprocess.DEVNULL, timeout=limit, check=False)
            return done.returncode, done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            return None, f"not finished after {limit} s"

    def run(self, program, level, standard):
        """None, or what is wrong."""
        out = self.build / f"{program.path.stem}.{level}.{standard}"
        compile_it = self.command(f"-{level}", f"-std=c++{standard}", str(program.path),
                                  "-o", str(out), "-lm")
        status, text = self.execute(compile_it)
        if program.path.parent.name == "Wrong":
            return self.judge_wrong(program, status, text)
        if status != 0:
            return "does not compile:\n" + text
        status, text = self.execute([str(out)], 60)
        if status != 0:
            return f"ends with {status}:\n{text}"
        if program.output is not None and text != program.output:
            return f"prints\n{text}instead of\n{program.output}"
        return None

    @staticmethod
    def judge_wrong(program, status, text):
        if status == 0:
            return "compiles"
        errors = [line for line in text.splitlines() if "error:" in line]
        # The first error is what the user reads; others may follow from it.
        if not program.expect or not errors or program.expect[0] not in errors[0]:
            return f"is not refused for {program.expect}:\n{text}"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang++-19")
    parser.add_argument("--build-dir", default=str(ROOT / "build" / "cpp"))
    parser.add_argument("--filter", default="")
    parser.add_argument("--levels", default="O0,O1,O2")
    parser.add_argument("--standards", default="17,20")
    parser.add_argument("--share", type=float, default=1,
                        help="less than 1: at each level one of the standards, drawn by --seed")
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--system", action="append", default=[],
                        help="a folder with headers of libraries")
    options = parser.parse_args()
    runner = Runner(options)
    programs = [Program(p) for p in sorted([*HERE.glob("*.cpp"), *HERE.glob("Wrong/*.cpp")])]
    programs += examples(runner.build)
    passed = failed = skipped = 0
    tasks = []
    for program in programs:
        if not re.search(options.filter, program.name):
            continue
        missing = [h for h in program.headers if not runner.has(h)]
        if missing:
            print(f"SKIP {program.name}: there is no <{missing[0]}>")
            skipped += 1
            continue
        wrong = program.path.parent.name == "Wrong"
        standards = [s for s in options.standards.split(",") if s in program.standards]
        for level in options.levels.split(","):
            if level not in program.levels or wrong and level != "O0":
                continue
            chosen = standards if options.share >= 1 else drawn(
                program.name, level, standards, options.seed)
            tasks += [(program, level, standard) for standard in chosen]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for task, fault in zip(tasks, pool.map(lambda t: runner.run(*t), tasks)):
            if fault:
                failed += 1
                program, level, standard = task
                print(f"FAIL {program.name} {level} c++{standard}: {fault}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
