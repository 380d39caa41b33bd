# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in C++: all of what wide programs have in C, and classes with
constructors and destructors, inheritance and virtual functions, templates,
lambdas, references, operators, and what the standard library has for arrays."""
from .source import LEN, Array, Scope
from .wide import WideProgram

# Names of the top level here are as in programs.TOP_LEVEL; @ is a number.
CLASSES = """
class Vec {
  REAL *data;
  int count;
public:
  explicit Vec(int n, REAL value = 0.0) : data(new REAL[n]), count(n) {
    for (int i = 0; i < n; i++) data[i] = value;
  }
  Vec(const Vec &o) : data(new REAL[o.count]), count(o.count) {
    std::copy(o.data, o.data + count, data);
  }
  Vec(Vec &&o) noexcept : data(o.data), count(o.count) { o.data = nullptr; o.count = 0; }
  Vec &operator=(Vec o) { std::swap(data, o.data); std::swap(count, o.count); return *this; }
  ~Vec() { delete[] data; }
  REAL &operator[](int i) { return data[i]; }
  const REAL &operator[](int i) const { return data[i]; }
  REAL *begin() { return data; }
  REAL *end() { return data + count; }
  Vec &operator+=(const Vec &o) { for (int i = 0; i < count; i++) data[i] += o[i]; return *this; }
  friend Vec operator+(Vec a, const Vec &b) { a += b; return a; }
  friend Vec operator*(const Vec &a, const REAL &k) {
    Vec r(a.count);
    for (int i = 0; i < a.count; i++) r[i] = a[i]*k;
    return r;
  }
  REAL dot(const Vec &o) const {
    REAL s = 0.0;
    for (int i = 0; i < count; i++) s += data[i]*o[i];
    return s;
  }
};
"""
SHAPES = """
struct Shape {
  REAL scale;
  explicit Shape(REAL s) : scale(s) {}
  virtual ~Shape() = default;
  virtual REAL at(REAL t) const = 0;
  virtual void move(REAL by) { scale += @*by; }
};
struct Wave : Shape {
  REAL phase;
  Wave(REAL s, REAL p) : Shape(s), phase(p) {}
  REAL at(REAL t) const override { return scale*sin(t + phase); }
};
struct Line : Shape {
  REAL slope[2];
  Line(REAL s, REAL p) : Shape(s), slope{p, 0.3*s} {}
  REAL at(REAL t) const override { return @*scale*slope[0] + tanh(slope[1]*t); }
  void move(REAL by) override { slope[1] -= @*by; Shape::move(by); }
};
struct Step final : Wave {
  using Wave::Wave;
  REAL at(REAL t) const override { return t > @ ? Wave::at(t) : @*scale; }
};
"""
TEMPLATES = """
template <typename T, int N> struct Fixed {
  T e[N];
  static constexpr int size = N;
  T &operator()(int i) { return e[i & (N - 1)]; }
  T sum() const { T s = 0.0; for (const T &v : e) s += v; return s; }
  template <typename F> Fixed map(F f) const {
    Fixed r = *this;
    for (T &v : r.e) v = f(v);
    return r;
  }
};
template <int N> static REAL power(const REAL &x) {
  if constexpr (N == 0) return 1.0;
  else return x*power<N - 1>(x);
}
template <typename... T> static REAL summed(const T &...t) { return (... + REAL(t)); }
template <typename I, typename F> static REAL folded(I begin, I end, F f) {
  REAL s = 0.1;
  for (; begin != end; ++begin) s = f(s, *begin);
  return s;
}
template <typename D> struct Twice {
  REAL twice(REAL t) const {
    const D &d = static_cast<const D &>(*this);
    return d.one(t) + @*d.one(@*t);
  }
};
struct Bell : Twice<Bell> {
  REAL width;
  explicit Bell(REAL w) : width(w) {}
  REAL one(REAL t) const { return exp(-t*t*width*width); }
};
"""
SMALLS = """
struct Guard {
  REAL &place;
  REAL last;
  Guard(REAL &p, REAL l) : place(p), last(l) {}
  Guard(const Guard &) = delete;
  ~Guard() { place = @*place + last; }
};
struct Running {
  REAL sum = 0.0;
  int count = 0;
  void operator()(const REAL &v) { sum = 0.7*sum + @*v; count++; }
  REAL mean() const { return sum/(count + 1); }
};
struct Chain {
  REAL v;
  std::unique_ptr<Chain> next;
  Chain(REAL v, std::unique_ptr<Chain> n) : v(v), next(std::move(n)) {}
};
enum class Mode { slow = 1, fast = 4 };
struct Halves { REAL low, high; };
static void bump(REAL &r, const REAL &by, REAL k = 0.3) { r = 0.5*r + k*sin(by); }
static REAL mixed(const REAL &a) { return @*a; }
static REAL mixed(const REAL &a, int k) { return sin(@*k*a); }
"""


class CppProgram(WideProgram):
    """Its statements may also be those below, each of which writes a block."""

    language = "c++"

    def make_classes(self):
        for part in (CLASSES, SHAPES, TEMPLATES, SMALLS):
            for text in part.strip().splitlines():
                while "@" in text:
                    text = text.replace("@", f"{self.r.uniform(.1, .6):.2f}", 1)
                self.out.append(text)

    def methods(self, struct):
        numbers = [m for m, k in struct.members if k == "REAL"]
        first = numbers[0]
        return (f" REAL total() const {{ return {' + '.join(numbers)}; }}"
                f" struct {struct.name} &shift(const REAL &by) "
                f"{{ {first} = 0.6*{first} + 0.3*sin(by); return *this; }}")

    def more_expressions(self, s, depth):
        if depth > 1:
            return super().more_expressions(s, depth)
        e = lambda: self.bounded(s, depth + 1)
        found = [(1, lambda: f"power<{self.r.randrange(2, 5)}>({e()})"),
                 (0.7, lambda: f"summed({e()}, {self.int_expr(s)}, {self.leaf(s)})"),
                 (0.7, lambda: f"Bell({e()}).twice({e()})"),
                 (0.7, lambda: f"mixed({self.leaf(s)}{self.r.choice(['', ', 2'])})"),
                 (0.5, lambda: f"Wave({e()}, {e()}).at({self.leaf(s)})")]
        if not self.smooth:
            found.append((0.7, lambda: f"std::{self.r.choice(['min', 'max'])}<REAL>("
                                       f"{self.leaf(s)}, {e()})"))
        if s.objects:
            base = self.r.choice(s.objects)[0]
            found.append((1, lambda: f"{base}total()"))
        return found + super().more_expressions(s, depth)

    def more_statements(self):
        return super().more_statements() + [(1.6, make) for make in (
            self.vector, self.lambda_of_all, self.lambda_of_some, self.vec, self.shapes,
            self.owned_shapes, self.guard, self.reference, self.fixed, self.algorithms,
            self.pairs, self.standard_array, self.chain, self.handler, self.method,
            self.member_pointer)]

    # --- arrays ------------------------------------------------------------------
    def vector(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        v, i, e = self.name("v"), self.name("i"), self.name("e")
        with self.block(""):
            push = self.chance(0.5)
            self.line(f"std::vector<REAL> {v}" + (";" if push else "(n);"))
            if push and self.chance(0.5):
                self.line(f"{v}.reserve({self.r.choice(['n', '3'])});")
            with self.block(f"for (int {i} = 0; {i} < n; {i}++)", LEN):
                inner = Scope(s)
                inner.ints.append((i, 0, LEN - 1))
                value = self.bounded(inner, 1)
                self.line(f"{v}.{self.r.choice(['push_back', 'emplace_back'])}({value});"
                          if push else f"{v}[{i}] = {value};")
            inner = Scope(s)
            inner.arrays.append(Array(f"{v}.data()"))
            self.nested(inner, 0, 2)
            if self.chance(0.5):
                with self.block(f"for ({self.r.choice(['REAL', 'auto'])} &{e} : {v})", LEN):
                    inner.scalars.append((e, "REAL", True))
                    self.line(f"{e} = 0.7*sin({self.expr(inner, 1)});")
                    inner.scalars.pop()
            if self.chance(0.4):
                self.line(f"std::vector<REAL> {v}b = {v}; {v}b.resize(n + 3, {self.leaf(s)}); "
                          f"{v}.swap({v}b);")
            self.line(self.r.choice([
                f"{target[0]} += 0.1*std::accumulate({v}.begin(), {v}.end(), REAL(0.0));",
                f"for (REAL {e} : {v}) {target[0]} += 0.1*{e}*{e};",
                f"{target[0]} += {v}.back()*{v}.front();",
                f"while (!{v}.empty()) {{ {target[0]} += 0.1*{v}.back(); {v}.pop_back(); }}"]))

    def standard_array(self, s):
        target = self.place(s, True)
        if not target or self.mult > 100:
            return
        v, i = self.name("v"), self.name("i")
        with self.block(""):
            self.line(f"std::array<REAL, {LEN}> {v}, {v}b;")
            self.line(f"{v}.fill({self.bounded(s, 1)});")
            inner = Scope(s)
            inner.arrays.append(Array(f"{v}.data()"))
            self.nested(inner, 0, 2)
            self.line(f"{v}b = {v}; {v}b[{self.index(s, LEN)}] *= 0.5;")
            if self.chance(0.5):
                self.line(f"std::array<std::array<REAL, 4>, 3> {v}c{{}};")
                self.line(f"for (int {i} = 0; {i} < 12; {i}++) "
                          f"{v}c[{i}/4][{i} % 4] = {v}b[{i}]*{v}[{i} + 1];")
                self.line(f"for (const auto &row : {v}c) {target[0]} += 0.1*row[1]*row[2];")
            self.line(f"{target[0]} += 0.1*{v}b[{self.index(s, LEN)}];")

    def vec(self, s):
        target = self.place(s, True)
        if not target or self.mult > 20:
            return
        v, e = self.name("v"), self.name("e")
        self.cost += 100 * self.mult
        with self.block(""):
            self.line(f"Vec {v}(n, {self.leaf(s)}), {v}b = {v};")
            self.line(f"{v}[{self.index(s, LEN)}] = {self.bounded(s)};")
            self.line(f"{v}b += {v}*{self.bounded(s, 2)};")
            if self.chance(0.5):
                self.line(f"for (REAL &{e} : {v}b) {e} = sin({e} + {self.leaf(s)});")
            self.line(f"Vec {v}c = {v} + {v}b*0.3;")
            if self.chance(0.5):
                self.line(f"{v}b = {self.r.choice([f'std::move({v}c)', v])}; "
                          f"{v}c = Vec(n, 0.2);")
            self.line(f"{target[0]} = sin(0.1*{v}c.dot({v}) + {v}b[{self.index(s, LEN)}]);")

    def algorithms(self, s):
        target, to = self.place(s, True), self.whole(s, True)
        if not target or not to or self.mult > 20:
            return
        a, b, v, e = self.r.choice(to).text, self.r.choice(to).text, self.name("v"), self.name("e")
        self.cost += 100 * self.mult
        t = Scope()
        t.scalars = [(e, "REAL", False)]
        self.line(self.r.choice([
            f"std::transform({a}, {a} + n, {b}, [](REAL {e}) {{ return {self.bounded(t, 2)}; }});",
            f"std::reverse({a} + 1, {a} + {LEN - 2});",
            f"std::rotate({a}, {a} + {self.r.randrange(1, 9)}, {a} + n);",
            f"std::swap_ranges({a}, {a} + 8, {b} + 8);",
            f"std::fill({a} + 2, {a} + ({self.int_expr(s)} & 7) + 2, {self.leaf(s)});",
            f"{{ std::array<REAL, 8> {v}; std::copy({a}, {a} + 8, {v}.begin()); "
            f"std::sort({v}.begin(), {v}.end()); {target[0]} += {v}[2]*{v}[5]; }}",
            f"{target[0]} = 0.5*{target[0]} + 0.4*sin(*std::max_element({a}, {a} + n));",
            f"{target[0]} += 0.1*std::inner_product({a}, {a} + n, {b}, REAL(0.0));",
            f"{{ Running {v} = std::for_each({a}, {a} + n, Running()); "
            f"{target[0]} += {v}.mean(); }}",
            f"std::partial_sum({a}, {a} + 5, {a});",
            f"{target[0]} += 0.1*folded({a}, {a} + n, [](REAL s, REAL {e}) "
            f"{{ return 0.6*s + {self.bounded(t, 2)}; }});"]))

    # --- lambdas -----------------------------------------------------------------
    def lambda_of_all(self, s):
        target = self.place(s, True)
        if not target or self.mult > 100:
            return
        g, t = self.name("g"), self.name("t")
        with self.block(""):
            kept = self.guarded, self.returns, self.loops
            self.guarded, self.returns, self.loops = False, None, 0
            with self.block(f"auto {g} = [&](REAL {t}) -> REAL", 2, "};"):
                inner = Scope(s)
                inner.scalars.append((t, "REAL", True))
                self.nested(inner, 0, 2)
                self.line(f"return {self.bounded(inner, 1)};")
            self.guarded, self.returns, self.loops = kept
            if self.chance(0.2):
                self.line(f"std::function<REAL(REAL)> {g}f = {g};")
                g += "f"
            self.line(f"{target[0]} += 0.3*{g}({self.bounded(s, 1)});")
            if self.chance(0.5):
                self.line(f"if ({self.condition(s)}) {target[0]} *= {g}({self.leaf(s)});")

    def lambda_of_some(self, s):
        target, source = self.place(s, True), self.place(s, True)
        if not target or source[1] != "REAL":
            return
        g, t, k, r = (self.name(x) for x in "gtkr")
        inner = Scope()
        inner.scalars = [(t, "REAL", False), (k, "REAL", False), (r, "REAL", False)]
        change = self.chance(0.5)
        with self.block(""):
            with self.block(f"auto {g} = [{k} = REAL({self.expr(s, 1)}), &{r} = {source[0]}, at]"
                            f"(REAL {t}) {'mutable ' if change else ''}-> REAL", 3, "};"):
                self.line(f"{r} = 0.6*{r} + 0.2*{self.bounded(inner, 2)};")
                if change:
                    self.line(f"{k} = 0.7*{k} + 0.1*{t};")
                self.line(f"return {self.bounded(inner, 1)};")
            i = self.name("i")
            self.line(f"for (int {i} = 0; {i} < 3; {i}++) {target[0]} += 0.2*"
                      f"{g}({self.r.choice(['0.1*' + i, self.leaf(s)])});")
            if self.chance(0.4):
                self.line(f"auto {g}b = {g}; {target[0]} += {g}b(0.3) - {g}(0.2);")

    # --- classes -----------------------------------------------------------------
    def new_shape(self, s):
        kind = self.r.choice(["Wave", "Line", "Step"])
        return kind, f"{self.bounded(s, 1)}, {self.bounded(s, 2)}"

    def shapes(self, s):
        target = self.place(s, True)
        if not target:
            return
        v = self.name("v")
        with self.block(""):
            kind, values = self.new_shape(s)
            self.line(f"{kind} {v}a({values});")
            kind, values = self.new_shape(s)
            self.line(f"{kind} {v}b({values});")
            self.line(f"Shape &{v} = {self.condition(s)} ? static_cast<Shape &>({v}a) : {v}b;")
            self.line(f"{v}.move({self.leaf(s)});")
            self.line(f"{target[0]} += 0.4*{v}.at({self.bounded(s)});")
            if self.chance(0.4):
                self.line(f"{v}b = {kind}({values}); {target[0]} -= 0.2*{v}.scale*"
                          f"{v}b.at({self.leaf(s)});")

    def owned_shapes(self, s):
        target = self.place(s, True)
        if not target or self.mult > 50:
            return
        v, i, e = self.name("v"), self.name("i"), self.name("e")
        with self.block(""):
            self.line(f"std::vector<std::unique_ptr<Shape>> {v};")
            with self.block(f"for (int {i} = 0; {i} < 4; {i}++)", 4):
                inner = Scope(s)
                inner.ints.append((i, 0, 3))
                kind, values = self.new_shape(inner)
                self.line(f"if ({self.condition(inner)}) {v}.emplace_back(new {kind}({values}));")
                kind, values = self.new_shape(inner)
                self.line(f"else {v}.push_back(std::make_unique<{kind}>({values}));")
            self.line(f"for (auto &{e} : {v}) {{ {e}->move({self.leaf(s)}); "
                      f"{target[0]} += 0.2*{e}->at({self.leaf(s)}); }}")

    def guard(self, s):
        place = self.place(s, True)
        if place and place[1] == "REAL":
            with self.block(""):
                self.line(f"Guard {self.name('v')}({place[0]}, {self.bounded(s, 1)});")
                self.nested(s, 1, 2)

    def reference(self, s):
        places = [p for p in (self.place(s, True), self.place(s, True))
                  if p and p[1] == "REAL"]
        if not places:
            return
        r, first, last = self.name("r"), places[0][0], places[-1][0]
        if self.chance(0.3):
            self.line(f"bump({first}, {last}{self.r.choice(['', ', ' + self.leaf(s)])});")
        elif self.chance(0.3):
            self.line(f"std::swap({first}, {last});")
        else:
            with self.block(""):
                self.line(f"REAL &{r} = {self.condition(s)} ? {first} : {last};")
                inner = Scope(s)
                inner.scalars.append((r, "REAL", True))
                self.line(f"{r} = 0.7*{r} + 0.2*{self.bounded(inner)};")
                self.nested(inner, 0, 2)

    def fixed(self, s):
        target = self.place(s, True)
        if not target:
            return
        v, e = self.name("v"), self.name("e")
        values = ", ".join(f"REAL({self.bounded(s, 2)})" for _ in range(4))
        t = Scope(s)
        t.scalars.append((e, "REAL", False))
        with self.block(""):
            self.line(f"Fixed<REAL, 4> {v}{{{{{values}}}}};")
            self.line(f"{v}({self.int_expr(s)}) += {self.leaf(s)};")
            self.line(f"auto {v}b = {v}.map([&](REAL {e}) {{ return {self.bounded(t, 1)}; }});")
            self.line(f"{target[0]} += 0.2*{v}b.sum()*{v}(2);")

    def pairs(self, s):
        target, sources = self.place(s, True), self.whole(s, False)
        if not target or not sources or self.mult > 50:
            return
        v, i, a = self.name("v"), self.name("i"), self.r.choice(sources).text
        self.cost += LEN * self.mult
        with self.block(""):
            if self.chance(0.5):
                self.line(f"std::pair<REAL, int> {v}({a}[0], 0);")
                self.line(f"for (int {i} = 1; {i} < n; {i}++) if ({v}.first < {a}[{i}]) "
                          f"{v} = {{{a}[{i}], {i}}};")
                self.line(f"{target[0]} += 0.1*{v}.first*{v}.second;")
            else:
                self.line(f"auto {v} = [&](int k) {{ return std::make_tuple({a}[k]*{a}[k + 1], "
                          f"k + 1, {self.leaf(s)}); }};")
                self.line(f"auto [{v}a, {v}b, {v}c] = {v}({self.index(s, 8)});")
                self.line(f"{target[0]} += 0.1*{v}a*{v}b + 0.2*{v}c;")

    def chain(self, s):
        target = self.place(s, True)
        if not target or self.mult > 20:
            return
        v, i, e = self.name("v"), self.name("i"), self.name("e")
        with self.block(""):
            self.line(f"std::unique_ptr<Chain> {v};")
            with self.block(f"for (int {i} = 0; {i} < steps + 3; {i}++)", 6):
                inner = Scope(s)
                inner.ints.append((i, 0, 7))
                self.line(f"{v} = std::make_unique<Chain>({self.bounded(inner)}, "
                          f"std::move({v}));")
            self.line(f"for (Chain *{e} = {v}.get(); {e}; {e} = {e}->next.get()) "
                      f"{target[0]} = 0.8*{target[0]} + 0.2*{e}->v;")

    def handler(self, s):
        place = self.place(s, True)
        if place:
            with self.block("try"):
                self.line("if (n < 0) throw n;")
                self.nested(s, 1, 2)
            self.line(f"catch (int) {{ {place[0]} = 0.3; }}")

    def method(self, s):
        if not s.objects:
            return
        base, struct, write = self.r.choice(s.objects)
        if write:
            self.line(f"{base}shift({self.leaf(s)}).shift({self.bounded(s, 1)});")
        v = self.name("v")
        if self.chance(0.5) and write:
            self.line(f"{{ struct {struct.name} &{v} = "
                      f"{base[:-1] if base.endswith('.') else '*' + base[:-2]}; "
                      f"{v}.shift({v}.total()); }}")

    def member_pointer(self, s):
        target = self.place(s, True)
        if target:
            v = self.name("v")
            with self.block(""):
                self.line(f"Halves {v}{{REAL({self.leaf(s)}), REAL({self.bounded(s)})}};")
                self.line(f"REAL Halves::*{v}p = {self.condition(s)} ? &Halves::low : "
                          f"&Halves::high;")
                self.line(f"Mode {v}m = ({self.int_expr(s)} & 1) ? Mode::slow : Mode::fast;")
                self.line(f"{v}.*{v}p = 0.5*{v}.low + static_cast<int>({v}m)*{v}.high*0.1;")
                self.line(f"{target[0]} += 0.3*{v}.*{v}p;")
