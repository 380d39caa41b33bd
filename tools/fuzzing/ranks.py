# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles generated programs of several ranks and runs them, as test/Mpi/run.py
does its own: who takes too long is deadlocked."""
import importlib.util
import random
import re
from pathlib import Path

from . import communication
from .running import AGREES, CRASH, HANG, MISMATCH, Verdict, message

ROOT = Path(__file__).resolve().parents[2]
RANKS = [1, 2, 3, 4, 5, 8]


def tests_of_ranks():
    spec = importlib.util.spec_from_file_location("tests_of_ranks", ROOT / "test/Mpi/run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class RankRunner:
    """Programs in a folder; limit: seconds that ranks may take."""

    def __init__(self, clang, plugin, folder, limit):
        self.clang, self.plugin, self.folder = clang, plugin, Path(folder)
        self.limit = limit
        self.tests = tests_of_ranks()
        self.flags = self.tests.wrapper_flags("mpicc")

    def command(self, level, source, program):
        compiling, linking = self.flags
        if level == self.tests.SYNCHRONOUS:
            linking = [*self.tests.synchronous_sends(program, self.clang, self.flags), *linking]
        return [self.clang, *self.tests.LEVELS[level], *compiling, f"-I{ROOT / 'include'}",
                f"-I{ROOT / 'test/Mpi'}", "-w", "-Xclang", "-load", "-Xclang", self.plugin,
                f"-fpass-plugin={self.plugin}", source, "-o", program, *linking, "-lm"]

    def judge(self, seeds, level, ranks):
        """The verdict of the functions of these seeds, as one program."""
        stem = self.folder / f"ranks-{seeds[0]}-{len(seeds)}"
        source, program = f"{stem}.c", str(stem)
        Path(source).write_text(communication.unit(seeds), encoding="utf-8")
        status, text = self.tests.run(self.command(level, source, program), 120)
        if status is None:
            return Verdict(HANG, "the compiler")
        if status:
            # Nothing that is generated is to be refused.
            return Verdict(CRASH, "the compiler: " + message(text))
        status, text = self.tests.run(self.tests.mpirun(ranks, program), self.limit)
        if status is None:
            return Verdict(HANG, f"deadlock of {ranks} ranks")
        if status == 0 and re.search(r"^\d+ tests, 0 failures$", text, re.M):
            return Verdict(AGREES, "", 3 * len(seeds))
        failure = re.search(r"^FAIL .*", text, re.M)
        said = failure or re.search(r"^adze: .*", text, re.M)
        return Verdict(MISMATCH if failure else CRASH, f"{ranks} ranks: "
                       f"{said.group() if said else message(text)}")

    def each(self, seeds):
        """(seed, level, ranks, verdict): of each function, at a level and on ranks
        that the first seed draws. Where the program fails, functions go alone."""
        draw = random.Random(f"ranks {seeds[0]}")
        level = draw.choice(sorted(self.tests.LEVELS))
        for ranks in sorted(draw.sample(RANKS, 3)):
            verdict = self.judge(seeds, level, ranks)
            if verdict.kind == AGREES:
                yield from ((seed, level, ranks, Verdict(AGREES, "", 3)) for seed in seeds)
                continue
            alone = [(seed, level, ranks, self.judge([seed], level, ranks)) for seed in seeds]
            if all(found.kind == AGREES for _, _, _, found in alone):
                alone[0] = (seeds[0], level, ranks, verdict)  # only together
            yield from alone
