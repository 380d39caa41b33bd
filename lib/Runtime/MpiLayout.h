/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The floats of a datatype. Adjoints and tangents travel as one array of
 * floats, one after the other and of one type, whatever the datatype is.
 */
#ifndef ADZE_RUNTIME_MPILAYOUT_H
#define ADZE_RUNTIME_MPILAYOUT_H

#include "MpiThreads.h"

/* In the order of their precision. Packed: a byte of MPI_PACKED, which travels
 * with a mark (MpiPacked.h). Described: a byte of a message of which types say
 * what it is; Raw: one of which they do not, or have not been asked
 * (MpiDescribed.h). */
enum Kind { NoFloats, Float, Double, Long, Packed, Described, Raw };

/* Floats in a row. */
struct Piece {
  ptrdiff_t At; // bytes from the begin of the element
  size_t Count;
  enum Kind Kind;
};

struct Layout {
  const char *Function; // whose derivative this is
  enum Kind Kind;       // of messages: the widest one
  size_t Floats;        // of an element
  ptrdiff_t Extent;     // bytes from one element to the next
  _Bool Bytes;          // the datatype does not tell what they hold
  _Bool Pair;           // a float and its place
  _Bool IsComplex;      // a number, of two floats
  // In the order of the datatype. Null: all floats are at the begin, of Kind.
  const struct Piece *Pieces;
  size_t NumPieces;
  // All, with bytes (Raw) and numbers (NoFloats): null where there are none.
  const struct Piece *All;
  size_t NumAll;
  const struct Description *Described;
  char *Begin;      // of the shadow that is described
  _Bool IsMisnamed; // types see floats where the datatype has numbers
};

static const size_t SizeOf[] = {
    0, sizeof(float), sizeof(double), sizeof(long double), 2, 1, 1};

static MPI_Datatype typeOf(enum Kind K) {
  return K == Float    ? TypeFloat
         : K == Double ? TypeDouble
         : K == Long   ? TypeLong
         : K == Packed ? TypeShort
                       : TypeByte;
}

#ifdef ADZE_MPI_NUMBERED
#define HANDLE(NAME, MPICH) MPICH
#else
#define HANDLE(NAME, MPICH) (MPI_Datatype) ompi_mpi_##NAME
#endif

struct Predefined {
  MPI_Datatype Type;
  enum Kind Kind;
  unsigned char Floats;
  _Bool Bytes, Pair;
  _Bool Raw; // of bytes or characters
  _Bool IsComplex;
};

static const struct Predefined Types[] = {
#define ADZE_MPI_NUMBERS(NAME, MPICH)                                          \
  {HANDLE(NAME, MPICH), NoFloats, 0, 0, 0, 0, 0},
#define ADZE_MPI_FLOATS(NAME, MPICH, KIND, COUNT)                              \
  {HANDLE(NAME, MPICH), KIND, COUNT, 0, 0, 0, 0},
#define ADZE_MPI_COMPLEX(NAME, MPICH, KIND)                                    \
  {HANDLE(NAME, MPICH), KIND, 2, 0, 0, 0, 1},
#define ADZE_MPI_PAIR(NAME, MPICH, KIND)                                       \
  {HANDLE(NAME, MPICH), KIND, 1, 0, 1, 0, 0},
#define ADZE_MPI_CHARS(NAME, MPICH)                                            \
  {HANDLE(NAME, MPICH), NoFloats, 0, 0, 0, 1, 0},
#define ADZE_MPI_BYTES(NAME, MPICH)                                            \
  {HANDLE(NAME, MPICH), NoFloats, 0, 1, 0, 1, 0},
#include "MpiTypes.def"
};

/* Null if \p Type is none. */
static const struct Predefined *predefinedOf(MPI_Datatype Type) {
  for (size_t I = 0; I < sizeof Types / sizeof *Types; ++I)
    if (Types[I].Type && Types[I].Type == Type)
      return &Types[I];
  return 0;
}

static struct Layout noFloats(const char *Function) {
  struct Layout L;
  memset(&L, 0, sizeof L);
  L.Function = Function;
  return L;
}

static struct Layout derivedLayoutOf(const char *Function, MPI_Datatype Type);

