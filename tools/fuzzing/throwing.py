# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in C++ that throw and catch: exceptions with active numbers, through several
frames, past destructors that write active numbers, out of constructors and of the library."""
from .records import RecordPieces

# Exceptions of several types, caught by value, by reference and by anything.
KINDS = """
struct Error$P { ?{int code; REAL v;?|REAL v; int code;?|char what[8]; REAL v; int code;?} };
struct Base$P {
  REAL v;
  explicit Base$P(REAL t) : v(t) {}
  virtual ~Base$P() = default;
  virtual REAL value() const { return v; }
};
struct Far$P : Base$P {
  REAL more;
  Far$P(REAL t, REAL u) : Base$P(t), more(u) {}
  REAL value() const override { return v*more; }
};
static $far REAL check$P(REAL v, int i) {
  switch (i & 7) {
  case 1: { Error$P e; e.v = ${v}; e.code = i; throw e; }
  case 2: throw Base$P(${v});
  case 3: throw Far$P(v, ${v});
  case 4: ?{throw i;?|if (v > 0.1) throw v; break;?|throw REAL(v*0.3);?}
  case 5: ?{throw "text";?|return v;?}
  }
  return sin(v);
}
PIECE {
  REAL r = 0.1*a;
  for (int i = 0; i < n; i++) {
    try {
      ?{w[i] += 0.1*r;?|?}
      r += 0.2*check$P(w[i]*a, at[i]);
      ?{y[i] = 0.5*y[i] + 0.1*r;?|?}
    } catch (?{const Error$P &?|Error$P ?|Error$P &?}e) {
      r = 0.7*r + 0.3*e.v*e.code*0.1;
      ?{continue;?|?}
    } catch (?{const Base$P &e?|Far$P &e?}) {
      r = 0.8*r + 0.2*e.value();
      ?{if (i > 12) break;?|w[i] = e.v;?|?}
    } ?{catch (REAL t) {
      r += 0.1*t;
    } ?|catch (int k) {
      r += 0.01*k*a;
    } ?|?}catch (...) {
      ?{r -= $e;?|r *= 0.9;?|?}
    }
    ?{r = 0.9*r;?|?}
  }
  return r;
}
"""

# Through several frames, past objects whose destructors write.
FRAMES = """
struct Restore$P {
  REAL &place;
  REAL last;
  explicit Restore$P(REAL &p) : place(p), last(p) {}
  ~Restore$P() { place = ?{last?|@*place + last?|sin(last)*place?}; }
};
struct Held$P {
  REAL *data;
  explicit Held$P(int n, REAL v) : data(new REAL[n]) { for (int i = 0; i < n; i++) data[i] = v*i; }
  Held$P(const Held$P &) = delete;
  ~Held$P() { delete[] data; }
};
static $far REAL deep$P(int k, REAL *w, REAL v) {
  ?{Restore$P keep(w[k]);?|Held$P keep(k + 2, v);?|std::vector<REAL> keep(k + 1, v);?|std::unique_ptr<REAL> keep(new REAL(v));?|?}
  w[k] = ${v};
  if (k == 0) {
    if (?{v > @?|w[3] > 0?|w[5] > w[6]?}) throw ?{v?|REAL(v*w[1])?|std::runtime_error("deep")?|k?};
    return v*w[2];
  }
  ?{Restore$P after(w[k + 1]);?|?}
  ?{REAL t = deep$P(k - 1, w, 0.8*v + 0.1);
  w[k + 2] += t;
  return t;?|return deep$P(k - 1, w, sin(v)) + 0.1*w[k];?|
  try {
    return deep$P(k - 1, w, 0.9*v);
  } catch (int) {
    throw;
  }?|
  try {
    return deep$P(k - 1, w, v + 0.1);
  } catch (...) {
    w[k] *= 0.5;
    ?{if (k == 2) return w[k];?|?}
    throw;
  }?}
}
PIECE {
  REAL r = 0.1*a;
  for (int i = 0; i < steps + 2; i++) {
    try {
      ?{Restore$P outer(y[i]);?|?}
      y[i] = r;
      r += 0.3*deep$P(?{3?|(at[i] & 3)?|5?}, w, w[i + 4]*a);
    } catch (REAL t) {
      r = 0.7*r + 0.2*t;
    } ?{catch (const std::exception &e) {
      r += 0.1*w[0];
    } ?|?}catch (...) {
      r = 0.9*r + 0.1*w[1];
    }
  }
  return r;
}
"""

# Handlers within handlers: thrown again, as something else, from there on.
NESTED = """
struct Wrong$P { REAL v; int depth; };
static $far void fail$P(REAL v, int k) { if (?{k & 1?|v > 0?|k > 3?}) throw Wrong$P{v, k}; }
static $far REAL middle$P(REAL v, int k) {
  try {
    fail$P(v, k);
    return 0.3*v;
  } catch (?{Wrong$P &e?|Wrong$P e?|const Wrong$P &e?}) {
    ?{throw Wrong$P{e.v*v, e.depth + 1};?|throw;?|if (e.depth > 4) throw; return e.v;?|
    try {
      fail$P(0.5*e.v, k + 1);
      return 0.4*e.v;
    } catch (const Wrong$P &f) {
      return f.v*e.v;
    }?|throw REAL(e.v*0.7);?}
  }
}
PIECE {
  REAL r = 0.1*a;
  ?{std::exception_ptr kept;?|?}
  for (int i = 0; i < ?{8?|n?}; i++) {
    try {
      try {
        r += 0.2*middle$P(w[i] + 0.1*r, at[i]);
        ?{fail$P(r, i);?|?}
      } catch (const Wrong$P &e) {
        r = 0.8*r + 0.1*e.v;
        ?{if (at[i] & 2) throw;?|fail$P(e.v, at[i] + i);?|throw Wrong$P{r*a, i};?|?}
      }
      ?{y[i] += 0.2*r;?|?}
    } catch (Wrong$P &e) {
      ?{e.v *= 0.5;?|?}
      r += 0.3*e.v;
    } catch (const REAL &t) {
      r -= 0.1*t;
    }
  }
  return r;
}
"""

# What the standard library throws.
LIBRARY = """
static $far REAL get$P(const std::vector<REAL> &v, int i) { return v.at(i); }
static $far int number$P(const char *t) { return std::stoi(t); }
PIECE {
  REAL r = 0.1*a;
  std::vector<REAL> v(w, w + 8);
  const char *texts[4] = {"3", "x", "12", ""};
  for (int i = 0; i < 8; i++) {
    try {
      ?{r += 0.2*get$P(v, at[i]);?|r += 0.2*v.at(at[i]);?|v.at(at[i]) = r;?}
      ?{r *= 0.1*number$P(texts[i & 3]);?|r *= 0.9;?|
      std::optional<REAL> o;
      if (at[i] & 1) o = w[i]*a;
      r += 0.1*o.value();?|
      std::map<int, REAL> m;
      m[at[1]] = w[i];
      r += m.at(at[i]);?|
      std::variant<int, REAL> u(i);
      if (at[i] & 1) u = w[i];
      r += 0.2*std::get<1>(u);?}
    } catch (const std::?{out_of_range?|exception?|logic_error?} &) {
      r = 0.7*r + 0.1*w[at[i]];
    } catch (...) {
      r = 0.9*r + a*0.1;
    }
  }
  return r + v[2];
}
"""

# Constructors that throw: what was built so far is destroyed.
BUILT = """
struct Part$P {
  REAL &sum;
  REAL v;
  Part$P(REAL &s, REAL t, bool bad) : sum(s), v(t) {
    if (bad) throw ?{REAL(t*0.5)?|std::runtime_error("bad")?|Wrong(t)?};
    sum += 0.2*v;
  }
  ~Part$P() { sum ?{-=?|+=?|*=?} 0.3*v; }
  struct Wrong { REAL v; explicit Wrong(REAL t) : v(t) {} };
};
struct Whole$P {
  Part$P first;
  ?{std::vector<REAL> many;?|std::unique_ptr<REAL> many;?}
  Part$P second;
  Whole$P(REAL &s, REAL t, int k) ?{try ?|?}: first(s, t, k == 1), many(?{?|?}), second(s, 0.5*t, k & 2) {
    if (k == 4) throw t;
  } BODY
  REAL value() const { return first.v*second.v; }
};
PIECE {
  REAL r = 0.1*a, sum = $e;
  for (int i = 0; i < ?{8?|steps + 4?}; i++) {
    try {
      ?{Whole$P whole(sum, w[i], at[i] & 7);
      r += 0.2*whole.value();?|
      std::unique_ptr<Whole$P> whole(new Whole$P(sum, w[i]*a, at[i] & 7));
      r += 0.2*whole->value();?|
      std::vector<std::unique_ptr<Part$P>> parts;
      for (int k = 0; k < 4; k++) parts.push_back(std::make_unique<Part$P>(sum, w[k], k == (at[i] & 3)));
      r += 0.2*parts[1]->v;?}
    } catch (const REAL &t) {
      r = 0.8*r + 0.1*t;
    } catch (const typename Part$P::Wrong &e) {
      r = 0.6*r + 0.2*e.v;
    } catch (const std::exception &) {
      r *= 0.9;
    }
    sum = sin(sum);
  }
  return r + sum;
}
"""
PLAIN = BUILT.replace("?{try ?|?}", "").replace("BODY\n", "\n")
TRIED = BUILT.replace("?{try ?|?}", "try ").replace("BODY\n", "catch (...) {\n    s += 0.1*t;\n    throw;\n  }\n")

# A step that is tried again with less of it; loops and functions left from within.
RETRIED = """
struct Rejected$P { REAL error; };
struct Count$P {
  REAL &total;
  int &live;
  Count$P(REAL &t, int &l) : total(t), live(l) { live++; }
  ~Count$P() noexcept { live--; total *= ?{0.9?|1 - 0.05*live?}; }
};
static $far REAL step$P(REAL u, REAL h, int &live, REAL &total) {
  Count$P count(total, live);
  const REAL next = u + h*sin(u) - ?{h*h*u?|0.1*h?};
  if (?{fabs(next - u) > 0.15?|h > 0.2?|(next - u)*(next - u) > 0.02?}) throw Rejected$P{next - u};
  return next;
}
static $far REAL solve$P(REAL u, REAL &total, int &live) {
  REAL h = 0.6;
  for (int tries = 0; tries < 6; tries++) {
    try {
      ?{u = step$P(u, h, live, total);
      if (tries > 2) return u;?|return step$P(u, h, live, total);?|u = step$P(u, h, live, total);
      break;?}
    } catch (const Rejected$P &e) {
      ?{h *= 0.5;?|h = 0.5*h - 0.01*e.error*h;?}
      ?{if (tries > 3) return u + e.error;
      continue;?|total += 0.1*e.error;?}
    }
    ?{total += 0.01*h;?|?}
  }
  return u;
}
PIECE {
  REAL r = 0.1*a, total = a;
  int live = 0;
  for (int i = 0; i < ?{4?|n?}; i++) {
    const REAL t = solve$P(w[i] + 0.5, total, live);
    ?{w[i] = t;?|r += 0.1*t;?}
    total = cos(total);
  }
  return r + total + 0.1*live;
}
"""

# Functions that cannot throw, handlers in destructors, and things run at the end of a scope.
ENDED = """
template <typename F> struct Last$P {
  F f;
  ~Last$P() { f(); }
};
static $far REAL safe$P(REAL v) noexcept {
  try {
    if (v > @) throw v;
    return 0.5*v;
  } catch (REAL t) {
    return ${t};
  }
}
static $far void may$P(REAL v, int k) { if (k > 6) throw std::runtime_error("k"); }
struct Quiet$P {
  REAL &p;
  int k;
  ~Quiet$P() {
    try {
      may$P(p, k);
      p += 0.1;
    } catch (const std::exception &) {
      p *= 0.7;
    }
  }
};
PIECE {
  REAL r = 0.1*a;
  for (int i = 0; i < 6; i++) {
    try {
      ?{Quiet$P q{r, at[i]};?|?}
      auto f = [&] { r = 0.8*r + 0.1*w[i]; };
      Last$P<decltype(f)> last{f};
      ?{std::unique_ptr<$R1> p(new $R1);
      make$R1(p.get(), w, i, a);
      r += 0.1*read$R1(p.get(), a);?|
      std::vector<std::string> names(2, "a long enough name of it");
      r += 0.01*names[1].size()*a;?|std::shared_ptr<REAL> p = std::make_shared<REAL>(w[i]);
      r += *p*a;?}
      r += 0.2*safe$P(w[i]);
      may$P(r, at[i]);
      ?{y[i] += r;?|?}
    } catch (const std::runtime_error &e) {
      r += e.what()[0] == 'k' ? (REAL)(0.1*w[i]) : (REAL)(a);
    }
  }
  return r;
}
"""


class ThrowingProgram(RecordPieces):
    language = "c++"
    small = 0
    pieces = [(2, KINDS), (3, FRAMES), (2, NESTED), (1, LIBRARY), (0.7, PLAIN), (0.7, TRIED),
              (2, RETRIED), (1, ENDED)]
