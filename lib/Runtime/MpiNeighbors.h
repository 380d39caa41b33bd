/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbourhood collectives. In reverse mode each edge of the topology takes a
 * message from its end to its begin. Several edges may join two ranks: which is
 * which is asked of the library once for each communicator and function, by an
 * exchange of numbers. (On a circle of two ranks its functions differ.)
 */
#ifndef ADZE_RUNTIME_MPINEIGHBORS_H
#define ADZE_RUNTIME_MPINEIGHBORS_H

#include "MpiOrder.h"

struct Edges {
  size_t NumIn, NumOut;
  int *Sources, *Destinations; // ranks, one allocation with what follows
  int *Own;                    // 0, 1, 2 ... of those that go out
  int *Numbers;                // of those that come in, where they begin
  MPI_Request Request;         // of Numbers
  _Bool IsComplete;
  // What the exchange of numbers uses until then.
  int *Ones;
  ptrdiff_t *Bytes;
  MPI_Datatype *Types;
};

#ifdef ADZE_MPI_NUMBERED
enum { IsGraph = 1, IsCart = 2, IsDistGraph = 3 };
#else
enum { IsCart = 1, IsGraph = 2, IsDistGraph = 3 };
#endif

static struct Edges *roomForEdges(size_t NumIn, size_t NumOut) {
  struct Edges *E = allocate("MPI_Neighbor", 1,
                             sizeof *E + 2 * (NumIn + NumOut) * sizeof(int));
  E->NumIn = NumIn;
  E->NumOut = NumOut;
  E->Sources = (int *)(E + 1);
  E->Destinations = E->Sources + NumIn;
  E->Own = E->Destinations + NumOut;
  E->Numbers = E->Own + NumOut;
  return E;
}

static struct Edges *edgesOfCart(MPI_Comm Comm) {
  int Dimensions = 0;
  MPI_Cartdim_get(Comm, &Dimensions);
  const size_t N = (size_t)Dimensions * 2;
  struct Edges *E = roomForEdges(N, N);
  for (int D = 0; D < Dimensions; ++D)
    MPI_Cart_shift(Comm, D, 1, E->Sources + 2 * D, E->Sources + 2 * D + 1);
  memcpy(E->Destinations, E->Sources, N * sizeof(int));
  return E;
}

/* The neighbours of this rank, in the order of the topology; null without. */
static struct Edges *edgesOf(MPI_Comm Comm) {
  int Topology = Undefined, In = 0, Out = 0, Rank = 0, HasWeights = 0;
  MPI_Topo_test(Comm, &Topology);
  struct Edges *E = 0;
  if (Topology == IsCart)
    return edgesOfCart(Comm);
  if (Topology == IsGraph) {
    MPI_Comm_rank(Comm, &Rank);
    MPI_Graph_neighbors_count(Comm, Rank, &In);
    E = roomForEdges((size_t)In, (size_t)In);
    MPI_Graph_neighbors(Comm, Rank, In, E->Sources);
    memcpy(E->Destinations, E->Sources, (size_t)In * sizeof(int));
  } else if (Topology == IsDistGraph) {
    MPI_Dist_graph_neighbors_count(Comm, &In, &Out, &HasWeights);
    E = roomForEdges((size_t)In, (size_t)Out);
    // The weights are asked for, too: MPI_UNWEIGHTED differs by library.
    int *Weights =
        allocate("MPI_Neighbor", (size_t)In + (size_t)Out, sizeof *Weights);
    MPI_Dist_graph_neighbors(Comm, In, E->Sources, Weights, Out,
                             E->Destinations, Weights + In);
    free(Weights);
  }
  return E;
}

static int copyNoEdges(MPI_Comm Comm, int Key, void *State, void *Value,
                       void *Copy, int *Exists) {
  (void)Comm, (void)Key, (void)State, (void)Value, (void)Copy;
  *Exists = 0;
  return 0;
}

