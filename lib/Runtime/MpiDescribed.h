/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of bytes. MPI_BYTE and MPI_CHAR do not tell where floats are: types
 * of the program do, in a description of the buffer (Plan/Descriptions.h), or
 * say of some bytes that nobody knows. Sender and receiver have a description
 * each, made in different places. So an adjoint (a tangent) has the bytes of
 * the message, with zeros where there are no floats, and who gets it takes
 * what its own description has; or it has none, if there are no floats at all.
 *
 * Of bytes that nobody knows the bits are moved. Where they are to be added to
 * something else than zeros the program ends. Words that are no floats of use
 * stay as they are: those of numbers and addresses (isNoFloat()).
 *
 * The derivatives are not told of descriptions. They get a copy of the datatype
 * that has one.
 */
#ifndef ADZE_RUNTIME_MPIDESCRIBED_H
#define ADZE_RUNTIME_MPIDESCRIBED_H

#include "MpiDerived.h"
#include "MpiPacked.h"

/* Bytes of one kind: floats one behind the other, Raw ones, or numbers. */
struct Run {
  size_t Begin, End;
  enum Kind Kind;
};

struct Description {
  const char *Place; // of the call
  size_t Period;     // or 0
  size_t NumRuns;
  struct Run Runs[];
};

static const char *placeOfCall(const struct Description *D) { return D->Place; }

/* A datatype with a description. */
struct DescribedType {
  struct DescribedType *Next;
  struct Layout Of; // without it
  MPI_Datatype Given, Type;
};

/* Of a call in the program, made by the compiler. */
struct DescribedCall {
  const char *Text;
  struct DescribedTypes *Known;
};

struct DescribedTypes {
  struct DescribedType *All;
  struct Description D;
};

/* ---- The text -------------------------------------------------------------
 */

static size_t numberIn(const char **Text) {
  size_t N = 0;
  for (; **Text >= '0' && **Text <= '9'; ++*Text)
    N = 10 * N + (size_t)(**Text - '0');
  return N;
}

static enum Kind kindOfLetter(char Letter) {
  switch (Letter) {
  case 'f':
    return Float;
  case 'd':
    return Double;
  case 'l':
    return Long;
  case 'u':
    return Raw;
  default:
    return NoFloats;
  }
}

static struct DescribedTypes *parse(const char *Text) {
  size_t N = 1;
  for (const char *C = Text; *C && *C != '@'; ++C)
    N += *C == ' ';
  struct DescribedTypes *T =
      allocate("MPI", 1, sizeof *T + (N + 1) * sizeof(struct Run));
  struct Description *D = &T->D;
  D->Period = numberIn(&Text);
  while (*Text == ' ') {
    struct Run *R = &D->Runs[D->NumRuns++];
    ++Text;
    R->Begin = numberIn(&Text);
    ++Text;
    R->End = numberIn(&Text);
    if (!R->End)
      R->End = SIZE_MAX;
    R->Kind = kindOfLetter(*Text++);
  }
  D->Place = Text + 1;
  // Of what is behind all that is known, nothing is.
  const size_t End = D->NumRuns ? D->Runs[D->NumRuns - 1].End : 0;
  if (!D->Period && End != SIZE_MAX)
    D->Runs[D->NumRuns++] = (struct Run){End, SIZE_MAX, Raw};
  return T;
}

/* The run that byte \p At is in; its place in that run becomes \p At. */
static const struct Run *runAt(const struct Description *D, ptrdiff_t *At) {
  static const struct Run Before = {0, SIZE_MAX, Raw};
  const ptrdiff_t Period = (ptrdiff_t)D->Period;
  if (Period)
    *At = (*At % Period + Period) % Period;
  for (const struct Run *R = D->Runs; *At >= 0; ++R)
    if ((size_t)*At < R->End) {
      *At -= (ptrdiff_t)R->Begin;
      return R;
    }
  return &Before;
}

/* All of it is of one kind, and that one goes on from one period to the next.
 */
