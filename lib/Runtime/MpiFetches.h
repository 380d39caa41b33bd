/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Accesses to windows that are complete where they are called, with floats:
 *
 *   Rput, Rget, Raccumulate        as Put, Get, Accumulate, and a flush; the
 *                                  request is complete
 *   Get_accumulate, Fetch_and_op   a Get, then by the operation an Accumulate
 *                                  (MPI_SUM), a Put (MPI_REPLACE) or nothing
 *                                  (MPI_NO_OP); each with a turn of its own
 *
 * What a fetch gets is known for sure while nobody else may access the memory:
 * with an exclusive lock.
 */
#ifndef ADZE_RUNTIME_MPIFETCHES_H
#define ADZE_RUNTIME_MPIFETCHES_H

#include "MpiNonblocking.h"
#include "MpiOneSided.h"

int MPI_Raccumulate(const void *, int, MPI_Datatype, int, ptrdiff_t, int,
                    MPI_Datatype, MPI_Op, MPI_Win, MPI_Request *);
int MPI_Rget(void *, int, MPI_Datatype, int, ptrdiff_t, int, MPI_Datatype,
             MPI_Win, MPI_Request *);
int MPI_Rput(const void *, int, MPI_Datatype, int, ptrdiff_t, int, MPI_Datatype,
             MPI_Win, MPI_Request *);

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"

/* What one call has done: the later one first, which may be null. */
struct Fetched {
  struct Group *Groups;
  struct RemoteAccess *First, *Second;
};

/* Of both passes: \p Groups go in front of what is complete now. */
static struct Group *joined(struct Group *Groups, struct Group *Before) {
  struct Group **At = &Groups;
  while (*At)
    At = &(*At)->Before;
  *At = Before;
  return Groups;
}

static void reverseFetched(struct Fetched *F, const void *Buffer, void *Shadow,
                           const void *Result, void *ResultShadow) {
  if (!F)
    return;
  reverseGroups(F->Groups);
  reverseAccess(F->Second, Buffer, Shadow);
  reverseAccess(F->First, Result, ResultShadow);
  free(F);
}

/* ---- MPI_Rput, MPI_Rget, MPI_Raccumulate ------------------------------------
 */

static struct Fetched *requested(struct RemoteAccess *A, int Target,
                                 MPI_Win Win, MPI_Request *Request) {
  struct Fetched *F = allocate("MPI_Rput", 1, sizeof *F);
  F->Groups = completeInTurn(Target, Win);
  F->Second = A;
  if (!Directions.Which)
    completeRequest(Request);
  return F;
}

static void requestedForward(int Target, MPI_Win Win, MPI_Request *Request) {
  forwardGroups(completeAt(Target, Win));
  if (!Directions.Which)
    completeRequest(Request);
}

/* The three functions of MPI_R..., which without floats is called as it is, and
 * else as CALL with ARGUMENTS. */
#define REQUESTS(NAME, RNAME, CALL, HOW, BUFFER, CHECK, PARAMETERS, ARGUMENTS) \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      BUFFER Buffer, void *Shadow, int Count, MPI_Datatype Type, int Target,   \
      ptrdiff_t Place, int TargetCount, MPI_Datatype TargetType, PARAMETERS,   \
      MPI_Request *Request) {                                                  \
    const struct AccessCall C = {#RNAME, Buffer, Shadow,      Count,     Type, \
                                 Target, Place,  TargetCount, TargetType};     \
    struct RemoteAccess *A = noted(&C, HOW, Win);                              \
    if (!A)                                                                    \
      return (struct Kept){                                                    \
          0, PRIMAL(RNAME(Buffer, Count, Type, Target, Place, TargetCount,     \
                          TargetType, ARGUMENTS, Request))};                   \
    CHECK;                                                                     \
    int Error = PRIMAL(CALL(Buffer, Count, Type, Target, Place, TargetCount,   \
                            TargetType, ARGUMENTS));                           \
    return (struct Kept){requested(A, Target, Win, Request), Error};           \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      const void *Buffer, void *Shadow, int Count UNUSED,                      \
      MPI_Datatype Type UNUSED, int Target UNUSED, ptrdiff_t Place UNUSED,     \
      int TargetCount UNUSED, MPI_Datatype TargetType UNUSED, PARAMETERS,      \
      MPI_Request *Request UNUSED, void *Tape) {                               \
    reverseFetched(Tape, Buffer, Shadow, 0, 0);                                \
  }                                                                            \
  int adze_mpi_##NAME##_forward(                                               \
      BUFFER Buffer, void *Shadow, int Count, MPI_Datatype Type, int Target,   \
      ptrdiff_t Place, int TargetCount, MPI_Datatype TargetType, PARAMETERS,   \
      MPI_Request *Request) {                                                  \
    const struct AccessCall C = {#RNAME, Buffer, Shadow,      Count,     Type, \
                                 Target, Place,  TargetCount, TargetType};     \
    struct RemoteAccess *A = noted(&C, HOW, Win);                              \
    if (!A)                                                                    \
      return PRIMAL(RNAME(Buffer, Count, Type, Target, Place, TargetCount,     \
                          TargetType, ARGUMENTS, Request));                    \
    CHECK;                                                                     \
    int Error = PRIMAL(CALL(Buffer, Count, Type, Target, Place, TargetCount,   \
                            TargetType, ARGUMENTS));                           \
    requestedForward(Target, Win, Request);                                    \
    return Error;                                                              \
  }

REQUESTS(rput, MPI_Rput, MPI_Put, Puts, const void *, (void)0,
         LIST(MPI_Win Win), LIST(Win))
