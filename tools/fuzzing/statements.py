# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simple statements, locals, branches and loops."""
import contextlib

from .expressions import Expressions
from .source import BUDGET, LEN, MEMBER_LEN, STRUCTS, Array, Scope


class Statements(Expressions):
    """Writes statements; what they may be stands in statement()."""

    def statements(self, s, count):
        for _ in range(count):
            self.statement(s)

    def nested(self, s, low=1, high=3):
        self.depth += 1
        self.statements(Scope(s), self.r.randrange(low, high + 1))
        self.depth -= 1

    def statement(self, s):
        deep = self.depth >= 3 or self.cost > BUDGET
        simple = [
            (10, self.assign), (2, self.add_to), (1.5, self.scatter),
            (1, self.copy_part), (1, self.clear_part), (1.5, self.choose_pointer),
            (1, self.copy_struct), (2, self.call_statement), (1, self.int_step),
            (1, self.new_local), (0.7, self.leave),
        ]
        compound = [
            (5, self.for_loop), (3, self.if_else), (1.5, self.while_loop),
            (1, self.goto_loop), (1.5, self.switch), (0.5, self.tagged),
            (0.7, self.do_loop),
        ]
        compound += [(0.6, make) for make in (
            self.matrix, self.pointer_table, self.walk, self.long_double,
            self.sort, self.bit_fields, self.through_bits, self.copy_bytes,
            self.odd_counter, self.picked, self.static_table,
            self.variable_length)]
        compound += [(1, self.scratch), (0.7, self.grow), (0.5, self.linked)]
        compound += self.more_statements()
        self.pick(simple if deep else simple + compound)(s)

    def more_statements(self):
        """(weight, method) of what only some kinds of program have."""
        return []

    def assign(self, s):
        target = self.place(s, True)
        if not target:
            return
        e = self.expr(s)
        self.line(self.pick([
            (5, f"{target[0]} = 0.8*sin({e});"),
            (2, f"{target[0]} = 0.5*{target[0]} + 0.4*cos({e});"),
            (1, f"{target[0]} = {self.leaf(s)};"),
            (1, f"{target[0]} *= 0.9*tanh({e});"),
            (0.5, f"{target[0]} = 0;"),
        ]))

    def add_to(self, s):
        target = self.place(s, True)
        if target:
            self.line(f"{target[0]} += 0.2*{self.bounded(s)};")

    def scatter(self, s):
        fits = [a for a in s.arrays + s.pointers if a.write and a.length == LEN]
        if fits:
            self.line(f"{self.r.choice(fits).text}[at[{self.index(s, LEN)}]] "
                      f"{self.r.choice(['+=', '-=', '='])} 0.3*{self.bounded(s)};")

    def whole(self, s, write):
        return [a for a in s.arrays + s.pointers if a.length == LEN
                and a.elem == "REAL" and (a.write or not write)]

    def copy_part(self, s):
        to, source = self.whole(s, True), self.whole(s, False)
        if not to:
            return
        count = self.r.choice(["2", "4", "8", "(n/4)", "(n & 7)"])
        high = 8
        self.cost += 8 * self.mult
        self.line(f"memmove({self.r.choice(to).text} + {self.r.randrange(high + 1)}, "
                  f"{self.r.choice(source).text} + {self.r.randrange(high + 1)}, "
                  f"{count}*sizeof(REAL));")

    def clear_part(self, s):
        to = self.whole(s, True)
        if to:
            self.line(f"memset({self.r.choice(to).text} + {self.r.randrange(9)}, 0, "
                      f"{self.r.choice(['2', '8', '(n & 7)'])}*sizeof(REAL));")

    def choose_pointer(self, s):
        fits = [p for p in s.pointers if p.text.startswith("p") and p.write]
        if not fits:
            return
        target = self.r.choice(fits)
        sources = [a for a in s.arrays + s.pointers if a.elem == "REAL"
                   and a.length == LEN and a.write and (a.lives or not target.lives)]
        if len(fits) > 1 and self.chance(0.4):
            p, q = self.r.sample(fits, 2)
            if p.lives == q.lives:
                w = self.name("w")
                self.line(f"{{ REAL *{w} = {p.text}; {p.text} = {q.text}; "
                          f"{q.text} = {w}; }}")
        elif sources:
            a, b = self.r.choice(sources), self.r.choice(sources)
            self.line(f"{target.text} = {self.condition(s)} ? {a.text} : {b.text};")

    def copy_struct(self, s):
        slots = [(b[:-1] if b.endswith(".") else f"(*{b[:-2]})", t, w)
                 for b, t, w in s.objects]
        slots += [(f"{r}[{self.index(s, STRUCTS)}]", t, w) for r, t, w in s.rows]
        to = [x for x in slots if x[2]]
        if not to:
            return
        text, struct, _ = self.r.choice(to)
        source = self.r.choice([x for x in slots if x[1] is struct])[0]
        call = self.call(s, 0, struct.name)
        if call and self.chance(0.6):
            self.line(f"{text} = {call};")
        else:
            self.line(f"{text} = {source};")

    def call_statement(self, s):
        call = self.call(s, 0, "void")
        if call:
            self.line(call + ";")
        else:
            call = self.call(s, 0)
            target = self.place(s, True)
            if call and target:
                self.line(f"{target[0]} = 0.7*sin({call});")

    def int_step(self, s):
        fits = [t for t, low, _ in s.ints if low is None and t.startswith("k")]
        if fits:
            k = self.r.choice(fits)
            self.line(f"{k} = ({k}*5 + {self.int_expr(s)}) & 15;")

    def new_local(self, s):
        choice = self.pick([(3, "REAL"), (2 if self.floats else 0, "SMALL"),
                            (1, "int"), (2, "array"), (1, "pointer"), (2, "struct"),
                            (1, "callback"), (1, "row")])
        if choice in ("REAL", "SMALL"):
            t = self.name("t")
            self.line(f"{choice} {t} = {self.bounded(s)};")
            s.scalars.append((t, choice, True))
        elif choice == "int":
            k = self.name("k")
            self.line(f"int {k} = {self.int_expr(s)};")
            s.ints.append((k, None, None))
        elif choice == "array":
            a = self.name("l")
            self.line(f"REAL {a}[{LEN}];")
            i = self.name("i")
            with self.block(f"for (int {i} = 0; {i} < {LEN}; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                self.line(f"{a}[{i}] = {self.bounded(inner, 1)};")
            s.arrays.append(Array(a, lives=self.inside == self.depth == 0))
        elif choice == "pointer":
            fits = [a for a in s.arrays + s.pointers
                    if a.elem == "REAL" and a.length == LEN and a.write]
            if fits:
                source = self.r.choice(fits)
                p = self.name("p")
                self.line(f"REAL *{p} = {source.text};")
                s.pointers.append(Array(p, lives=False))
        elif choice == "struct" and self.structs:
            self.new_struct(s)
        elif choice == "row" and self.structs:
            self.new_row(s)
        elif choice == "callback" and len(self.leaves) > 1:
            g = self.name("g")
            a, b = self.r.choice(self.leaves), self.r.choice(self.leaves)
            self.line(f"REAL (*{g})(REAL, REAL) = {self.condition(s)} "
                      f"? {a} : {b};")
            s.callbacks.append(g)

    def lasting(self, s):
        """An array that may be stored in a structure, or None."""
        fits = [a.text for a in s.arrays + s.pointers if a.elem == "REAL"
                and a.length == LEN and a.write and a.lives]
        return self.r.choice(fits) if fits else None

    def has_pointer(self, struct):
        return any(k == "pointer" or (k == "nested" and
                                      self.has_pointer(self.structs[0]))
                   for _, k in struct.members)

    def fill_struct(self, s, base, struct):
        for name, kind in struct.members:
            if kind in ("REAL", "SMALL"):
                self.line(f"{base}{name} = {self.bounded(s, 1)};")
            elif kind == "int":
                self.line(f"{base}{name} = {self.int_expr(s)};")
            elif kind in ("array", "floats"):
                i = self.name("i")
                self.line(f"for (int {i} = 0; {i} < {MEMBER_LEN}; {i}++) "
                          f"{base}{name}[{i}] = {self.bounded(s, 2)};")
            elif kind == "pointer":
                self.line(f"{base}{name} = {self.lasting(s)};")
            elif kind == "nested":
                self.fill_struct(s, f"{base}{name}.", self.structs[0])

    def new_struct(self, s):
        struct = self.r.choice(self.structs)
        if self.has_pointer(struct) and not self.lasting(s):
            return
        v = self.name("s")
        self.line(f"struct {struct.name} {v};")
        self.fill_struct(s, v + ".", struct)
        s.objects.append((v + ".", struct, True))

    def new_row(self, s):
        struct = self.r.choice(self.structs)
        if self.has_pointer(struct) and not self.lasting(s):
            return
        v, i = self.name("r"), self.name("i")
        self.line(f"struct {struct.name} {v}[{STRUCTS}];")
        with self.block(f"for (int {i} = 0; {i} < {STRUCTS}; {i}++)", STRUCTS):
            inner = Scope(s)
            inner.ints.append((i, 0, STRUCTS - 1))
            self.fill_struct(inner, f"{v}[{i}].", struct)
        s.rows.append((v, struct, True))

    def leave(self, s):
        if self.depth == 0 or not self.guarded:
            return
        how = self.r.choice(["break", "continue", "return"])
        if how == "return":
            if self.returns:
                self.line(f"if ({self.condition(s)}) {self.returns(s)}")
        elif self.loops:
            self.line(f"if ({self.condition(s)}) {how};")

    @contextlib.contextmanager
    def loop(self):
        before, self.loops = self.loops, 1
        yield
        self.loops = before

    def for_loop(self, s):
        i = self.name("i")
        head, low, high, times = self.pick([
            (4, (f"{i} = 0; {i} < n; {i}++", 0, LEN - 1, LEN)),
            (2, (f"{i} = 1; {i} < n - 1; {i}++", 1, LEN - 2, LEN)),
            (2, (f"{i} = n - 1; {i} >= 0; {i}--", 0, LEN - 1, LEN)),
            (1, (f"{i} = 0; {i} < n; {i} += 2", 0, LEN - 1, LEN // 2)),
            (1, (f"{i} = 2; {i} < {LEN}; {i} += 3", 2, LEN - 1, LEN // 3)),
            (2, (f"{i} = 0; {i} < 4; {i}++", 0, 3, 4)),
            (2, (f"{i} = 0; {i} < steps; {i}++", 0, 3, 4)),
            (1, (f"{i} = 0; {i} < (({self.int_expr(s)}) & 7); {i}++", 0, 7, 8)),
        ])
        if times * self.mult > 2000:
            return
        with self.block(f"for (int {head})", times), self.loop():
            inner = Scope(s)
            inner.ints.append((i, low, high))
            self.nested(inner)

    def while_loop(self, s):
        k, t = self.name("i"), self.place(s, True)
        if not t or 8 * self.mult > 2000:
            return
        self.line(f"int {k} = 0;")
        with self.block(f"while ({t[0]} < {self.r.uniform(0.2, 0.9):.2f} && {k} < 8)", 8), \
                self.loop():
            inner = Scope(s)
            inner.ints.append((k, 0, 7))
            self.line(f"{k}++;")
            inner.ints[-1] = (k, 0, 8)
            self.line(f"{t[0]} = 0.6*{t[0]} + 0.3*{self.bounded(inner)} + 0.25;")
            self.nested(inner, 0, 2)

    def do_loop(self, s):
        k = self.name("i")
        if 4 * self.mult > 2000:
            return
        self.line(f"int {k} = 0;")
        with self.block("do", 4, f"}} while (++{k} < steps);"), self.loop():
            inner = Scope(s)
            inner.ints.append((k, 0, 3))
            self.nested(inner, 1, 2)

    def goto_loop(self, s):
        k, label = self.name("k"), self.name("again")
        if 5 * self.mult > 2000:
            return
        with self.block(""):
            self.line(f"int {k} = 0;")
            self.line(f"{label}:;")
            with self.block("", 5):
                inner = Scope(s)
                inner.ints.append((k, 0, 4))
                before, self.loops = self.loops, 0
                self.nested(inner, 1, 2)
                self.loops = before
                self.line(f"if (++{k} < 5 && {self.condition(inner)}) goto {label};")

    def if_else(self, s):
        with self.block(f"if ({self.condition(s)})"):
            self.nested(s)
        if self.chance(0.6):
            with self.block("else"):
                self.nested(s)

    def switch(self, s):
        with self.block(f"switch (({self.int_expr(s)}) & 3)"):
            before, self.loops = self.loops, 0
            for case in range(self.r.randrange(2, 4)):
                with self.block(f"case {case}:"):
                    self.nested(s, 1, 2)
                if self.chance(0.7):
                    self.line("break;")
            if self.chance(0.5):
                with self.block("default:"):
                    self.nested(s, 1, 2)
            self.loops = before
