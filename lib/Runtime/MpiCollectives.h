/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that all ranks of a communicator call:
 *
 *   Bcast(x, root)             root: x' = sum of all x';  others: x' = 0
 *   y = Reduce(x, op, root)    x' += dy/dx y' of the root;  y' = 0
 *   y = Allreduce(x, op)       x' += dy/dx (sum of all y');  y' = 0
 *
 * with dy/dx, by element, 1 for MPI_SUM, the product of the others for
 * MPI_PROD, and for MPI_MIN and MPI_MAX 1 on the rank whose element it is, the
 * lowest if there are several, and 0 elsewhere. So for MPI_MINLOC and
 * MPI_MAXLOC, where the place must be that of the result, too.
 */
#ifndef ADZE_RUNTIME_MPICOLLECTIVES_H
#define ADZE_RUNTIME_MPICOLLECTIVES_H

#include "MpiRequests.h"
#include "MpiUserOperations.h"

static int rankIn(MPI_Comm Comm) {
  int Rank = 0;
  MPI_Comm_rank(Comm, &Rank);
  return Rank;
}

static size_t sizeOf(MPI_Comm Comm) {
  int Size = 0;
  MPI_Comm_size(Comm, &Size);
  return (size_t)Size;
}

static void checkIntra(const struct Layout *L, MPI_Comm Comm) {
  int Inter = 0;
  holdBackAt(Comm);
  MPI_Comm_test_inter(Comm, &Inter);
  if (Inter)
    refuse(L->Function, "an inter-communicator is not supported");
}

/* ---- MPI_Barrier ----------------------------------------------------------
 */

int adze_mpi_barrier_augmented(MPI_Comm Comm) {
  holdBackAt(Comm);
  return MPI_Barrier(Comm);
}
void adze_mpi_barrier_reverse(MPI_Comm Comm) {
  IN_ORDER(Comm);
  MPI_Barrier(Comm);
}
int adze_mpi_barrier_forward(MPI_Comm Comm) { return MPI_Barrier(Comm); }

/* ---- MPI_Bcast ------------------------------------------------------------
 */

int adze_mpi_bcast_augmented(void *Buffer, void *Shadow, int Count,
                             MPI_Datatype Type, int Root, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Bcast", Type);
  checkIntra(&L, Comm);
  (void)Shadow;
  return PRIMAL(MPI_Bcast(Buffer, Count, Type, Root, Comm));
}

/* The root adds what all others have, float by float. */
static void collect(const struct Layout *L, int Count, void *Shadow, int Root,
                    MPI_Comm Comm) {
  const _Bool IsRoot = rankIn(Comm) == Root;
  const size_t Ranks = IsRoot ? sizeOf(Comm) : 0;
  const size_t Pairs = (size_t)floatsIn(L, Count) * SizeOf[L->Kind];
  // That of the root stays where it is.
  void *Own =
      IsRoot ? zerosFor(L, (size_t)Count) : taken(L, (size_t)Count, Shadow);
  char *All = allocate(L->Function, Ranks, Pairs);
  MPI_Gather(Own, floatsIn(L, Count), typeOf(L->Kind), All, floatsIn(L, Count),
             typeOf(L->Kind), Root, Comm);
  for (size_t I = 0; I < Ranks; ++I)
    addTo(L, (size_t)Count, Shadow, All + I * Pairs);
  free(Own);
  free(All);
}

void adze_mpi_bcast_reverse(const void *Buffer, void *Shadow, int Count,
                            MPI_Datatype Type, int Root, MPI_Comm Comm) {
  IN_ORDER(Comm);
  struct Layout L = layoutOf("MPI_Bcast", Type);
  Shadow = shadowOf(&L, Buffer, Shadow);
  if (L.Kind == NoFloats)
    return;
  const _Bool IsRoot = rankIn(Comm) == Root;
  if (L.Kind == Packed) {
    collect(&L, Count, Shadow, Root, Comm);
    return;
  }
  enum Kind K = L.Kind;
  int Floats = floatsIn(&L, Count);
  if (K == Described) {
    K = kindOfAll(&L, (size_t)Floats, Shadow, Comm);
    if (K == NoFloats)
      return;
    if (K == Raw) {
      collect(&L, Count, Shadow, Root, Comm);
      return;
    }
    Floats /= (int)SizeOf[K];
  }
  void *Adjoints = taken(&L, (size_t)Count, Shadow);
  MPI_Reduce(IsRoot ? InPlace : Adjoints, IsRoot ? Adjoints : 0, Floats,
             typeOf(K), OpSum, Root, Comm);
  if (IsRoot)
    setTo(&L, (size_t)Count, Shadow, Adjoints);
  free(Adjoints);
}

