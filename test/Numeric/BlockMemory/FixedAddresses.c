// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses below 2^32, in words that may be floats: where doubles are the only
// floats of the file, these are no floats.
// ADZE: flags="-fno-pie -no-pie" levels=O0,O2
#include "SortedInsert.c"