static void waitForNumbers(struct Edges *E) {
  if (!E->IsComplete)
    MPI_Wait(&E->Request, StatusIgnore);
  E->IsComplete = 1;
  free(E->Ones);
  free(E->Bytes);
  free(E->Types);
  E->Ones = 0;
  E->Bytes = 0;
  E->Types = 0;
}

/* What the functions are called with, those with counts for each neighbour or
 * without. */
struct NeighborCall {
  const void *Out;
  int GiveEach;
  const int *Give, *From;
  const ptrdiff_t *FromBytes;
  const MPI_Datatype *GiveTypes;
  void *In;
  int GetEach;
  const int *Get, *To;
  const ptrdiff_t *ToBytes;
  const MPI_Datatype *GetTypes;
  MPI_Datatype Type; // where there is but one
};

/* The function that \p C is a call of. */
static void callNeighbors(const struct Collective *C,
                          const struct NeighborCall *N, MPI_Request *R) {
  const MPI_Datatype T = N->Type;
  const MPI_Comm Comm = C->Comm;
#define CALL(NAME, ...)                                                        \
  if (C->IsBlocking)                                                           \
    MPI_Neighbor_##NAME(__VA_ARGS__, Comm);                                    \
  else                                                                         \
    MPI_Ineighbor_##NAME(__VA_ARGS__, Comm, R)
  if (C->Shape == OfNeighborAlltoall)
    CALL(alltoall, N->Out, N->GiveEach, T, N->In, N->GetEach, T);
  else if (C->Shape == OfNeighborAlltoallw)
    CALL(alltoallw, N->Out, N->Give, N->FromBytes, N->GiveTypes, N->In, N->Get,
         N->ToBytes, N->GetTypes);
  else
    CALL(alltoallv, N->Out, N->Give, N->From, T, N->In, N->Get, N->To, T);
#undef CALL
}

/* What is kept with a communicator: for each function. */
struct AllEdges {
  struct Edges *Of[2 * (OfNeighborAlltoallw + 1)];
};

static int endEdges(MPI_Comm Comm, int Key, void *Value, void *State) {
  (void)Comm, (void)Key, (void)State;
  struct AllEdges *All = Value;
  for (size_t I = 0; I < sizeof All->Of / sizeof *All->Of; ++I)
    if (All->Of[I]) {
      waitForNumbers(All->Of[I]);
      free(All->Of[I]);
    }
  free(All);
  return 0;
}

static int keyOfEdges(void) {
  static int Key;
  static _Bool HasKey;
  if (!HasKey)
    MPI_Comm_create_keyval(copyNoEdges, endEdges, &Key, 0);
  HasKey = 1;
  return Key;
}

/* How many edges come in, and go out, without keeping them. */
static void countNeighbors(const char *Function, MPI_Comm Comm, size_t *In,
                           size_t *Out) {
  struct Edges *E = edgesOf(Comm);
  if (!E)
    refuse(Function, "a communicator without a topology");
  *In = E->NumIn;
  *Out = E->NumOut;
  free(E);
}

/* Exchanges the numbers of edges as \p C exchanges floats. */
static void exchangeNumbers(const struct Collective *C, struct Edges *E) {
  const size_t N = E->NumIn > E->NumOut ? E->NumIn : E->NumOut;
  int *Ones = allocate(C->Function, 2 * N + 1, sizeof *Ones), *At = Ones + N;
  ptrdiff_t *Bytes = allocate(C->Function, N, sizeof *Bytes);
  MPI_Datatype *Types = allocate(C->Function, N, sizeof *Types);
  for (size_t I = 0; I < N; ++I) {
    Ones[I] = 1;
    At[I] = (int)I;
    Bytes[I] = (ptrdiff_t)(I * sizeof(int));
    Types[I] = TypeInt;
  }
  memcpy(E->Own, At, E->NumOut * sizeof(int));
  const struct NeighborCall Call = {E->Own, 1,          Ones,   At,   Bytes,
                                    Types,  E->Numbers, 1,      Ones, At,
                                    Bytes,  Types,      TypeInt};
  E->IsComplete = C->IsBlocking;
  callNeighbors(C, &Call, &E->Request);
  E->Ones = Ones;
  E->Bytes = Bytes;
  E->Types = Types;
}