static struct Layout layoutOf(const char *Function, MPI_Datatype Type) {
  const struct Predefined *T = predefinedOf(Type);
  if (!T)
    return derivedLayoutOf(Function, Type);
  const size_t Size = SizeOf[T->Kind];
  // The int of a pair is padded as in a structure.
  const size_t Extent = T->Kind == Packed             ? 1
                        : T->Pair && T->Kind != Float ? 2 * Size
                        : T->Pair                     ? Size + sizeof(int)
                                                      : T->Floats * Size;
  struct Layout L = noFloats(Function);
  L.Kind = T->Kind;
  L.Floats = T->Floats;
  L.Extent = (ptrdiff_t)Extent;
  L.Bytes = T->Bytes;
  L.Pair = T->Pair;
  L.IsComplex = T->IsComplex;
  return L;
}

/* The shadow of \p Buffer, or null where there is none: nothing comes in, and
 * zeros go out. */
static void *shadowOf(struct Layout *L, const void *Buffer, void *Shadow) {
  if (!Buffer && L->Pieces && L->Kind != Described)
    refuse(L->Function, "MPI_BOTTOM with a datatype of addresses is not "
                        "supported: pass the buffer");
  if (!Shadow || Shadow == Buffer || Shadow == InPlace)
    return 0;
  if (IsInTeam && L->Kind == Packed)
    refuse(L->Function, "MPI_PACKED in a parallel region is not supported");
  if (L->Bytes)
    refuse(L->Function, "MPI_BYTE does not tell what is active in a message: "
                        "use the type of the data");
  if (L->IsMisnamed)
    refuse(L->Function, "floats are exchanged as integers: use MPI_DOUBLE, "
                        "MPI_FLOAT, or MPI_BYTE");
  L->Begin = Shadow;
  return Shadow;
}

/* The floats of \p Count elements, as a count for MPI. */
static int floatsIn(const struct Layout *L, int Count) {
  size_t Floats = L->Floats * (size_t)(Count > 0 ? Count : 0);
  if (Floats > INT_MAX)
    refuse(L->Function, "more than 2147483647 floats in a message");
  return (int)Floats;
}

static void markNothing(size_t Count, unsigned char *Pairs);

static void *zeroFloats(const struct Layout *L, size_t Floats) {
  void *Zeros = allocate(L->Function, Floats, SizeOf[L->Kind]);
  if (L->Kind == Packed)
    markNothing(Floats, Zeros);
  return Zeros;
}

/* Zeros for the floats of \p Count elements. */
static void *zerosFor(const struct Layout *L, size_t Count) {
  return zeroFloats(L, Count * L->Floats);
}

static _Bool isDense(const struct Layout *L) {
  return !L->Pieces && (ptrdiff_t)(L->Floats * SizeOf[L->Kind]) == L->Extent;
}

/* Element \p I of an array of \p K, for what runs rarely. */
static long double at(enum Kind K, const void *Array, size_t I) {
  return K == Float    ? (long double)((const float *)Array)[I]
         : K == Double ? (long double)((const double *)Array)[I]
                       : ((const long double *)Array)[I];
}

static void put(enum Kind K, void *Array, size_t I, long double Value) {
  if (K == Float)
    ((float *)Array)[I] = (float)Value;
  else if (K == Double)
    ((double *)Array)[I] = (double)Value;
  else
    ((long double *)Array)[I] = Value;
}

static void addShared(enum Kind K, size_t N, void *To, const void *From) {
  for (size_t I = 0; I < N; ++I)
    if (K == Double)
      addSharedDouble((double *)To + I, ((const double *)From)[I]);
    else if (K == Float)
      addSharedFloat((float *)To + I, ((const float *)From)[I]);
    else
      addSharedLong((long double *)To + I, ((const long double *)From)[I]);
}

static void addFloats(enum Kind K, size_t N, void *To, const void *From) {
  if (IsInTeam)
    addShared(K, N, To, From);
  else if (K == Double)
    for (size_t I = 0; I < N; ++I)
      ((double *)To)[I] += ((const double *)From)[I];
  else if (K == Float)
    for (size_t I = 0; I < N; ++I)
      ((float *)To)[I] += ((const float *)From)[I];
  else
    for (size_t I = 0; I < N; ++I)
      ((long double *)To)[I] += ((const long double *)From)[I];
}

