# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program by its seed, and several programs as one translation unit."""
import random
import re
from pathlib import Path

from .nests import NestProgram
from .stencils import StencilProgram
from .wide import WideProgram

HERE = Path(__file__).resolve().parent
# Names that several programs of a unit would share.
TOP_LEVEL = re.compile(r"\b(f|fun\d+|leaf\d+|step\d+|S\d+|Node|Tagged|tagged|picked|"
                       r"nest|gd|ga|gs)\b")
KINDS = {"wide": (6, WideProgram), "stencil": (2.5, StencilProgram), "nest": (1.5, NestProgram)}


class Program:
    """lines: its functions; tail: the line that runs it; loose: it computes
    in single precision somewhere, so rounding is that coarse."""

    def __init__(self, seed, kinds=None):
        self.seed = seed
        choice = random.Random(seed * 2654435761 + 1)
        names = kinds or list(KINDS)
        self.kind = choice.choices(names, [KINDS[k][0] for k in names])[0]
        made = KINDS[self.kind][1](seed, choice.choice([0.2, 0.5, 0.5, 1.0]))
        text = made.text()
        self.name = f"p{seed}"
        self.loose = made.floats
        self.lines = TOP_LEVEL.sub(rf"\1_{self.name}", text).rstrip("\n").split("\n")
        self.tail = (f"PROGRAM({self.name}, {made.length}, {made.laps}, "
                     f"{(seed * 7 + 3) % 2**31}u)")

    def with_lines(self, lines):
        """The same program with other lines."""
        other = object.__new__(Program)
        other.__dict__.update(self.__dict__)
        other.lines = list(lines)
        return other


def unit(programs):
    """The text of a translation unit that runs these programs."""
    parts = ['#include "check.h"']
    for program in programs:
        parts += [*program.lines, program.tail]
    parts.append("static const struct Entry entries[] = {")
    parts += [f'    {{"{p.name}", run_{p.name}}},' for p in programs]
    parts += ["};", "int main(int argc, char **argv) {",
              f"  return run_all(entries, {len(programs)}, argc, argv);", "}"]
    return "\n".join(parts) + "\n"