int adze_mpi_bcast_forward(void *Buffer, void *Shadow, int Count,
                           MPI_Datatype Type, int Root, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Bcast", Type);
  checkIntra(&L, Comm);
  int Error = PRIMAL(MPI_Bcast(Buffer, Count, Type, Root, Comm));
  Shadow = shadowOf(&L, Buffer, Shadow);
  if (L.Kind == NoFloats)
    return Error;
  void *Tangents = packed(&L, (size_t)Count, Shadow);
  MPI_Bcast(Tangents, floatsIn(&L, Count), typeOf(L.Kind), Root, Comm);
  setTo(&L, (size_t)Count, Shadow, Tangents);
  free(Tangents);
  return Error;
}

/* ---- Reductions -----------------------------------------------------------
 */

static enum Operation operationOf(const struct Layout *L, MPI_Op Op) {
  if (L->Kind == Packed)
    refuse(L->Function, "an operation on MPI_PACKED");
  if (isOfUser(Op) && userOperation(Op))
    return User;
  if (!L->Pair && Op == OpSum)
    return Sum;
  if (!L->Pair && Op == OpProd && (L->Floats == 1 || L->IsComplex))
    return Product;
  if (!L->Pair && L->Floats == 1 && (Op == OpMin || Op == OpMax))
    return Extremum;
  if (L->Pair && (Op == OpMinLoc || Op == OpMaxLoc))
    return Located;
  refuse(L->Function,
         "the operation on floats is neither MPI_SUM nor MPI_PROD of numbers, "
         "MPI_MIN or MPI_MAX of real ones, MPI_MINLOC or MPI_MAXLOC of pairs, "
         "nor one "
         "whose function is defined where MPI_Op_create is called, in a file "
         "that asks for derivatives");
}

/* One rank's part of a reduction. */
struct Reduction {
  struct Layout L;
  size_t Count; // of floats
  enum Operation Op;
  void *Own;   // what this rank gives to Product, Extremum, Located
  int *Places; // beside them, if they are pairs
  struct UserFold *Fold;
};

/* The numbers of pairs, to be freed. Zeros if \p Elements is null. */
static int *placesOf(const struct Layout *L, size_t Count,
                     const void *Elements) {
  int *Places = allocate(L->Function, Count, sizeof *Places);
  for (size_t I = 0; Elements && I < Count; ++I)
    memcpy(Places + I,
           (const char *)Elements + (ptrdiff_t)I * L->Extent + SizeOf[L->Kind],
           sizeof *Places);
  return Places;
}

static struct Reduction beginReduction(const char *Function, const void *Own,
                                       int Count, MPI_Datatype Type, MPI_Op Op,
                                       MPI_Comm Comm) {
  struct Reduction R = {layoutOf(Function, Type), 0, Sum, 0, 0, 0};
  checkIntra(&R.L, Comm);
  if (R.L.Kind == NoFloats)
    return R;
  R.Count = (size_t)floatsIn(&R.L, Count);
  R.Op = operationOf(&R.L, Op);
  if (Directions.Which) {
    R.Fold = R.Op == User ? ofFirst() : 0;
    return R;
  }
  if (R.Op == User)
    R.Fold = foldForOthers(gatherUserFold(&R.L, Own, Count, Type, Op, Comm));
  else if (R.Op != Sum)
    R.Own = packed(&R.L, R.Count / R.L.Floats, Own);
  if (R.Op == Located)
    R.Places = placesOf(&R.L, R.Count, Own);
  return R;
}

/* Own becomes the product of what all others gave. */
static void productOfOthers(struct Reduction *R, MPI_Comm Comm) {
  const enum Kind K = R->L.Kind;
  const size_t Ranks = sizeOf(Comm), Rank = (size_t)rankIn(Comm);
  const size_t Each = R->L.Floats;
  void *All = allocate(R->L.Function, Ranks * R->Count, SizeOf[K]);
  MPI_Allgather(R->Own, (int)R->Count, typeOf(K), All, (int)R->Count, typeOf(K),
                Comm);
  for (size_t I = 0; I < R->Count; I += Each) {
    struct Number Product = {1, 0};
    for (size_t J = 0; J < Ranks; ++J)
      if (J != Rank)
        Product = times(Product, numberAt(K, Each, All, J * R->Count + I));
    putNumber(K, Each, R->Own, I, Product);
  }
  free(All);
}

/* Own becomes 1 where this rank is the first that gave the \p Result, at the
 * \p Places if these are not null, else 0. */
