// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct Cache {
  double last = 0;
  Cache() noexcept;
  ~Cache();
};
thread_local Cache cache;
extern thread_local int elsewhere;
thread_local static int calls = 3;
inline thread_local double shared = 1.25;
double remembered(double x) {
  ++calls;
  ++elsewhere;
  double before = cache.last;
  cache.last = x + shared;
  return before;
}
