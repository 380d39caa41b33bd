/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A set of bytes of memory, by pages of 4 KiB: those that states of a loop hold
 * already, or that a step of it has allocated itself. Bytes of a page that is
 * covered in part are told apart by bits.
 */
#ifndef ADZE_RUNTIME_COVEREDBYTES_H
#define ADZE_RUNTIME_COVEREDBYTES_H

#include "Runtime.h"

enum { PageBytes = 4096, WordBits = 64, PageWords = PageBytes / WordBits };

/* A block that a step has allocated; in the list of the page it begins in. */
struct Block {
  struct Block *Next;
  char *Begin;
  uint64_t Bytes;
};

struct Page {
  uint64_t Key;    /* address / PageBytes + 1; 0: this place is free */
  uint64_t Count;  /* of covered bytes */
  uint64_t *Words; /* null where all bytes are covered, or none */
  struct Block *Blocks;
  bool HasExtents; /* memory that was found while steps ran */
};

/* Open addressing: Size is a power of two, or 0. */
struct CoveredBytes {
  struct Page *Pages;
  uint64_t Size, Used;
};

static void *allocate(uint64_t Bytes) {
  void *Block = malloc(Bytes ? Bytes : 1);
  if (!Block)
    adze_stop("adze: no memory left for the states of a loop");
  return Block;
}

static struct Page *placeOf(const struct CoveredBytes *Set, uint64_t Key) {
  uint64_t At = Key * 0x9E3779B97F4A7C15u;
  for (At ^= At >> 32;; ++At) {
    struct Page *P = &Set->Pages[At & (Set->Size - 1)];
    if (P->Key == Key || !P->Key)
      return P;
  }
}

RARE static void growPages(struct CoveredBytes *Set) {
  const struct CoveredBytes Old = *Set;
  Set->Size = Old.Size ? 2 * Old.Size : 64;
  Set->Pages = allocate(Set->Size * sizeof(struct Page));
  __builtin_memset(Set->Pages, 0, Set->Size * sizeof(struct Page));
  for (uint64_t I = 0; I < Old.Size; ++I)
    if (Old.Pages[I].Key)
      *placeOf(Set, Old.Pages[I].Key) = Old.Pages[I];
  free(Old.Pages);
}

/* The page that \p Address lies in. */
static struct Page *pageOf(struct CoveredBytes *Set, const char *Address) {
  const uint64_t Key = (uintptr_t)Address / PageBytes + 1;
  if (2 * Set->Used >= Set->Size)
    growPages(Set);
  struct Page *P = placeOf(Set, Key);
  if (!P->Key) {
    P->Key = Key;
    ++Set->Used;
  }
  return P;
}

/* How many of \p Bytes bytes at \p Address lie in the first page. */
static uint64_t inFirstPage(const char *Address, uint64_t Bytes) {
  const uint64_t Rest = PageBytes - (uintptr_t)Address % PageBytes;
  return Bytes < Rest ? Bytes : Rest;
}

/* How many of the bytes from \p At, in one page, are covered, or not covered,
 * as the first one is; at most \p Bytes. */
static uint64_t alike(const struct Page *P, uint64_t At, uint64_t Bytes,
                      bool *Covered) {
  if (!P->Words) {
    *Covered = P->Count != 0;
    return Bytes;
  }
  *Covered = P->Words[At / WordBits] >> At % WordBits & 1;
  const uint64_t Other = *Covered ? ~(uint64_t)0 : 0;
  uint64_t Length = 0;
  while (Length < Bytes) {
    const uint64_t Bit = (At + Length) % WordBits;
    const uint64_t Differs =
        (P->Words[(At + Length) / WordBits] ^ Other) >> Bit;
    if (Differs)
      Length += (uint64_t)__builtin_ctzll(Differs);
    else
      Length += WordBits - Bit;
    if (Differs)
      break;
  }
  return Length < Bytes ? Length : Bytes;
}

/* Bytes from \p At, in one page, are covered from now on, or no more. */
static void setInPage(struct Page *P, uint64_t At, uint64_t Bytes, bool Cover) {
  if (Bytes == PageBytes) {
    free(P->Words);
    P->Words = NULL;
    P->Count = Cover ? PageBytes : 0;
    return;
  }
  if (!P->Words) {
    if ((P->Count != 0) == Cover)
      return;
    P->Words = allocate(PageWords * sizeof(uint64_t));
    __builtin_memset(P->Words, P->Count ? 0xFF : 0,
                     PageWords * sizeof(uint64_t));
  }
  for (uint64_t End = At + Bytes; At < End;) {
    const uint64_t Bit = At % WordBits, Room = WordBits - Bit;
    const uint64_t Length = End - At < Room ? End - At : Room;
    const uint64_t Mask =
        (Length == WordBits ? ~(uint64_t)0 : ((uint64_t)1 << Length) - 1)
        << Bit;
    uint64_t *Word = &P->Words[At / WordBits];
    const uint64_t New = Cover ? *Word | Mask : *Word & ~Mask;
    P->Count += (uint64_t)__builtin_popcountll(New);
    P->Count -= (uint64_t)__builtin_popcountll(*Word);
    *Word = New;
    At += Length;
  }
  if (P->Count && P->Count != PageBytes)
    return;
  free(P->Words);
  P->Words = NULL;
}

static void setBytes(struct CoveredBytes *Set, const char *Begin,
                     uint64_t Bytes, bool Cover) {
  while (Bytes) {
    const uint64_t Here = inFirstPage(Begin, Bytes);
    setInPage(pageOf(Set, Begin), (uintptr_t)Begin % PageBytes, Here, Cover);
    Begin += Here;
    Bytes -= Here;
  }
}

static void addBlock(struct CoveredBytes *Set, char *Begin, uint64_t Bytes) {
  struct Block *New = allocate(sizeof(struct Block));
  struct Page *P = pageOf(Set, Begin);
  New->Next = P->Blocks;
  New->Begin = Begin;
  New->Bytes = Bytes;
  P->Blocks = New;
  setBytes(Set, Begin, Bytes, true);
}

/* Its size and 1; 0 if no such block was added. */
static uint64_t removeBlock(struct CoveredBytes *Set, const char *Begin) {
  struct Block **Link = &pageOf(Set, Begin)->Blocks;
  while (*Link && (*Link)->Begin != Begin)
    Link = &(*Link)->Next;
  struct Block *Old = *Link;
  if (!Old)
    return 0;
  const uint64_t Bytes = Old->Bytes;
  *Link = Old->Next;
  setBytes(Set, Begin, Bytes, false);
  free(Old);
  return Bytes + 1;
}

static void freeSet(struct CoveredBytes *Set) {
  for (uint64_t I = 0; I < Set->Size; ++I)
    free(Set->Pages[I].Words);
  free(Set->Pages);
  __builtin_memset(Set, 0, sizeof *Set);
}

#endif