static _Bool isUniform(const struct Description *D) {
  const struct Run *R = D->Runs;
  return D->NumRuns == 1 &&
         (R->End == SIZE_MAX ||
          (D->Period == R->End &&
           !(R->End % (R->Kind == NoFloats ? 1 : SizeOf[R->Kind]))));
}

static _Bool hasFloats(const struct Description *D) {
  for (size_t I = 0; I < D->NumRuns; ++I)
    if (D->Runs[I].Kind != NoFloats)
      return 1;
  return 0;
}

/* ---- Datatypes ------------------------------------------------------------
 */

static _Bool samePieces(const struct Layout *A, const struct Layout *B) {
  if (A->Extent != B->Extent || A->NumAll != B->NumAll)
    return 0;
  for (size_t I = 0; I < A->NumAll; ++I)
    if (A->All[I].At != B->All[I].At || A->All[I].Count != B->All[I].Count ||
        A->All[I].Kind != B->All[I].Kind)
      return 0;
  return 1;
}

/* Numbers, by their datatype, of which types say that they are floats. */
static _Bool callsFloatsNumbers(const struct Layout *L,
                                const struct Description *D) {
  for (size_t I = 0; I < L->NumAll; ++I) {
    ptrdiff_t At = L->All[I].At;
    if (L->All[I].Kind != NoFloats)
      continue;
    const enum Kind K = runAt(D, &At)->Kind;
    if (K != NoFloats && K != Raw)
      return 1;
  }
  return 0;
}

static _Bool has(const struct Layout *L, enum Kind K) {
  for (size_t I = 0; I < L->NumAll; ++I)
    if (L->All[I].Kind == K)
      return 1;
  return 0;
}

/* \p L with the description \p D. */
static struct Layout describedLayout(const struct Layout *L,
                                     const struct Description *D) {
  struct Layout New = *L;
  New.Described = D;
  New.IsMisnamed = callsFloatsNumbers(L, D);
  if (!has(L, Raw))
    return New;
  struct Piece *Pieces = allocate("MPI", L->NumAll, sizeof *Pieces);
  New.Kind = Described;
  New.Floats = New.NumPieces = 0;
  New.Bytes = 0;
  New.Pieces = Pieces;
  for (size_t I = 0; I < L->NumAll; ++I)
    if (L->All[I].Kind != NoFloats) {
      Pieces[New.NumPieces++] = L->All[I];
      New.Floats += L->All[I].Count * SizeOf[L->All[I].Kind];
    }
  return New;
}

/* Pieces of predefined ones. */
static struct Layout numbersOf(MPI_Datatype Type, const struct Predefined *T) {
  struct Piece *One = allocate("MPI", 1, sizeof *One);
  struct Layout L = layoutOf("MPI", Type);
  int Size = 0;
  MPI_Type_size(Type, &Size);
  MPI_Type_get_extent(Type, &One->At, &L.Extent);
  One->At = 0;
  One->Count = (size_t)Size;
  One->Kind = T->Raw ? Raw : NoFloats;
  L.All = One;
  L.NumAll = 1;
  return L;
}

/* What the derivatives take for \p Type. Threads may ask at once: then one that
 * comes too late makes a type of its own. */