static void addOne(enum Kind K, void *Array, size_t I, long double By) {
  long double One;
  put(K, &One, 0, By);
  addFloats(K, 1, (char *)Array + I * SizeOf[K], &One);
}

enum Move { Gather, Scatter, Add, Clear };

/* Between the floats \p F of \p P and \p Floats, of the kind \p K. */
static void movePiece(const struct Piece *P, void *F, enum Kind K, void *Floats,
                      enum Move How) {
  const size_t Size = SizeOf[P->Kind];
  if (How == Clear) {
    memset(F, 0, P->Count * Size);
  } else if (K != P->Kind) {
    for (size_t I = 0; I < P->Count; ++I)
      if (How == Gather)
        put(K, Floats, I, at(P->Kind, F, I));
      else if (How == Add)
        addOne(P->Kind, F, I, at(K, Floats, I));
      else
        put(P->Kind, F, I, at(K, Floats, I));
  } else if (How == Add) {
    addFloats(K, P->Count, F, Floats);
  } else {
    memcpy(How == Gather ? Floats : F, How == Gather ? F : Floats,
           P->Count * Size);
  }
}

static void movePacked(const char *Function, size_t Count, char *Bytes,
                       unsigned char *Pairs, enum Move How);
static void moveDescribed(const struct Layout *L, size_t Count, void *Elements,
                          char *Bytes, enum Move How);

static void moveFloats(const struct Layout *L, size_t Count, void *Elements,
                       void *Floats, enum Move How) {
  if (L->Kind == Packed) {
    movePacked(L->Function, Count, Elements, Floats, How);
    return;
  }
  if (L->Kind == Described) {
    moveDescribed(L, Count, Elements, Floats, How);
    return;
  }
  const struct Piece Dense = {0, Count * L->Floats, L->Kind};
  if (isDense(L)) {
    movePiece(&Dense, Elements, L->Kind, Floats, How);
    return;
  }
  const struct Piece First = {0, L->Floats, L->Kind};
  const struct Piece *Pieces = L->Pieces ? L->Pieces : &First;
  const size_t N = L->Pieces ? L->NumPieces : 1;
  char *Next = Floats;
  for (size_t I = 0; I < Count; ++I)
    for (const struct Piece *P = Pieces; P != Pieces + N; ++P) {
      movePiece(P, (char *)Elements + (ptrdiff_t)I * L->Extent + P->At, L->Kind,
                Next, How);
      if (How != Clear)
        Next += P->Count * SizeOf[L->Kind];
    }
}

/* Copies the floats of \p Count elements to \p Floats. */
static void gatherFloats(const struct Layout *L, size_t Count, void *Floats,
                         const void *Elements) {
  moveFloats(L, Count, (void *)Elements, Floats, Gather);
}

/* An array of the floats of \p Count elements: to be freed. Zeros if
 * \p Elements is null. */
static void *packed(const struct Layout *L, size_t Count,
                    const void *Elements) {
  void *Floats = zerosFor(L, Count);
  if (Elements)
    gatherFloats(L, Count, Floats, Elements);
  return Floats;
}

/* Adds to the floats of the elements of \p Shadow, if that is not null. */
static void addTo(const struct Layout *L, size_t Count, void *Shadow,
                  const void *Floats) {
  if (Shadow)
    moveFloats(L, Count, Shadow, (void *)Floats, Add);
}

static void setTo(const struct Layout *L, size_t Count, void *Shadow,
                  const void *Floats) {
  if (Shadow)
    moveFloats(L, Count, Shadow, (void *)Floats, Scatter);
}

static void clear(const struct Layout *L, size_t Count, void *Shadow) {
  if (Shadow)
    moveFloats(L, Count, Shadow, 0, Clear);
}

/* What \p Shadow holds, which is zero afterwards. */
static void *taken(const struct Layout *L, size_t Count, void *Shadow) {
  void *Floats = packed(L, Count, Shadow);
  clear(L, Count, Shadow);
  return Floats;
}

#include "MpiProducts.h"

#include "MpiDerived.h"
#include "MpiPacked.h"

#include "MpiDescribed.h"

#endif
