// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
typedef float f8 __attribute__((vector_size(32)));
typedef int i8 __attribute__((vector_size(32)));
f8 blend(f8 a, f8 b) {
  i8 mask = a > b;
  return (f8)((mask & (i8)a) | (~mask & (i8)b));
}
f8 turned(f8 a) { return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0); }
float sum(f8 a) {
  float s = 0;
  for (int i = 0; i < 8; ++i)
    s += a[i];
  return s;
}
