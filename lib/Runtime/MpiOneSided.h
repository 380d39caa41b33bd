/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses to windows (MpiWindows.h). In reverse mode a call only notes what
 * will be needed by what completes it; in forward mode, too, but between
 * fences, where the tangents are accessed as the numbers are.
 */
#ifndef ADZE_RUNTIME_MPIONESIDED_H
#define ADZE_RUNTIME_MPIONESIDED_H

#include "MpiEpochs.h"

int MPI_Get_accumulate(const void *, int, MPI_Datatype, void *, int,
                       MPI_Datatype, int, ptrdiff_t, int, MPI_Datatype, MPI_Op,
                       MPI_Win);

/* What a call of \p Function is told. */
struct AccessCall {
  const char *Function;
  const void *Buffer;
  void *Shadow;
  int Count;
  MPI_Datatype Type;
  int Target;
  ptrdiff_t Place;
  int TargetCount;
  MPI_Datatype TargetType;
};

/* The window may have shadows, so an access must tell of floats. */
static void checkBytes(const struct Layout *L, const struct Window *W) {
  if ((L->Bytes || L->Kind == Packed) && (!W || W->HasShadows))
    refuse(L->Function, "MPI_BYTE and MPI_PACKED do not tell what is active in "
                        "a window: use the type of the data");
}

_Noreturn static void refuseWindow(const char *Function) {
  refuse(Function, "a window that the function that is differentiated has not "
                   "made: make it there, too");
}

/* Null if no floats travel. */
static struct RemoteAccess *noted(const struct AccessCall *C, enum Access How,
                                  MPI_Win Win) {
  struct Window *W = windowOf(Win);
  struct Layout L = layoutOf(C->Function, C->Type);
  const struct Layout AtTarget = layoutOf(C->Function, C->TargetType);
  void *Shadow = shadowOf(&L, C->Buffer, C->Shadow);
  if (C->Target == ProcNull)
    return 0;
  checkBytes(&L, W);
  checkBytes(&AtTarget, W);
  const int Floats = floatsIn(&L, C->Count);
  if (L.Kind != AtTarget.Kind || Floats != floatsIn(&AtTarget, C->TargetCount))
    refuse(C->Function, "the floats here are not those at the target");
  if (!Floats)
    return 0;
  if (!W)
    refuseWindow(C->Function);
  struct RemoteAccess *A = allocate(C->Function, 1, sizeof *A);
  A->How = How;
  A->L = L;
  A->AtTarget = AtTarget;
  A->Shadow = Shadow;
  A->Count = C->Count;
  A->Target = C->Target;
  A->TargetCount = C->TargetCount;
  A->Place = C->Place;
  A->Next = W->Accesses;
  W->Accesses = A;
  return A;
}

/* What completes it has been reversed. */
static void reverseAccess(struct RemoteAccess *A, const void *Buffer,
                          void *Shadow) {
  if (!A)
    return;
  if (!A->IsComplete)
    refuse(A->L.Function, "nothing in the function that is differentiated "
                          "completes the access");
  if (shadowOf(&A->L, Buffer, Shadow) != A->Shadow)
    refuse(A->L.Function, "the shadow of the buffer was elsewhere at the "
                          "access: allocate it on the heap");
  free(A);
}

/* The same access to the tangents. What completes \p A ends it. */
static void accessOpposite(struct RemoteAccess *A, const struct Window *W) {
  if (!hasShadowAt(W, A->Target)) {
    if (A->How == Gets)
      clear(&A->L, (size_t)A->Count, A->Shadow);
    return;
  }
  struct FloatType To = floatTypeOf(&A->AtTarget, A->TargetCount);
  struct FloatType Here = {typeOf(A->L.Kind), floatsIn(&A->L, A->Count), 0};
  void *Place = A->Shadow;
  if (Place)
    Here = floatTypeOf(&A->L, A->Count);
  else
    Place = A->Floats = zerosFor(&A->L, (size_t)A->Count);
  if (A->How == Puts)
    MPI_Put(Place, Here.Count, Here.Type, A->Target, placeOf(W, A), To.Count,
            To.Type, W->Opposite);
  else if (A->How == Gets)
    MPI_Get(Place, Here.Count, Here.Type, A->Target, placeOf(W, A), To.Count,
            To.Type, W->Opposite);
  else
    MPI_Accumulate(Place, Here.Count, Here.Type, A->Target, placeOf(W, A),
                   To.Count, To.Type, OpSum, W->Opposite);
  endType(&Here);
  endType(&To);
}

static void accessTangents(struct RemoteAccess *A, MPI_Win Win) {
  const struct Window *W = A ? windowOf(Win) : 0;
  if (W && !W->Locks)
    accessOpposite(A, W);
}

/* ---- MPI_Put, MPI_Get, MPI_Accumulate ---------------------------------------
 */

