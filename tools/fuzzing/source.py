# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What generated programs are made of: what names a number, structures,
functions, scopes; and the writer that keeps text, random choices and cost."""
import contextlib
import random

LEN = 16          # of all arrays but those in structures
MEMBER_LEN = 4    # of arrays in structures
STRUCTS = 4       # elements of arrays of structures
BUDGET = 20000    # operations of one call of f, about


class Array:
    """A pointer to length numbers; lives: longer than what points to it."""

    def __init__(self, text, length=LEN, elem="REAL", write=True, lives=False):
        self.text, self.length, self.elem = text, length, elem
        self.write, self.lives = write, lives


class Struct:
    """A type: members are (name, kind), kind one of REAL SMALL int array
    floats pointer nested."""

    def __init__(self, name, members):
        self.name, self.members = name, members


class Function:
    """leaks: it keeps pointers that it is given."""

    def __init__(self, name, result, params, leaks):
        self.name, self.result, self.params = name, result, params
        self.leaks, self.cost = leaks, 1


class Scope:
    """What can be named at some place of a program."""

    def __init__(self, base=None):
        for kind in ("scalars", "arrays", "pointers", "objects", "rows", "ints",
                     "callbacks", "complexes"):
            setattr(self, kind, list(getattr(base, kind)) if base else [])


class Writer:
    """Lines of a program, and the random choices that make them."""

    language = "c"
    flags = ()  # of the compiler, of programs with derivatives

    def __init__(self, seed, size=1.0):
        self.r = random.Random(seed)
        self.seed, self.size = seed, size
        self.out, self.indent, self.names = [], 0, 20  # below: names with fixed numbers
        self.mult, self.cost = 1, 0
        self.floats = self.chance(0.3)
        self.smooth = self.chance(0.5)
        self.complex = False

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def line(self, text):
        self.out.append("  " * self.indent + text)

    @contextlib.contextmanager
    def block(self, head, times=1, tail="}"):
        """What is written within runs that many times."""
        self.line(head + " {")
        self.indent += 1
        self.mult *= times
        yield
        self.mult //= times
        self.indent -= 1
        self.line(tail)

    def chance(self, p):
        return self.r.random() < p

    def pick(self, options):
        """options: (weight, value) pairs."""
        return self.r.choices([v for _, v in options], [w for w, _ in options])[0]

    def count(self, low, high):
        """How many of something: fewer in small programs."""
        return self.r.randint(low, max(low, round(high * self.size)))
