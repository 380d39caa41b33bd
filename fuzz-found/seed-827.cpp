// Seed 827, kind library, level forced: HANG.
// the compiler
// clang++-19 -std=c++17 -w -fno-color-diagnostics -fno-crash-diagnostics -I/work/main/tools/fuzzing -mllvm -fast-isel -mllvm -regalloc=fast -mllvm -optimize-regalloc=false -mllvm -disable-lsr -mllvm -enable-misched=0 -mllvm -disable-cgp -mllvm -disable-machine-licm -mllvm -disable-machine-cse -mllvm -disable-branch-fold -mllvm -disable-block-placement -O2 -Xclang -load -Xclang /work/main/build/lib/Adze.so -mllvm -adze-force-split -fpass-plugin=/work/main/build/lib/Adze.so fuzz-found/seed-827.cpp -lm -o a.out
#define SECOND
#include <algorithm>
#include <any>
#include <array>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#define CPLUSPLUS
#include "check.h"
__attribute__((noinline)) static REAL piece0_P_p827(REAL *w, REAL *y, REAL a, int n, int steps, const int *at, const REAL *c) {
  REAL r = 0.1*a;
  std::list<REAL> u(w, w + 6);
  u.splice(u.begin(), u, std::next(u.begin(), 2));
  u.erase(u.begin());
  int k = 1;
  for (REAL &v : u) { v *= 0.5; r = 0.9*r + 0.1*v*(k++ & 3); }
  std::deque<REAL> d;
  for (int i = 0; i < n; i++) {
    d.push_back(w[i & 15]*r);
  }
  std::rotate(d.begin(), d.begin() + 3, d.end());
  for (size_t i = 0; i < d.size(); i++) r += 0.05*d[i]*(i & 1 ? 1 : -1);
  return r + d.front()*d.back();
}
struct  R1x1_P_p827 { REAL v; short key; };
static __attribute__((noinline)) void makeR1x1_P_p827(struct R1x1_P_p827 *r, REAL *w, int i, REAL a) {
  r->v = sin(w[i & 15] + a); r->key = (i*7) % 11;
}
static __attribute__((noinline)) REAL readR1x1_P_p827(const struct R1x1_P_p827 *r, REAL a) {
  return r->v + 0.1*r->key;
}
static  std::string key1_P_p827(int i) { return "k" + std::to_string(i); }
__attribute__((noinline)) static REAL piece1_P_p827(REAL *w, REAL *y, REAL a, int n, int steps, const int *at, const REAL *c) {
  REAL r = 0.1*a;
  std::unordered_map<std::string, REAL> m; m.reserve(32);
  for (int i = 0; i < n; i++) {
    m[key1_P_p827(at[i])] += w[i]*a;
    if (at[i] == 3) m.erase(key1_P_p827(at[i] + 1));
  }
  for (int i = 0; i < n; i++) {
    auto it = m.find(key1_P_p827(i));
    if (it != m.end()) {  r = 0.9*r + 0.1*it->second; }
  }
  std::unordered_map<int, struct R1x1_P_p827> u;
  for (int i = 0; i < 6; i++) makeR1x1_P_p827(&u[at[i]], w, i, a);
  for (int i = 0; i < 6; i++) r += 0.1*readR1x1_P_p827(&u[at[i]], a);
  return r;
}
static REAL f_p827(REAL *x, REAL *y, REAL a, REAL b, int n, int steps, const int *at, const REAL *c) {
  REAL s = 0.1*b;
  REAL w[16];
  for (int i = 0; i < 16; i++) { w[i] = x[i]; y[i] = 0.4*x[i]*b; }
  s += piece0_P_p827(w, y, a, n, steps, at, c);
  s += piece1_P_p827(w, y, a, n, steps, at, c);
  for (int i = 0; i < 16; i++) { s += 0.3*w[i] + w[i]*y[i]; y[i] += 0.1*w[i]*s; }
  return s;
}
#define NAME p827
#define LENGTH 16
#define LAPS 3
#define SEED 5792u
#define SCALARS 0
#define Y_UNNEEDED
#define NESTED 11
#include "program.h"
static const struct Entry entries[] = {
    {"p827", run_p827},
};
int main(int argc, char **argv) {
  return run_all(entries, 1, argc, argv);
}
