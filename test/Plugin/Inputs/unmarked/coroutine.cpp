// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <coroutine>
struct Numbers {
  struct promise_type {
    double current;
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(double x) {
      current = x;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
};
Numbers powers(double x) {
  for (double p = 1;; p *= x)
    co_yield p;
}
double third(double x) {
  Numbers n = powers(x);
  for (int i = 0; i < 3; ++i)
    n.handle.resume();
  double value = n.handle.promise().current;
  n.handle.destroy();
  return value;
}
