// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int run(const unsigned char *code, int x) {
  static void *const table[] = {&&stop, &&add, &&twice, &&back};
  const unsigned char *start = code;
  goto *table[*code++ & 3];
add:
  x += 3;
  goto *table[*code++ & 3];
twice:
  x *= 2;
  goto *table[*code++ & 3];
back:
  if (x < 100)
    code = start;
  goto *table[*code++ & 3];
stop:
  return x;
}
