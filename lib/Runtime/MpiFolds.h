/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions whose result differs from rank to rank, by another operation than
 * MPI_SUM: Scan, Exscan, Reduce_scatter. Each rank gathers what the others give
 * for its own result y, in the first pass, and keeps dy/dx of each of them.
 * In the reverse pass it sends each of them dy/dx y', and in forward mode it
 * gathers their tangents.
 */
#ifndef ADZE_RUNTIME_MPIFOLDS_H
#define ADZE_RUNTIME_MPIFOLDS_H

#include "MpiDistribution.h"

/* What goes into one rank's result: a block of each rank. */
struct Fold {
  size_t Ranks; // the first ones count
  size_t Count; // of floats in a block
  enum Kind Kind;
  char *Values;  // become dy/dx
  int *Places;   // of pairs, else null
  size_t Others; // all ranks have a block: those that do not count have zeros
  size_t Each;   // floats of a number: of a complex one two
};

static void *blockOf(const struct Fold *F, size_t Rank) {
  return F->Values + Rank * F->Count * SizeOf[F->Kind];
}

/* The factors before and behind, so that none is divided by. */
static void differentiateProducts(const struct Fold *F, const char *Function) {
  const enum Kind K = F->Kind;
  const size_t Each = F->Each;
  const struct Number One = {1, 0};
  struct Number *Behind = allocate(Function, F->Ranks + 1, sizeof *Behind);
  for (size_t I = 0; I < F->Count; I += Each) {
    struct Number Before = Behind[F->Ranks] = One;
    for (size_t J = F->Ranks; J-- > 0;)
      Behind[J] = times(Behind[J + 1], numberAt(K, Each, blockOf(F, J), I));
    for (size_t J = 0; J < F->Ranks; ++J) {
      const struct Number Factor = numberAt(K, Each, blockOf(F, J), I);
      putNumber(K, Each, blockOf(F, J), I, times(Before, Behind[J + 1]));
      Before = times(Before, Factor);
    }
  }
  free(Behind);
}

/* 1 for the first rank that gave the \p Result, at the \p Places if these are
 * not null. */
static void differentiateExtrema(const struct Fold *F, const void *Result,
                                 const int *Places) {
  for (size_t I = 0; I < F->Count; ++I) {
    const long double Best = at(F->Kind, Result, I);
    _Bool IsFound = 0;
    for (size_t J = 0; J < F->Ranks; ++J) {
      const _Bool Is = !IsFound && at(F->Kind, blockOf(F, J), I) == Best &&
                       (!Places || F->Places[J * F->Count + I] == Places[I]);
      put(F->Kind, blockOf(F, J), I, Is);
      IsFound |= Is;
    }
  }
}

/* dy/dx, by rank, and zeros for ranks that do not count: to be freed.
 * \p Result: the elements of y. */
static void *partialsOfFold(struct Fold *F, const struct Layout *L,
                            enum Operation Op, const void *Result) {
  if (Op == Product) {
    differentiateProducts(F, L->Function);
  } else {
    // Nothing goes into the result of the first rank of Exscan.
    const void *Known = F->Ranks ? Result : 0;
    const size_t Elements = F->Count / L->Floats;
    void *Floats = packed(L, Elements, Known);
    int *Places = Op == Located ? placesOf(L, Elements, Known) : 0;
    differentiateExtrema(F, Floats, Places);
    free(Floats);
    free(Places);
  }
  memset(blockOf(F, F->Ranks), 0,
         (F->Others - F->Ranks) * F->Count * SizeOf[F->Kind]);
  free(F->Places);
  return forOthers(F->Values, F->Others * F->Count * SizeOf[F->Kind]);
}

/* Scan and Exscan: blocks of all ranks, of which \p Ranks count here. */
static struct Fold gatherPrefix(const struct Reduction *R, size_t Ranks,
                                MPI_Comm Comm) {
  const enum Kind K = R->L.Kind;
  const int N = (int)R->Count;
  struct Fold F = {Ranks, R->Count, K, 0, 0, sizeOf(Comm), R->L.Floats};
  F.Values = allocate(R->L.Function, F.Others * R->Count, SizeOf[K]);
  MPI_Allgather(R->Own, N, typeOf(K), F.Values, N, typeOf(K), Comm);
  if (R->Op != Located)
    return F;
  F.Places = allocate(R->L.Function, F.Others * R->Count, sizeof *F.Places);
  MPI_Allgather(R->Places, N, TypeInt, F.Places, N, TypeInt, Comm);
  return F;
}

