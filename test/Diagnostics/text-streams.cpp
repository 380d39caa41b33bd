// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same for the streams and strings of C++.
//
// RUN: %clangxx -std=c++17 -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <iostream>
#include <sstream>
#include <string>
double __enzyme_autodiff(void *, ...);


// CHECK: the derivative ends here: 'std::istream
static double throughStream(double x) {
  std::stringstream s;
  s.precision(17);
  s << x * x;
  double y = 0;
  s >> y;
  return x * y;
}

// CHECK: the derivative ends here
static double throughString(double x) { return x * std::stod(std::to_string(x)); }

// CHECK-NOT: the derivative ends here
static double only(double x) {
  std::cout << x * x << std::endl;
  std::istringstream s("1 2 3");
  double factor = 0;
  s >> factor;
  return x * x * factor * std::stod("1.5");
}

double all(double x) {
  return __enzyme_autodiff((void *)throughStream, x) + __enzyme_autodiff((void *)throughString, x) +
         __enzyme_autodiff((void *)only, x);
}
