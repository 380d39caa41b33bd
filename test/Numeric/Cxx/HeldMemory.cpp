// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of the program that a gradient gives back at its end, many and large,
// stay with the C library for the next gradient, also where it has holes below
// in which a small block fits.
//
// ADZE: fail-level=reverse@O2poison,reverse@O2lli reason="no memory is kept there"
#include "check.h"
#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    !defined(__GLIBC__)
#define OTHER_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OTHER_ALLOCATOR 1
#endif
#endif
#ifndef OTHER_ALLOCATOR
#define OTHER_ALLOCATOR 0
#endif

extern "C" {
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
}

namespace {

double grown(int n, const double *x) {
  std::vector<double> v;
  for (int i = 0; i < n; ++i)
    v.push_back(x[i % 8] * x[i % 8]);
  double s = 0;
  for (double e : v)
    s += e;
  return s;
}

} // namespace

#if ADZE_REVERSE
ADZE_TEST_REVERSE(no_new_pages) {
  constexpr int n = 200000, holes = 200, warm = 4, rounds = 10;
  const double x[8] = {0.5, -1, 1.5, 0.25, -0.75, 2, 1.25, 0.125};
  std::vector<void *> blocks;
  for (int i = 0; i < holes; ++i)
    blocks.push_back(malloc(100000));
  for (int i = 0; i < holes; i += 2)
    free(blocks[i]);
  rusage before{}, after{};
  for (int i = 0; i < warm + rounds; ++i) {
    if (i == warm)
      getrusage(RUSAGE_SELF, &before);
    double dx[8] = {0};
    __enzyme_autodiff((void *)grown, enzyme_const, n, enzyme_dup, x, dx);
    for (int k = 0; k < 8; ++k)
      adze_near("dx", dx[k], 2 * x[k] * n / 8, 1e-12);
  }
  getrusage(RUSAGE_SELF, &after);
  for (int i = 1; i < holes; i += 2)
    free(blocks[i]);
  const char *preloaded = getenv("LD_PRELOAD");
  bool replaced =
      OTHER_ALLOCATOR || (preloaded && strstr(preloaded, "valgrind"));
  // A page has 512 doubles; all vectors and their shadows have some 2,000 pages
  // in each round.
  if (!replaced)
    adze_near("pages", double(after.ru_minflt - before.ru_minflt < 1000), 1, 0);
}
#endif
