// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expression objects as template libraries build them: a pointer, an empty
// member with its padding, sizes. They are copied as blocks by functions that
// see nothing of what stands in them, before others read the members.
#include "check.h"

template <int N> struct Size {
  long get() const { return N; }
};
template <> struct Size<-1> {
  long n;
  long get() const { return n; }
};

template <int Rows> struct View {
  const double *data;
  Size<Rows> rows;
  Size<-1> columns, stride;
  double at(long i) const { return data[i * stride.get()]; }
};

template <class A> struct Transposed {
  A inner;
};

template <class A, class B> struct Product {
  Transposed<A> left;
  B right;
};

template <class A, class B>
__attribute__((noinline)) static double dot(const Product<A, B> &p,
                                            double scale) {
  double s = 0;
  for (long i = 0; i < p.left.inner.columns.get() * p.right.rows.get(); ++i)
    s += p.left.inner.at(i) * p.right.at(i);
  return s * scale;
}

template <class A, class B>
__attribute__((noinline)) static double
selector(const Transposed<A> &a, const B &b, const double &scale) {
  return dot(Product<A, B>{a, b}, scale);
}

template <class A, class B>
__attribute__((noinline)) static double outer(const A &a, const B &b,
                                              const double &scale) {
  Transposed<A> left{a};
  B right = b;
  return selector(left, right, scale) * right.at(1);
}

extern "C" double expressions(const double *x, int n) {
  View<1> a{x, {}, {n / 2}, {1}};
  View<1> b{x + n / 2, {}, {n / 2}, {1}};
  View<-1> c{x, {1}, {3}, {2}};
  return outer(a, b, x[0]) + outer(b, c, x[1]) * outer(c, a, 2.0);
}

ADZE_TEST_ARRAY(expressions, 6, ADZE_AT(0.5, -1.25, 2.0, 0.75, 1.5, -0.3))
