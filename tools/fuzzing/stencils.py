# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time loops over kernels with shifted indices: buffers that are swapped,
copied, overwritten in place, passed twice, with strides and conditions."""
from .source import Writer

UPWARDS = ["for (int i = 2; i < n - 2; i++)", "for (int i = n - 3; i >= 2; i--)",
           "for (int i = 2; i < n - 2; i += 2)", "for (int i = lo + 1; i < n - 2; i += step)",
           "for (int i = 3; i < n - 2; i++)", "for (int i = 2; i < 20; i++)",
           "for (int r = 0; r < step; r++) for (int i = 2; i < n - 2; i++)"]
WIDTH = 8  # of rows, where an array is taken as a matrix


class Kernel:
    """written: for each array whether the kernel may write to it."""

    def __init__(self, name, written, restrict):
        self.name, self.written, self.restrict = name, written, restrict


class StencilProgram(Writer):
    """Some kernels, and f that calls them on its buffers in a loop."""

    def __init__(self, seed, size=1.0):
        super().__init__(seed, size)
        self.floats = self.chance(0.15)
        self.element = "SMALL" if self.floats else "REAL"
        self.length = self.r.choice([24, 32, 40])
        self.laps = self.r.randrange(0, 4)
        self.kernels = []

    # --- expressions ---------------------------------------------------------
    def reference(self, name, variable, two):
        if two:
            near = ["", "", "-1", "+1"]
            return (f"{name}[(i{self.r.choice(near)})*{WIDTH}+j{self.r.choice(near)}]")
        return f"{name}[" + self.pick([
            (15, variable + self.r.choice(["", "", "-1", "+1", "-2", "+2"])),
            (2, str(self.r.randrange(2, 6))), (1.5, f"at[{variable}]"),
            (1, f"{variable}/2+1"), (0.7, f"n-1-{variable}")]) + "]"

    def leaf(self, names, variable, two):
        return self.pick([
            (15, lambda: self.reference(self.r.choice(names), variable, two)),
            (3, lambda: "s"), (1, lambda: f"c[{variable}]"),
            (2, lambda: f"{self.r.uniform(-1, 1):.2f}")])()

    def expr(self, names, variable, two, depth=0):
        e = lambda: self.expr(names, variable, two, depth + 1)
        if depth > 2 or self.chance(0.25):
            return self.leaf(names, variable, two)
        return self.pick([
            (5, lambda: f"({e()} + {e()})"), (3, lambda: f"({e()} - {e()})"),
            (4, lambda: f"({e()} * {e()})"), (1.5, lambda: f"sin({e()})"),
            (1, lambda: f"exp(-fabs({e()}))"),
            (1, lambda: f"({e()} > 0.05 ? (REAL)({e()}) : (REAL)({e()}))")])()

    def statement(self, names, writable, variable, two):
        e = lambda: self.expr(names, variable, two)
        target = self.reference(self.r.choice(writable), variable, two)
        leaf = self.leaf(names, variable, two)
        self.line(self.pick([
            (10, lambda: f"{target} = 0.4*sin({e()});"),
            (3, lambda: f"{target} += 0.1*sin({e()});"),
            (2, lambda: f"{target} = 0.5*{target} + 0.3*{leaf};"),
            (4, lambda: f"s = 0.5*s + 0.3*sin({e()});"),
            (2, lambda: f"if ({leaf} > {self.r.uniform(-.3, .3):.2f}) {target} = "
                        f"0.3*sin({e()});"),
            (0.0 if two else 0.8, lambda: f"if ({leaf} > 0.9) break;"),
            (0.8, lambda: f"if ({leaf} < -0.8) continue;")])())

    # --- kernels -------------------------------------------------------------
    def loop(self, names, writable):
        shape = self.r.random()
        if shape < 0.6:
            with self.block(self.r.choice(UPWARDS)):
                for _ in range(self.r.randrange(1, 4)):
                    self.statement(names, writable, "i", False)
        elif shape < 0.85:
            down = self.chance(0.2)
            outer = (f"for (int i = n/{WIDTH} - 2; i >= 1; i--)" if down else
                     f"for (int i = 1; i < n/{WIDTH} - 1; i++)")
            high = self.r.choice(["7", "7", "i+1"])
            with self.block(outer), self.block(f"for (int j = 1; j < {high}; j++)"):
                for _ in range(self.r.randrange(1, 3)):
                    self.statement(names, writable, "j", True)
        else:
            with self.block("for (int i = 2; i < 6; i++)"):
                with self.block("for (int j = 2; j < n - 2; j++)"):
                    for _ in range(self.r.randrange(1, 3)):
                        self.statement(names, writable, "j", False)
                self.statement(names, writable, "i", False)

    def make_kernel(self, number):
        names = [f"a{i}" for i in range(self.r.randrange(2, 5))]
        written = [self.chance(0.5) for _ in names]
        if not any(written):
            written[self.r.randrange(len(names))] = True
        kernel = Kernel(f"step{number}", written, self.chance(0.6))
        restrict = "__restrict " if kernel.restrict else ""
        parameters = ", ".join(f"{'' if w else 'const '}{self.element} *{restrict}{name}"
                               for name, w in zip(names, written))
        apart = "__attribute__((noinline)) " if self.chance(0.4) else ""
        with self.block(f"{apart}static REAL {kernel.name}(int n, int lo, int step, "
                        f"const int *at, REAL s, const REAL *c, {parameters})"):
            for _ in range(self.count(1, 3)):
                self.loop(names, [n for n, w in zip(names, written) if w])
            self.line("return s;")
        self.kernels.append(kernel)

    # --- f -------------------------------------------------------------------
    def call(self, buffers, constant):
        """What is written through a restrict pointer is passed once."""
        kernel = self.r.choice(self.kernels)
        chosen = []
        for write in kernel.written:
            fits = [b for b in buffers if not kernel.restrict or b not in chosen]
            if not write:
                fits = fits + [b for b in constant if not kernel.restrict or b not in chosen]
            chosen.append(self.r.choice(fits))
        self.line(f"s = {kernel.name}(n, lo, step, at, s, c, {', '.join(chosen)});")

    def between(self):
        """What happens to the buffers between two steps."""
        p = self.r.random()
        if p < 0.5:
            self.line(f"{{ {self.element} *w = p; p = q; q = w; }}")
        elif p < 0.65:
            self.line("for (int i = 0; i < n; i++) p[i] = 0.5*p[i] + 0.4*q[i];")
        elif p < 0.8:
            self.line(f"memcpy(p, q, n*sizeof({self.element}));")

    def make_f(self):
        t, size = self.element, self.length
        local = self.floats or self.chance(0.6)
        with self.block("static REAL f(REAL *x, REAL *y, REAL a, REAL b, int n, int steps, "
                        "const int *at, const REAL *c)"):
            self.line(f"int lo = 1 + (n & 1), step = 1 + (steps & 1); REAL s = 0.1*b;")
            if local:
                self.line(f"{t} b0[{size}], b1[{size}], *p = b0, *q = b1;")
            else:
                self.line("REAL *p = x, *q = y;")
            self.line(f"{t} b2[{size}], b3[{size}], *h = ({t} *)malloc(n*sizeof({t}));")
            first = "p[i] = x[i]; q[i] = 0.5*x[i]*y[i]; " if local else ""
            self.line(f"for (int i = 0; i < n; i++) {{ {first}b2[i] = x[n - 1 - i]; "
                      f"b3[i] = 0.3*a; h[i] = y[i]*0.7; }}")
            buffers = ["p", "q", "b2", "b3", "h"]
            constant = ["x"] if local and not self.floats else []
            if self.chance(0.8):
                with self.block("for (int t = 0; t < steps; t++)"):
                    for _ in range(self.count(1, 3)):
                        self.call(buffers, constant)
                    self.between()
            for _ in range(self.count(0, 2)):
                self.call(buffers, constant)
            self.line("for (int i = 0; i < n; i++) s += p[i]*(0.3 + 0.01*i) + q[i]*q[i] + "
                      "b2[i]*b3[i] - sin(h[i]);")
            if local:
                self.line("for (int i = 0; i < n; i++) y[i] += 0.2*q[i]*a;")
            self.line("free(h);")
            self.line("return s;")

    def text(self):
        for number in range(self.count(1, 3)):
            self.make_kernel(number)
        self.make_f()
        return "\n".join(self.out) + "\n"
