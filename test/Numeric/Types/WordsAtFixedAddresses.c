// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same in a program that is linked to a fixed address.
// ADZE: flags="-fno-pie -no-pie" levels=O0,O2
#include "WordsOfTwoKinds.c"
