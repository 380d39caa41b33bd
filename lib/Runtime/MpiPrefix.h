/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions of which each rank has a part. Sums:
 *
 *   y = Scan(x)             x' += sum of y' of this rank and those after it
 *   y = Exscan(x)           x' += sum of y' of the ranks after this one
 *   y = Reduce_scatter(x)   x' += Allgather(y')
 *
 * and then y' = 0. For other operations each y' is multiplied by dy/dx first
 * (MpiFolds.h), or taken back through the folds of the program's function.
 */
#ifndef ADZE_RUNTIME_MPIPREFIX_H
#define ADZE_RUNTIME_MPIPREFIX_H

#include "MpiFolds.h"

/* A call of Scan or Exscan. */
struct Prefix {
  struct Layout L;
  void *From, *To; // shadows of the buffers
  size_t Count;
  int Rank;
  _Bool Own; // what this rank gives counts in its result
};

static struct Prefix prefixOf(const char *Function, const void *Sent,
                              void *SentShadow, const void *Buffer,
                              void *Shadow, int Count, MPI_Datatype Type,
                              MPI_Comm Comm, _Bool Own) {
  struct Prefix P = {layoutOf(Function, Type), 0, 0, 0, rankIn(Comm), Own};
  P.Count = (size_t)(Count > 0 ? Count : 0);
  P.To = shadowOf(&P.L, Buffer, Shadow);
  P.From = Sent == InPlace ? P.To : shadowOf(&P.L, Sent, SentShadow);
  return P;
}

/* Exscan leaves the result of the first rank as it was. */
static _Bool writes(const struct Prefix *P) { return P->Own || P->Rank > 0; }

/* The adjoints that this rank has for what each rank gives: to be freed. */
static void *prefixAdjoints(const struct Prefix *P, MPI_Op Op, const void *Tape,
                            MPI_Comm Comm) {
  const size_t N = (size_t)floatsIn(&P->L, (int)P->Count);
  const size_t Block = N * SizeOf[P->L.Kind];
  const size_t Before = (size_t)(P->Rank + P->Own);
  void *Mine = taken(&P->L, P->Count, P->To);
  char *All = isOfUser(Op) ? userFoldBack(Tape, Before, Mine)
                           : allocate(P->L.Function, sizeOf(Comm), Block);
  for (size_t I = 0; !isOfUser(Op) && I < Before; ++I) {
    memcpy(All + I * Block, Mine, Block);
    if (Tape)
      multiply(P->L.Kind, N, All + I * Block, (const char *)Tape + I * Block,
               adjointOf(&P->L));
  }
  free(Mine);
  return All;
}

/* \p Tape: of partialsOfPrefix(). */
static void prefixBack(const struct Prefix *P, MPI_Op Op, const void *Tape,
                       MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const int Floats = floatsIn(&P->L, (int)P->Count);
  const size_t Block = (size_t)Floats * SizeOf[P->L.Kind];
  void *All = writes(P) ? prefixAdjoints(P, Op, Tape, Comm)
                        : allocate(P->L.Function, sizeOf(Comm), Block);
  void *Sums = zerosFor(&P->L, P->Count);
  MPI_Reduce_scatter_block(All, Sums, Floats, typeOf(P->L.Kind), OpSum, Comm);
  addTo(&P->L, P->Count, P->From, Sums);
  free(All);
  free(Sums);
}

/* \p Tangents of what this rank gives become those of its result. */
static void sumTangents(const struct Prefix *P, void *Tangents, MPI_Op Op,
                        const void *Tape, MPI_Comm Comm) {
  const int Floats = floatsIn(&P->L, (int)P->Count);
  const MPI_Datatype Type = typeOf(P->L.Kind);
  const size_t N = (size_t)Floats, Ranks = sizeOf(Comm);
  if (isOfUser(Op)) {
    foldTangents(Tape, (size_t)(P->Rank + P->Own), Tangents, Comm);
  } else if (!Tape && P->Own) {
    MPI_Scan(InPlace, Tangents, Floats, Type, OpSum, Comm);
  } else if (!Tape) {
    MPI_Exscan(InPlace, Tangents, Floats, Type, OpSum, Comm);
  } else {
    void *All = allocate(P->L.Function, Ranks * N, SizeOf[P->L.Kind]);
    MPI_Allgather(Tangents, Floats, Type, All, Floats, Type, Comm);
    memset(Tangents, 0, N * SizeOf[P->L.Kind]);
    addProducts(&P->L, Ranks, N, Tangents, All, Tape);
    free(All);
  }
}

static void prefixTangents(const struct Prefix *P, MPI_Op Op, const void *Tape,
                           MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  void *Tangents = packed(&P->L, P->Count, P->From);
  sumTangents(P, Tangents, Op, Tape, Comm);
  if (writes(P))
    setTo(&P->L, P->Count, P->To, Tangents);
  free(Tangents);
}