MPI_Datatype adze_mpi_described(MPI_Datatype Type, struct DescribedCall *Call) {
  if (Type == TypeNull)
    return Type;
  const struct Predefined *T = predefinedOf(Type);
  if (T && T->Floats)
    return Type;
  struct DescribedTypes *Known =
      __atomic_load_n(&Call->Known, __ATOMIC_ACQUIRE);
  if (!Known) {
    Known = parse(Call->Text);
    __atomic_store_n(&Call->Known, Known, __ATOMIC_RELEASE);
  }
  struct DescribedType *const All =
      __atomic_load_n(&Known->All, __ATOMIC_ACQUIRE);
  struct DescribedType *At = All;
  for (; T && At; At = At->Next)
    if (At->Given == Type)
      return At->Type;
  struct Layout L = T ? numbersOf(Type, T) : layoutOf("MPI", Type);
  if (!L.NumAll)
    return Type;
  for (At = T ? 0 : All; At; At = At->Next)
    if (samePieces(&At->Of, &L))
      return At->Type == At->Given ? Type : At->Type;
  struct DescribedType *New = allocate("MPI", 1, sizeof *New);
  struct Layout *Kept = allocate("MPI", 1, sizeof *Kept);
  New->Of = L;
  New->Of.All = allocate("MPI", L.NumAll, sizeof *L.All);
  memcpy((void *)New->Of.All, L.All, L.NumAll * sizeof *L.All);
  New->Given = New->Type = Type;
  *Kept = describedLayout(&New->Of, &Known->D);
  if (Kept->Kind == Described || Kept->IsMisnamed) {
    MPI_Type_dup(Type, &New->Type);
    MPI_Type_set_attr(New->Type, keyOfLayouts(), Kept);
  }
  New->Next = All;
  __atomic_store_n(&Known->All, New, __ATOMIC_RELEASE);
  return New->Type;
}

/* ---- What is moved --------------------------------------------------------
 */

/* \p Word may be two small numbers, or an address: as floats they are next to
 * nothing. */
static _Bool isNoFloat(uint64_t Word) {
  const uint32_t Exponent = 0x7F800000;
  const uint32_t Low = (uint32_t)Word, High = (uint32_t)(Word >> 32);
  const _Bool IsAddress = High != 0 && High < 0x10000;
  return IsAddress || (!(Low & Exponent) && !(High & Exponent));
}

/* \p N bytes of one word, of which nobody knows what they are. */
static void moveBits(const struct Layout *L, char *At, size_t N, char *Bytes,
                     enum Move How) {
  const char Zeros[sizeof(uint64_t)] = {0};
  uint64_t Old = 0, New = 0;
  memcpy(&Old, At, N);
  if (How == Scatter || How == Add)
    memcpy(&New, Bytes, N);
  if (How == Gather) {
    if (!isNoFloat(Old))
      memcpy(Bytes, At, N);
  } else if (How == Clear) {
    if (!isNoFloat(Old))
      memcpy(At, Zeros, N);
  } else if (How == Scatter) {
    if (New || !isNoFloat(Old))
      memcpy(At, Bytes, N);
  } else if (New) {
    if (IsInTeam)
      refuse(L->Function, "bytes of which no type is known are sent in a "
                          "parallel region: send them as floats (MPI_DOUBLE)");
    if (Old && !isNoFloat(Old))
      refuse(L->Function, "bytes are sent of which no type is known, and their "
                          "adjoints cannot be added: send them as floats "
                          "(MPI_DOUBLE), or compile with -g");
    memcpy(At, Bytes, N);
  }
}

static void moveRaw(const struct Layout *L, char *At, size_t N, char *Bytes,
                    enum Move How) {
  while (N) {
    const size_t Word = sizeof(uint64_t) - (uintptr_t)At % sizeof(uint64_t);
    const size_t Now = Word < N ? Word : N;
    moveBits(L, At, Now, Bytes, How);
    At += Now;
    Bytes += Bytes ? Now : 0;
    N -= Now;
  }
}

/* Floats \p F, and as many in \p Bytes, which need not be aligned. */
static void moveWhole(enum Kind K, char *F, size_t N, char *Bytes,
                      enum Move How) {
  const size_t Size = SizeOf[K];
  const struct Piece P = {0, N, K};
  if (How != Add || !(((uintptr_t)F | (uintptr_t)Bytes) % Size)) {
    movePiece(&P, F, K, Bytes, How);
    return;
  }
  if (IsInTeam)
    refuse("MPI", "floats that are not aligned, in a parallel region");
  for (size_t I = 0; I < N; ++I)
    addUnaligned(K, F + I * Size, Bytes + I * Size);
}

/* \p N bytes of the shadow from \p At on, of which the description says what
 * they are; \p Place in it. */
