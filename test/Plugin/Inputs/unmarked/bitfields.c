// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
struct Packed {
  unsigned sign : 1, exponent : 11;
  unsigned long long fraction : 52;
} __attribute__((packed));
union Number {
  double value;
  unsigned long long bits;
  unsigned char bytes[8];
};
struct Packed take_apart(double x) {
  union Number n = {x};
  return (struct Packed){n.bits >> 63, (n.bits >> 52) & 2047, n.bits & ((1ull << 52) - 1)};
}
unsigned char first_byte(double x) { return ((union Number){x}).bytes[0]; }
