/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nonblocking reductions that are no sums. Each rank gets what the others gave
 * for its result y, by a call of its own beside that of the primal, and waits
 * for it where dy/dx is needed.
 */
#ifndef ADZE_RUNTIME_MPIFACTORS_H
#define ADZE_RUNTIME_MPIFACTORS_H

#include "MpiFolds.h"

static int allFloats(const struct Side *S) {
  const size_t Last = S->N - 1;
  return S->N ? S->PackedAt[Last] + S->Floats[Last] : 0;
}

/* Reduce_scatter: the counts and places, in elements, of this rank's block as
 * it comes from each rank, and of the blocks that this rank gives. */
static int *elementsOf(const struct Collective *C) {
  const size_t N = C->Ranks, Own = (size_t)C->In.Blocks[0].Count;
  int *Lists = allocate(C->Function, 4 * N, sizeof *Lists);
  if (Own * N > INT_MAX)
    refuse(C->Function, "more than 2147483647 floats in a message");
  for (size_t I = 0, Before = 0; I < N; ++I) {
    const int Count = C->Out.Blocks[I].Count;
    Lists[I] = (int)Own;
    Lists[N + I] = (int)(I * Own);
    Lists[2 * N + I] = Count;
    Lists[3 * N + I] = (int)Before;
    Before += (size_t)Count;
  }
  return Lists;
}

/* The elements stay as they are now, whatever the program does with them. */
static void takeElements(struct Collective *C, MPI_Op Op,
                         const void *Elements) {
  struct Factors *F = &C->Factors;
  const _Bool IsScattered = C->Shape == OfReduceScatter;
  const struct Block *B = IsScattered ? &C->In.Blocks[0] : &C->Out.Blocks[0];
  F->Fold = newUserFold(&B->L, B->Count, B->Type, Op, C->Comm);
  size_t Bytes = F->Fold->Block;
  if (IsScattered) {
    F->Elements = elementsOf(C);
    const int *Sent = F->Elements + 2 * C->Ranks, Last = (int)C->Ranks - 1;
    Bytes = (size_t)(Sent[Last] + Sent[C->Ranks + (size_t)Last]) *
            (size_t)B->L.Extent;
  }
  if (Directions.Which) {
    F->Own = ofFirst();
    return;
  }
  F->Own = allocate(C->Function, Bytes, 1);
  if (Bytes)
    memcpy(F->Own, Elements, Bytes);
  forOthers(F->Own, Bytes);
}

/* What this rank gives, at \p Elements, before the primal's call. */
static void takeFactors(struct Collective *C, MPI_Op Op, const void *Elements) {
  struct Factors *F = &C->Factors;
  const struct Layout *L = &C->Out.Blocks[0].L;
  const _Bool IsScattered = C->Shape == OfReduceScatter;
  F->Op = operationOf(L, Op);
  F->Floats = L->Floats;
  F->IsLeast = Op == OpMin || Op == OpMinLoc;
  F->Count = (size_t)(IsScattered ? C->In.Floats[0] : C->Out.Floats[0]);
  F->Ranks = C->Shape == OfScan     ? (size_t)C->Rank + 1
             : C->Shape == OfExscan ? (size_t)C->Rank
                                    : C->Ranks;
  if (F->Op == Sum)
    return;
  if (F->Op == User) {
    takeElements(C, Op, Elements);
    return;
  }
  if (Directions.Which) {
    F->Own = ofFirst();
    F->OwnPlaces = ofFirst();
    return;
  }
  const size_t Floats = (size_t)allFloats(&C->Out), Count = Floats / L->Floats;
  F->Own = packed(L, Count, Elements);
  if (F->Op == Located)
    F->OwnPlaces = placesOf(L, Count, Elements);
  forOthers(F->Own, Floats * SizeOf[L->Kind]);
  forOthers(F->OwnPlaces, Count * sizeof *F->OwnPlaces);
}

/* Blocks of this rank's size, one from each rank: \p Counts and places. */
static int *listsOf(struct Collective *C) {
  struct Factors *F = &C->Factors;
  if (!F->Lists)
    F->Lists = listsOfEqual(C->Function, C->Ranks, F->Count);
  return F->Lists;
}

static void *startGather(struct Collective *C, const void *Own,
                         MPI_Datatype Type, size_t Size, int Root) {
  struct Factors *F = &C->Factors;
  const int N = (int)F->Count;
  void *All = allocate(C->Function, C->Ranks * F->Count, Size);
  MPI_Request *Request = &F->Requests[F->NumRequests++];
  if (C->Shape == OfReduceScatter) {
    const int *Lists = listsOf(C);
    MPI_Ialltoallv(Own, C->Out.Floats, C->Out.PackedAt, Type, All, Lists,
                   Lists + C->Ranks, Type, C->Comm, Request);
  } else if (Root < 0) {
    MPI_Iallgather(Own, N, Type, All, N, Type, C->Comm, Request);
  } else {
    MPI_Igather(Own, N, Type, All, N, Type, Root, C->Comm, Request);
  }
  return All;
}