static void chooseWinner(struct Reduction *R, const void *Result,
                         const int *Places, MPI_Comm Comm) {
  const enum Kind K = R->L.Kind;
  const int Rank = rankIn(Comm);
  int *Winner = allocate(R->L.Function, R->Count, sizeof *Winner);
  for (size_t I = 0; I < R->Count; ++I)
    Winner[I] = at(K, R->Own, I) == at(K, Result, I) &&
                        (!Places || R->Places[I] == Places[I])
                    ? Rank
                    : INT_MAX;
  MPI_Allreduce(InPlace, Winner, (int)R->Count, TypeInt, OpMin, Comm);
  for (size_t I = 0; I < R->Count; ++I)
    put(K, R->Own, I, Winner[I] == Rank);
  free(Winner);
}

/* dy/dx of an extremum, with or without its place. */
static void chooseFrom(struct Reduction *R, const void *Result, int Root,
                       MPI_Comm Comm) {
  const void *Known = Root < 0 || rankIn(Comm) == Root ? Result : 0;
  void *Values = packed(&R->L, R->Count, Known);
  int *Places = R->Op == Located ? placesOf(&R->L, R->Count, Known) : 0;
  if (Root >= 0)
    MPI_Bcast(Values, (int)R->Count, typeOf(R->L.Kind), Root, Comm);
  if (Root >= 0 && Places)
    MPI_Bcast(Places, (int)R->Count, TypeInt, Root, Comm);
  chooseWinner(R, Values, Places, Comm);
  free(Values);
  free(Places);
  free(R->Places);
}

/* dy/dx of each element, in a block of its own; null where it is 1; of
 * operations of the program their Fold.
 * \p Result: y, which \p Root alone has, or all if it is negative. */
static void *partialsOf(struct Reduction *R, const void *Result, int Root,
                        MPI_Comm Comm) {
  if (R->Op == User)
    return R->Fold;
  if (Directions.Which)
    return ofFirst();
  if (R->Op == Product)
    productOfOthers(R, Comm);
  if (R->Op == Extremum || R->Op == Located)
    chooseFrom(R, Result, Root, Comm);
  return forOthers(R->Own, R->Count * SizeOf[R->L.Kind]);
}

static void scale(const struct Layout *L, size_t Count, void *Values,
                  const void *Partials, enum Partial How) {
  if (Partials)
    multiply(L->Kind, Count * L->Floats, Values, Partials, How);
}

/* \p Adjoints of the result become those of what this rank gives. Frees what
 * partialsOf() has made. */
static void adjointsBack(const struct Layout *L, size_t Count, void *Adjoints,
                         MPI_Op Op, void *Partials, MPI_Comm Comm) {
  if (isOfUser(Op)) {
    const struct UserFold *U = Partials;
    void *All = userFoldBack(U, U->Ranks, Adjoints);
    memcpy(Adjoints, floatsOfRank(U, All, (size_t)rankIn(Comm)),
           U->Floats * SizeOf[L->Kind]);
    free(All);
  } else {
    scale(L, Count, Adjoints, Partials, adjointOf(L));
  }
  free(Partials);
}

/* \p Tangents of what this rank gives become those of the result, which
 * \p Root alone needs, or all if it is negative. */
static void tangentsOn(const struct Layout *L, size_t Count, void *Tangents,
                       MPI_Op Op, void *Partials, int Root, MPI_Comm Comm) {
  const int Floats = floatsIn(L, (int)Count);
  const MPI_Datatype Type = typeOf(L->Kind);
  if (isOfUser(Op)) {
    const struct UserFold *U = Partials;
    foldTangents(U, U->Ranks, Tangents, Comm);
  } else {
    const _Bool IsRoot = rankIn(Comm) == Root;
    scale(L, Count, Tangents, Partials, tangentOf(L));
    if (Root < 0)
      MPI_Allreduce(InPlace, Tangents, Floats, Type, OpSum, Comm);
    else
      MPI_Reduce(IsRoot ? InPlace : Tangents, IsRoot ? Tangents : 0, Floats,
                 Type, OpSum, Root, Comm);
  }
  free(Partials);
}

struct Kept adze_mpi_allreduce_augmented(const void *Sent, void *SentShadow,
                                         void *Buffer, void *Shadow, int Count,
                                         MPI_Datatype Type, MPI_Op Op,
                                         MPI_Comm Comm) {
  const void *Own = Sent == InPlace ? Buffer : Sent;
  struct Reduction R =
      beginReduction("MPI_Allreduce", Own, Count, Type, Op, Comm);
  (void)SentShadow, (void)Shadow;
  int Error = PRIMAL(MPI_Allreduce(Sent, Buffer, Count, Type, Op, Comm));
  return (struct Kept){partialsOf(&R, Buffer, -1, Comm), Error};
}

