# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random modules for the pass: mutations of valid ones, and functions from
llvm-stress. They need not compute anything: what counts is that the pass ends,
with an error message or a module that the verifier accepts.

    MODULE      a module, verified
    MESSAGE     an error message
    REJECTED    LLVM takes the text for no module: the pass never ran
    CRASH       adze-opt died; HANG: it did not end
    BROKEN      the module after the pass is invalid, or the pass says of
                itself that it is inconsistent
"""
import os
import random
import re
import shlex
import threading
from pathlib import Path

from . import processes
from .mutating import Mutator
from .programs import Program, unit
from .running import CRASH, HANG, suffix

MODULE, MESSAGE, REJECTED, BROKEN = "MODULE", "MESSAGE", "REJECTED", "BROKEN"
ERRORS = (CRASH, HANG, BROKEN)
# What parsing and verifying of the input say, before the pass.
NO_MODULE = re.compile(r"adze-opt: (error: the input is broken|.*:\d+:\d+: error: |.*: error: )")
# Reducing more than this is not worth the time.
REDUCTION = 120
MODES = ["__enzyme_autodiff", "__enzyme_fwddiff", "__enzyme_augmentfwd"]


class Result:
    def __init__(self, kind, detail=""):
        self.kind, self.detail = kind, detail

    @property
    def error(self):
        return self.kind in ERRORS


def said(text):
    """The first line that says what went wrong, without numbers and names."""
    lines = [l for l in text.splitlines() if "error:" in l or "LLVM ERROR" in l or
             "Assertion" in l] or text.strip().splitlines()[:1] or ["?"]
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'..'", lines[0]))[:110]


class ModuleRunner:
    """tool: adze-opt; opt: LLVM's, which decides what is a module."""

    def __init__(self, tool, opt, folder, limit):
        self.tool, self.opt, self.folder, self.limit = tool, opt, folder, limit

    def path(self, name):
        return os.path.join(self.folder, f"{threading.get_ident()}-{name}")

    def judge(self, text):
        if not text.strip():
            return Result(REJECTED)  # there was nothing to change
        path = self.path("module.ll")
        Path(path).write_text(text, encoding="utf-8")
        outcome = processes.execute([self.tool, path, "-o", "/dev/null"], self.limit)
        result = self.kind(outcome)
        if result.error and not self.accepted(path):
            return Result(REJECTED)
        return result

    @staticmethod
    def kind(outcome):
        if outcome.hung:
            return Result(HANG, "adze-opt")
        if outcome.code == 0:
            return Result(MODULE)
        if NO_MODULE.search(outcome.text):
            return Result(REJECTED)
        broken = re.search(r"internal inconsistency.*|broken after the pass", outcome.text)
        if broken:
            return Result(BROKEN, broken.group()[:300])
        if outcome.code < 0 or outcome.code >= 128 or "error:" not in outcome.text:
            frame = re.search(r" (adze::[\w:~]+|\(anonymous namespace\)::[\w:~]+)", outcome.text)
            return Result(CRASH, f"exit {outcome.code} {frame.group(1) if frame else ''}")
        return Result(MESSAGE, said(outcome.text))

    def accepted(self, path):
        """Whether LLVM itself reads the module and finds nothing wrong."""
        return processes.execute([self.opt, "-passes=verify", "-disable-output", path],
                                 self.limit).good

    def reduced(self, text, result):
        """The module made smaller by llvm-reduce, or None."""
        path, script, out = self.path("big.ll"), self.path("same.sh"), self.path("small.ll")
        Path(path).write_text(text, encoding="utf-8")
        tool, opt = shlex.quote(self.tool), shlex.quote(self.opt)
        limit = int(self.limit)
        conditions = {
            CRASH: '[ "$status" -ge 128 ]',
            HANG: '[ "$status" -ge 128 ]',
            BROKEN: "grep -qE 'internal inconsistency|broken after the pass' \"$1.said\""}
        Path(script).write_text(
            f"#!/bin/sh\nulimit -t {limit}; ulimit -c 0\n"
            f"{opt} -passes=verify -disable-output \"$1\" || exit 1\n"
            f"{tool} \"$1\" -o /dev/null > \"$1.said\" 2>&1; status=$?\n"
            f"{conditions[result.kind]}; same=$?\nrm -f \"$1.said\"\nexit $same\n",
            encoding="utf-8")
        os.chmod(script, 0o755)
        reduce = self.opt.replace("opt", "llvm-reduce")
        try:
            processes.execute([reduce, f"--test={script}", path, "-o", out], REDUCTION)
        except OSError:
            return None
        small = Path(out)
        return small.read_text(encoding="utf-8") if small.is_file() else None


class Mutations:
    """By seed: a module of the test suite or of a generated program, changed."""

    def __init__(self, tests, tools, runner):
        self.files = sorted(Path(tests).rglob("*.ll"))
        self.tools, self.runner = tools, runner

    def make(self, seed):
        """The text of the module of this seed."""
        choices = random.Random(seed * 6364136223846793005 + 7)
        if choices.random() < 0.35:
            text = self.program(seed, choices)
        else:
            text = choices.choice(self.files).read_text(encoding="utf-8")
        return Mutator(choices).mutate(text, choices.choice([1, 1, 2, 3]))

    def program(self, seed, choices):
        """A generated program with its markers, as clang makes it."""
        program = Program(seed)
        source = self.runner.path("seed" + suffix(program))
        out = self.runner.path("seed.ll")
        Path(source).write_text(unit([program]), encoding="utf-8")
        level = choices.choice(["-O0", "-O1", "-O2"])
        built = processes.execute([*self.tools.compiler(source), level, "-S", "-emit-llvm",
                                   source, "-o", out], 60)
        return Path(out).read_text(encoding="utf-8") if built.good else ""


class Stress:
    """By seed: a function from llvm-stress, differentiated."""

    def __init__(self, tool, runner):
        self.tool, self.runner = tool, runner

    def make(self, seed):
        choices = random.Random(seed * 6364136223846793005 + 11)
        out = self.runner.path("stress.ll")
        made = processes.execute([self.tool, f"-seed={seed}",
                                  f"-size={choices.choice([20, 60, 150])}",
                                  "-o", out], 60)
        if not made.good:
            return ""
        text = Path(out).read_text(encoding="utf-8")
        name = re.search(r"define void @(\w+)\(", text)
        mode = choices.choice(MODES)
        result = "ptr" if mode == MODES[2] else "void"
        call = f"call {result} (...) @{mode}(ptr @{name.group(1)}"
        for pointer in "pqr":
            tag = choices.choice(["", "", "ptr @enzyme_const, "])
            call += f", {tag}ptr %{pointer}" + ("" if tag else f", ptr %d{pointer}")
        call += ", i32 %i, i64 %l, i8 %b)"
        tape = "%tape = " if result == "ptr" else ""
        back = ("  " + call.replace("call ptr (...) @__enzyme_augmentfwd",
                                    "call void (...) @__enzyme_reverse")[:-1] +
                ", ptr %tape)\n") if tape else ""
        return (text + "\n@enzyme_const = external global i32\n"
                f"declare {result} @{mode}(...)\n" +
                ("declare void @__enzyme_reverse(...)\n" if tape else "") +
                "define void @request(ptr %p, ptr %dp, ptr %q, ptr %dq, ptr %r, ptr %dr, "
                f"i32 %i, i64 %l, i8 %b) {{\n  {tape}{call}\n{back}  ret void\n}}\n")