static void moveBytes(const struct Layout *L, char *At, ptrdiff_t Place,
                      size_t N, char *Bytes, enum Move How) {
  while (N) {
    const struct Description *D = L->Described;
    ptrdiff_t In = Place;
    const struct Run *R = runAt(D, &In);
    const size_t Size = R->Kind == NoFloats ? 1 : SizeOf[R->Kind];
    size_t Now =
        isUniform(D) || R->End == SIZE_MAX ? N : R->End - R->Begin - (size_t)In;
    if (Now > N)
      Now = N;
    if (R->Kind == NoFloats) {
      // Numbers have no adjoints.
    } else if (R->Kind == Raw || (size_t)In % Size || Now < Size) {
      // So is a part of a float.
      const size_t Rest = Size - (size_t)In % Size;
      if (R->Kind != Raw && Now > Rest)
        Now = Rest;
      moveRaw(L, At, Now, Bytes, How);
    } else {
      Now -= Now % Size;
      moveWhole(R->Kind, At, Now / Size, Bytes, How);
    }
    At += Now;
    Place += (ptrdiff_t)Now;
    Bytes += Bytes ? Now : 0;
    N -= Now;
  }
}

/* The message is one piece of the memory. */
static _Bool isOnePiece(const struct Layout *L) {
  return L->NumPieces == 1 && L->Pieces[0].At == 0 &&
         L->Pieces[0].Kind == Raw && (ptrdiff_t)L->Pieces[0].Count == L->Extent;
}

static void moveDescribed(const struct Layout *L, size_t Count, void *Elements,
                          char *Bytes, enum Move How) {
  char *const Begin = Elements;
  const ptrdiff_t Place = L->Begin ? Begin - L->Begin : 0;
  if (isOnePiece(L)) {
    moveBytes(L, Begin, Place, Count * L->Floats, Bytes, How);
    return;
  }
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = 0; J < L->NumPieces; ++J) {
      const struct Piece *P = &L->Pieces[J];
      const ptrdiff_t At = (ptrdiff_t)I * L->Extent + P->At;
      if (P->Kind == Raw)
        moveBytes(L, Begin + At, Place + At, P->Count, Bytes, How);
      else
        moveWhole(P->Kind, Begin + At, P->Count, Bytes, How);
      Bytes += Bytes ? P->Count * SizeOf[P->Kind] : 0;
    }
}

/* ---- Messages -------------------------------------------------------------
 */

/* There are no floats in the message. */
static _Bool isOfNumbers(const struct Layout *L, const void *Shadow) {
  if (!Shadow)
    return 1;
  for (size_t I = 0; I < L->NumPieces; ++I)
    if (L->Pieces[I].Kind != Raw)
      return 0;
  return !hasFloats(L->Described);
}

/* What \p Bytes of a message are: floats of one kind, nothing, or else Raw. */
static enum Kind kindOfMessage(const struct Layout *L, size_t Bytes,
                               const void *Shadow) {
  if (isOfNumbers(L, Shadow))
    return NoFloats;
  const struct Run *First = L->Described->Runs;
  const _Bool IsOne = isUniform(L->Described) || Bytes <= First->End;
  return isOnePiece(L) && IsOne && First->Kind != NoFloats &&
                 !(Bytes % SizeOf[First->Kind])
             ? First->Kind
             : Raw;
}

/* The same of all ranks, which have messages of one size: those without floats
 * agree with all. */
static enum Kind kindOfAll(const struct Layout *L, size_t Bytes,
                           const void *Shadow, MPI_Comm Comm) {
  const int K = (int)kindOfMessage(L, Bytes, Shadow);
  int Extremes[] = {K, K == NoFloats ? 0 : (int)Raw + 1 - K};
  MPI_Allreduce(InPlace, Extremes, 2, TypeInt, OpMax, Comm);
  return Extremes[0] == NoFloats || Extremes[0] == (int)Raw + 1 - Extremes[1]
             ? (enum Kind)Extremes[0]
             : Raw;
}

/* How much an adjoint or a tangent has that goes out. */
static int floatsToSend(const struct Layout *L, int Count, const void *Shadow) {
  return L->Kind == Described && isOfNumbers(L, Shadow) ? 0
                                                        : floatsIn(L, Count);
}

#endif
