// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std::unique_ptr to a struct and to an array, moved, in a chain.
#include "check.h"
#include <memory>
#include <stddef.h>
#include <utility>

struct Link {
  double value;
  std::unique_ptr<Link> next;
};

extern "C" double chained(const double *x, int n) {
  std::unique_ptr<Link> head;
  for (int i = 0; i < n; ++i) {
    auto l = std::make_unique<Link>();
    l->value = x[i] * x[0];
    l->next = std::move(head);
    head = std::move(l);
  }
  auto buffer = std::make_unique<double[]>((size_t)n);
  int i = 0;
  for (const Link *l = head.get(); l; l = l->next.get())
    buffer[(size_t)i++] = l->value;
  double s = 0;
  for (i = 0; i < n; ++i)
    s = s * 0.5 + buffer[(size_t)i] * buffer[(size_t)(n - 1 - i)];
  while (head)
    head = std::move(head->next);
  return s;
}

ADZE_TEST_ARRAY(chained, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))
