# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nests of loops that overwrite one array and read it, with indices of rows
and columns: which element is written before it is read is all that matters."""
from .source import Writer

VARIABLES = ["i", "j", "k"]
INPUTS = 6


class Loop:
    """for (variable = low; variable < high; ...), or downwards."""

    def __init__(self, variable, low, high, down):
        self.variable, self.low, self.high, self.down = variable, low, high, down

    def head(self, kind):
        if self.down:
            return (f"for ({kind} {self.variable} = {self.high} - 1; "
                    f"{self.variable} >= {self.low}; {self.variable}--)")
        return (f"for ({kind} {self.variable} = {self.low}; "
                f"{self.variable} < {self.high}; {self.variable}++)")


class NestProgram(Writer):
    """One nest in a function of its own; f prepares its array."""

    def __init__(self, seed, size=1.0):
        super().__init__(seed, size)
        self.floats = False
        self.length, self.laps = INPUTS, 1
        self.rows = self.r.choice([3, 4, 5, 6])
        self.columns = self.r.choice([1, 2, 3, 4, 6, 7])
        self.kind = self.r.choice(["int", "long", "int", "size_t"])
        self.references = []  # (depth, index)
        self.loops = []
        for depth in range(self.r.randrange(1, 4)):
            self.loops.append(self.make_loop(depth))

    def make_loop(self, depth):
        outer = [v + more for v in VARIABLES[:depth] for more in (self.r.choice(["", "+1"]),)]
        low = self.r.choice(["0", "0", "1", "2"] + outer)
        signed = self.kind != "size_t"
        high = self.r.choice(["rows", "rows", "columns", "4"] +
                             (["rows-1"] if signed else []) + outer)
        return Loop(VARIABLES[depth], low, high, signed and self.chance(0.2))

    def index(self, depth):
        known = VARIABLES[:depth + 1]
        if self.chance(0.7):
            row = self.r.choice(["rows", "columns", "8", "rows", "(rows+1)"])
            text = (f"({self.r.choice(known)}{self.r.choice(['', '', '+1'])})*{row}"
                    f" + {self.r.choice(known)}")
        else:
            text = self.r.choice(known) + self.r.choice(["", "*2", "*3"])
            if self.chance(0.5):
                text += " + " + self.r.choice(known)
        # Unsigned, the way below 0 would leave the array at the other end.
        below = [] if self.kind == "size_t" else ["-1"]
        return text + self.r.choice(["", "", "+1", "+2", *below])

    def condition(self, depth):
        if depth == 0 or self.chance(0.75):
            return ""
        a, b = self.r.sample(VARIABLES[:depth + 1], 2)
        return f"if ({a} {self.r.choice(['<', '!=', '>', '==', '<='])} {b}) "

    def element(self, depth):
        index = self.index(depth)
        self.references.append((depth, index))
        return f"a[{index}]"

    def expr(self, depth, level=0):
        e = lambda: self.expr(depth, level + 1)
        if level > 1 or self.chance(0.4):
            return self.element(depth)
        return self.pick([
            (1, lambda: f"x[{VARIABLES[depth]} % {INPUTS}]"),
            (2, lambda: f"({e()} * {e()})"), (1, lambda: f"({e()} + {e()})"),
            (1, lambda: f"sin({e()})"), (1, lambda: f"exp(-{e()}*0.1)")])()

    def statement(self, depth):
        here, e = self.condition(depth), lambda: self.expr(depth)
        self.line(self.pick([
            (11, lambda: f"{here}{self.element(depth)} = 0.5*sin({e()});"),
            (4, lambda: f"{here}{self.element(depth)} += 0.1*sin({e()});"),
            (3, lambda: f"s = 0.5*s + 0.3*sin({e()});"),
            (2, lambda: f"{self.element(depth)} = ({VARIABLES[depth]} & 1) ? "
                        f"(REAL)sin({e()}) : (REAL)(0.3*sin({e()}));")])())

    def write_loops(self, depth):
        inmost = depth + 1 == len(self.loops)
        with self.block(self.loops[depth].head(self.kind)):
            for _ in range(self.r.randrange(1 if inmost else 0, 3)):
                self.statement(depth)
            if not inmost:
                self.write_loops(depth + 1)
                for _ in range(self.r.randrange(0, 3) if self.chance(0.5) else 0):
                    self.statement(depth)

    def extent(self):
        """(lowest, highest) index that the nest uses."""
        low = high = 0
        names = {"rows": self.rows, "columns": self.columns}

        def value(text, known):
            # Text of this class's making, over known numbers alone.
            return eval(text, {"__builtins__": {}}, {**names, **known})

        known_at = [{}]
        for depth, loop in enumerate(self.loops):
            deeper = []
            for known in known_at:
                for number in range(value(loop.low, known), value(loop.high, known)):
                    deeper.append({**known, loop.variable: number})
            known_at = deeper
            for known in known_at:
                for at, index in self.references:
                    if at == depth:
                        low = min(low, value(index, known))
                        high = max(high, value(index, known))
        return low, high

    def text(self):
        restrict = "__restrict " if self.chance(0.7) else ""
        apart = "__attribute__((noinline)) " if self.chance(0.5) else ""
        again = "for (int t = 0; t < columns % 3 + 1; t++) " if self.chance(0.3) else ""
        with self.block(f"{apart}static REAL nest(REAL *{restrict}a, const REAL *{restrict}x, "
                        f"{self.kind} rows, {self.kind} columns)"):
            self.line("REAL s = 0.1;")
            self.write_loops(0)
            self.line("return s;")
        low, high = self.extent()
        size = high - low + 1
        number = f"{self.rows} + (n - {INPUTS})", f"{self.columns} + (n - {INPUTS})"
        with self.block("static REAL f(REAL *x, REAL *y, REAL a, REAL b, int n, int steps, "
                        "const int *at, const REAL *c)"):
            self.line(f"{self.kind} rows = {number[0]}, columns = {number[1]};")
            self.line(f"REAL *block = (REAL *)malloc({size}*sizeof(REAL)), s = 0;")
            self.line(f"for (int i = 0; i < {size}; i++) block[i] = x[i % {INPUTS}] + "
                      f"0.1*i*a;")
            self.line(f"{again}s += nest(block + {-low}, x, rows, columns);")
            self.line(f"for (int i = 0; i < {size}; i++) s += block[i]*block[i]*(i+1)*0.1;")
            self.line(f"for (int i = 0; i < {INPUTS}; i++) y[i] += b*block[i % {size}];")
            self.line("free(block);")
            self.line("return s;")
        return "\n".join(self.out) + "\n"
