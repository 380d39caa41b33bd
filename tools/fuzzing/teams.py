# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP programs, free of races by construction, which compute without -fopenmp what they
compute with it, up to the order of sums.

Threads share arrays and scalars. Between two places where threads meet, each of these is
read, or written by the iterations of one loop at places of their own, or added to one
thread at a time, never two of them: that is what Interval keeps.
"""
from .expressions import Expressions
from .source import LEN, Array, Scope
from .worksharing import Worksharing

SIGNATURE = ("int n, int steps, const int *at, const int *order, const REAL *c, REAL a, "
             "REAL *x, REAL *y, REAL *w, REAL *v, REAL *u")
ARGUMENTS = "n, steps, at, order, c, a, x, y, w, v, u"
SCALARS = ["r0", "r1", "r2"]


class Shared:
    """What threads share: an array of this length, or a scalar (0)."""

    def __init__(self, text, length):
        self.text, self.length = text, length

    def index(self, text, bits):
        return f"{self.text}[({text}) & {self.length - 1}]" if bits else f"{self.text}[{text}]"


class Interval:
    """Of code between two places where all threads of a team meet."""

    def __init__(self, arrays, scalars):
        self.arrays, self.scalars = arrays, scalars
        self.meet()

    def meet(self):
        self.read, self.written = set(), set()

    def readable(self, of):
        return [s for s in of if s.text not in self.written]

    def free(self, of):
        return [s for s in of if s.text not in self.written | self.read]

    def reads(self, shared):
        self.read.add(shared.text)

    def writes(self, shared):
        self.written.add(shared.text)


class TeamProgram(Worksharing, Expressions):
    """Functions with regions, functions that regions call, and f that calls them."""

    language = None  # either
    flags = ("-fopenmp",)

    def __init__(self, seed, size=1.0):
        super().__init__(seed, size)
        self.functions, self.leaves, self.structs = [], [], []
        self.floats = self.chance(0.08)
        self.length, self.laps = LEN, self.r.randrange(1, 4)
        self.threads = self.r.choice([1, 2, 2, 3, 3, 8, 8])
        self.many = self.pick([(4, LEN), (2, 32), (1, 64)])  # numbers of w, v, u
        self.kernels, self.called = [], []
        # A third of the programs: any loop. Others avoid what is taken as it comes.
        self.steady = self.chance(0.5)

    # --- what can be named ---------------------------------------------------
    def shared(self, scalars):
        arrays = [Shared(t, LEN) for t in ("x", "y")] + \
                 [Shared(t, self.many) for t in ("w", "v", "u")]
        return Interval(arrays, [Shared(t, 0) for t in scalars])

    def scope(self, interval, own=(), uniform=True):
        """Some of what may be read now; own: (text, may be written)."""
        s = Scope()
        s.scalars = [("a", "REAL", False)] if uniform else []
        s.scalars += [(text, "REAL", write) for text, write in own]
        s.arrays = [Array("c", write=False)]
        s.ints = [("n", LEN, LEN), ("steps", 1, 3)]
        for shared in interval.readable(interval.arrays):
            if self.chance(0.5):
                interval.reads(shared)
                s.arrays.append(Array(shared.text, shared.length, write=False))
        for shared in interval.readable(interval.scalars):
            if self.chance(0.3):
                interval.reads(shared)
                s.scalars.append((shared.text, "REAL", False))
        return s

    # --- regions -------------------------------------------------------------
    def clauses(self):
        text = self.pick([(8, f" num_threads({self.threads})"), (1, " num_threads(steps + 1)"),
                          (1, f" num_threads(n > 8 ? {self.threads} : 1)"), (1, "")])
        text += self.pick([(12, ""), (1, " if(steps > 1)"), (1, " if(n > 3)"), (0.5, " if(0)"),
                           (0.5, " proc_bind(close)")])
        return text + self.pick([(6, ""), (1, " default(shared)")])

    def region(self, interval):
        """A region of several constructs."""
        interval.meet()
        private, extra = [], ""
        if self.chance(0.4):
            name = self.name("k")
            self.line(f"REAL {name} = 0.3*a + 0.1;")
            extra = f" firstprivate({name})"
            private.append((name, False))
        self.line(f"#pragma omp parallel{self.clauses()}{extra}")
        with self.block(""):
            for _ in range(self.count(1, 4)):
                self.part(interval, private, 0)
        interval.meet()

    def part(self, interval, private, depth):
        """Something that all threads of a team do alike."""
        self.pick([
            (8, lambda: self.construct(interval, private)),
            (1.5, lambda: self.private_scalar(interval, private)),
            (1, lambda: self.barrier(interval)),
            (1.5 if self.called else 0, lambda: self.orphan_call(interval)),
            (1.5 if depth < 2 else 0, lambda: self.uniform_loop(interval, private, depth)),
            (1 if depth < 2 else 0, lambda: self.uniform_if(interval, private, depth)),
        ])()

    def barrier(self, interval):
        self.line("#pragma omp barrier")
        interval.meet()

    def private_scalar(self, interval, private):
        name = self.name("p")
        s = self.scope(interval, private)
        self.line(f"REAL {name} = {self.bounded(s, 1)};")
        private.append((name, False))

    def orphan_call(self, interval):
        if interval.read or interval.written:
            self.barrier(interval)
        self.line(f"{self.r.choice(self.called)}({ARGUMENTS});")
        interval.meet()

    def uniform_loop(self, interval, private, depth):
        t = self.name("t")
        bound = self.r.choice(["steps", "2", "n/8", "3"])
        with self.block(f"for (int {t} = 0; {t} < {bound}; {t}++)", 3):
            mine = list(private)
            for _ in range(self.count(1, 2)):
                self.part(interval, mine, depth + 1)
            self.barrier(interval)

    def uniform_if(self, interval, private, depth):
        conditions = ["steps > 1", "n > 8", "at[3] & 1", "steps > 2"]
        conditions += [f"{name} > {self.r.uniform(-.3, .3):.2f}" for name, _ in private]
        with self.block(f"if ({self.r.choice(conditions)})"):
            mine = list(private)
            for _ in range(self.count(1, 2)):
                self.part(interval, mine, depth + 1)
        self.barrier(interval)

    # --- functions -----------------------------------------------------------
    def make_leaf(self, number):
        """A function of one iteration: reads around a place, or writes there."""
        apart = self.r.choice(["", "__attribute__((noinline)) "])
        s = Scope()
        s.scalars = [("t", "REAL", False), ("p[i]", "REAL", False)]
        if self.chance(0.5):
            with self.block(f"static {apart}REAL near{number}_P(const REAL *p, int i, REAL t, int n, const int *at)"):
                self.line("REAL r = 0.1*t;")
                with self.block(f"for (int k = 0; k < {self.r.choice([2, 4])}; k++)"):
                    s.ints.append(("k", 0, 3))
                    self.line(f"r = 0.5*r + p[(i + k*{self.r.choice([1, 3, 5])}) & {LEN - 1}]"
                              f"*{self.bounded(s, 1)};")
                self.line("return r;")
            self.near.append(f"near{number}_P")
        else:
            with self.block(f"static {apart}void put{number}_P(REAL *p, int i, REAL t, int n, const int *at)"):
                self.line(self.r.choice([
                    f"p[i] = {self.bounded(s)};", f"p[i] += 0.2*{self.bounded(s)};",
                    f"if ({self.condition(s)}) p[i] = 0.5*p[i] + 0.3*{self.bounded(s, 1)};"]))
            self.put.append(f"put{number}_P")

    def make_split(self, number):
        """A recursion by tasks: it reads p, writes its part of q, and returns a number."""
        s = Scope()
        s.scalars = [("t", "REAL", False), ("p[i]", "REAL", False), ("q[i]", "REAL", False)]
        with self.block(f"static __attribute__((noinline)) REAL split{number}_P(const REAL *p, REAL *q, "
                        "int low, int high, REAL t, int n, const int *at)"):
            name = f"split{number}_P"
            with self.block(f"if (high - low < {self.r.choice([2, 3, 5])})"):
                self.line("REAL r = 0.1*t;")
                with self.block("for (int i = low; i < high; i++)", 4):
                    self.line(f"q[i] = {self.bounded(s)};")
                    self.line("r = 0.5*r + 0.2*q[i]*p[i];")
                self.line("return r;")
            self.line("const int middle = low + (high - low)/2;")
            self.line("REAL l = 0.2, r = 0.1, m = 0.3*t;")
            if self.chance(0.3):
                self.line("q[middle] *= t;")
            parts = [("l", "low, middle"), ("r", "middle, high")]
            for k, (name_of, bounds) in enumerate(parts):
                scaled = self.r.choice(["t", "0.9*t", "0.5*t + 0.1*p[low]", "m", "t*m"])
                if k == 0 or self.chance(0.6):
                    self.line("#pragma omp task shared(%s)%s" % (name_of, self.pick(
                        [(8, ""), (1, " if(high - low > 3)"), (0.5, " untied"),
                         (0.5, " final(high - low < 4)")])))
                self.line(f"{name_of} = {name}(p, q, {bounds}, {scaled}, n, at);")
                if self.chance(0.15):
                    self.line("#pragma omp taskwait")
            if self.chance(0.4):
                with self.block("for (int i = low; i < high; i++)", 8):
                    self.line("m = 0.7*m + 0.1*p[i]*t;")
            self.line("#pragma omp taskwait")
            if self.chance(0.5):
                with self.block("for (int i = low + 1; i < high; i++)", 8):
                    self.line("q[i] = 0.5*q[i] + 0.2*q[i - 1]*m + 0.1*l;")
            self.line("return 0.4*l + 0.3*r*t + 0.1*l*m;")
        self.splits.append(f"split{number}_P")

    def make_called(self, number):
        """Worksharing that is not within a region here."""
        apart = self.r.choice(["", "__attribute__((noinline)) "])
        with self.block(f"static {apart}void share{number}_P({SIGNATURE})"):
            interval = self.shared([])
            for _ in range(self.count(1, 2)):
                self.construct(interval, [])
            self.barrier(interval)
        self.called.append(f"share{number}_P")

    def make_kernel(self, number):
        """Serial code with regions; returns a number."""
        apart = self.r.choice(["", "__attribute__((noinline)) "])
        with self.block(f"static {apart}REAL kernel{number}_P({SIGNATURE})"):
            for name in SCALARS:
                self.line(f"REAL {name} = {self.r.choice(['0.3', '0.1*a', '0.5 + 0.1*a', '0.2*w[3]'])};")
            interval = self.shared(SCALARS)
            for _ in range(self.count(1, 3)):
                self.pick([(3, self.region), (3, self.combined), (1, self.serial)])(interval)
            self.line("return 0.3*r0 + 0.2*r1 + 0.1*r2;")
        self.kernels.append(f"kernel{number}_P")

    def serial(self, interval):
        interval.meet()
        s = self.scope(interval)
        self.line(f"{self.r.choice(SCALARS)} = {self.bounded(s)};")
        target = self.r.choice(interval.arrays)
        with self.block(f"for (int i = 1; i < {target.length}; i++)", 16):
            self.line(f"{target.text}[i] = 0.6*{target.text}[i] + 0.3*{target.text}[i - 1]"
                      f"*{self.r.choice(SCALARS)};")
        interval.meet()

    # --- f -------------------------------------------------------------------
    def buffer(self, name):
        init = self.r.choice(["x[i & 15]*y[i & 15]", "0.3*x[i & 15]", "sin(x[i & 15]) + a",
                              "y[i & 15] - 0.1*b"])
        declared, freed = self.r.choice([
            (f"REAL {name}[{self.many}];", ""),
            (f"REAL *{name} = (REAL *)malloc({self.many}*sizeof(REAL));", f"free({name});"),
            (f"REAL *{name} = (REAL *)calloc({self.many}, sizeof(REAL));", f"free({name});"),
            (f"static REAL {name}[{self.many}];", "")])
        self.line(declared)
        self.line(f"for (int i = 0; i < {self.many}; i++) {name}[i] = {init};")
        return freed

    def make_f(self):
        with self.block("static REAL f(REAL *x, REAL *y, REAL a, REAL b, int n, int steps, "
                        "const int *at, const REAL *c)"):
            self.line("REAL s = 0.1*b;")
            self.line(f"int order[{self.many}];")
            self.line(f"for (int i = 0; i < {self.many}; i++) order[i] = "
                      f"(i*{self.r.choice([3, 5, 7, 9])} + 3) & {self.many - 1};")
            self.line(f"SET_THREADS({self.threads});")
            freed = [self.buffer(name) for name in ("w", "v", "u")]
            for name in self.kernels:
                moved = ARGUMENTS if self.chance(0.7) else ARGUMENTS.replace(
                    "w, v, u", self.r.choice(["v, u, w", "u, w, v", "v, w, u"]))
                call = f"s += {name}({moved.replace(' a,', self.r.choice([' a,', ' b,', ' a*b,', ' 0.3*s,']))});"
                self.line(self.pick([
                    (4, call), (1, f"if (n > {self.r.choice([8, 8, 30])}) {call}"),
                    (2, f"for (int t = 0; t < steps; t++) {call}"),
                    (1, f"if (x[{self.r.randrange(LEN)}] > {self.r.uniform(-.5, .2):.2f}) {call}")]))
            self.line(f"for (int i = 0; i < {self.many}; i++) s += 0.3*w[i] + w[i]*v[i] - 0.2*u[i]*u[i];")
            for text in freed:
                if text:
                    self.line(text)
            self.line("return s;")

    def text(self):
        self.near, self.put, self.splits = [], [], []
        for number in range(self.count(1, 3)):
            self.make_leaf(number)
        for number in range(self.r.choice([0, 0, 1, 2])):
            self.make_split(number)
        for number in range(self.r.choice([0, 0, 1, 1, 2])):
            self.make_called(number)
        for number in range(self.count(1, 3)):
            self.make_kernel(number)
        self.make_f()
        return "\n".join(self.out) + "\n"
