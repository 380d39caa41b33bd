# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the C programs whose compile time is measured.

Each program is one shape of code that a compiler pass may be slow on. A
generator takes a size and gives C text with a function `f` and a function
`gradient` that holds the only marker call. The functions of a program are
`noinline`, for calls are the point of it.

    programs.py NAME [SIZE]     prints one program
"""

import sys

NOINLINE = "__attribute__((noinline)) static"

HEAD = """\
#include <math.h>
#include <string.h>
extern int enzyme_dup, enzyme_const, enzyme_out;
struct Pair { double x, y; };
"""


def program(body, parameters, arguments):
    """A program whose `f` is differentiated with these arguments."""
    outs = arguments.count("enzyme_out")
    returned = ["void", "double", "struct Pair"][outs]
    declaration = ("\n#ifdef ADZE_NO_MARKER\n"
                   f"{returned} elsewhere(void *, ...);\n"
                   "#define DIFFERENTIATE elsewhere\n#else\n"
                   f"{returned} __enzyme_autodiff(void *, ...);\n"
                   "#define DIFFERENTIATE __enzyme_autodiff\n#endif\n")
    keyword = "return " if outs else ""
    return (f"{HEAD}{declaration}{body}\n"
            f"{returned} gradient({parameters}) {{\n"
            f"  {keyword}DIFFERENTIATE((void *)f, {arguments});\n}}\n")


def float_diamonds(count):
    """A chain of diamonds whose phis carry floats."""
    steps = "".join(
        f"  if (c[{i}]) x = sin(x) * p[0]; else x = cos(x) * p[1];\n"
        for i in range(count))
    return program(
        f"static double f(const int *c, const double *p, double x) {{\n"
        f"{steps}  return x;\n}}",
        "const int *c, const double *p, double *d, double x",
        "enzyme_const, c, enzyme_dup, p, d, enzyme_out, x")


def pointer_diamonds(count):
    """A chain of diamonds whose phis carry pointers: 2^count ways to say where
    the last one points."""
    steps = "".join(
        f"  if (c[{i}]) {{ s += sin(*p); t = p + 1; p = q; q = t; }}\n"
        f"  else {{ s += cos(*q); t = q + 2; q = p; p = t; }}\n"
        for i in range(count))
    return program(
        f"static double f(const int *c, const double *p, const double *q) {{\n"
        f"  double s = 0;\n  const double *t;\n{steps}"
        f"  return s + *p * *q;\n}}",
        "const int *c, const double *p, double *dp, const double *q, "
        "double *dq",
        "enzyme_const, c, enzyme_dup, p, dp, enzyme_dup, q, dq")


def blocks(count):
    """A function of so many blocks: branches with memory and without."""
    steps = []
    for i in range(count // 3):
        kind = i % 3
        if kind == 0:
            steps.append(f"  if (x > {i}.5) x = exp(x - {i});\n")
        elif kind == 1:
            steps.append(f"  if (c[{i % 50}]) p[{i % 20}] = x * p[{i % 7}];\n"
                         f"  else x += p[{i % 11}];\n")
        else:
            steps.append(f"  if (c[{i % 40}] > {i}) q = p + c[{i % 9}];\n"
                         f"  else x *= sin(*q);\n")
    return program(
        f"static double f(const int *c, double *p, double x) {{\n"
        f"  double *q = p;\n{''.join(steps)}  return x + *q;\n}}",
        "const int *c, double *p, double *d, double x",
        "enzyme_const, c, enzyme_dup, p, d, enzyme_out, x")


def chain(count):
    """Functions that call each other in a chain, with a float, memory and a
    pointer that moves on."""
    functions = [f"{NOINLINE} double f{count}(double *p, double x, int n) {{\n"
                 f"  return p[n] * x;\n}}\n"]
    for i in range(count - 1, 0, -1):
        functions.append(
            f"{NOINLINE} double f{i}(double *p, double x, int n) {{\n"
            f"  p[{i % 16}] *= x;\n"
            f"  return sin(x) + f{i + 1}(p + (n > {i}), x * p[n], n);\n}}\n")
    return program(
        f"{''.join(functions)}"
        f"static double f(double *p, double x, int n) {{\n"
        f"  return f1(p, x, n);\n}}",
        "double *p, double *d, double x, int n",
        "enzyme_dup, p, d, enzyme_out, x, enzyme_const, n")


def pure_chain(count):
    """The same without memory: each call is differentiated at reverse time."""
    functions = [f"{NOINLINE} double f{count}(double x, double y) {{\n"
                 f"  return x * y;\n}}\n"]
    for i in range(count - 1, 0, -1):
        functions.append(
            f"{NOINLINE} double f{i}(double x, double y) {{\n"
            f"  return sin(x) * f{i + 1}(y, x + {i});\n}}\n")
    return program(
        f"{''.join(functions)}"
        f"static double f(double x, double y) {{ return f1(x, y); }}",
        "double x, double y", "enzyme_out, x, enzyme_out, y")


def clique(count):
    """Functions each of which calls all, down to a depth."""
    heads = "".join(f"{NOINLINE} double g{i}(double *p, double x, int d);\n"
                    for i in range(count))
    functions = []
    for i in range(count):
        calls = "".join(f"  s += g{j}(p + {j % 3}, x * p[{j}], d - 1);\n"
                        for j in range(count))
        functions.append(
            f"double g{i}(double *p, double x, int d) {{\n"
            f"  double s = p[{i}];\n  if (d == 0) return s * x;\n{calls}"
            f"  p[{i}] = s;\n  return s;\n}}\n")
    return program(
        f"{heads}{''.join(functions)}"
        f"static double f(double *p, double x, int d) {{\n"
        f"  return g0(p, x, d);\n}}",
        "double *p, double *dp, double x, int d",
        "enzyme_dup, p, dp, enzyme_out, x, enzyme_const, d")


def straight(count):
    """Instructions without a branch: arithmetic, loads and stores."""
    steps = []
    for i in range(count // 8):
        steps.append(f"  x = x * p[{i % 61}] + y;\n"
                     f"  y = y - x * q[{i % 53}];\n"
                     f"  p[{(7 * i) % 67}] = x;\n")
    return program(
        f"static double f(double *p, double *restrict q, double x) {{\n"
        f"  double y = x;\n{''.join(steps)}  return x * y;\n}}",
        "double *p, double *dp, double *q, double *dq, double x",
        "enzyme_dup, p, dp, enzyme_dup, q, dq, enzyme_out, x")


def contexts(count):
    """Functions that move bytes, each called with pointers of many types."""
    types = ["double", "float", "long", "int", "struct A", "struct B",
             "struct C", "double *"]
    functions = "".join(
        f"{NOINLINE} void move{i}(void *to, const void *from, long n) {{\n"
        f"  memcpy(to, from, n + {i % 2});\n}}\n" for i in range(count))
    calls = []
    for i in range(count):
        for j, name in enumerate(types):
            calls.append(f"  move{i}(&v{j}[{(i + j) % 4}], &v{j}[4], "
                         f"sizeof v{j}[0]);\n")
    uses = [f"  {name} v{j}[5] = {{0}};\n" for j, name in enumerate(types)]
    return program(
        "struct A { double d; int i; };\nstruct B { float f[4]; double d; };\n"
        f"struct C {{ struct A a; struct B *b; }};\n{functions}"
        "static double f(double *p) {\n" + "".join(uses) +
        "  struct B b = {{p[4], p[5], p[6], p[7]}, p[8]};\n"
        "  v0[4] = p[0]; v1[4] = p[1]; v2[4] = 2; v3[4] = 3;\n"
        "  v4[4].d = p[2]; v5[4].d = p[3]; v6[4].a.d = p[4]; v6[4].b = &b;\n"
        "  v7[4] = p;\n" + "".join(calls) +
        "  return v0[0] * v1[1] * v4[2].d * v5[3].d * v6[0].a.d *\n"
        "         v6[1].b->d * *v7[2] * v2[0] * v3[1];\n}",
        "double *p, double *d", "enzyme_dup, p, d")


def wide_struct(count):
    """A structure of so many fields, copied and read field by field."""
    kinds = ["double a{0};", "int b{0};", "double *c{0};", "float d{0};",
             "char e{0};"]
    fields = "".join("  " + kinds[i % 5].format(i) + "\n"
                     for i in range(count))
    terms = []
    for i in range(count):
        terms.append([f"  s += w.a{i} * x;\n", f"  s *= w.b{i};\n",
                      f"  s += *w.c{i};\n", f"  s -= w.d{i} * x;\n",
                      f"  if (w.e{i}) s *= 2;\n"][i % 5])
    return program(
        f"struct S {{\n{fields}}};\n"
        f"{NOINLINE} void copy(struct S *to, struct S *from) {{ *to = *from; }}\n"
        f"static double f(struct S *v, double x) {{\n"
        f"  struct S w;\n  double s = x;\n  copy(&w, v);\n{''.join(terms)}"
        f"  copy(v, &w);\n  return s;\n}}",
        "struct S *v, struct S *d, double x",
        "enzyme_dup, v, d, enzyme_out, x")


def lists(count):
    """Lists of structures of lists, so many kinds, walked by recursion and by
    loops: types that refer to each other."""
    structs = "".join(
        f"struct N{i} {{\n  struct N{i} *next;\n  struct N{(i + 1) % count} "
        f"*down;\n  struct N{(i * 7 + 3) % count} **many;\n  double v;\n"
        f"  int n;\n}};\n" for i in range(count))
    heads = "".join(f"struct N{i};\n"
                    f"{NOINLINE} double walk{i}(struct N{i} *l, double x);\n"
                    for i in range(count))
    walks = "".join(
        f"double walk{i}(struct N{i} *l, double x) {{\n"
        f"  double s = 0;\n"
        f"  for (; l; l = l->next) {{\n"
        f"    s += l->v * x;\n"
        f"    if (l->down) s += walk{(i + 1) % count}(l->down, l->v);\n"
        f"    for (int k = 0; k < l->n; ++k)\n"
        f"      s += walk{(i * 7 + 3) % count}(l->many[k], x);\n"
        f"    l->v = s;\n  }}\n  return s;\n}}\n" for i in range(count))
    return program(
        f"{heads}{structs}{walks}"
        f"static double f(struct N0 *l, double x) {{ return walk0(l, x); }}",
        "struct N0 *l, struct N0 *d, double x",
        "enzyme_dup, l, d, enzyme_out, x")


def tables(count):
    """A constant table of functions that refer to the table, of its own
    entries and of numbers."""
    functions = "".join(
        f"{NOINLINE} double m{i}(const struct E *e, double x) {{\n"
        f"  return x * e->weight + table[{(i * 13 + 5) % count}].weight\n"
        f"         + (e->method == m{(i + 1) % count});\n}}\n"
        for i in range(count))
    heads = "".join(f"{NOINLINE} double m{i}(const struct E *, double);\n"
                    for i in range(count))
    entries = "".join(
        f"  {{m{i}, {i}.5, &table[{(i * 7 + 1) % count}], \"{i}\"}},\n"
        for i in range(count))
    calls = "".join(f"  s += m{i}(e, x);\n  e = e->next;\n"
                    for i in range(0, count, max(1, count // 20)))
    return program(
        f"struct E;\ntypedef double (*method)(const struct E *, double);\n"
        f"struct E {{\n  method method;\n  double weight;\n"
        f"  const struct E *next;\n  const char *name;\n}};\n{heads}"
        f"static const struct E table[{count}];\n{functions}"
        f"static const struct E table[{count}] = {{\n{entries}}};\n"
        f"static double f(double x, int n) {{\n"
        f"  double s = 0;\n  const struct E *e = &table[n];\n{calls}"
        f"  return s * e->weight;\n}}",
        "double x, int n", "enzyme_out, x, enzyme_const, n")


def wide_switch(count):
    """A switch of so many cases in a loop."""
    cases = "".join(
        f"    case {i}: " + [f"x *= p[{i % 100}];", f"x += sin(x * {i}.0);",
                             f"p[{i % 90}] = x * x;"][i % 3] + " break;\n"
        for i in range(count))
    return program(
        f"static double f(const int *c, double *p, double x, int n) {{\n"
        f"  for (int i = 0; i < n; ++i)\n    switch (c[i]) {{\n{cases}    }}\n"
        f"  return x;\n}}",
        "const int *c, double *p, double *d, double x, int n",
        "enzyme_const, c, enzyme_dup, p, d, enzyme_out, x, enzyme_const, n")


def nested_loops(depth):
    """Loops so deep, with work at each level."""
    text, tail = "", ""
    for i in range(depth):
        pad = "  " * (i + 1)
        text += (f"{pad}for (int i{i} = 0; i{i} < n[{i}]; ++i{i}) {{\n"
                 f"{pad}  p[i{i}] = x * p[i{i} + 1];\n")
        tail = f"{pad}  x += sin(p[i{i}]);\n{pad}}}\n" + tail
    return program(
        f"static double f(const int *n, double *p, double x) {{\n"
        f"{text}{tail}  return x;\n}}",
        "const int *n, double *p, double *d, double x",
        "enzyme_const, n, enzyme_dup, p, d, enzyme_out, x")


def constants(count):
    """Arrays of so many constants, of numbers and of structures."""
    numbers = ", ".join(f"{i}.25" for i in range(count))
    rows = ", ".join(f"{{{i}.5, {i}, &numbers[{i}]}}" for i in range(count))
    return program(
        f"struct R {{ double d; int i; const double *p; }};\n"
        f"static const double numbers[{count}] = {{{numbers}}};\n"
        f"static struct R rows[{count}] = {{{rows}}};\n"
        f"static double f(double *x, int n) {{\n"
        f"  double s = 0;\n"
        f"  for (int i = 0; i < n; ++i) {{\n"
        f"    rows[i].d *= x[i];\n"
        f"    s += rows[i].d * numbers[rows[i].i] * *rows[n - i].p;\n  }}\n"
        f"  return s;\n}}",
        "double *x, double *d, int n", "enzyme_dup, x, d, enzyme_const, n")


def outside(count):
    """So many functions that hand constant data, each with a place in the
    source of its own, to functions without a body."""
    fields = 24
    members = "".join(f"  double *m{i};\n" for i in range(fields))
    workers = "".join(
        f"{NOINLINE} double w{i}(struct D *d, const double *x, int n) {{\n"
        f"  static const struct place here = {{{i}, \"w{i}\"}};\n"
        f"  double *t = malloc(n * sizeof(double)), s = 0;\n"
        f"  trace(&here, d, d->m{i % fields});\n"
        f"  for (int i = 0; i < n; ++i)\n"
        f"    t[i] = d->m{i * 7 % fields}[i] * d->m{i * 5 % fields}[0];\n"
        f"  trace(&here, d, t);\n"
        f"  for (int i = 0; i < n; ++i)\n"
        f"    s += t[i] * x[i];\n"
        f"  return s;\n}}\n" for i in range(count))
    calls = "".join(f"  s += w{i}(d, x, n);\n" for i in range(count))
    return program(
        f"#include <stdlib.h>\n"
        f"struct place {{\n  int flags;\n  const char *text;\n}};\n"
        f"struct D {{\n{members}}};\n"
        f"void trace(const struct place *, struct D *, double *);\n{workers}"
        f"double f(struct D *d, const double *x, int n) {{\n"
        f"  double s = 0;\n{calls}  return s;\n}}",
        "struct D *c, const double *x, double *d, int n",
        "enzyme_const, c, enzyme_dup, x, d, enzyme_const, n")


def versions(count):
    """So many nests over arrays that may overlap. The function has two
    versions: one for arrays that are apart, one for arrays that meet."""
    nests = "".join(
        f"  for (int i = 1; i < n - 1; ++i)\n"
        f"    for (int j = 1; j < n - 1; ++j)\n"
        f"      c[i * n + j] += {i + 1}.5 * a[i * n + j] * b[j * n + i] *\n"
        f"          (a[(i - 1) * n + j] - b[i * n + j + 1] + a[i * n + j - 1]);\n"
        for i in range(count))
    return program(
        f"static void f(const double *a, const double *b, double *c, int n) {{\n"
        f"{nests}}}",
        "double *a, double *da, double *b, double *db, double *c, double *dc,\n"
        "              int n",
        "enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc,\n"
        "                 enzyme_const, n")


def scratch(count):
    """So many updates of a local array in one iteration, some of them in loops,
    each of which reads what all others may have written."""
    updates = "".join(
        f"    for (int k = 0; k < 4; ++k)\n"
        f"      c[(k * {i % 47 + 3} + e) & 1023] *= c[{(i * 91 + 5) % 1024}];\n"
        if i % 5 == 0 else
        f"    c[{(i * 37) % 1024}] = c[{(i * 53 + 1) % 1024}] * c[{(i * 91 + 5) % 1024}];\n"
        for i in range(count))
    return program(
        f"static void f(const double *restrict x, double *restrict y, int n) {{\n"
        f"  for (int e = 0; e < n; ++e) {{\n"
        f"    double c[1024];\n"
        f"    for (int k = 0; k < 1024; ++k)\n"
        f"      c[k] = x[e + k];\n"
        f"{updates}"
        f"    y[e] = c[7] * c[9];\n"
        f"  }}\n}}",
        "double *x, double *dx, double *y, double *dy, int n",
        "enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n")


# Name: generator, size.
PROGRAMS = {
    "float-diamonds": (float_diamonds, 60),
    "pointer-diamonds": (pointer_diamonds, 60),
    "blocks": (blocks, 2000),
    "chain": (chain, 500),
    "pure-chain": (pure_chain, 500),
    "clique": (clique, 12),
    "straight": (straight, 10000),
    "contexts": (contexts, 200),
    "wide-struct": (wide_struct, 300),
    "lists": (lists, 12),
    "tables": (tables, 2000),
    "switch": (wide_switch, 1000),
    "nested-loops": (nested_loops, 12),
    "constants": (constants, 10000),
    "outside": (outside, 150),
    "versions": (versions, 24),
    "scratch": (scratch, 1000),
}


def text_of(name, size=None):
    generator, usual = PROGRAMS[name]
    return generator(size or usual)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(f"usage: programs.py NAME [SIZE], NAME one of "
                 f"{', '.join(PROGRAMS)}")
    sys.stdout.write(text_of(sys.argv[1],
                             int(sys.argv[2]) if len(sys.argv) > 2 else None))
