// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations that are somebody else's, and a function that sounds like a tag.
__attribute__((annotate("reviewed"))) int number = 4;
__attribute__((annotate("slow"))) double slow(double x __attribute__((annotate("metres")))) {
  double local __attribute__((annotate("local"))) = x * number;
  return local;
}
int enzyme_dup, enzyme_out;
int tags(void) { return enzyme_dup + enzyme_out; }
struct Noted {
  double member __attribute__((annotate("member")));
};
double member(struct Noted *n) { return n->member; }
