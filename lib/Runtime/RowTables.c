// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The test of matrices whose rows stand behind pointers in a table
// (Prepare/RowTables.cpp).
#include "Runtime.h"

/* Rows in any order are compared with each other, which may take as long as to
 * go through their elements four times, or this many rows. */
enum { FEW_ROWS = 64, ELEMENT = 8, PASSES = 4 };

/* Where a pointer leads. What the program does not read may be anything. */
PART static int64_t row(const char *At) {
  int64_t Address;
  __builtin_memcpy(&Address, At, sizeof Address);
  return Address;
}

static bool isBeside(int64_t A, int64_t B, int64_t Extent) {
  return A - B >= Extent || B - A >= Extent;
}

/* The first and the last of the pointers are Bytes apart (negative: there is
 * none), one and the next one Stride. Rows begin Before bytes in front of where
 * the pointers lead. No two have a byte in common, nor do they have one with
 * the pointers. */
bool adze_rows_apart(const char *Table, int64_t Bytes, int64_t Stride,
                     int64_t Before, int64_t Extent) {
  if (Bytes < 0)
    return true;
  const int64_t Place = (int64_t)(intptr_t)Table;
  const int64_t Behind = Place + Bytes + (int64_t)sizeof(void *);
  int64_t Last = row(Table);
  bool Up = true, Down = true;
  for (int64_t At = 0; At <= Bytes; At += Stride) {
    int64_t Next = row(Table + At), Begin = Next - Before;
    if (Begin + Extent > Place && Begin < Behind)
      return false;
    Up &= At == 0 || Next - Last >= Extent;
    Down &= At == 0 || Last - Next >= Extent;
    Last = Next;
  }
  if (Up || Down)
    return true;
  int64_t Rows = Bytes / Stride + 1;
  if (Rows > FEW_ROWS && Rows > PASSES * (Extent / ELEMENT))
    return false;
  for (int64_t A = Stride; A <= Bytes; A += Stride)
    for (int64_t B = 0; B < A; B += Stride)
      if (!isBeside(row(Table + A), row(Table + B), Extent))
        return false;
  return true;
}
