/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Communicators and datatypes that differentiated code makes and frees. The
 * reverse pass needs them once more:
 *
 *   make(o)    free o, if the primal has freed it
 *   free(o)    nothing: augmented, it only says that o may go
 *
 * All that uses an object comes between the two, so in the reverse pass before
 * the reverse of what made it. There all ranks free it, as MPI wants it for
 * communicators.
 */
#ifndef ADZE_RUNTIME_MPIOBJECTS_H
#define ADZE_RUNTIME_MPIOBJECTS_H

#include "MpiPersistent.h"

/* What a first half has made: to be freed by its reverse. */
struct Object {
  struct Object *Next;
  MPI_Comm Comm; // that, or Type
  MPI_Datatype Type;
  _Bool IsComm, IsFreed;
};

static _Thread_local struct Object *Objects; // newest first

static struct Object *liveComm(MPI_Comm Comm) {
  struct Object *O = Objects;
  while (O && !(O->IsComm && !O->IsFreed && O->Comm == Comm))
    O = O->Next;
  return O;
}

static struct Object *liveType(MPI_Datatype Type) {
  struct Object *O = Objects;
  while (O && (O->IsComm || O->IsFreed || O->Type != Type))
    O = O->Next;
  return O;
}

static struct Object *newObject(const char *Function) {
  struct Object *O = allocate(Function, 1, sizeof *O);
  O->Next = Objects;
  Objects = O;
  return O;
}

static struct Object *madeComm(const char *Function, MPI_Comm Comm) {
  if (Comm == CommNull)
    return 0;
  struct Object *O = newObject(Function);
  O->IsComm = 1;
  O->Comm = Comm;
  return O;
}

/* Who commits it first is who frees it. */
static struct Object *madeType(const char *Function, MPI_Datatype Type) {
  if (predefinedOf(Type) || liveType(Type))
    return 0;
  struct Object *O = newObject(Function);
  O->Type = Type;
  return O;
}

static void endObject(struct Object *O) {
  if (!O)
    return;
  struct Object **At = &Objects;
  while (*At && *At != O)
    At = &(*At)->Next;
  if (*At)
    *At = O->Next;
  if (O->IsFreed && O->IsComm)
    MPI_Comm_free(&O->Comm);
  if (O->IsFreed && !O->IsComm)
    MPI_Type_free(&O->Type);
  free(O);
}

/* ---- What makes them ------------------------------------------------------
 */

