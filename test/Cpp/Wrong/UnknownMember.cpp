// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: adze: this type, or a member of it, is not known
#include <adze/adze.hpp>
struct List {
  double value;
  List *next;
};
static double f(const List &l) { return l.value; }
int main() { adze::make_zero(List{1, nullptr}), (void)f; }
