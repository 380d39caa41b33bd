# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small pieces of programs in which differentiation has gone wrong before:
blocks of the heap, lists, unions, tables of pointers, odd counters."""
from .source import LEN, Array, Scope
from .statements import Statements


class Shapes(Statements):
    """Each method writes one piece into the function at hand."""

    def scratch(self, s):
        if self.mult > 200:
            return
        h, i = self.name("h"), self.name("i")
        elem = "SMALL" if self.floats and self.chance(0.3) else "REAL"
        how = self.r.choice([f"({elem} *)malloc(n*sizeof({elem}))",
                             f"({elem} *)calloc({LEN}, sizeof({elem}))"])
        with self.block(""):
            self.line(f"{elem} *{h} = {how};")
            with self.block(f"for (int {i} = 0; {i} < n; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                self.line(f"{h}[{i}] = {self.bounded(inner, 1)};")
            inner = Scope(s)
            inner.arrays.append(Array(h, elem=elem))
            before, self.guarded = self.guarded, False
            self.nested(inner, 1, 3)
            self.guarded = before
            self.line(f"free({h});")

    def grow(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        g, i, k, c = (self.name(x) for x in "gimc")
        with self.block(""):
            self.line(f"int {c} = 2, {k} = 0; REAL *{g} = "
                      f"(REAL *)malloc({c}*sizeof(REAL));")
            with self.block(f"for (int {i} = 0; {i} < n; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                if self.chance(0.5):
                    self.line(f"if ({self.condition(inner)}) continue;")
                self.line(f"if ({k} == {c}) {{ {c} *= 2; {g} = (REAL *)"
                          f"realloc({g}, {c}*sizeof(REAL)); }}")
                self.line(f"{g}[{k}++] = {self.bounded(inner)};")
                if self.chance(0.4):
                    self.line(f"{g}[{k}/2] *= {self.bounded(inner, 1)};")
            self.line(f"for (int {i} = 0; {i} < {k}; {i}++) "
                      f"{target[0]} += 0.1*{g}[{i}]*{g}[{k}-1-{i}];")
            self.line(f"free({g});")

    def linked(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        self.needs_list = True
        head, node, i = (self.name(x) for x in ("head", "node", "i"))
        with self.block(""):
            self.line(f"struct Node *{head} = 0;")
            with self.block(f"for (int {i} = 0; {i} < n; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                if self.chance(0.4):
                    self.line(f"if ({self.condition(inner)}) continue;")
                self.line(f"struct Node *{node} = (struct Node *)"
                          f"malloc(sizeof *{node});")
                self.line(f"{node}->v = {self.bounded(inner)}; {node}->k = {i}; "
                          f"{node}->next = {head}; {head} = {node};")
            self.line(f"for (struct Node *{node} = {head}; {node}; {node} = "
                      f"{node}->next) {target[0]} = 0.7*{target[0]} + 0.2*{node}->v"
                      f"*(1 + 0.1*{node}->k);")
            self.line(f"while ({head}) {{ struct Node *{node} = {head}->next; "
                      f"free({head}); {head} = {node}; }}")

    def tagged(self, s):
        target = self.place(s, True)
        if not target:
            return
        self.needs_union = True
        u = self.name("u")
        with self.block(""):
            self.line(f"struct Tagged {u};")
            self.line(f"if ({self.condition(s)}) {{ {u}.tag = 1; {u}.u.d = "
                      f"{self.bounded(s)}; }} else {{ {u}.tag = 2; {u}.u.i = "
                      f"{self.int_expr(s)}; }}")
            self.line(f"{target[0]} += tagged(&{u});" if self.chance(0.5) else
                      f"{target[0]} += {u}.tag == 1 ? 0.3*{u}.u.d : 0.01*{u}.u.i;")

    def matrix(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        m, i, j, k = (self.name(x) for x in "mijk")
        with self.block(""):
            self.line(f"REAL {m}[4][4], {m}b[4][4];")
            with self.block(f"for (int {i} = 0; {i} < 4; {i}++)", 4), \
                    self.block(f"for (int {j} = 0; {j} < 4; {j}++)", 4):
                inner = Scope(s)
                inner.ints += [(i, 0, 3), (j, 0, 3)]
                self.line(f"{m}[{i}][{j}] = {self.bounded(inner, 1)};")
                self.line(f"{m}b[{j}][{i}] = {self.r.choice(['0', self.bounded(inner, 2)])};")
            self.line(f"for (int {i} = 0; {i} < 4; {i}++) for (int {j} = 0; {j} < "
                      f"{self.r.choice(['4', i + ' + 1'])}; {j}++) for (int {k} = 0; "
                      f"{k} < 4; {k}++) {m}b[{i}][{j}] += {m}[{i}][{k}]*{m}[{k}][{j}];")
            self.line(f"{target[0]} += 0.1*{m}b[{self.index(s, 4)}][{self.index(s, 4)}]"
                      f" + 0.1*{m}b[1][2];")

    def pointer_table(self, s):
        to = [a for a in self.whole(s, True)]
        if not to or self.mult > 200:
            return
        q, i = self.name("pt"), self.name("i")
        rows = [self.r.choice(to).text for _ in range(3)]
        with self.block(""):
            self.line(f"REAL *{q}[4] = {{{', '.join(rows)}, {rows[0]}}};")
            if self.chance(0.4):
                self.line(f"{q}[{self.int_expr(s)} & 3] = {rows[1]};")
            with self.block(f"for (int {i} = 0; {i} < 4; {i}++)", 4):
                inner = Scope(s)
                inner.ints.append((i, 0, 3))
                self.line(f"{q}[{self.index(inner, 4)}][{self.index(inner, LEN)}] "
                          f"{self.r.choice(['=', '+='])} 0.4*{self.bounded(inner)};")
                inner.arrays.append(Array(f"{q}[{i}]"))
                self.nested(inner, 0, 2)

    def walk(self, s):
        to = self.whole(s, True)
        if not to or self.mult > 100:
            return
        a, q = self.r.choice(to).text, self.name("pt")
        # The pointer that is walked from may be changed within.
        with self.block(""):
            self.line(f"REAL *{q}b = {a};")
            head = self.r.choice([f"REAL *{q} = {q}b; {q} != {q}b + n; {q}++",
                                  f"REAL *{q} = {q}b + n; {q}-- > {q}b + 1;",
                                  f"REAL *{q} = {q}b; {q} < {q}b + {LEN}; {q} += 3"])
            with self.block(f"for ({head})", LEN), self.loop():
                inner = Scope(s)
                inner.scalars.append((f"(*{q})", "REAL", True))
                self.line(f"*{q} = 0.6*sin(*{q} + {self.expr(inner, 1)});")
                self.nested(inner, 0, 1)

    def long_double(self, s):
        target = self.place(s, True)
        if target:
            e = self.name("e")
            with self.block(""):
                self.line(f"WIDE {e} = {self.expr(s, 1)};")
                self.line(f"for (int i = 0; i < steps; i++) {e} = 0.5L*sinl({e})*{e} "
                          f"+ {self.bounded(s, 2)};")
                self.line(f"{target[0]} = (REAL)cosl({e});")

    def sort(self, s):
        target, sources = self.place(s, True), self.whole(s, False)
        if not target or not sources or self.mult > 10:
            return
        v, i, j = (self.name(x) for x in "vij")
        self.cost += 100 * self.mult
        with self.block(""):
            self.line(f"REAL {v}[8]; memcpy({v}, {self.r.choice(sources).text} + 3, "
                      f"sizeof {v});")
            self.line(f"for (int {i} = 0; {i} < 8; {i}++) for (int {j} = 0; {j} + 1 < "
                      f"8 - {i}; {j}++) if ({v}[{j}] > {v}[{j}+1]) {{ REAL w = "
                      f"{v}[{j}]; {v}[{j}] = {v}[{j}+1]; {v}[{j}+1] = w; }}")
            self.line(f"{target[0]} = {v}[{self.index(s, 8)}]*{v}[2] - 0.3*{v}[7];")

    def bit_fields(self, s):
        target = self.place(s, True)
        if target:
            v = self.name("v")
            with self.block(""):
                self.line(f"struct {{ unsigned a : 3; signed b : 5; REAL v; char c; "
                          f"short d; SMALL e; unsigned char f; }} {v}, {v}b;")
                self.line(f"{v}.a = {self.int_expr(s)} & 7; {v}.b = 3; {v}.v = "
                          f"{self.expr(s, 1)}; {v}.c = 2; {v}.d = {v}.a*2; "
                          f"{v}.e = 1; {v}.f = 1;")
                self.line(f"{v}b = {v}; {v}b.v *= {v}.a;")
                self.line(f"{target[0]} = 0.6*sin({v}b.v*({v}b.b + {v}b.c) + {v}b.d);")

    def through_bits(self, s):
        target, source = self.place(s, True), self.place(s)
        if target and source and target[1] == source[1] == "REAL":
            v = self.name("v")
            self.line(f"{{ long {v}[sizeof(REAL)/sizeof(long)]; REAL {v}d = "
                      f"{source[0]}; memcpy({v}, &{v}d, sizeof {v}); "
                      f"memcpy(&{target[0]}, {v}, sizeof {v}); }}")

    def copy_bytes(self, s):
        to = [o for o in s.objects if o[2]]
        if to:
            base, struct, _ = self.r.choice(to)
            source = self.r.choice([b for b, t, _ in s.objects if t is struct])
            address = lambda b: f"&{b[:-1]}" if b.endswith(".") else b[:-2]
            self.line(f"memmove({address(base)}, {address(source)}, "
                      f"sizeof(struct {struct.name}));")

    def odd_counter(self, s):
        if self.mult > 100:
            return
        k = self.name("i")
        head, low, high, times = self.r.choice([
            (f"unsigned {k} = n; {k}-- > 0;", 0, LEN - 1, LEN),
            (f"unsigned char {k} = 250; {k} >= 240; {k}--", None, None, 11),
            (f"short {k} = -4; {k} < 4; {k} += 2", None, None, 4),
            (f"long {k} = n - 1; {k} > 2; {k} /= 2", 3, LEN - 1, 3),
            (f"unsigned long {k} = 1; {k} < (unsigned long)n; {k} *= 2", 1, LEN - 1, 4),
            (f"SMALL {k} = 0; {k} < 0.8f; {k} += 0.25f", "SMALL", None, 4)])
        with self.block(f"for ({head})", times), self.loop():
            inner = Scope(s)
            if low == "SMALL":
                inner.scalars.append((k, "SMALL", False))
            else:
                inner.ints.append((f"(int){k}", low, high))
            self.nested(inner, 1, 2)

    def picked(self, s):
        to = self.whole(s, True)
        if to:
            a, b = self.r.choice(to).text, self.r.choice(to).text
            call = f"picked({a}, {b}, {self.int_expr(s)})"
            self.line(f"{call}[{self.index(s, LEN)}] "
                      f"{self.r.choice(['=', '+='])} 0.5*{self.bounded(s)};")
            if self.chance(0.5):
                q = self.name("pt")
                self.line(f"REAL *{q} = {call}, **{q}p = &{q};")
                self.line(f"if ({self.condition(s)}) *{q}p = {a};")
                s.pointers.append(Array(q))

    def static_table(self, s):
        target = self.place(s, True)
        if target:
            v = self.name("v")
            numbers = ", ".join(self.const() for _ in range(4))
            self.line(f"{{ static const REAL {v}[4] = {{{numbers}}}; {target[0]} "
                      f"+= {v}[{self.index(s, 4)}]*{self.leaf(s)}; }}")

    def variable_length(self, s):
        if self.mult > 50:
            return
        v, i = self.name("l"), self.name("i")
        with self.block(""):
            self.line(f"REAL {v}[n];")
            with self.block(f"for (int {i} = 0; {i} < n; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                self.line(f"{v}[{i}] = {self.bounded(inner, 1)};")
            inner = Scope(s)
            inner.arrays.append(Array(v))
            self.nested(inner, 1, 3)