REQUESTS(rget, MPI_Rget, MPI_Get, Gets, void *, (void)0, LIST(MPI_Win Win),
         LIST(Win))
REQUESTS(raccumulate, MPI_Raccumulate, MPI_Accumulate, Sums, const void *,
         checkSum("MPI_Raccumulate", Op), LIST(MPI_Op Op, MPI_Win Win),
         LIST(Op, Win))

/* ---- MPI_Get_accumulate, MPI_Fetch_and_op -----------------------------------
 */

/* A call with floats; Type and Count of \p Sent and \p Result are their own. */
struct FetchCall {
  struct AccessCall Result, Sent;
  MPI_Op Op;
  MPI_Win Win;
};

/* Whether floats are fetched, which they may be. */
static _Bool fetchesFloats(const struct FetchCall *F) {
  const struct AccessCall *C = &F->Result;
  struct Layout L = layoutOf(C->Function, C->Type);
  const struct Window *W = windowOf(F->Win);
  shadowOf(&L, C->Buffer, C->Shadow);
  checkBytes(&L, W);
  if (C->Target == ProcNull || L.Kind == NoFloats)
    return 0;
  if (!W)
    refuseWindow(C->Function);
  if (!W->Parts[C->Target].IsExclusive)
    refuse(C->Function, "floats, whose value depends on the order of ranks: "
                        "lock the window exclusively, or use MPI_Accumulate");
  if (F->Op != OpNothing && F->Op != OpReplace)
    checkSum(C->Function, F->Op);
  return 1;
}

/* Null with MPI_NO_OP, where the buffer means nothing. */
static struct RemoteAccess *notedSent(const struct FetchCall *F) {
  if (F->Op == OpNothing)
    return 0;
  return noted(&F->Sent, F->Op == OpReplace ? Puts : Sums, F->Win);
}

/* The call itself is between the two. */
static struct Group *beforeFetch(const struct FetchCall *F) {
  return completeInTurn(F->Result.Target, F->Win);
}
static struct Fetched *fetched(const struct FetchCall *F,
                               struct Group *Before) {
  struct Fetched *Done = allocate(F->Result.Function, 1, sizeof *Done);
  const int Target = F->Result.Target;
  Done->First = noted(&F->Result, Gets, F->Win);
  Done->Groups = joined(completeInTurn(Target, F->Win), Before);
  Done->Second = notedSent(F);
  Done->Groups = joined(completeInTurn(Target, F->Win), Done->Groups);
  return Done;
}

static void fetchedForward(const struct FetchCall *F) {
  const int Target = F->Result.Target;
  noted(&F->Result, Gets, F->Win);
  forwardGroups(completeAt(Target, F->Win));
  notedSent(F);
  forwardGroups(completeAt(Target, F->Win));
}

/* The three functions of a call of MPI with PARAMETERS. */
#define FETCHES(NAME, MPI_NAME, PARAMETERS, ARGUMENTS, RESULT, SENT)           \
  struct Kept adze_mpi_##NAME##_augmented(PARAMETERS) {                        \
    const struct FetchCall F = {RESULT, SENT, Op, Win};                        \
    if (!fetchesFloats(&F))                                                    \
      return (struct Kept){0, PRIMAL(MPI_NAME(ARGUMENTS))};                    \
    struct Group *Before = beforeFetch(&F);                                    \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS));                                   \
    return (struct Kept){fetched(&F, Before), Error};                          \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(PARAMETERS, void *Tape) {                     \
    const struct FetchCall F = {RESULT, SENT, Op, Win};                        \
    reverseFetched(Tape, F.Sent.Buffer, F.Sent.Shadow, F.Result.Buffer,        \
                   F.Result.Shadow);                                           \
  }                                                                            \
  int adze_mpi_##NAME##_forward(PARAMETERS) {                                  \
    const struct FetchCall F = {RESULT, SENT, Op, Win};                        \
    if (!fetchesFloats(&F))                                                    \
      return PRIMAL(MPI_NAME(ARGUMENTS));                                      \
    forwardGroups(completeAt(Target, Win));                                    \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS));                                   \
    fetchedForward(&F);                                                        \
    return Error;                                                              \
  }

FETCHES(get_accumulate, MPI_Get_accumulate,
        LIST(const void *Buffer, void *Shadow, int Count, MPI_Datatype Type,
             void *Result, void *ResultShadow, int ResultCount,
             MPI_Datatype ResultType, int Target, ptrdiff_t Place,
             int TargetCount, MPI_Datatype TargetType, MPI_Op Op, MPI_Win Win),
        LIST(Buffer, Count, Type, Result, ResultCount, ResultType, Target,
             Place, TargetCount, TargetType, Op, Win),
        LIST({"MPI_Get_accumulate", Result, ResultShadow, ResultCount,
              ResultType, Target, Place, TargetCount, TargetType}),
        LIST({"MPI_Get_accumulate", Buffer, Shadow, Count, Type, Target, Place,
              TargetCount, TargetType}))

FETCHES(fetch_and_op, MPI_Fetch_and_op,
        LIST(const void *Buffer, void *Shadow, void *Result, void *ResultShadow,
             MPI_Datatype Type, int Target, ptrdiff_t Place, MPI_Op Op,
             MPI_Win Win),
        LIST(Buffer, Result, Type, Target, Place, Op, Win),
        LIST({"MPI_Fetch_and_op", Result, ResultShadow, 1, Type, Target, Place,
              1, Type}),
        LIST({"MPI_Fetch_and_op", Buffer, Shadow, 1, Type, Target, Place, 1,
              Type}))

#pragma clang diagnostic pop
#endif
