/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reductions by a function of the program (MPI_Op_create), f(in, inout):
 *
 *   y = x0 op x1 op ... op xn       x op z: inout = z; f(x, inout)
 *
 * Behind MPI_Op_create stands a call that tells the derivatives of f here
 * (Frontend/UserOperations.cpp). In the first pass all ranks gather what all
 * give. In the reverse pass each rank folds them in the order of the ranks,
 * keeps all between, and goes back.
 */
#ifndef ADZE_RUNTIME_MPIUSEROPERATIONS_H
#define ADZE_RUNTIME_MPIUSEROPERATIONS_H

#include "MpiLayout.h"

typedef void UserFunction(void *In, void *InOut, int *Length,
                          MPI_Datatype *Type);
typedef void UserDerivative(void *In, void *InShadow, void *InOut,
                            void *InOutShadow, int *Length, MPI_Datatype *Type);

struct UserOperation {
  struct UserOperation *Next;
  MPI_Op Op;
  UserFunction *F;
  UserDerivative *Reverse, *Forward;
};

/* Of all files that are differentiated. */
__attribute__((
    weak,
    visibility("hidden"))) struct UserOperation *adze_mpi_user_operations = 0;

static void forgetOperation(MPI_Op Op) {
  struct UserOperation **At = &adze_mpi_user_operations;
  while (*At && (*At)->Op != Op)
    At = &(*At)->Next;
  if (!*At)
    return;
  struct UserOperation *Old = *At;
  *At = Old->Next;
  free(Old);
}

/* Derivatives that are null: there are none. */
void adze_mpi_operation_made(MPI_Op *Op, UserFunction *F,
                             UserDerivative *Reverse, UserDerivative *Forward) {
  forgetOperation(*Op);
  if (!Reverse || !Forward)
    return;
  struct UserOperation *New = allocate("MPI_Op_create", 1, sizeof *New);
  *New = (struct UserOperation){adze_mpi_user_operations, *Op, F, Reverse,
                                Forward};
  adze_mpi_user_operations = New;
}

/* Before the call. */
void adze_mpi_operation_freed(MPI_Op *Op) { forgetOperation(*Op); }

/* Null if the program has made none that is known. */
static const struct UserOperation *userOperation(MPI_Op Op) {
  const struct UserOperation *U = adze_mpi_user_operations;
  while (U && U->Op != Op)
    U = U->Next;
  return U;
}

static _Bool isOfUser(MPI_Op Op) {
  return Op != OpSum && Op != OpProd && Op != OpMin && Op != OpMax &&
         Op != OpMinLoc && Op != OpMaxLoc;
}

int MPI_Type_get_true_extent(MPI_Datatype, ptrdiff_t *, ptrdiff_t *);

/* What is kept of a reduction: to be freed as one block. */
struct UserFold {
  struct UserOperation By; // the program may free the operation
  struct Layout L;
  MPI_Datatype Type;
  int Count;     // of elements that a rank gives
  size_t Block;  // bytes of them
  size_t Ranks;  // all of the communicator
  size_t Floats; // of a block
  char Given[];  // by rank
};

/* Nothing has been given yet. */
static struct UserFold *newUserFold(const struct Layout *L, int Count,
                                    MPI_Datatype Type, MPI_Op Op,
                                    MPI_Comm Comm) {
  ptrdiff_t Begin = 0, Length = 0;
  int Ranks = 0;
  MPI_Comm_size(Comm, &Ranks);
  MPI_Type_get_true_extent(Type, &Begin, &Length);
  if (Begin != 0 || L->Extent < Length)
    refuse(L->Function, "an operation of the program on a datatype that does "
                        "not begin where its data does");
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  const size_t Block = N * (size_t)L->Extent;
  struct UserFold *U =
      allocate(L->Function, 1, sizeof *U + (size_t)Ranks * Block);
  U->By = *userOperation(Op);
  U->L = *L;
  U->Type = Type;
  U->Count = (int)N;
  U->Block = Block;
  U->Ranks = (size_t)Ranks;
  U->Floats = (size_t)floatsIn(L, Count);
  return U;
}