/* The three functions of what makes *New. */
#define MAKES(NAME, MPI_NAME, MADE, PARAMETERS, ARGUMENTS, REVERSE_PARAMETERS) \
  struct Kept adze_mpi_##NAME##_augmented PARAMETERS {                         \
    int Error = MPI_NAME ARGUMENTS;                                            \
    return (struct Kept){MADE(#MPI_NAME, *New), Error};                        \
  } void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {                        \
    endObject(Tape);                                                           \
  }                                                                            \
  int adze_mpi_##NAME##_forward PARAMETERS { return MPI_NAME ARGUMENTS; }

MAKES(comm_split, MPI_Comm_split, madeComm,
      (MPI_Comm Comm, int Color, int Key, MPI_Comm *New),
      (Comm, Color, Key, New),
      (MPI_Comm Comm UNUSED, int Color UNUSED, int Key UNUSED,
       MPI_Comm *New UNUSED, void *Tape))
MAKES(comm_split_type, MPI_Comm_split_type, madeComm,
      (MPI_Comm Comm, int How, int Key, MPI_Info Info, MPI_Comm *New),
      (Comm, How, Key, Info, New),
      (MPI_Comm Comm UNUSED, int How UNUSED, int Key UNUSED,
       MPI_Info Info UNUSED, MPI_Comm *New UNUSED, void *Tape))
MAKES(comm_dup, MPI_Comm_dup, madeComm, (MPI_Comm Comm, MPI_Comm *New),
      (Comm, New), (MPI_Comm Comm UNUSED, MPI_Comm *New UNUSED, void *Tape))
MAKES(comm_dup_with_info, MPI_Comm_dup_with_info, madeComm,
      (MPI_Comm Comm, MPI_Info Info, MPI_Comm *New), (Comm, Info, New),
      (MPI_Comm Comm UNUSED, MPI_Info Info UNUSED, MPI_Comm *New UNUSED,
       void *Tape))
MAKES(comm_create, MPI_Comm_create, madeComm,
      (MPI_Comm Comm, MPI_Group Group, MPI_Comm *New), (Comm, Group, New),
      (MPI_Comm Comm UNUSED, MPI_Group Group UNUSED, MPI_Comm *New UNUSED,
       void *Tape))
MAKES(comm_create_group, MPI_Comm_create_group, madeComm,
      (MPI_Comm Comm, MPI_Group Group, int Tag, MPI_Comm *New),
      (Comm, Group, Tag, New),
      (MPI_Comm Comm UNUSED, MPI_Group Group UNUSED, int Tag UNUSED,
       MPI_Comm *New UNUSED, void *Tape))
MAKES(cart_create, MPI_Cart_create, madeComm,
      (MPI_Comm Comm, int N, const int *Sizes, const int *Periods, int Reorder,
       MPI_Comm *New),
      (Comm, N, Sizes, Periods, Reorder, New),
      (MPI_Comm Comm UNUSED, int N UNUSED, const int *Sizes UNUSED,
       const int *Periods UNUSED, int Reorder UNUSED, MPI_Comm *New UNUSED,
       void *Tape))
MAKES(cart_sub, MPI_Cart_sub, madeComm,
      (MPI_Comm Comm, const int *Stays, MPI_Comm *New), (Comm, Stays, New),
      (MPI_Comm Comm UNUSED, const int *Stays UNUSED, MPI_Comm *New UNUSED,
       void *Tape))
MAKES(graph_create, MPI_Graph_create, madeComm,
      (MPI_Comm Comm, int N, const int *Ends, const int *Edges, int Reorder,
       MPI_Comm *New),
      (Comm, N, Ends, Edges, Reorder, New),
      (MPI_Comm Comm UNUSED, int N UNUSED, const int *Ends UNUSED,
       const int *Edges UNUSED, int Reorder UNUSED, MPI_Comm *New UNUSED,
       void *Tape))
MAKES(dist_graph_create, MPI_Dist_graph_create, madeComm,
      (MPI_Comm Comm, int N, const int *From, const int *Degrees, const int *To,
       const int *Weights, MPI_Info Info, int Reorder, MPI_Comm *New),
      (Comm, N, From, Degrees, To, Weights, Info, Reorder, New),
      (MPI_Comm Comm UNUSED, int N UNUSED, const int *From UNUSED,
       const int *Degrees UNUSED, const int *To UNUSED,
       const int *Weights UNUSED, MPI_Info Info UNUSED, int Reorder UNUSED,
       MPI_Comm *New UNUSED, void *Tape))
MAKES(dist_graph_create_adjacent, MPI_Dist_graph_create_adjacent, madeComm,
      (MPI_Comm Comm, int In, const int *From, const int *FromWeights, int Out,
       const int *To, const int *ToWeights, MPI_Info Info, int Reorder,
       MPI_Comm *New),
      (Comm, In, From, FromWeights, Out, To, ToWeights, Info, Reorder, New),
      (MPI_Comm Comm UNUSED, int In UNUSED, const int *From UNUSED,
       const int *FromWeights UNUSED, int Out UNUSED, const int *To UNUSED,
       const int *ToWeights UNUSED, MPI_Info Info UNUSED, int Reorder UNUSED,
       MPI_Comm *New UNUSED, void *Tape))

MAKES(type_commit, MPI_Type_commit, madeType, (MPI_Datatype * New), (New),
      (MPI_Datatype * New UNUSED, void *Tape))
MAKES(type_dup, MPI_Type_dup, madeType, (MPI_Datatype Type, MPI_Datatype *New),
      (Type, New),
      (MPI_Datatype Type UNUSED, MPI_Datatype *New UNUSED, void *Tape))

/* ---- What frees them ------------------------------------------------------
 */

/* One that was made elsewhere has no one who could free it: it stays. */
int adze_mpi_comm_free_augmented(MPI_Comm *Comm) {
  struct Object *O = liveComm(*Comm);
  if (O)
    O->IsFreed = 1;
  *Comm = CommNull;
  return 0;
}
void adze_mpi_comm_free_reverse(const MPI_Comm *Comm UNUSED) {}
int adze_mpi_comm_free_forward(MPI_Comm *Comm) { return MPI_Comm_free(Comm); }

int adze_mpi_type_free_augmented(MPI_Datatype *Type) {
  struct Object *O = liveType(*Type);
  if (!O && !keptLayout(*Type))
    return MPI_Type_free(Type); // no derivative has used it
  if (O)
    O->IsFreed = 1;
  *Type = TypeNull;
  return 0;
}
void adze_mpi_type_free_reverse(const MPI_Datatype *Type UNUSED) {}

/* Messages under way need its layout: until the last of them ends. */
int adze_mpi_type_free_forward(MPI_Datatype *Type) {
  if (!isHeld(*Type))
    return MPI_Type_free(Type);
  struct HeldType *H = allocate("MPI_Type_free", 1, sizeof *H);
  H->Type = *Type;
  H->Next = HeldTypes;
  HeldTypes = H;
  *Type = TypeNull;
  return 0;
}

#endif
