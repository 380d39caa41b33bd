# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs over most of C: structures, recursion, function pointers, the
heap, all loops and branches."""
from .complexes import TURNED, Complexes
from .source import LEN, MEMBER_LEN, STRUCTS, Array, Function, Scope, Struct

UNION = """
struct Tagged { int tag; union { REAL d; int i; } u; };
__attribute__((noinline)) static REAL tagged(const struct Tagged *t) {
  return t->tag == 1 ? 0.3*t->u.d : 0.01*t->u.i;
}
"""


class WideProgram(Complexes):
    """One program: structures, functions, and f over them."""

    def __init__(self, seed, size=1.0):
        super().__init__(seed, size)
        self.structs, self.functions, self.leaves, self.globals = [], [], [], []
        self.depth, self.loops = 0, 0
        self.inside, self.returns, self.guarded = 0, None, True
        self.needs_list = self.needs_union = False
        self.length, self.laps = LEN, self.r.randrange(1, 4)
        self.complex = self.chance(0.2)

    def more_expressions(self, s, depth):
        return self.complex_expressions(s)

    def more_statements(self):
        return self.complex_statements() if self.complex else []

    def make_structs(self):
        for number in range(self.count(0, 2)):
            kinds = ["REAL"]
            for _ in range(self.r.randrange(1, 5)):
                kinds.append(self.pick([
                    (3, "REAL"), (2 if self.floats else 0, "SMALL"), (3, "int"),
                    (2, "array"), (1 if self.floats else 0, "floats"),
                    (1.5, "pointer"), (2 if self.structs else 0, "nested")]))
            self.r.shuffle(kinds)
            struct = Struct(f"S{number}", [(f"m{i}", k) for i, k in enumerate(kinds)])
            text = {"REAL": "REAL {};", "SMALL": "SMALL {};", "int": "int {};",
                    "array": f"REAL {{}}[{MEMBER_LEN}];",
                    "floats": f"SMALL {{}}[{MEMBER_LEN}];",
                    "pointer": "REAL *{};", "nested": "struct S0 {};"}
            self.line(f"struct {struct.name} {{ " +
                      " ".join(text[k].format(m) for m, k in struct.members) +
                      self.methods(struct) + " };")
            self.structs.append(struct)

    def methods(self, struct):
        """Text of the member functions of a structure."""
        return ""

    def make_classes(self):
        """Types that f and its functions may use."""

    def make_leaves(self):
        for number in range(3):
            name = f"leaf{number}"
            s = Scope()
            s.scalars = [("a", "REAL", True), ("b", "REAL", True)]
            keep, self.smooth = self.smooth, True
            self.line(f"static REAL {name}(REAL a, REAL b) "
                      f"{{ return {self.simple(s)}; }}")
            self.smooth = keep
            self.leaves.append(name)

    def simple(self, s):
        return self.r.choice(["sin(a*b)", "0.7*a + 0.2*cos(b)", "a*a - 0.3*b",
                              "tanh(b)", "0.4", "exp(-a*a)*b"])

    def make_function(self, number):
        leaks = self.chance(0.35) and bool(self.structs)
        kinds = []
        for _ in range(self.r.randrange(1, 5)):
            options = [(3, "REAL"), (2, "int"), (3, "array"), (2, "const array"),
                       (0.7, "callback"), (1 if self.floats else 0, "SMALL")]
            for struct in self.structs:
                options += [(1, ("value", struct)), (1.5, ("pointer", struct)),
                            (1, ("row", struct))]
            kinds.append(self.pick(options))
        recursive = self.chance(0.2)
        if recursive:
            kinds.insert(0, "depth")
        kinds += ["n", "at"]
        results = [(5, "REAL"), (3, "void")]
        for struct in self.structs:
            if leaks or not self.has_pointer(struct):
                results.append((2, struct.name))
        result = self.pick(results)
        returned = next((t for t in self.structs if t.name == result), None)
        if returned and self.has_pointer(returned):
            kinds.insert(-2, "array")
        function = Function(f"fun{number}", result,
                            [(k, f"q{i}") for i, k in enumerate(kinds)], leaks)
        self.define(function, recursive)
        self.functions.append(function)

    def parameter(self, s, kind, name, leaks):
        """Text of one parameter; puts it into scope."""
        if kind in ("REAL", "SMALL"):
            s.scalars.append((name, kind, True))
            return f"{kind} {name}"
        if kind in ("int", "depth"):
            s.ints.append((name, None, None))
            return f"int {name}"
        if kind == "n":
            return "int n"
        if kind == "at":
            return "const int *at"
        if kind == "array":
            s.arrays.append(Array(name, lives=leaks))
            return f"REAL *{name}"
        if kind == "const array":
            s.arrays.append(Array(name, write=False))
            return f"const REAL *{name}"
        if kind == "callback":
            s.callbacks.append(name)
            return f"REAL (*{name})(REAL, REAL)"
        tag, struct = kind
        if tag == "value":
            s.objects.append((name + ".", struct, True))
            return f"struct {struct.name} {name}"
        if tag == "pointer":
            s.objects.append((name + "->", struct, True))
            return f"struct {struct.name} *{name}"
        s.rows.append((name, struct, True))
        return f"struct {struct.name} *{name}"

    def globals_in(self, s):
        for name, kind in self.globals:
            if kind == "REAL":
                s.scalars.append((name, "REAL", True))
            elif kind == "array":
                s.arrays.append(Array(name, lives=True))
            else:
                s.objects.append((name + ".", kind, True))

    def returning(self, function, s):
        if function.result == "void":
            return lambda s: "return;"
        if function.result == "REAL":
            return lambda s: f"return {self.expr(s, 1)};"
        struct = next(t for t in self.structs if t.name == function.result)

        def text(s):
            fits = [b[:-1] if b.endswith(".") else f"*{b[:-2]}"
                    for b, t, _ in s.objects if t is struct]
            return f"return {self.r.choice(fits)};"
        return text

    def define(self, function, recursive):
        s = Scope()
        params = [self.parameter(s, k, n, function.leaks) for k, n in function.params]
        self.globals_in(s)
        result = function.result
        if result.startswith("S"):
            result = "struct " + result
        attribute = self.r.choice(["", "", "__attribute__((noinline)) "])
        self.cost, self.mult, self.inside = 0, 1, 1
        with self.block(f"{attribute}static {result} {function.name}"
                        f"({', '.join(params)})"):
            # steps is f's own; here it is a small number of another origin.
            self.line("int steps = (n & 3) + 2;")
            if function.result.startswith("S"):
                struct = next(t for t in self.structs if t.name == function.result)
                v = self.name("s")
                self.line(f"struct {struct.name} {v};")
                self.fill_struct(s, v + ".", struct)
                s.objects.append((v + ".", struct, True))
            self.returns = self.returning(function, s)
            self.guarded = True
            self.statements(s, self.count(1, 5))
            if recursive:
                self.recurse(function, s)
            self.line(self.returns(s))
        function.cost = max(self.cost, 4) * (8 if recursive else 1)
        self.inside, self.returns = 0, None

    def recurse(self, function, s):
        """Calls of the function itself, outside of all loops."""
        depth = function.params[0][1]
        calls = self.r.randrange(1, 3)
        with self.block(f"if ({depth} > 0)"):
            for _ in range(calls):
                args = [f"{depth} - 1"]
                inner = Scope(s)
                for kind, name in function.params[1:]:
                    text = name if kind in ("n", "at") else \
                        self.argument(inner, kind, function, 2)
                    if kind == "n":
                        text = "n"
                    if kind == "at":
                        text = "at"
                    args.append(text if text is not None else name)
                call = f"{function.name}({', '.join(args)})"
                target = self.place(s, True)
                if function.result == "REAL" and target:
                    self.line(f"{target[0]} += 0.4*sin({call});")
                else:
                    self.line(call + ";")

    def make_f(self):
        s = Scope()
        s.scalars = [("a", "REAL", True), ("b", "REAL", True)]
        s.arrays = [Array("x", write=self.chance(0.3), lives=True), Array("c", write=False),
                    Array("y", lives=True)]
        self.cost, self.mult, self.inside = 0, 1, 0
        with self.block("static REAL f(REAL *x, REAL *y, REAL a, "
                        "REAL b, int n, int steps, const int *at, const REAL *c)"):
            self.line("REAL s = 0.1;")
            s.scalars.append(("s", "REAL", True))
            for name in ("b0", "b1"):
                self.line(f"REAL {name}[{LEN}];")
            self.line(f"REAL *h0 = (REAL *)malloc({LEN}*sizeof(REAL));")
            self.line(f"for (int i = 0; i < {LEN}; i++) {{ b0[i] = x[i]; b1[i] = "
                      f"0.5*x[i]*x[{LEN - 1} - i]; h0[i] = 0.7*x[i] + a; y[i] = "
                      f"0.2*x[i]; }}")
            s.arrays += [Array(v, lives=True) for v in ("b0", "b1", "h0")]
            if self.floats:
                self.line(f"SMALL e0[{LEN}]; for (int i = 0; i < {LEN}; i++) "
                          f"e0[i] = x[i]*c[i];")
                s.arrays.append(Array("e0", elem="SMALL"))
            for name, kind in self.globals:
                if kind == "REAL":
                    self.line(f"{name} = 0.3*b;")
                elif kind == "array":
                    self.line(f"for (int i = 0; i < {LEN}; i++) {name}[i] = 0.1*x[i];")
                else:
                    self.fill_struct(s, name + ".", kind)
            self.globals_in(s)
            self.line("REAL *p0 = b0, *p1 = b1;")
            s.pointers += [Array("p0", lives=True), Array("p1", lives=True)]
            for struct in self.structs:
                self.new_of(s, struct)
            self.guarded = False
            self.returns = None
            if self.chance(0.5):
                with self.block("for (int t = 0; t < steps; t++)", 3), self.loop():
                    inner = Scope(s)
                    inner.ints.append(("t", 0, 3))
                    self.depth = 1
                    self.statements(inner, self.count(1, 4))
                    self.depth = 0
            self.statements(s, self.count(1, 7))
            self.finish(s)

    def new_of(self, s, struct):
        v = self.name("s")
        self.line(f"struct {struct.name} {v};")
        self.fill_struct(s, v + ".", struct)
        s.objects.append((v + ".", struct, True))
        if self.chance(0.6):
            r = self.name("r")
            self.line(f"struct {struct.name} {r}[{STRUCTS}];")
            with self.block(f"for (int i = 0; i < {STRUCTS}; i++)"):
                inner = Scope(s)
                inner.ints.append(("i", 0, STRUCTS - 1))
                self.fill_struct(inner, f"{r}[i].", struct)
            s.rows.append((r, struct, True))

    def finish(self, s):
        self.line(f"for (int i = 0; i < {LEN}; i++) {{ s += 0.3*p0[i] + "
                  f"p1[i]*p1[i] + b0[i]*b1[i] - sin(h0[i]); "
                  f"y[i] += 0.1*p0[i]*s; }}")
        for name, kind in self.globals:
            if kind == "REAL":
                self.line(f"s += sin({name});")
            elif kind == "array":
                self.line(f"for (int i = 0; i < {LEN}; i++) s += 0.2*{name}[i];")
        for base, struct, _ in s.objects:
            for name, kind in struct.members:
                if kind in ("REAL", "SMALL"):
                    self.line(f"s += 0.3*sin({base}{name});")
        self.line("free(h0);")
        self.line("return s;")

    def make_globals(self):
        if self.chance(0.4):
            self.globals.append(("gd", "REAL"))
            self.line("static REAL gd;")
        if self.chance(0.3):
            self.globals.append(("ga", "array"))
            self.line(f"static REAL ga[{LEN}];")
        if self.structs and self.chance(0.3):
            self.globals.append(("gs", self.structs[0]))
            self.line(f"static struct {self.structs[0].name} gs;")

    def text(self):
        """The program; names of its top level are as in TOP_LEVEL."""
        self.make_structs()
        self.make_globals()
        self.make_leaves()
        self.line("static REAL *picked(REAL *a, REAL *b, int k) "
                  "{ return k & 1 ? a : b; }")
        if self.complex:
            self.out += TURNED.strip().splitlines()
        self.make_classes()
        prelude = len(self.out)
        for number in range(self.count(0, 4)):
            self.make_function(number)
        self.make_f()
        extra = []
        if self.needs_list:
            extra.append("struct Node { REAL v; int k; struct Node *next; };")
        if self.needs_union:
            extra += UNION.strip().splitlines()
        self.out[prelude:prelude] = extra
        return "\n".join(self.out) + "\n"