/* What the first direction has gathered. */
static struct UserFold *foldForOthers(struct UserFold *U) {
  return forOthers(U, sizeof *U + U->Ranks * U->Block);
}

/* All ranks gather what all give. */
static struct UserFold *gatherUserFold(const struct Layout *L, const void *Own,
                                       int Count, MPI_Datatype Type, MPI_Op Op,
                                       MPI_Comm Comm) {
  struct UserFold *U = newUserFold(L, Count, Type, Op, Comm);
  MPI_Allgather(Own, Count, Type, U->Given, Count, Type, Comm);
  return U;
}

static char *copyOfGiven(const struct UserFold *U) {
  char *Copy = allocate(U->L.Function, U->Ranks, U->Block);
  memcpy(Copy, U->Given, U->Ranks * U->Block);
  return Copy;
}

static char *floatsOfRank(const struct UserFold *U, void *Floats, size_t Rank) {
  return (char *)Floats + Rank * U->Floats * SizeOf[U->L.Kind];
}

/* The adjoints of what all ranks give, from that of what the first \p Ranks are
 * folded to: to be freed. */
static void *userFoldBack(const struct UserFold *U, size_t Ranks,
                          const void *Adjoints) {
  const size_t N = (size_t)U->Count, B = U->Block;
  MPI_Datatype Type = U->Type;
  int Length = U->Count;
  char *Values = copyOfGiven(U);
  char *Shadows = allocate(U->L.Function, U->Ranks, B);
  void *All = allocate(U->L.Function, U->Ranks * U->Floats, SizeOf[U->L.Kind]);
  for (size_t I = 1; I < Ranks; ++I)
    U->By.F(Values + (I - 1) * B, Values + I * B, &Length, &Type);
  if (Ranks)
    setTo(&U->L, N, Shadows + (Ranks - 1) * B, Adjoints);
  for (size_t I = Ranks; I-- > 1;) {
    // What was given, again.
    memcpy(Values + I * B, U->Given + I * B, B);
    U->By.Reverse(Values + (I - 1) * B, Shadows + (I - 1) * B, Values + I * B,
                  Shadows + I * B, &Length, &Type);
  }
  for (size_t I = 0; I < Ranks; ++I)
    gatherFloats(&U->L, N, floatsOfRank(U, All, I), Shadows + I * B);
  free(Values);
  free(Shadows);
  return All;
}

/* The tangents \p Result of what the first \p Ranks are folded to, from \p All
 * that are given. */
static void userFoldForward(const struct UserFold *U, size_t Ranks, void *All,
                            void *Result) {
  const size_t N = (size_t)U->Count, B = U->Block;
  MPI_Datatype Type = U->Type;
  int Length = U->Count;
  char *Values = copyOfGiven(U);
  char *Shadows = allocate(U->L.Function, U->Ranks, B);
  for (size_t I = 0; I < Ranks; ++I)
    setTo(&U->L, N, Shadows + I * B, floatsOfRank(U, All, I));
  for (size_t I = 1; I < Ranks; ++I)
    U->By.Forward(Values + (I - 1) * B, Shadows + (I - 1) * B, Values + I * B,
                  Shadows + I * B, &Length, &Type);
  if (Ranks)
    gatherFloats(&U->L, N, Result, Shadows + (Ranks - 1) * B);
  free(Values);
  free(Shadows);
}

/* \p Tangents, those that this rank gives, become those of what the first
 * \p Ranks are folded to. */
static void foldTangents(const struct UserFold *U, size_t Ranks, void *Tangents,
                         MPI_Comm Comm) {
  const MPI_Datatype Type = typeOf(U->L.Kind);
  void *All = allocate(U->L.Function, U->Ranks * U->Floats, SizeOf[U->L.Kind]);
  MPI_Allgather(Tangents, (int)U->Floats, Type, All, (int)U->Floats, Type,
                Comm);
  userFoldForward(U, Ranks, All, Tangents);
  free(All);
}

#endif
