// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdlib>
#include <new>
struct Buffer {
  double *data;
  explicit Buffer(int n) : data(new double[static_cast<unsigned>(n)]()) {}
  Buffer(const Buffer &) = delete;
  ~Buffer() { delete[] data; }
};
static Buffer global(std::rand() % 9 + 1);
Buffer &local(int n) {
  static Buffer once(n);
  return once;
}
void *operator new(std::size_t size) {
  if (void *p = std::malloc(size ? size : 1))
    return p;
  throw std::bad_alloc();
}
void operator delete(void *p) noexcept { std::free(p); }
double first() { return global.data[0] + local(3).data[1]; }
