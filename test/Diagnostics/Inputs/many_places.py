# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program with a structure of as many pointers as the argument says,
in turn to active memory and to memory that the user calls constant. A callee
writes to the former and reads the latter."""
import sys

count = int(sys.argv[1])
active = range(0, count, 2)
constant = range(1, count, 2)
members = ", ".join(f"*p{i}" for i in range(count))
made = "".join(f"  many.p{i} = {'c' if i % 2 else 'x'} + {i};\n" for i in range(count))
writes = "".join(f"  *many->p{i} *= value;\n" for i in active)
reads = " + ".join(f"*many->p{i}" for i in constant)
print(f"""extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
struct Many {{ double {members}; }};

__attribute__((noinline)) static double work(struct Many *many, double value) {{
{writes}  return value * ({reads});
}}

static double f(double *x, double *c) {{
  struct Many many;
{made}  return work(&many, x[0]);
}}

void gradient(double *x, double *dx, double *c) {{
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, c);
}}""")