/* Each rank gets its block of what each rank has, or with \p IsBack the other
 * way round. \p One has the blocks of one size, \p All has \p B. */
static void exchangeOwn(const struct Blocks *B, void *One, void *All,
                        MPI_Datatype Type, _Bool IsBack, MPI_Comm Comm) {
  const int Own = B->Floats[rankIn(Comm)];
  int Counts[B->Ranks], Places[B->Ranks];
  for (int I = 0; I < B->Ranks; ++I) {
    Counts[I] = Own;
    Places[I] = I * Own;
  }
  if (IsBack)
    MPI_Alltoallv(One, Counts, Places, Type, All, B->Floats, B->PackedAt, Type,
                  Comm);
  else
    MPI_Alltoallv(All, B->Floats, B->PackedAt, Type, One, Counts, Places, Type,
                  Comm);
}

/* The counts and the places of blocks of one size, one from each rank. */
static int *listsOfEqual(const char *Function, size_t Ranks, size_t Count) {
  if (Count * Ranks > INT_MAX)
    refuse(Function, "more than 2147483647 floats in a message");
  int *Lists = allocate(Function, 2 * Ranks, sizeof *Lists);
  for (size_t I = 0; I < Ranks; ++I) {
    Lists[I] = (int)Count;
    Lists[Ranks + I] = (int)(I * Count);
  }
  return Lists;
}

/* Room for a block of this rank's size from each rank. */
static void *ownBlocks(const struct Layout *L, const struct Blocks *B,
                       size_t Size, MPI_Comm Comm) {
  const size_t Own = (size_t)B->Floats[rankIn(Comm)];
  if (Own * (size_t)B->Ranks > INT_MAX)
    refuse(L->Function, "more than 2147483647 floats in a message");
  return allocate(L->Function, Own * (size_t)B->Ranks, Size);
}

/* Reduce_scatter: this rank's block of all that \p R has. */
static struct Fold gatherBlocks(const struct Reduction *R,
                                const struct Blocks *B, MPI_Comm Comm) {
  const enum Kind K = R->L.Kind;
  const size_t Ranks = (size_t)B->Ranks;
  struct Fold F = {Ranks,      (size_t)B->Floats[rankIn(Comm)], K, 0, 0, Ranks,
                   R->L.Floats};
  F.Values = ownBlocks(&R->L, B, SizeOf[K], Comm);
  exchangeOwn(B, F.Values, R->Own, typeOf(K), 0, Comm);
  if (R->Op != Located)
    return F;
  F.Places = ownBlocks(&R->L, B, sizeof *F.Places, Comm);
  exchangeOwn(B, F.Places, R->Places, TypeInt, 0, Comm);
  return F;
}

/* The same, of elements that an operation of the program folds. */
static struct UserFold *gatherUserBlocks(const struct Layout *L,
                                         const void *Own,
                                         const struct Blocks *B,
                                         MPI_Datatype Type, MPI_Op Op,
                                         MPI_Comm Comm) {
  const int Count = B->Counts[rankIn(Comm)];
  struct UserFold *U = newUserFold(L, Count, Type, Op, Comm);
  int *Lists = listsOfEqual(L->Function, (size_t)B->Ranks, (size_t)Count);
  MPI_Alltoallv(Own, B->Counts, B->Places, Type, U->Given, Lists,
                Lists + B->Ranks, Type, Comm);
  free(Lists);
  return U;
}

/* \p To += the blocks of all \p Ranks, each times its \p Partials. */
static void addProducts(const struct Layout *L, size_t Ranks, size_t Count,
                        void *To, char *Blocks, const char *Partials) {
  const enum Kind K = L->Kind;
  const size_t Size = Count * SizeOf[K];
  for (size_t I = 0; I < Ranks; ++I) {
    multiply(K, Count, Blocks + I * Size, Partials + I * Size, tangentOf(L));
    addFloats(K, Count, To, Blocks + I * Size);
  }
}

#endif
