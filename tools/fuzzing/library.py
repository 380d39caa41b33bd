# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in C++ that keep active numbers in what the standard library has: trees, tables,
lists, functions, owners, choices, and algorithms on them."""
from .records import RecordPieces

# map and multimap, by integers, strings, and active keys.
TREES = """
let K: int | std::string | long | std::pair<int, int>
static $far $K key$P(int i) {
  return KEY;
}
static $far void add$P(std::?{map<$K, REAL>?|map<$K, REAL>?} &m, int i, REAL v) {
  ?{m[key$P(i)] = v;?|m[key$P(i)] += v;?|auto it = m.find(key$P(i));
  if (it == m.end()) m.emplace(key$P(i), v);
  else it->second = 0.5*it->second + v;?|m.insert({key$P(i), v});?|m.insert_or_assign(key$P(i), v);?}
}
PIECE {
  REAL r = 0.1*a;
  std::map<$K, REAL> m;
  for (int i = 0; i < n; i++) {
    add$P(m, at[i], ${a}*w[i]);
    ?{if (at[i] > 10) m.erase(key$P(at[i] - 4));?|?}
  }
  ?{std::map<$K, REAL> copy = m;
  m.clear();
  m.swap(copy);?|?}
  for (?{auto &p : m) { p.second = sin(p.second); r += 0.2*p.second; }?|const auto &p : m) r = 0.8*r + 0.3*p.second;?|auto it = m.begin(); it != m.end(); ++it) r += 0.1*it->second*r;?|auto it = m.rbegin(); it != m.rend(); ++it) r = 0.9*r + 0.1*it->second;?}
  ?{auto it = m.lower_bound(key$P(4));
  if (it != m.end()) r += it->second;?|r += 0.01*m.size()*a;?|?}
  ?{std::multimap<int, REAL> u;
  for (int i = 0; i < n; i++) u.emplace(at[i] & 3, w[i]*r);
  auto range = u.equal_range(2);
  for (auto it = range.first; it != range.second; ++it) r += 0.1*it->second;?|
  std::multimap<REAL, int> u;
  for (int i = 0; i < 8; i++) u.emplace(w[i], i);
  int k = 1;
  for (auto &p : u) r += 0.05*p.first*k++*p.second;?|
  std::map<int, std::vector<REAL>> u;
  for (int i = 0; i < n; i++) u[at[i] & 3].push_back(w[i]*a);
  for (auto &p : u) r += 0.1*p.second.back()*p.second[0];?|
  std::map<int, struct $R1> u;
  for (int i = 0; i < 6; i++) make$R1(&u[at[i]], w, i, a);
  for (auto &p : u) r += 0.1*read$R1(&p.second, a);?}
  return r;
}
"""


def trees():
    """One piece for each type of keys."""
    keys = {"int": "?{i?|(i*5) & 15?}", "long": "i - 3L",
            "std::string": '?{std::string(1, (char)(97 + i))?|"a key that is long enough " + std::to_string(i)?}',
            "std::pair<int, int>": "{i & 3, i >> 2}"}
    for kind, key in keys.items():
        head = "let K: int | std::string | long | std::pair<int, int>"
        yield TREES.replace(head, f"let K: {kind}").replace("KEY", key)


# set and multiset of active numbers and of records in an order.
SETS = """
struct Item$P {
  REAL v;
  int id;
  bool operator<(const Item$P &o) const { return ?{v < o.v?|id < o.id?|id > o.id?}; }
};
PIECE {
  REAL r = 0.1*a;
  std::?{set?|multiset?}<Item$P> s;
  for (int i = 0; i < ?{8?|n?}; i++) {
    s.insert(Item$P{w[i]*a, at[i]});
    ?{if (s.size() > 5) s.erase(s.begin());?|?}
  }
  int k = 1;
  for (const Item$P &item : s) r = 0.8*r + 0.1*item.v*k++ + 0.01*item.id;
  ?{std::set<REAL, std::greater<REAL>> t(w, w + n);
  r += *t.begin()*a + *t.rbegin();?|
  std::set<int> t;
  for (int i = 0; i < n; i++) if (t.insert(at[i]).second) r += 0.1*w[i];?|
  std::priority_queue<REAL> t;
  for (int i = 0; i < 8; i++) t.push(w[i]*r);
  r += t.top();
  t.pop();
  r += 0.3*t.top();?|
  r += s.begin()->v*s.rbegin()->v;?}
  return r;
}
"""

# Hashed tables.
HASHED = """
let K: int | std::string | unsigned long
static $far $K key$P(int i) { return KEY; }
PIECE {
  REAL r = 0.1*a;
  std::unordered_map<$K, ?{REAL?|REAL?}> m?{;?|(4);?|; m.reserve(32);?}
  for (int i = 0; i < n; i++) {
    ?{m[key$P(at[i])] += w[i]*a;?|m.emplace(key$P(at[i]), ${a}*w[i]);?|m[key$P(i)] = w[i];?}
    ?{if (at[i] == 3) m.erase(key$P(at[i] + 1));?|?}
  }
  for (int i = 0; i < n; i++) {
    auto it = m.find(key$P(i));
    if (it != m.end()) { ?{it->second *= 0.7;?|?} r = 0.9*r + 0.1*it->second; }
  }
  ?{auto copy = m;
  r += copy.size()*0.01*a;
  for (int i = 0; i < n; i++) if (copy.count(key$P(i))) r += 0.1*copy[key$P(i)];?|
  std::unordered_map<int, struct $R1> u;
  for (int i = 0; i < 6; i++) make$R1(&u[at[i]], w, i, a);
  for (int i = 0; i < 6; i++) r += 0.1*read$R1(&u[at[i]], a);?|?}
  return r;
}
"""


def hashed():
    for kind, key in {"int": "i*3", "unsigned long": "i", "std::string":
                      '?{"k" + std::to_string(i)?|std::string(20 + i, (char)(97 + i))?}'}.items():
        yield HASHED.replace("let K: int | std::string | unsigned long",
                             f"let K: {kind}").replace("KEY", key)


# list, forward_list, deque.
LISTS = """
PIECE {
  REAL r = 0.1*a;
  std::list<?{REAL> u(w, w + 6)?|REAL> u?};
  for (int i = 0; i < n; i++) {
    ?{u.push_back(w[i]*a);?|u.push_front(w[i]);?|if (at[i] & 1) u.push_back(${a}*w[i]); else u.push_front(w[i]);?}
    ?{if (u.size() > 5) u.pop_front();?|if (i == 7) u.insert(std::next(u.begin()), r);?|?}
  }
  ?{u.sort();?|u.reverse();?|u.splice(u.begin(), u, std::next(u.begin(), 2));?|u.remove_if([](const REAL &v) { return v > 0.6; });?|
  std::list<REAL> other(3, a);
  u.splice(u.end(), other);?|?}
  ?{u.erase(u.begin());?|?}
  int k = 1;
  for (REAL &v : u) { ?{v *= 0.5;?|?} r = 0.9*r + 0.1*v*(k++ & 3); }
  std::deque<?{REAL?|REAL?}> d;
  for (int i = 0; i < ?{n?|70?}; i++) {
    ?{d.push_back(w[i & 15]*r);?|d.push_front(w[i & 15]);?|if (i & 1) d.push_back(w[i & 15]*a); else d.push_front(w[i & 15]);?}
    ?{if (d.size() > 6) d.pop_front();?|if (d.size() > 9) { r += 0.01*d.back(); d.pop_back(); }?|?}
  }
  ?{d.insert(d.begin() + 2, a*r);?|d.erase(d.begin() + 1);?|std::rotate(d.begin(), d.begin() + 3, d.end());?|?}
  for (size_t i = 0; i < d.size(); i++) r += 0.05*d[i]*(i & 1 ? 1 : -1);
  return r + d.front()*d.back();
}
"""

# vector of records: inserted, erased, moved, sorted.
RECORDS = """
PIECE {
  REAL r = 0.1*a;
  std::vector<struct $R1> v;
  ?{v.reserve(4);?|?}
  for (int i = 0; i < ?{7?|n?}; i++) {
    struct $R1 one;
    make$R1(&one, w, at[i], $e);
    ?{v.push_back(one);?|v.insert(v.begin(), one);?|v.insert(v.begin() + v.size()/2, one);?|v.emplace_back(one);?}
    ?{if (at[i] > 11) v.erase(v.begin() + v.size()/2);?|?}
  }
  ?{v.erase(v.begin() + 1, v.begin() + 3);?|v.erase(v.begin());?|v.resize(v.size() + 1, v[0]);?|
  std::vector<struct $R1> u = v;
  u.insert(u.begin() + 2, v.begin(), v.begin() + 3);
  v = ?{u?|std::move(u)?};?|std::vector<struct $R1> u(v.rbegin(), v.rend());
  v.swap(u);?|v.shrink_to_fit();?}
  ?{std::ORDER(v.begin(), v.end(), [](const struct $R1 &p, const struct $R1 &q) { return p.?{key < q.key?|v < q.v?|key > q.key?}; });?|
  std::stable_sort(v.begin(), v.end(), [](const struct $R1 &p, const struct $R1 &q) { return (p.key & 3) < (q.key & 3); });?|
  std::nth_element(v.begin(), v.begin() + 2, v.end(), [](const struct $R1 &p, const struct $R1 &q) { return p.v < q.v; });
  r += read$R1(&v[2], a);
  std::sort(v.begin(), v.end(), [](const struct $R1 &p, const struct $R1 &q) { return p.v < q.v; });?|
  std::reverse(v.begin(), v.end());?|v.erase(std::remove_if(v.begin() + 1, v.end(), [](const struct $R1 &p) { return p.key == 4; }), v.end());?|?}
  for (size_t i = 0; i < v.size(); i++) {
    ?{change$R1(&v[i], $e);?|?}
    r = 0.8*r + 0.2*read$R1(&v[i], a);
  }
  return r;
}
""".replace("ORDER", "?{sort?|stable_sort?|sort?}")

# function with captures of several sizes, in tables and as arguments.
FUNCTIONS = """
static $far REAL twice$P(const std::function<REAL(REAL)> &f, REAL t) { return f(f(t)); }
static $far std::function<REAL(REAL)> make$P(REAL k, int i, ?{REAL *w?|std::vector<REAL> w?}) {
  switch (i & 3) {
  case 0: return [k](REAL t) { return ${k t}; };
  case 1: return [=](REAL t) { return k*w[1] + t*w[i & 7]; };
  case 2: return [k, big = std::array<REAL, 4>{k, k*0.5, k*k, 0.1}](REAL t) { return big[1]*t + big[2]; };
  default: return [t0 = k](REAL t) mutable { t0 = 0.5*t0 + 0.1*t; return t0; };
  }
}
PIECE {
  REAL r = 0.1*a;
  std::vector<std::function<REAL(REAL)>> fs;
  for (int i = 0; i < 4; i++) fs.push_back(make$P($e, at[i], ?{VECTOR?|VECTOR?}));
  ?{std::swap(fs[0], fs[2]);?|fs[1] = fs[3];?|std::map<std::string, std::function<REAL(REAL)>> named;
  named["one"] = fs[1];
  named["two"] = [&r, a](REAL t) { return r*t + a; };
  r += 0.2*named["one"](r) + 0.1*named["two"](a);?|?}
  for (int i = 0; i < 6; i++) r = 0.7*r + 0.2*fs[at[i] & 3](w[i]);
  r += twice$P(fs[1], r) + 0.2*twice$P([&](REAL t) { return 0.3*t*w[2]; }, a);
  return r;
}
"""
BY_POINTER = FUNCTIONS.replace("?{REAL *w?|std::vector<REAL> w?}", "REAL *w").replace(
    "?{VECTOR?|VECTOR?}", "?{w?|y?}")
BY_VALUE = FUNCTIONS.replace("?{REAL *w?|std::vector<REAL> w?}", "std::vector<REAL> w").replace(
    "?{VECTOR?|VECTOR?}", "std::vector<REAL>(w, w + 8)")

# shared_ptr and weak_ptr, optional, variant, any.
OWNED = """
struct Tree$P {
  REAL v;
  std::shared_ptr<Tree$P> left, right;
  REAL sum() const { return v + (left ? (REAL)(0.5*left->sum()) : REAL(0.0)) + (right ? (REAL)(v*right->sum()) : REAL(0.0)); }
};
static $far std::shared_ptr<Tree$P> grown$P(int depth, const REAL *w) {
  auto t = ?{std::make_shared<Tree$P>()?|std::shared_ptr<Tree$P>(new Tree$P())?};
  t->v = w[depth];
  if (depth) {
    t->left = grown$P(depth - 1, w + 1);
    t->right = ?{depth & 1 ? t->left : grown$P(depth - 1, w)?|t->left?|grown$P(depth - 1, w + 2)?};
  }
  return t;
}
PIECE {
  REAL r = 0.1*a;
  auto t = grown$P(?{2?|3?}, w);
  ?{std::weak_ptr<Tree$P> weak = t->left;
  if (auto p = weak.lock()) p->v *= a;?|t->left->v += $e;?|auto other = t;
  other->v = ${a};?|auto left = t->left;
  t.reset();
  t = left;?}
  r += t->sum()*0.1;
  ?{std::vector<std::shared_ptr<REAL>> many;
  for (int i = 0; i < 8; i++) many.push_back(i & 1 ? many.back() : std::make_shared<REAL>(w[i]));
  for (auto &p : many) *p = 0.8**p + 0.1*a;
  r += *many[2]**many[5] + 0.01*many[1].use_count();?|
  std::unique_ptr<REAL[]> many(new REAL[n]);
  for (int i = 0; i < n; i++) many[i] = w[i]*r;
  r += many[3]*many[5];?|?}
  return r;
}
"""
CHOICES = """
struct Two$P { REAL u, v; };
using Any$P = std::variant<?{int, REAL, Two$P?|REAL, int, std::vector<REAL>, Two$P?|Two$P, std::string, int, REAL?}>;
static $far Any$P choice$P(int i, REAL v) {
  if (i % 3 == 0) return i;
  if (i % 3 == 1) return ${v};
  return Two$P{v, v*v};
}
static $far std::optional<REAL> maybe$P(REAL v, int i) {
  if (i & 1) return {};
  return ${v};
}
template <typename... F> struct Over$P : F... { using F::operator()...; };
template <typename... F> Over$P(F...) -> Over$P<F...>;
PIECE {
  REAL r = 0.1*a;
  std::vector<Any$P> v;
  for (int i = 0; i < 6; i++) v.push_back(choice$P(at[i], w[i]*a));
  ?{std::swap(v[0], v[3]);?|v[2] = v[4];?|v.erase(v.begin() + 1);?|v.insert(v.begin(), Any$P(r));?}
  for (auto &one : v) {
    ?{if (auto *p = std::get_if<REAL>(&one)) r += 0.2**p;
    else if (auto *q = std::get_if<Two$P>(&one)) { q->u *= 0.5; r += q->u*q->v; }?|
    r = 0.8*r + 0.2*std::visit(Over$P{[](int k) { return REAL(0.1*k); }, [&](REAL t) { return REAL(t*a); },
                                    [](const Two$P &t) { return REAL(t.u + t.v); }, [](const auto &) { return REAL(0.3); }}, one);?|
    r += std::holds_alternative<REAL>(one) ? (REAL)(std::get<REAL>(one)*0.3) : (REAL)(0.1*a);?}
  }
  for (int i = 0; i < 6; i++) {
    ?{r += 0.1*maybe$P(w[i], at[i]).value_or(a);?|if (auto o = maybe$P(w[i], i)) { *o *= 2; r += 0.1**o; }?|
    std::optional<Two$P> o;
    if (at[i] & 2) o = Two$P{w[i], a};
    if (o) r += o->u*o->v;?}
  }
  ?{std::any any = w[2]*a;
  std::any other = ?{any?|std::make_any<REAL>(r)?};
  r += std::any_cast<REAL>(other)*a;
  any = Two$P{r, a};
  r += std::any_cast<Two$P &>(any).v*0.1;?|
  std::tuple<REAL, int, Two$P> tuple{w[1], 2, Two$P{a, r}};
  auto [p, k, q] = tuple;
  std::get<0>(tuple) *= p;
  r += std::get<0>(tuple)*k*q.u;?|?}
  return r;
}
"""

# Algorithms on active numbers, with strings and streams of text in between.
ALGORITHMS = """
PIECE {
  REAL r = 0.1*a;
  std::vector<REAL> v(?{w, w + n?|y, y + 8?});
  std::string log?{;?|= "begin, a text of more than sixteen bytes";?}
  ?{std::sort(v.begin(), v.end());?|std::stable_sort(v.begin(), v.end());?|std::nth_element(v.begin(), v.begin() + 3, v.end());
  std::sort(v.begin() + 3, v.end());
  std::sort(v.begin(), v.begin() + 3);?|std::partial_sort(v.begin(), v.begin() + 4, v.end());
  std::sort(v.begin() + 4, v.end());?|std::make_heap(v.begin(), v.end());
  std::sort_heap(v.begin(), v.end());?|std::sort(v.begin(), v.end(), std::greater<REAL>());?}
  ?{log += std::to_string(v.size());
  r *= log.size() > 10 ? 0.5 : 0.7;?|?}
  ?{std::vector<int> order(v.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int i, int j) { return w[i] < w[j]; });
  for (size_t i = 0; i < order.size(); i++) r = 0.8*r + 0.1*v[order[i]];?|
  auto it = std::lower_bound(v.begin(), v.end(), REAL(0.1));
  r += (it - v.begin())*0.1*a + (it == v.end() ? a : *it);?|
  auto ends = std::minmax_element(v.begin(), v.end());
  r += *ends.first**ends.second;?|
  std::vector<std::pair<REAL, int>> pairs;
  for (size_t i = 0; i < v.size(); i++) pairs.emplace_back(v[i]*w[i], i);
  std::sort(pairs.begin(), pairs.end(), [](const auto &p, const auto &q) { return p.first < q.first; });
  for (auto &p : pairs) r = 0.9*r + 0.05*p.first*p.second;?|
  auto middle = std::partition(v.begin(), v.end(), [](const REAL &t) { return t > 0.1; });
  for (auto i = v.begin(); i != middle; ++i) r += 0.1**i*a;?}
  ?{v.insert(v.begin() + 2, r);?|v.insert(v.end(), w, w + 3);?|v.erase(std::unique(v.begin(), v.end()), v.end());?|v.assign(5, r);?}
  ?{std::vector<std::vector<REAL>> rows(3, std::vector<REAL>(v.begin(), v.begin() + 3));
  rows[1][2] = r;
  rows.push_back(rows[1]);
  r += rows[3][2]*rows[0][1];?|std::vector<std::string> names{"x", "a name that is on the heap"};
  r += names[at[1] & 1].size()*0.1*v[1];?|std::transform(v.begin(), v.end(), v.begin(), [&](const REAL &t) { return REAL(t*a); });?}
  return std::accumulate(v.begin(), v.end(), r);
}
"""


class LibraryProgram(RecordPieces):
    language = "c++"
    small = 0
    pieces = [*((0.6, text) for text in trees()), (1.5, SETS), *((0.6, text) for text in hashed()),
              (1.5, LISTS), (2, RECORDS), (0.7, BY_POINTER), (0.7, BY_VALUE), (1.5, OWNED),
              (2, CHOICES), (2, ALGORITHMS)]
