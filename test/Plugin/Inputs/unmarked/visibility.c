// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__attribute__((visibility("hidden"))) int hidden = 3;
__attribute__((weak)) int weak(int x) { return x + hidden; }
extern int other_name(int) __attribute__((alias("weak")));
__attribute__((section(".text.special"), noinline)) int special(int x) { return weak(x); }
__attribute__((constructor)) static void before_main(void) { hidden = special(hidden); }
__attribute__((destructor)) static void after_main(void) { hidden = 0; }
__attribute__((used)) static const char kept[] = "kept";