/* The three functions of NAME; BUFFER: the type of what is here. */
#define ACCESSES(NAME, MPI_NAME, HOW, BUFFER)                                  \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      BUFFER Buffer, void *Shadow, int Count, MPI_Datatype Type, int Target,   \
      ptrdiff_t Place, int TargetCount, MPI_Datatype TargetType,               \
      MPI_Win Win) {                                                           \
    const struct AccessCall C = {#MPI_NAME, Buffer,      Shadow,               \
                                 Count,     Type,        Target,               \
                                 Place,     TargetCount, TargetType};          \
    struct RemoteAccess *A = noted(&C, HOW, Win);                              \
    return (struct Kept){A,                                                    \
                         PRIMAL(MPI_NAME(Buffer, Count, Type, Target, Place,   \
                                         TargetCount, TargetType, Win))};      \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      const void *Buffer, void *Shadow, int Count UNUSED,                      \
      MPI_Datatype Type UNUSED, int Target UNUSED, ptrdiff_t Place UNUSED,     \
      int TargetCount UNUSED, MPI_Datatype TargetType UNUSED,                  \
      MPI_Win Win UNUSED, void *Tape) {                                        \
    reverseAccess(Tape, Buffer, Shadow);                                       \
  }                                                                            \
  int adze_mpi_##NAME##_forward(BUFFER Buffer, void *Shadow, int Count,        \
                                MPI_Datatype Type, int Target,                 \
                                ptrdiff_t Place, int TargetCount,              \
                                MPI_Datatype TargetType, MPI_Win Win) {        \
    struct Kept K =                                                            \
        adze_mpi_##NAME##_augmented(Buffer, Shadow, Count, Type, Target,       \
                                    Place, TargetCount, TargetType, Win);      \
    accessTangents(K.Tape, Win);                                               \
    return K.Error;                                                            \
  }

ACCESSES(put, MPI_Put, Puts, const void *)
ACCESSES(get, MPI_Get, Gets, void *)

/* What others of an epoch write is the same in any order for sums alone. */
static void checkSum(const char *Function, MPI_Op Op) {
  if (Op == OpReplace)
    refuse(Function, "MPI_REPLACE of floats: the order of ranks is not known, "
                     "use MPI_Put");
  if (Op != OpSum)
    refuse(Function, "the operation on floats is not MPI_SUM");
}

struct Kept adze_mpi_accumulate_augmented(const void *Buffer, void *Shadow,
                                          int Count, MPI_Datatype Type,
                                          int Target, ptrdiff_t Place,
                                          int TargetCount,
                                          MPI_Datatype TargetType, MPI_Op Op,
                                          MPI_Win Win) {
  const struct AccessCall C = {
      "MPI_Accumulate", Buffer, Shadow,      Count,     Type,
      Target,           Place,  TargetCount, TargetType};
  struct RemoteAccess *A = noted(&C, Sums, Win);
  if (A)
    checkSum(C.Function, Op);
  return (struct Kept){
      A, PRIMAL(MPI_Accumulate(Buffer, Count, Type, Target, Place, TargetCount,
                               TargetType, Op, Win))};
}

void adze_mpi_accumulate_reverse(const void *Buffer, void *Shadow,
                                 int Count UNUSED, MPI_Datatype Type UNUSED,
                                 int Target UNUSED, ptrdiff_t Place UNUSED,
                                 int TargetCount UNUSED,
                                 MPI_Datatype TargetType UNUSED,
                                 MPI_Op Op UNUSED, MPI_Win Win UNUSED,
                                 void *Tape) {
  reverseAccess(Tape, Buffer, Shadow);
}

int adze_mpi_accumulate_forward(const void *Buffer, void *Shadow, int Count,
                                MPI_Datatype Type, int Target, ptrdiff_t Place,
                                int TargetCount, MPI_Datatype TargetType,
                                MPI_Op Op, MPI_Win Win) {
  struct Kept K =
      adze_mpi_accumulate_augmented(Buffer, Shadow, Count, Type, Target, Place,
                                    TargetCount, TargetType, Op, Win);
  accessTangents(K.Tape, Win);
  return K.Error;
}

/* ---- Of numbers without derivative alone ------------------------------------
 */

/* What such calls read depends on the order of ranks. */
static void checkNumbers(const char *Function, MPI_Datatype Type,
                         const void *Buffer, void *Shadow, MPI_Win Win) {
  struct Layout L = layoutOf(Function, Type);
  shadowOf(&L, Buffer, Shadow);
  checkBytes(&L, windowOf(Win));
  if (L.Kind != NoFloats)
    refuse(Function, "floats, whose value depends on the order of ranks: use "
                     "MPI_Accumulate, or MPI_Get and MPI_Put with a lock");
}

PASSES(
    compare_and_swap,
    (const void *Buffer, void *Shadow, const void *With, void *WithShadow,
     void *Result, void *ResultShadow, MPI_Datatype Type, int Target,
     ptrdiff_t Place, MPI_Win Win),
    {
      checkNumbers("MPI_Compare_and_swap", Type, Result, ResultShadow, Win);
      (void)Shadow;
      (void)WithShadow;
      return PRIMAL(
          MPI_Compare_and_swap(Buffer, With, Result, Type, Target, Place, Win));
    },
    (const void *Buffer UNUSED, void *Shadow UNUSED, const void *With UNUSED,
     void *WithShadow UNUSED, void *Result UNUSED, void *ResultShadow UNUSED,
     MPI_Datatype Type UNUSED, int Target UNUSED, ptrdiff_t Place UNUSED,
     MPI_Win Win UNUSED))

#endif