/* All ranks call it at the same place: who asks waits later. */
static struct Edges *findEdges(const struct Collective *C) {
  struct AllEdges *All = 0;
  int IsKnown = 0;
  const int Which = 2 * (int)C->Shape + C->IsBlocking;
  MPI_Comm_get_attr(C->Comm, keyOfEdges(), &All, &IsKnown);
  if (!IsKnown) {
    All = allocate(C->Function, 1, sizeof *All);
    MPI_Comm_set_attr(C->Comm, keyOfEdges(), All);
  }
  if (!All->Of[Which]) {
    All->Of[Which] = edgesOf(C->Comm);
    exchangeNumbers(C, All->Of[Which]);
  }
  return All->Of[Which];
}

/* No message of a program or a derivative has it (otherTag). */
static int tagOfEdges(void) {
  const int Limit = otherTag("MPI_Neighbor", 0);
  return Limit - Limit / 2;
}

/* The messages of two ranks go in the order of the edges at their begins. */
static void startNeighborsBack(struct Collective *C) {
  struct Edges *E = findEdges(C);
  struct Side *Out = &C->Out, *In = &C->In;
  const int Tag = tagOfEdges();
  waitForNumbers(E);
  C->Messages =
      allocate(C->Function, E->NumIn + E->NumOut + 1, sizeof *C->Messages);
  for (size_t I = 0; I < E->NumOut; ++I)
    if (E->Destinations[I] != ProcNull && Out->Floats[I])
      startReceive((char *)C->Coming + Out->BytesAt[I], Out->Floats[I],
                   Out->Types[I], E->Destinations[I], Tag, C->Comm,
                   &C->Messages[C->NumMessages++]);
  int *Order = allocate(C->Function, E->NumIn, sizeof *Order);
  for (size_t I = 0; I < E->NumIn; ++I) {
    size_t At = I;
    for (; At > 0 && E->Numbers[Order[At - 1]] > E->Numbers[I]; --At)
      Order[At] = Order[At - 1];
    Order[At] = (int)I;
  }
  for (size_t K = 0; K < E->NumIn; ++K) {
    const int I = Order[K];
    if (E->Sources[I] != ProcNull && In->Floats[I])
      MPI_Isend((char *)C->Going + In->BytesAt[I], In->Floats[I], In->Types[I],
                E->Sources[I], Tag, C->Comm, &C->Messages[C->NumMessages++]);
  }
  free(Order);
}

static void startNeighborTangents(struct Collective *C) {
  struct Side *Out = &C->Out, *In = &C->In;
  const MPI_Datatype Type = typeOf(C->Kind);
  const int Each = Out->N ? Out->Floats[0] : 0;
  if (C->IsBlocking) // nothing to wait for
    C->Messages = allocate(C->Function, 1, sizeof *C->Messages);
  if (C->Shape == OfNeighborAllgather) {
    // All edges that join two ranks take the same.
    if (C->IsBlocking)
      MPI_Neighbor_allgatherv(C->Going, Each, Type, C->Coming, In->Floats,
                              In->PackedAt, Type, C->Comm);
    else
      MPI_Ineighbor_allgatherv(C->Going, Each, Type, C->Coming, In->Floats,
                               In->PackedAt, Type, C->Comm, &C->Request);
    return;
  }
  const struct NeighborCall Call = {
      C->Going,     Each,         Out->Floats, Out->PackedAt,
      Out->BytesAt, Out->Types,   C->Coming,   In->N ? In->Floats[0] : 0,
      In->Floats,   In->PackedAt, In->BytesAt, In->Types,
      Type};
  callNeighbors(C, &Call, &C->Request);
}

#endif