/* \p Root gets them; all ranks if it is negative. */
static void startFactors(struct Collective *C, int Root) {
  struct Factors *F = &C->Factors;
  struct UserFold *U = F->Fold;
  const int *E = F->Elements;
  const size_t N = C->Ranks;
  if (U && E) {
    MPI_Ialltoallv(F->Own, E + 2 * N, E + 3 * N, U->Type, U->Given, E, E + N,
                   U->Type, C->Comm, &F->Requests[F->NumRequests++]);
    return;
  }
  if (U) {
    MPI_Iallgather(F->Own, U->Count, U->Type, U->Given, U->Count, U->Type,
                   C->Comm, &F->Requests[F->NumRequests++]);
    return;
  }
  F->Values = startGather(C, F->Own, typeOf(C->Kind), SizeOf[C->Kind], Root);
  if (F->Op == Located)
    F->Places = startGather(C, F->OwnPlaces, TypeInt, sizeof(int), Root);
}

static void waitForFactors(struct Factors *F) {
  for (int I = 0; I < F->NumRequests; ++I)
    MPI_Wait(&F->Requests[I], StatusIgnore);
  F->NumRequests = 0;
}

static void endFactors(struct Factors *F) {
  waitForFactors(F);
  void *const Blocks[] = {F->Own,    F->Values, F->Tangents, F->OwnPlaces,
                          F->Places, F->Lists,  F->Fold,     F->Elements};
  for (size_t I = 0; I < sizeof Blocks / sizeof *Blocks; ++I)
    free(Blocks[I]);
}

/* 1 for the first rank that gave the best value, at the lowest place. */
static void chooseBest(const struct Fold *F, _Bool IsLeast) {
  for (size_t I = 0; I < F->Count; ++I) {
    size_t Winner = 0;
    for (size_t R = 1; R < F->Ranks; ++R) {
      const long double Value = at(F->Kind, blockOf(F, R), I);
      const long double Best = at(F->Kind, blockOf(F, Winner), I);
      if ((IsLeast ? Value < Best : Value > Best) ||
          (F->Places && Value == Best &&
           F->Places[R * F->Count + I] < F->Places[Winner * F->Count + I]))
        Winner = R;
    }
    for (size_t R = 0; R < F->Ranks; ++R)
      put(F->Kind, blockOf(F, R), I, R == Winner);
  }
}

/* Values become dy/dx by rank. */
static void differentiateFactors(struct Collective *C) {
  struct Factors *F = &C->Factors;
  waitForFactors(F);
  if (!F->Values || F->AreDifferentiated)
    return;
  const struct Fold X = {F->Ranks,  F->Count, C->Kind,  (char *)F->Values,
                         F->Places, C->Ranks, F->Floats};
  if (F->Op == Product)
    differentiateProducts(&X, C->Function);
  else
    chooseBest(&X, F->IsLeast);
  F->AreDifferentiated = 1;
}

static char *ofRank(const struct Collective *C, void *Blocks, size_t Rank) {
  return (char *)Blocks + Rank * C->Factors.Count * SizeOf[C->Kind];
}

/* Reduce, Allreduce: what has come, for the result, becomes that of what this
 * rank gave. */
static void adjointsOfOwn(struct Collective *C) {
  struct Factors *F = &C->Factors;
  if (F->Op == Sum || (C->Shape != OfReduce && C->Shape != OfAllreduce))
    return;
  differentiateFactors(C);
  const size_t Rank = (size_t)C->Rank;
  if (F->Op != User) {
    multiply(C->Kind, F->Count, C->Coming, ofRank(C, F->Values, Rank),
             adjointOf(&C->Out.Blocks[0].L));
    return;
  }
  void *All = userFoldBack(F->Fold, F->Ranks, C->Coming);
  memcpy(C->Coming, floatsOfRank(F->Fold, All, Rank), C->Out.Bytes);
  free(All);
}

/* The others: a block for each rank, of what it gave to the result here. */
static void adjointsOfAll(struct Collective *C) {
  struct Factors *F = &C->Factors;
  void *All;
  differentiateFactors(C);
  if (F->Op == User) {
    All = userFoldBack(F->Fold, F->Ranks, C->Going);
  } else {
    All = allocate(C->Function, C->Ranks, C->In.Bytes);
    for (size_t I = 0; I < F->Ranks; ++I) {
      memcpy(ofRank(C, All, I), C->Going, C->In.Bytes);
      if (F->Op != Sum)
        multiply(C->Kind, F->Count, ofRank(C, All, I), ofRank(C, F->Values, I),
                 adjointOf(&C->Out.Blocks[0].L));
    }
  }
  free(C->Going);
  C->Going = All;
}

/* The tangents of all ranks become those of the result. */
static void combineTangents(struct Collective *C) {
  struct Factors *F = &C->Factors;
  differentiateFactors(C);
  if (F->Op == User) {
    userFoldForward(F->Fold, F->Ranks, F->Tangents, C->Coming);
    return;
  }
  memset(C->Coming, 0, F->Count * SizeOf[C->Kind]);
  addProducts(&C->Out.Blocks[0].L, F->Ranks, F->Count, C->Coming, F->Tangents,
              F->Values);
}

#endif
