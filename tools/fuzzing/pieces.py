# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs made of pieces: functions that are written out, with random choices.

A piece is text of C or C++ over REAL, where

    let T: long | size_t     chooses once for the whole piece; $T is what was chosen
    ?{this?|or this?}        chooses here; choices may stand within choices
    block q                  q: 16 numbers on the stack, on the heap, or elsewhere
    done q                   frees them, if they are on the heap
    $e                       a number that depends on w, y, c and a
    ${v k}                   a number that depends on these
    $i                       an index below 16
    @                        a constant in [0.1, 0.6]
    $P                       makes a name of the top level this piece's own
    PIECE                    the head of the function that f calls

It sees w and y (16 active numbers each), the table c, the number a, the counts n (16)
and steps, and the indices at.
"""
import re

from .expressions import Expressions
from .source import LEN, Array, Scope

CHOICE = re.compile(r"\?\{((?:(?!\?\{|\?\}).)*)\?\}", re.DOTALL)
PARAMETERS = ("REAL *w, REAL *y, REAL a, int n, int steps, const int *at, const REAL *c")


class PieceProgram(Expressions):
    """A few of the kind's pieces, and f that calls them."""

    language = None  # either
    pieces = ()      # (weight, text)
    small = 0.1      # how many of the programs have numbers in single precision

    def __init__(self, seed, size=1.0):
        super().__init__(seed, size)
        self.functions, self.leaves, self.structs = [], [], []
        self.floats = self.chance(self.small)
        self.length, self.laps = LEN, self.r.randrange(1, 4)
        self.pieces_made = []

    # --- text of a piece -----------------------------------------------------
    def chosen(self, text):
        while True:
            match = CHOICE.search(text)
            if not match:
                return text
            text = text[:match.start()] + self.r.choice(match.group(1).split("?|")) + \
                text[match.end():]

    def number(self, names):
        s = Scope()
        s.scalars = [(name, "REAL", False) for name in names]
        return self.bounded(s, self.r.choice([2, 3]))

    def anything(self):
        s = Scope()
        s.scalars = [("a", "REAL", False)]
        s.arrays = [Array("w"), Array("y"), Array("c", write=False)]
        return self.bounded(s, self.r.choice([2, 2, 3]))

    def an_index(self):
        return self.r.choice([str(self.r.randrange(LEN)), f"at[{self.r.randrange(LEN)}]"])

    def block_of(self, name):
        """Declares 16 numbers; what frees them comes second."""
        init = (f"for (int i = 0; i < {LEN}; i++) {name}[i] = "
                f"{self.r.choice(['w[i]*y[i]', '0.3*w[i]', 'sin(w[i]) + a', 'y[i]'])};")
        return self.r.choice([
            (f"REAL {name}[{LEN}]; {init}", ""),
            (f"REAL *{name} = (REAL *)malloc({LEN}*sizeof(REAL)); {init}", f"free({name});"),
            (f"REAL *{name} = (REAL *)calloc(n, sizeof(REAL)); {init}", f"free({name});"),
            (f"static REAL {name}[{LEN}]; {init}", ""),
            (f"REAL *{name} = w;", ""), (f"REAL *{name} = y;", "")])

    def filled(self, text, fixed):
        """The lines of a piece with all choices made."""
        lines, names, frees = [], dict(fixed), {}
        for line in text.strip().split("\n"):
            match = re.match(r"let (\w+): ?(.*)$", line)
            if match:
                names[match.group(1)] = self.r.choice(match.group(2).split("|")).strip()
            else:
                lines.append(line)
        out = []
        for line in self.chosen("\n".join(lines)).split("\n"):
            words = line.split()
            if words[:1] == ["block"]:
                line, frees[words[1]] = self.block_of(words[1])
                line = "  " + line
            elif words[:1] == ["done"]:
                line = "  " + frees[words[1]]
            out.append(line)
        text = "\n".join(out)
        for name, value in sorted(names.items(), key=lambda kv: -len(kv[0])):
            text = text.replace("$" + name, value)
        text = re.sub(r"\$\{([^}]*)\}", lambda m: self.number(m.group(1).split()), text)
        text = re.sub(r"\$e\b", lambda m: self.anything(), text)
        text = re.sub(r"\$i\b", lambda m: self.an_index(), text)
        text = re.sub("@", lambda m: f"{self.r.uniform(.1, .6):.2f}", text)
        return [line for line in text.split("\n") if line.strip()]

    def make_piece(self, number):
        text = self.pick(self.pieces)
        apart = self.r.choice(["", "__attribute__((noinline)) "])
        head = f"{apart}static REAL piece$P({PARAMETERS})"
        fixed = {"P": f"{number}_P", "far": self.r.choice(["", "__attribute__((noinline)) "])}
        fixed.update(self.names_for(number))
        self.out += self.filled(text.replace("PIECE", head), fixed)
        self.pieces_made.append(f"piece{number}_P")

    def names_for(self, number):
        """More names that a piece may use: {name: text}."""
        return {}

    # --- f -------------------------------------------------------------------
    def make_f(self):
        with self.block("static REAL f(REAL *x, REAL *y, REAL a, REAL b, int n, int steps, "
                        "const int *at, const REAL *c)"):
            self.line("REAL s = 0.1*b;")
            self.line(f"REAL w[{LEN}];")
            self.line(f"for (int i = 0; i < {LEN}; i++) {{ w[i] = "
                      f"{self.r.choice(['x[i]', 'x[i]*(0.4 + b)', f'0.5*x[i] - x[{LEN - 1} - i]'])}"
                      f"; y[i] = {self.r.choice(['0.3*y[i]', '0.2*x[i]', '0.4*x[i]*b'])}; }}")
            for name in self.pieces_made:
                call = f"s += {name}(w, y, {self.r.choice(['a', 'b', 'a*b', 's'])}, n, steps, at, c);"
                self.line(self.pick([
                    (4, call), (1, f"if (n > {self.r.choice([8, 8, 30])}) {call}"),
                    (1, f"for (int t = 0; t < steps; t++) {call}"),
                    (1, f"if (x[{self.r.randrange(LEN)}] > {self.r.uniform(-.5, .2):.2f}) {call}")]))
            self.line(f"for (int i = 0; i < {LEN}; i++) {{ s += 0.3*w[i] + w[i]*y[i]; "
                      f"y[i] += 0.1*w[i]*s; }}")
            self.line("return s;")

    def text(self):
        for number in range(self.count(1, 3)):
            self.make_piece(number)
        self.make_f()
        return "\n".join(self.out) + "\n"
