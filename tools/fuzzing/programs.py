# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program by its seed, and several programs as one translation unit."""
import random
import re
from pathlib import Path

from .library import LibraryProgram
from .moves import BytesProgram
from .classes import CppProgram
from .generic import GenericProgram
from .handles import HandleProgram
from .nests import NestProgram
from .records import RecordProgram
from .state import StateProgram
from .stencils import StencilProgram
from .teams import TeamProgram
from .throwing import ThrowingProgram
from .wide import WideProgram

HERE = Path(__file__).resolve().parent
# Names that several programs of a unit would share.
TOP_LEVEL = re.compile(r"\b(f|fun\d+|leaf\d+|step\d+|S\d+|Node|Tagged|tagged|picked|"
                       r"nest|gd|ga|gs|Vec|Shape|Wave|Line|Step|Fixed|power|summed|folded|Twice|"
                       r"Bell|Guard|Running|Chain|Mode|Halves|bump|mixed|turned|steps_of|\w+_P)\b")
# With the weight 0: only where it is named.
KINDS = {"wide": (6, WideProgram), "stencil": (2.5, StencilProgram), "nest": (1.5, NestProgram),
         "cplusplus": (1, CppProgram), "handle": (0, HandleProgram),
         "generic": (0, GenericProgram), "record": (0, RecordProgram),
         "bytes": (0, BytesProgram), "throwing": (0, ThrowingProgram),
         "library": (0, LibraryProgram), "state": (2, StateProgram),
         "openmp": (0, TeamProgram)}
# Seeds of one block have the same language, and have second derivatives or
# not: both are a matter of the unit in which they are compiled.
BLOCK = 10
HEADERS = ["algorithm", "any", "array", "deque", "exception", "functional", "list", "map",
           "memory", "numeric", "optional", "queue", "set", "stdexcept", "string", "tuple",
           "unordered_map", "utility", "variant", "vector"]


class Program:
    """lines: its functions; tail: the lines that run it; loose: it computes
    in single precision somewhere, so rounding is that coarse."""

    def __init__(self, seed, kinds=None):
        self.seed = seed
        choice = random.Random(seed * 2654435761 + 1)
        names = [k for k in kinds or KINDS if KINDS[k][1].language in (None, language(seed))] or \
            kinds or list(KINDS)
        weights = [KINDS[k][0] or (1 if kinds else 0) for k in names]
        self.kind = choice.choices(names, weights)[0]
        made = KINDS[self.kind][1](seed, choice.choice([0.2, 0.5, 0.5, 1.0]))
        text = made.text()
        self.name = f"p{seed}"
        self.loose, self.language = made.floats, made.language or language(seed)
        self.complex, self.flags = made.complex, list(made.flags)
        self.lines = TOP_LEVEL.sub(rf"\1_{self.name}", text).rstrip("\n").split("\n")
        defined = {"NAME": self.name, "LENGTH": made.length, "LAPS": made.laps,
                   "SEED": f"{(seed * 7 + 3) % 2**31}u", **self.requests(choice)}
        self.second = "NESTED" in defined
        self.tail = [f"#define {name} {value}".rstrip() for name, value in defined.items()]
        self.tail.append('#include "program.h"')

    def requests(self, choice):
        """How its derivatives are asked for: what program.h is told."""
        found = {"SCALARS": choice.choices([2, 1, 0], [6, 1, 1])[0]}
        table = choice.choices(["", "TABLE_MOVES", "TABLE_PLAIN"], [5, 2, 2])[0]
        if table:
            found[table] = ""
        if choice.random() < 0.3:
            found["Y_UNNEEDED"] = ""
        if found["SCALARS"] == 2 and choice.random() < 0.3:
            found["VALUE"] = ""
        # Twice the rounding of single precision says nothing.
        if second_derivatives(self.seed) and not self.loose and table != "TABLE_MOVES":
            found["NESTED"] = choice.choices([12, 22, 21, 11], [4, 1, 2, 1])[0]
        return found

    def with_lines(self, lines):
        """The same program with other lines."""
        other = object.__new__(Program)
        other.__dict__.update(self.__dict__)
        other.lines = list(lines)
        return other


def language(seed):
    return "c++" if (seed - 1) // BLOCK % 10 == 2 else "c"


def second_derivatives(seed):
    return (seed - 1) // BLOCK % 9 == 1


def unit(programs):
    """The text of a translation unit that runs these programs."""
    parts = ["#define SECOND"] if any(p.second for p in programs) else []
    if programs[0].language == "c++":
        parts += [*(f"#include <{name}>" for name in HEADERS), "#define CPLUSPLUS"]
    parts.append('#include "check.h"')
    if any(p.complex for p in programs):
        parts.append('#include "cplx.h"')
    for program in programs:
        parts += [*program.lines, *program.tail]
    parts.append("static const struct Entry entries[] = {")
    parts += [f'    {{"{p.name}", run_{p.name}}},' for p in programs]
    parts += ["};", "int main(int argc, char **argv) {",
              f"  return run_all(entries, {len(programs)}, argc, argv);", "}"]
    return "\n".join(parts) + "\n"