void adze_mpi_allreduce_reverse(const void *Sent, void *SentShadow,
                                const void *Buffer, void *Shadow, int Count,
                                MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm,
                                void *Tape) {
  IN_ORDER(Comm);
  struct Layout L = layoutOf("MPI_Allreduce", Type);
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  Shadow = shadowOf(&L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  if (L.Kind == NoFloats)
    return;
  void *Adjoints = taken(&L, N, Shadow);
  MPI_Allreduce(InPlace, Adjoints, floatsIn(&L, Count), typeOf(L.Kind), OpSum,
                Comm);
  adjointsBack(&L, N, Adjoints, Op, Tape, Comm);
  addTo(&L, N, SentShadow, Adjoints);
  free(Adjoints);
}

int adze_mpi_allreduce_forward(const void *Sent, void *SentShadow, void *Buffer,
                               void *Shadow, int Count, MPI_Datatype Type,
                               MPI_Op Op, MPI_Comm Comm) {
  const void *Own = Sent == InPlace ? Buffer : Sent;
  struct Reduction R =
      beginReduction("MPI_Allreduce", Own, Count, Type, Op, Comm);
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  int Error = PRIMAL(MPI_Allreduce(Sent, Buffer, Count, Type, Op, Comm));
  Shadow = shadowOf(&R.L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&R.L, Sent, SentShadow);
  if (R.L.Kind == NoFloats)
    return Error;
  void *Partials = partialsOf(&R, Buffer, -1, Comm);
  void *Tangents = packed(&R.L, N, SentShadow);
  tangentsOn(&R.L, N, Tangents, Op, Partials, -1, Comm);
  setTo(&R.L, N, Shadow, Tangents);
  free(Tangents);
  return Error;
}

struct Kept adze_mpi_reduce_augmented(const void *Sent, void *SentShadow,
                                      void *Buffer, void *Shadow, int Count,
                                      MPI_Datatype Type, MPI_Op Op, int Root,
                                      MPI_Comm Comm) {
  const void *Own = Sent == InPlace ? Buffer : Sent;
  struct Reduction R = beginReduction("MPI_Reduce", Own, Count, Type, Op, Comm);
  (void)SentShadow, (void)Shadow;
  int Error = PRIMAL(MPI_Reduce(Sent, Buffer, Count, Type, Op, Root, Comm));
  return (struct Kept){partialsOf(&R, Buffer, Root, Comm), Error};
}

void adze_mpi_reduce_reverse(const void *Sent, void *SentShadow,
                             const void *Buffer, void *Shadow, int Count,
                             MPI_Datatype Type, MPI_Op Op, int Root,
                             MPI_Comm Comm, void *Tape) {
  IN_ORDER(Comm);
  struct Layout L = layoutOf("MPI_Reduce", Type);
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  // What the others pass for the result means nothing.
  Shadow = rankIn(Comm) == Root ? shadowOf(&L, Buffer, Shadow) : 0;
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  if (L.Kind == NoFloats)
    return;
  void *Adjoints = taken(&L, N, Shadow);
  MPI_Bcast(Adjoints, floatsIn(&L, Count), typeOf(L.Kind), Root, Comm);
  adjointsBack(&L, N, Adjoints, Op, Tape, Comm);
  addTo(&L, N, SentShadow, Adjoints);
  free(Adjoints);
}

int adze_mpi_reduce_forward(const void *Sent, void *SentShadow, void *Buffer,
                            void *Shadow, int Count, MPI_Datatype Type,
                            MPI_Op Op, int Root, MPI_Comm Comm) {
  const void *Own = Sent == InPlace ? Buffer : Sent;
  struct Reduction R = beginReduction("MPI_Reduce", Own, Count, Type, Op, Comm);
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  const _Bool IsRoot = rankIn(Comm) == Root;
  int Error = PRIMAL(MPI_Reduce(Sent, Buffer, Count, Type, Op, Root, Comm));
  Shadow = IsRoot ? shadowOf(&R.L, Buffer, Shadow) : 0;
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&R.L, Sent, SentShadow);
  if (R.L.Kind == NoFloats)
    return Error;
  void *Partials = partialsOf(&R, Buffer, Root, Comm);
  void *Tangents = packed(&R.L, N, SentShadow);
  tangentsOn(&R.L, N, Tangents, Op, Partials, Root, Comm);
  setTo(&R.L, N, Shadow, Tangents);
  free(Tangents);
  return Error;
}

#endif
