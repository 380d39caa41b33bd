# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: typed, with indices in range by construction, and bounded
where they are stored, so that values neither overflow nor lose all digits."""
from .source import BUDGET, LEN, MEMBER_LEN, STRUCTS, Writer


class Expressions(Writer):
    """Text of expressions over what a Scope has."""

    def const(self):
        return f"{self.r.uniform(-1, 1):.3f}"

    def int_expr(self, s, depth=0):
        """An int of any value that does not overflow."""
        choices = [(2, lambda: str(self.r.randrange(0, 9)))]
        if s.ints:
            choices.append((6, lambda: self.r.choice(s.ints)[0]))
        choices.append((2, lambda: f"at[{self.index(s, LEN, depth + 1)}]"))
        if depth < 2:
            choices.append((2, lambda: f"({self.int_expr(s, depth + 1)} & 31) "
                               f"{self.r.choice(['+', '*', '-', '^'])} "
                               f"{self.r.randrange(1, 7)}"))
        if not self.smooth and depth < 1:
            choices.append((1, lambda: f"(int)(4*{self.leaf(s)})"))
        return "(" + self.pick(choices)() + ")"

    def index(self, s, length, depth=0):
        """In [0, length), length a power of two."""
        near = []
        for text, low, high in s.ints:
            if low is None:
                continue
            for offset in (0, 0, 0, -1, 1, -2, 2):
                if low + offset >= 0 and high + offset < length:
                    near.append(f"{text}{offset:+d}" if offset else text)
            near += [f"{length - 1}-{text}"] if low >= 0 and high < length else []
            if low >= 0 and high // 2 < length:
                near.append(f"{text}/2")
        if near and self.chance(0.75):
            return self.r.choice(near)
        if self.chance(0.3) or depth > 2:
            return str(self.r.randrange(length))
        return f"({self.int_expr(s, depth)}) & {length - 1}"

    def places(self, s, write):
        """What names one number: (weight, (text, type, lengths of indices))."""
        found = [(1.5, (t, k, ())) for t, k, w in s.scalars if w or not write]
        for a in s.arrays + s.pointers:
            if a.write or not write:
                found.append((2, (a.text + "[@]", a.elem, (a.length,))))
        for base, struct, w in s.objects:
            if w or not write:
                found += [(1, p) for p in self.members(base, struct, ())]
        for row, struct, w in s.rows:
            if w or not write:
                found += [(1, p) for p in self.members(row + "[@].", struct, (STRUCTS,))]
        return found

    def members(self, base, struct, lengths):
        found = []
        for name, kind in struct.members:
            if kind in ("REAL", "SMALL"):
                found.append((base + name, kind, lengths))
            elif kind in ("array", "floats"):
                found.append((f"{base}{name}[@]", "REAL" if kind == "array"
                              else "SMALL", (*lengths, MEMBER_LEN)))
            elif kind == "pointer":
                found.append((f"{base}{name}[@]", "REAL", (*lengths, LEN)))
            elif kind == "nested":
                found += self.members(f"{base}{name}.", self.structs[0], lengths)
        return found

    def place(self, s, write=False):
        """(text, type) of one number, or None."""
        found = self.places(s, write)
        if not found:
            return None
        text, kind, lengths = self.pick(found)
        for length in lengths:
            text = text.replace("@", self.index(s, length), 1)
        return text, kind

    def leaf(self, s):
        if self.chance(0.12):
            return self.const()
        if self.chance(0.05) and s.ints:
            return f"(0.1*{self.r.choice(s.ints)[0]})"
        place = self.place(s)
        return place[0] if place else self.const()

    def expr(self, s, depth=0):
        """A number of any size."""
        self.cost += self.mult
        e = lambda: self.expr(s, depth + 1)
        if depth > 2 or self.chance(0.25):
            return self.leaf(s)
        rough = 0 if self.smooth else 1
        choices = [
            (8, lambda: f"({e()} {self.r.choice('++-')} {e()})"),
            (6, lambda: f"({e()} * {e()})"),
            (2, lambda: f"({e()} / (1.5 + {self.bounded(s, depth + 1)}))"),
            (5, lambda: self.bounded(s, depth)),
            (rough, lambda: f"({self.condition(s)} ? (REAL)({e()}) : (REAL)({e()}))"),
            (rough, lambda: f"f{self.r.choice(['min', 'max'])}({e()}, {e()})"),
            (rough, lambda: f"fabs({e()})"),
            (0.3 * rough, lambda: f"copysign({e()}, {e()})"),
            (0.3 * rough, lambda: f"fmod({e()}, 0.7)"),
            (0.3 * rough, lambda: f"(0.1*floor(4*{e()}))"),
            (0.5, lambda: f"fma({e()}, {e()}, {e()})"),
            (0.5, lambda: f"ldexp({e()}, -1)"),
        ]
        if self.floats:
            choices.append((2, lambda: f"(SMALL)({e()})"))
            choices.append((1, lambda: f"sinf({e()})"))
        call = self.call(s, depth)
        if call:
            choices.append((6, lambda: call))
        choices += self.more_expressions(s, depth)
        return self.pick(choices)()

    def more_expressions(self, s, depth):
        """(weight, function) of what only some kinds of program have."""
        return []

    def bounded(self, s, depth=0):
        """A number in about [-1, 1]."""
        e = lambda: self.expr(s, depth + 1)
        b = lambda: self.bounded(s, depth + 1) if depth < 3 else f"sin({self.leaf(s)})"
        return self.pick([
            (8, lambda: f"sin({e()})"), (3, lambda: f"cos({e()})"),
            (2, lambda: f"tanh({e()})"), (1, lambda: f"(0.6*atan({e()}))"),
            (1, lambda: f"exp(-1 - {b()})"),
            (1, lambda: f"(0.5*log(1.5 + {b()}))"),
            (1, lambda: f"(1/sqrt(1.2 + {b()}*{b()}))"),
            (1, lambda: f"(0.4*pow(1.3 + 0.5*{b()}, {b()}))"),
            (0.5, lambda: f"pow({b()}, {self.r.choice(['2', '3', '2.0'])})"),
            (1, lambda: f"(0.3*atan2({e()}, 1.5 + {b()}))"),
            (0.5, lambda: f"(0.3*atan2(1.5 + {b()}, {e()}))"),
            (1, lambda: f"(0.5*hypot({b()}, 1.5 + {b()}))"),
            (0.5, lambda: f"(0.7*cbrt(1.5 + {b()}))"),
            (0.5, lambda: f"erf({e()})"),
            (0.5, lambda: f"(0.3*log1p(1.2 + {b()}))"),
            (0.5, lambda: f"asin(0.7*{b()})"),
        ])()

    def condition(self, s):
        op = self.r.choice(["<", ">", "<=", ">="])
        if self.smooth or self.chance(0.3):
            return self.pick([
                (2, lambda: f"({self.int_expr(s)} & 3) {op} 2"),
                (1, lambda: f"{self.int_expr(s)} % 3 == 0"),
                (1, lambda: f"n {op} {self.r.randrange(12, 20)}")])()
        text = f"{self.leaf(s)} {op} {self.r.uniform(-.4, .4):.2f}"
        if self.chance(0.2):
            text = f"{text} {self.r.choice(['&&', '||'])} {self.condition(s)}"
        return "(" + text + ")"

    def call(self, s, depth=0, result="REAL"):
        """Text of a call of an earlier function, or None."""
        fits = [f for f in self.functions if f.result == result
                and f.cost * self.mult + self.cost < BUDGET]
        choices = []
        if fits and depth < 2:
            choices.append(lambda: self.call_of(s, self.r.choice(fits), depth))
        if result == "REAL" and depth < 2:
            if s.callbacks:
                choices.append(lambda: f"{self.r.choice(s.callbacks)}"
                               f"({self.bounded(s, depth + 1)}, {self.leaf(s)})")
        return self.r.choice(choices)() if choices else None

    def call_of(self, s, function, depth):
        args = []
        for kind, _ in function.params:
            text = self.argument(s, kind, function, depth)
            if text is None:
                return None
            args.append(text)
        self.cost += function.cost * self.mult
        return f"{function.name}({', '.join(args)})"

    def argument(self, s, kind, function, depth):
        need_long = function.leaks
        if kind in ("REAL", "SMALL"):
            return self.bounded(s, depth + 1)
        if kind == "int":
            return self.int_expr(s)
        if kind == "depth":
            return str(self.r.randrange(1, 4))
        if kind == "n":
            return "n"
        if kind == "at":
            return "at"
        if kind in ("array", "const array"):
            fits = [a.text for a in s.arrays + s.pointers if a.elem == "REAL"
                    and a.length == LEN and (a.write or kind == "const array")
                    and (a.lives or not need_long)]
            if kind == "array" or not need_long:
                for base, struct, w in s.objects:
                    fits += [base + m for m, k in struct.members if k == "pointer"]
            return self.r.choice(fits) if fits else None
        if kind == "callback":
            return self.r.choice(s.callbacks + self.leaves)
        tag, struct = kind
        if tag == "value":
            fits = [b for b, t, _ in s.objects if t is struct]
            fits = [b[:-1] if b.endswith(".") else f"*{b[:-2]}" for b in fits]
            fits += [f"{r}[{self.index(s, STRUCTS)}]" for r, t, _ in s.rows
                     if t is struct]
        elif tag == "pointer":
            fits = [b for b, t, w in s.objects if t is struct and w]
            fits = [f"&{b[:-1]}" if b.endswith(".") else b[:-2] for b in fits]
            fits += [f"&{r}[{self.index(s, STRUCTS)}]" for r, t, w in s.rows
                     if t is struct and w]
        else:
            fits = [r for r, t, w in s.rows if t is struct and w]
        return self.r.choice(fits) if fits else None
