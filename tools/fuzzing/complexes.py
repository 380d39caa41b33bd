# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numbers: variables, arrays on the stack and the heap, functions that
take and return them, transforms, and arrays of them taken for twice as many
real numbers. See cplx.h."""
from .shapes import Shapes
from .source import LEN, Array, Scope

TURNED = """
__attribute__((noinline)) static CPLX turned(CPLX z, const CPLX *by, REAL t) {
  return cbound(z**by + t);
}
static CPLX steps_of(CPLX z, int depth) {
  return depth > 0 ? 0.5*steps_of(cbound(z*z + 0.3), depth - 1) + z : CSIN(z);
}
"""


class Complexes(Shapes):
    """Of programs that have complex numbers (self.complex)."""

    def complex_leaf(self, s):
        options = [(3, lambda: self.r.choice(s.complexes))] if s.complexes else []
        options += [(1, lambda: f"MAKE({self.leaf(s)}, {self.leaf(s)})"),
                    (0.5, lambda: f"MAKE({self.const()}, {self.const()})")]
        return self.pick(options)()

    def complex_expr(self, s, depth=0):
        """A complex number of any size."""
        self.cost += 4 * self.mult
        e = lambda: self.complex_expr(s, depth + 1)
        if depth > 2 or self.chance(0.25):
            return self.complex_leaf(s)
        return self.pick([
            (4, lambda: f"({e()} {self.r.choice('+-')} {e()})"), (4, lambda: f"({e()} * {e()})"),
            (1, lambda: f"({e()} / (2.5 + {self.complex_bounded(s, depth + 1)}))"),
            (1, lambda: f"({e()} * (REAL)({self.leaf(s)}))"), (0.7, lambda: f"CONJ({e()})"),
            (0.7, lambda: f"(1.0 - {e()})"), (0.4, lambda: f"(-{e()})"),
            (4, lambda: self.complex_bounded(s, depth))])()

    def complex_bounded(self, s, depth=0):
        """One whose size is about 1 at most."""
        b = lambda: (self.complex_bounded(s, depth + 1) if depth < 3
                     else f"cbound({self.complex_leaf(s)})")
        return self.pick([
            (4, lambda: f"cbound({self.complex_expr(s, depth + 1)})"),
            (1, lambda: f"(0.4*CEXP({b()}))"), (1, lambda: f"(0.6*CSIN({b()}))"),
            (0.7, lambda: f"(0.6*CCOS({b()}))"), (0.7, lambda: f"CLOG(2.0 + {b()})"),
            (0.7, lambda: f"(0.6*CSQRT(2.0 + {b()}))"), (0.5, lambda: f"CTANH(0.5*{b()})"),
            (0.4, lambda: f"(0.3*CPOW(2.0 + {b()}, {b()}))"),
            (1, lambda: f"turned({b()}, &{self.r.choice(s.complexes)}, {self.bounded(s, 2)})"
                if s.complexes else b()),
            (0.4, lambda: f"(0.3*steps_of({b()}, {self.r.randrange(1, 4)}))")])()

    def real_of_complex(self, s):
        z = lambda: self.complex_bounded(s, 2)
        return self.pick([
            (2, lambda: f"RE({z()})"), (2, lambda: f"IM({z()})"),
            (1, lambda: f"CABS(1.5 + {z()})"), (0.5, lambda: f"CARG(2.0 + {z()})"),
            (1, lambda: f"RE({z()}*CONJ({z()}))")])()

    def complex_expressions(self, s):
        return [(2, lambda: self.real_of_complex(s))] if s.complexes else []

    def complex_statements(self):
        return [(3, self.complex_local), (4, self.complex_assign), (1, self.complex_array),
                (1, self.transform), (1, self.orbit), (1, self.complex_member)]

    def complex_local(self, s):
        z = self.name("z")
        self.line(f"CPLX {z} = {self.complex_bounded(s)};")
        s.complexes.append(z)

    def complex_assign(self, s):
        if not s.complexes:
            self.complex_local(s)
        z, target = self.r.choice(s.complexes), self.place(s, True)
        self.line(self.pick([
            (3, lambda: f"{z} = cbound({self.complex_expr(s)});"),
            (1, lambda: f"{z} = 0.5*{z} + {self.complex_bounded(s)};"),
            (1, lambda: f"{z} *= {self.complex_bounded(s)};"),
            (0.5, lambda: f"{z} /= 2.0 + {self.complex_bounded(s, 1)};"),
            (1, lambda: f"SET_{self.r.choice(['RE', 'IM'])}({z}, {self.bounded(s)});"),
            (0.5, lambda: f"{z} = {self.leaf(s)};"),
            (0.5, lambda: f"{{ CPLX *zp = &{z}; *zp -= 0.3*{self.complex_leaf(s)}; }}"),
            (2 if target else 0, lambda: f"{target[0]} += 0.3*{self.real_of_complex(s)};")])())

    def filled(self, s, text, count):
        """A loop that sets text[0] .. text[count - 1]."""
        i = self.name("i")
        with self.block(f"for (int {i} = 0; {i} < {count}; {i}++)", LEN):
            inner = Scope(s)
            inner.ints.append((i, 0, 7))
            self.line(f"{text}[{i}] = {self.complex_bounded(inner, 1)};")

    def complex_array(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        z = self.name("z")
        heap = self.chance(0.5)
        with self.block(""):
            self.line(f"CPLX *{z} = (CPLX *)malloc(8*sizeof(CPLX));" if heap else f"CPLX {z}[8];")
            self.filled(s, z, "8")
            inner = Scope(s)
            inner.complexes += [f"{z}[{self.index(s, 8)}]", f"{z}[{self.r.randrange(8)}]"]
            if self.chance(0.5):
                inner.arrays.append(Array(f"((REAL *){z})"))
            before, self.guarded = self.guarded, False
            self.nested(inner, 1, 3)
            self.guarded = before
            self.line(f"{target[0]} += 0.2*{self.real_of_complex(inner)};")
            if heap:
                self.line(f"free({z});")

    def transform(self, s):
        target = self.place(s, True)
        if not target or self.mult > 10:
            return
        z, i, j, k = (self.name(x) for x in "zijk")
        self.cost += 200 * self.mult
        sign = self.r.choice(["-", ""])
        with self.block(""):
            self.line(f"CPLX {z}[8];")
            self.filled(s, z, "8")
            self.line(f"for (int {k} = 1; {k} < 8; {k} *= 2) for (int {i} = 0; {i} < 8; "
                      f"{i} += 2*{k}) for (int {j} = {i}; {j} < {i} + {k}; {j}++) {{ "
                      f"CPLX w = CEXP(MAKE(0.0, {sign}3.14159265358979*({j} - {i})/{k})), "
                      f"t = w*{z}[{j} + {k}]; {z}[{j} + {k}] = {z}[{j}] - t; {z}[{j}] += t; }}")
            self.line(f"{target[0]} = 0.1*RE({z}[{self.index(s, 8)}]*CONJ({z}[3])) + "
                      f"0.2*IM({z}[{self.index(s, 8)}]);")

    def orbit(self, s):
        target = self.place(s, True)
        if not target or self.mult > 100:
            return
        z, k = self.name("z"), self.name("k")
        with self.block(""):
            self.line(f"CPLX {z} = {self.complex_bounded(s)}, {z}c = {self.complex_leaf(s)};")
            end = "" if self.smooth else f" && RE({z})*RE({z}) + IM({z})*IM({z}) < 4.0"
            self.line(f"for (int {k} = 0; {k} < steps + 2{end}; {k}++) "
                      f"{z} = 0.7*{z}*{z} + 0.3*{z}c;")
            self.line(f"{target[0]} += 0.2*{self.r.choice(['RE', 'IM'])}(cbound({z}));")

    def complex_member(self, s):
        target = self.place(s, True)
        if not target:
            return
        v = self.name("v")
        with self.block(""):
            self.line(f"struct {{ CPLX z; int k; CPLX w[2]; REAL r; }} {v}, {v}b;")
            self.line(f"{v}.z = {self.complex_bounded(s)}; {v}.k = {self.int_expr(s)} & 1; "
                      f"{v}.r = {self.leaf(s)};")
            self.line(f"{v}.w[0] = {v}.z*{v}.r; {v}.w[1] = {self.complex_leaf(s)}; {v}b = {v};")
            inner = Scope(s)
            inner.complexes += [f"{v}b.z", f"{v}b.w[{v}.k]"]
            self.nested(inner, 0, 2)
            self.line(f"{target[0]} += 0.2*RE({v}b.z*{v}b.w[{v}.k]);")
