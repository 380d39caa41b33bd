// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__asm__(".globl from_assembly\n.type from_assembly,@function\n"
        "from_assembly:\n\tmov %edi, %eax\n\tret\n");
extern int from_assembly(int);
unsigned long long cycles(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}
int jumps(int x) {
  __asm__ goto("test %0, %0\n\tjz %l1" : : "r"(x) : "cc" : zero);
  return from_assembly(x);
zero:
  return -1;
}