/* dy/dx by rank; null for sums, and where there are no floats; of operations of
 * the program their fold. */
static void *partialsOfPrefix(struct Reduction *R, const void *Result,
                              _Bool Own, MPI_Comm Comm) {
  if (R->L.Kind == NoFloats || R->Op == Sum)
    return 0;
  if (R->Op == User)
    return R->Fold;
  if (Directions.Which)
    return ofFirst();
  struct Fold F = gatherPrefix(R, (size_t)(rankIn(Comm) + Own), Comm);
  void *Partials = partialsOfFold(&F, &R->L, R->Op, Result);
  free(R->Own);
  free(R->Places);
  return Partials;
}

#define PREFIX(NAME, MPI_NAME, OWN)                                            \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      const void *Sent, void *SentShadow, void *Buffer, void *Shadow,          \
      int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) {                \
    const void *Given = Sent == InPlace ? Buffer : Sent;                       \
    struct Reduction R =                                                       \
        beginReduction(#MPI_NAME, Given, Count, Type, Op, Comm);               \
    (void)SentShadow, (void)Shadow;                                            \
    int Error = PRIMAL(MPI_NAME(Sent, Buffer, Count, Type, Op, Comm));         \
    return (struct Kept){partialsOfPrefix(&R, Buffer, OWN, Comm), Error};      \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      const void *Sent, void *SentShadow, void *Buffer, void *Shadow,          \
      int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm, void *Tape) {    \
    IN_ORDER(Comm);                                                            \
    struct Prefix P = prefixOf(#MPI_NAME, Sent, SentShadow, Buffer, Shadow,    \
                               Count, Type, Comm, OWN);                        \
    prefixBack(&P, Op, Tape, Comm);                                            \
    free(Tape);                                                                \
  }                                                                            \
  int adze_mpi_##NAME##_forward(const void *Sent, void *SentShadow,            \
                                void *Buffer, void *Shadow, int Count,         \
                                MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) { \
    struct Kept K = adze_mpi_##NAME##_augmented(                               \
        Sent, SentShadow, Buffer, Shadow, Count, Type, Op, Comm);              \
    struct Prefix P = prefixOf(#MPI_NAME, Sent, SentShadow, Buffer, Shadow,    \
                               Count, Type, Comm, OWN);                        \
    prefixTangents(&P, Op, K.Tape, Comm);                                      \
    free(K.Tape);                                                              \
    return K.Error;                                                            \
  }

PREFIX(scan, MPI_Scan, 1)
PREFIX(exscan, MPI_Exscan, 0)

/* ---- MPI_Reduce_scatter, MPI_Reduce_scatter_block -------------------------
 */

/* Of the first half. */
struct Scattered {
  struct Blocks *B; // one for each rank, in the whole buffer that is reduced
  void *Partials;   // dy/dx by rank; null for sums
  struct UserFold *Fold; // instead, of operations of the program
};

static void endScattered(struct Scattered *S) {
  free(S->B);
  free(S->Partials);
  free(S->Fold);
  free(S);
}

/* The adjoints that this rank has for what each rank gives: to be freed. */
static void *scatteredAdjoints(const struct Layout *L,
                               const struct Scattered *S, const void *Mine,
                               MPI_Comm Comm) {
  const struct Blocks *B = S->B;
  const size_t Own = (size_t)B->Floats[rankIn(Comm)];
  const size_t Block = Own * SizeOf[L->Kind];
  if (S->Fold)
    return userFoldBack(S->Fold, (size_t)B->Ranks, Mine);
  char *Each = ownBlocks(L, B, SizeOf[L->Kind], Comm);
  for (size_t I = 0; I < (size_t)B->Ranks; ++I) {
    memcpy(Each + I * Block, Mine, Block);
    multiply(L->Kind, Own, Each + I * Block,
             (const char *)S->Partials + I * Block, adjointOf(L));
  }
  return Each;
}

