// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <exception>
#include <stdexcept>
struct Guard {
  int &depth;
  explicit Guard(int &d) : depth(d) { ++depth; }
  ~Guard() noexcept(false) {
    if (--depth > 100)
      throw depth;
  }
};
int descend(int n, int &depth) {
  Guard g(depth);
  if (n == 0)
    throw std::out_of_range("bottom");
  return descend(n - 1, depth) + 1;
}
int caught(int n) noexcept try {
  int depth = 0;
  try {
    return descend(n, depth);
  } catch (const std::logic_error &) {
    if (n > 10)
      throw;
    return -1;
  } catch (int d) {
    return d;
  }
} catch (...) {
  return std::current_exception() != nullptr;
}
