/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the bits of an address look like, to derivatives (C++) and to what runs
 * beside them (C): a word from LowestAddress up to, not including,
 * EndOfAddresses. Doubles with such bits are all but zero.
 */
#ifndef ADZE_ADDRESSRANGE_H
#define ADZE_ADDRESSRANGE_H

#include <stdint.h>

static const uint64_t LowestAddress = (uint64_t)1 << 32,
                      EndOfAddresses = (uint64_t)1 << 48;

#endif