/* \p Whole, \p Result: the shadows. */
static void reduceScatterBack(const struct Layout *L, const struct Scattered *S,
                              void *Whole, void *Result, MPI_Comm Comm) {
  const struct Blocks *B = S->B;
  if (L->Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(L->Kind);
  const int Rank = rankIn(Comm);
  void *Mine = taken(L, (size_t)B->Counts[Rank], Result);
  void *All = zerosForBlocks(L, B);
  if (S->Partials || S->Fold) {
    void *Each = scatteredAdjoints(L, S, Mine, Comm);
    exchangeOwn(B, Each, All, Type, 1, Comm);
    free(Each);
  } else {
    MPI_Allgatherv(Mine, B->Floats[Rank], Type, All, B->Floats, B->PackedAt,
                   Type, Comm);
  }
  addBlocks(L, B, Whole, All);
  free(Mine);
  free(All);
}

static void reduceScatterTangents(const struct Layout *L,
                                  const struct Scattered *S, void *Whole,
                                  void *Result, MPI_Comm Comm) {
  const struct Blocks *B = S->B;
  if (L->Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(L->Kind);
  const int Rank = rankIn(Comm);
  void *All = packedBlocks(L, B, Whole);
  void *Mine = zerosFor(L, (size_t)B->Counts[Rank]);
  if (S->Partials || S->Fold) {
    void *Each = ownBlocks(L, B, SizeOf[L->Kind], Comm);
    exchangeOwn(B, Each, All, Type, 0, Comm);
    if (S->Fold)
      userFoldForward(S->Fold, (size_t)B->Ranks, Each, Mine);
    else
      addProducts(L, (size_t)B->Ranks, (size_t)B->Floats[Rank], Mine, Each,
                  S->Partials);
    free(Each);
  } else {
    MPI_Reduce_scatter(All, Mine, B->Floats, Type, OpSum, Comm);
  }
  setTo(L, (size_t)B->Counts[Rank], Result, Mine);
  free(Mine);
  free(All);
}

/* Before the call. \p Own: the whole buffer. */
static struct Reduction beginScattered(const char *Function, const void *Own,
                                       struct Blocks *B, MPI_Datatype Type,
                                       MPI_Op Op, MPI_Comm Comm) {
  const int Last = B->Ranks - 1;
  const struct Layout L = layoutOf(Function, Type);
  if (isOfUser(Op) && L.Kind != NoFloats) {
    struct Reduction R = {L, 0, operationOf(&L, Op), 0, 0, 0};
    checkIntra(&L, Comm);
    R.Fold = Directions.Which
                 ? ofFirst()
                 : foldForOthers(gatherUserBlocks(&L, Own, B, Type, Op, Comm));
    return R;
  }
  return beginReduction(Function, Own, B->Places[Last] + B->Counts[Last], Type,
                        Op, Comm);
}

/* After the call. */
static struct Scattered *scatteredOf(struct Reduction *R, struct Blocks *B,
                                     const void *Result, MPI_Comm Comm) {
  struct Scattered *S = allocate(R->L.Function, 1, sizeof *S);
  S->B = B;
  S->Fold = R->Fold;
  if (R->L.Kind == NoFloats || R->Op == Sum || R->Fold)
    return S;
  if (Directions.Which) {
    S->Partials = ofFirst();
    return S;
  }
  struct Fold F = gatherBlocks(R, B, Comm);
  S->Partials = partialsOfFold(&F, &R->L, R->Op, Result);
  free(R->Own);
  free(R->Places);
  return S;
}

/* COUNTS: the type of the parameter; ALL and EACH: the two ways to say how
 * large the blocks are, one of them null or 0. */
#define REDUCE_SCATTER(NAME, MPI_NAME, COUNTS, ALL, EACH)                      \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      const void *Sent, void *SentShadow, void *Buffer, void *Shadow,          \
      COUNTS Counts, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) {            \
    struct Layout L = layoutOf(#MPI_NAME, Type);                               \
    struct Blocks *B = blocksOf(&L, Comm, ALL, 0, EACH);                       \
    struct Reduction R = beginScattered(                                       \
        #MPI_NAME, Sent == InPlace ? Buffer : Sent, B, Type, Op, Comm);        \
    (void)SentShadow, (void)Shadow;                                            \
    int Error = PRIMAL(MPI_NAME(Sent, Buffer, Counts, Type, Op, Comm));        \
    return (struct Kept){scatteredOf(&R, B, Buffer, Comm), Error};             \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(const void *Sent, void *SentShadow,           \
                                 void *Buffer, void *Shadow, COUNTS Counts,    \
                                 MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm,  \
                                 void *Tape) {                                 \
    IN_ORDER(Comm);                                                            \
    struct Layout L = layoutOf(#MPI_NAME, Type);                               \
    (void)Counts, (void)Op;                                                    \
    Shadow = shadowOf(&L, Buffer, Shadow);                                     \
    SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);    \
    reduceScatterBack(&L, Tape, SentShadow, Shadow, Comm);                     \
    endScattered(Tape);                                                        \
  }                                                                            \
  int adze_mpi_##NAME##_forward(const void *Sent, void *SentShadow,            \
                                void *Buffer, void *Shadow, COUNTS Counts,     \
                                MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) { \
    struct Kept K = adze_mpi_##NAME##_augmented(                               \
        Sent, SentShadow, Buffer, Shadow, Counts, Type, Op, Comm);             \
    struct Layout L = layoutOf(#MPI_NAME, Type);                               \
    Shadow = shadowOf(&L, Buffer, Shadow);                                     \
    SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);    \
    reduceScatterTangents(&L, K.Tape, SentShadow, Shadow, Comm);               \
    endScattered(K.Tape);                                                      \
    return K.Error;                                                            \
  }

REDUCE_SCATTER(reduce_scatter, MPI_Reduce_scatter, const int *, Counts, 0)
REDUCE_SCATTER(reduce_scatter_block, MPI_Reduce_scatter_block, int, 0, Counts)

#endif
