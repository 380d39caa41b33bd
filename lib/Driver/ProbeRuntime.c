// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -adze-check at run time: this file is compiled with the plugin and becomes a
// part of programs with checked gradients (ProbeRuntime.cpp). Its functions get
// the prefix "adze.".
//
// Let f map what it is given, x, to what it leaves, y: numbers that it takes
// and returns, and what memory holds before and after. A gradient with seed w
// is g = J'w, so for every direction v
//
//   <g, v> = <w, J v>,   J v = (f(x + h v) - f(x - h v)) / 2h + O(h^2).
//
// In forward mode v is given and w may be anything. The right side is found by
// running f alone, and knows nothing of how derivatives are made.
//
// f runs as a copy of itself in which each access to memory that is not f's own
// asks probe_at() for the address. That makes two things possible. First f runs
// where it is, to see which bytes it accesses; what it writes is put back
// afterwards. Then it runs on copies of these bytes, as often as we like.
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int dprintf(int, const char *, ...);
/// Ends the program.
void probe_no_memory(void) __attribute__((noreturn));

//===-- What the compiler knows of a marker -------------------------------===//

enum Kind { SingleKind, DoubleKind, UnknownKind };

/// Numbers of a kind in the bytes [Begin, End) behind a pointer, again after
/// each Period.
struct Layout {
  uint64_t Begin, End, Period, Kind;
};

/// What one pointer leads to.
struct RegionText {
  const char *Name; // "argument 1 ('x')"
  const struct Layout *Layouts;
  uint64_t Count;
};

struct State;

struct Probe {
  const char *Place; // "f.c:3:4: "
  const char *Function;
  /// Runs f: numbers come from In and go to Out, all else from Frame.
  void (*Run)(struct State *, void *Frame, const double *In, double *Out);
  const struct RegionText *Texts;
  uint64_t Regions, Scalars, Results;
  uint64_t IsForward, IsSingle;
  /// How often the marker was reached; whether something was said.
  uint64_t *Calls, *Told;
};

//===-- State of one check ------------------------------------------------===//

enum Flag {
  Outside = 1,      // f has accessed bytes that were not copied
  Stopped = 2,      // f did not come to its end
  AnotherWay = 4,   // copied bytes were accessed, not through their pointer
  UnknownWrite = 8, // f writes what may be numbers or not
};

struct Region {
  char *Base, *Shadow;
  char *Lo, *Hi;         // copied, for runs: none if equal
  char *SeenLo, *SeenHi; // accessed outside of that
  char *ReadLo, *ReadHi; // of it, read
  char *Saved, *Copy;    // what was there, and what runs work on
  int64_t Delta;         // from Lo to Copy
};

/// A number in a region's bytes.
struct Number {
  uint64_t Offset;
  uint32_t Region, Bytes;
};

/// Eight bytes as they were, and which of them f has overwritten since.
struct Word {
  char *At;
  uint64_t Old, Mask;
};

struct State {
  const struct Probe *P;
  void *Frame;
  uint64_t Flags;
  struct Word *Words; // a hash table
  uint64_t Used, Room;
  uint64_t Count; // scalars, results, and numbers in memory
  /// By number: x; direction; weight; y at x, x + hv, x - hv.
  double *X, *V, *W, *Y, *YPlus, *YMinus;
  struct Number *Numbers; // those in memory
  struct Region Regions[];
};

static void *get(uint64_t Bytes) {
  void *Memory = malloc(Bytes ? Bytes : 1);
  if (!Memory)
    probe_no_memory();
  return Memory;
}

static uint64_t mix(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

static double size(double X) { return X < 0 ? -X : X; }
static int isFinite(double X) { return X - X == 0; }
static double larger(double A, double B) { return A > B ? A : B; }

//===-- What f overwrites, and putting it back ----------------------------===//

static struct Word *find(struct State *S, char *At) {
  uint64_t I = mix((uint64_t)At) & (S->Room - 1);
  while (S->Words[I].At && S->Words[I].At != At)
    I = (I + 1) & (S->Room - 1);
  return &S->Words[I];
}

static void grow(struct State *S) {
  struct Word *Old = S->Words;
  uint64_t OldRoom = S->Room;
  S->Room = OldRoom ? 2 * OldRoom : 256;
  S->Words = get(S->Room * sizeof(struct Word));
  memset(S->Words, 0, S->Room * sizeof(struct Word));
  for (uint64_t I = 0; I < OldRoom; ++I)
    if (Old[I].At)
      *find(S, Old[I].At) = Old[I];
  free(Old);
}

static void keep(struct State *S, char *At, uint64_t Bytes) {
  for (char *End = At + Bytes; At < End;) {
    uint64_t In = (uint64_t)At & 7;
    uint64_t Length = 8 - In;
    if (Length > (uint64_t)(End - At))
      Length = End - At;
    if (2 * S->Used >= S->Room)
      grow(S);
    struct Word *W = find(S, At - In);
    if (!W->At) {
      // The rest of an aligned word can always be read.
      W->At = At - In;
      memcpy(&W->Old, W->At, 8);
      ++S->Used;
    }
    char Ones[8];
    memset(Ones, -1, 8);
    memcpy((char *)&W->Mask + In, Ones, Length);
    At += Length;
  }
}

static void putBack(struct State *S) {
  for (uint64_t I = 0; I < S->Room; ++I)
    for (uint64_t K = 0; S->Words[I].At && K < 8; ++K)
      if (((const char *)&S->Words[I].Mask)[K])
        S->Words[I].At[K] = ((const char *)&S->Words[I].Old)[K];
  if (S->Used)
    memset(S->Words, 0, S->Room * sizeof(struct Word));
  S->Used = 0;
}

//===-- Numbers in memory -------------------------------------------------===//

static double load(const char *At, uint32_t Bytes) {
  float Single;
  double Double;
  if (Bytes == 8) {
    memcpy(&Double, At, 8);
    return Double;
  }
  memcpy(&Single, At, 4);
  return Single;
}

static void store(char *At, uint32_t Bytes, double X) {
  float Single = (float)X;
  if (Bytes == 8)
    memcpy(At, &X, 8);
  else
    memcpy(At, &Single, 4);
}

/// A region whose shadow is missing, or itself, has no derivative.
static int isActive(const struct Region *R) {
  return R->Shadow && R->Shadow != R->Base;
}

/// Calls for each number of a layout that lies in the region's bytes; writes
/// them to \p To unless that is null, and returns how many there are.
static uint64_t listKind(const struct Layout *L, const struct Region *R,
                         uint32_t Index, struct Number *To) {
  uint32_t Bytes = L->Kind == SingleKind ? 4 : 8;
  uint64_t From = R->Lo - R->Base, End = R->Hi - R->Base, Count = 0;
  // What lies in front of the first period that reaches into the bytes does
  // not matter.
  uint64_t Start = L->Period > From ? 0 : From / L->Period * L->Period;
  for (; Start < End; Start += L->Period) {
    for (uint64_t At = Start + L->Begin;
         At < End && At + Bytes <= Start + L->End; At += Bytes)
      if (At >= From && At + Bytes <= End) {
        if (To)
          To[Count] = (struct Number){At - From, Index, Bytes};
        ++Count;
      }
    if (L->Period > End)
      break;
  }
  return Count;
}

static uint64_t listNumbers(const struct State *S, struct Number *To) {
  uint64_t Count = 0;
  for (uint64_t I = 0; I < S->P->Regions; ++I) {
    const struct Region *R = &S->Regions[I];
    const struct RegionText *Text = &S->P->Texts[I];
    for (uint64_t K = 0; R->Lo < R->Hi && isActive(R) && K < Text->Count; ++K)
      if (Text->Layouts[K].Kind != UnknownKind)
        Count += listKind(&Text->Layouts[K], R, I, To ? To + Count : 0);
  }
  return Count;
}

/// The first number in memory.
static uint64_t firstNumber(const struct State *S) {
  return S->P->Scalars + S->P->Results;
}

enum Source { FromSaved, FromCopy, FromShadow };

/// Gathers the numbers in memory.
static void gather(const struct State *S, enum Source From, double *To) {
  for (uint64_t N = firstNumber(S); N < S->Count; ++N) {
    const struct Number *M = &S->Numbers[N];
    const struct Region *R = &S->Regions[M->Region];
    const char *Memory = From == FromSaved  ? R->Saved
                         : From == FromCopy ? R->Copy
                                            : R->Shadow + (R->Lo - R->Base);
    To[N] = load(Memory + M->Offset, M->Bytes);
  }
}

static int isUnknown(const struct Probe *P, uint64_t I, uint64_t From,
                     uint64_t To) {
  for (uint64_t K = 0; K < P->Texts[I].Count; ++K) {
    const struct Layout *L = &P->Texts[I].Layouts[K];
    if (L->Kind != UnknownKind)
      continue;
    for (uint64_t At = From; At < To; ++At) {
      uint64_t In = At % L->Period;
      if (In >= L->Begin && In < L->End)
        return 1;
    }
  }
  return 0;
}

//===-- Where f finds its memory ------------------------------------------===//

static void note(struct State *S, uint64_t I, char *At, uint64_t Bytes,
                 uint32_t Writes) {
  struct Region *R = &S->Regions[I];
  S->Flags |= Outside;
  if (!R->SeenHi || At < R->SeenLo)
    R->SeenLo = At;
  if (At + Bytes > R->SeenHi)
    R->SeenHi = At + Bytes;
  if (Writes) {
    if (R->Shadow && R->Shadow != R->Base && At >= R->Base &&
        isUnknown(S->P, I, At - R->Base, At - R->Base + Bytes))
      S->Flags |= UnknownWrite;
    keep(S, At, Bytes);
    return;
  }
  if (!R->ReadHi || At < R->ReadLo)
    R->ReadLo = At;
  if (At + Bytes > R->ReadHi)
    R->ReadHi = At + Bytes;
}

/// The address at which f is to access the \p Bytes at \p At: in the copy, if
/// there is one. Region -1 is f's own memory, -2 is memory that it finds by
/// pointers in memory.
void *probe_at(struct State *S, int32_t Region, char *At, uint64_t Bytes,
               uint32_t Writes) {
  if (Region >= 0) {
    struct Region *R = &S->Regions[Region];
    if (At >= R->Lo && At + Bytes <= R->Hi)
      return At + R->Delta;
    if (Bytes)
      note(S, Region, At, Bytes, Writes);
  } else if (Region == -2) {
    for (uint64_t I = 0; I < S->P->Regions; ++I)
      if (At < S->Regions[I].Hi && At + Bytes > S->Regions[I].Lo)
        S->Flags |= AnotherWay;
  }
  return At;
}

/// f does not come to its end.
void probe_stopped(struct State *S) { S->Flags |= Stopped; }

//===-- Before the derivative ---------------------------------------------===//

static void say(const struct Probe *P, const char *Reason, const char *Of) {
  if (!__atomic_exchange_n(P->Told, 1, __ATOMIC_RELAXED))
    dprintf(2, "adze: %sthe derivative of '%s' is not checked: %s%s\n",
            P->Place, P->Function, Reason, Of);
}

static void drop(struct State *S) {
  for (uint64_t I = 0; I < S->P->Regions; ++I) {
    free(S->Regions[I].Saved);
    free(S->Regions[I].Copy);
  }
  free(S->Words);
  free(S->X);
  free(S->Numbers);
  free(S);
}

/// Of many calls of one marker some are looked at: the first ones, then the
/// 8th, the 16th, the 32nd, ...
static int isDue(const struct Probe *P) {
  uint64_t N = 1 + __atomic_fetch_add(P->Calls, 1, __ATOMIC_RELAXED);
  return (N <= 4 || (N & (N - 1)) == 0) &&
         !__atomic_load_n(P->Told, __ATOMIC_RELAXED);
}

/// f where it is. False if its memory cannot be copied.
static int explore(struct State *S, const double *Scalars) {
  const struct Probe *P = S->P;
  double *Out = get(P->Results * sizeof(double));
  P->Run(S, S->Frame, Scalars, Out);
  free(Out);
  putBack(S);
  // It will stop in the derivative as well.
  if (S->Flags & Stopped)
    return 0;
  for (uint64_t I = 0; I < P->Regions; ++I) {
    struct Region *R = &S->Regions[I];
    R->Lo = R->SeenLo;
    R->Hi = R->SeenHi;
    if (isActive(R) && R->Lo < R->Base) {
      say(P, "bytes are accessed that lie in front of ", P->Texts[I].Name);
      return 0;
    }
    for (uint64_t K = 0; K < I; ++K)
      if (R->Lo < S->Regions[K].Hi && S->Regions[K].Lo < R->Hi) {
        say(P, "one memory is accessed by two ways, of which one is ",
            P->Texts[I].Name);
        return 0;
      }
  }
  if (S->Flags & UnknownWrite) {
    say(P, "it writes bytes of which nobody knows whether they are numbers",
        "");
    return 0;
  }
  return 1;
}

static void copyRegions(struct State *S) {
  const struct Probe *P = S->P;
  for (uint64_t I = 0; I < P->Regions; ++I) {
    struct Region *R = &S->Regions[I];
    uint64_t Bytes = R->Hi - R->Lo;
    R->Saved = get(Bytes);
    R->Copy = get(Bytes);
    memcpy(R->Saved, R->Lo, Bytes);
    R->Delta = R->Copy - R->Lo;
    R->SeenLo = R->SeenHi = 0;
  }
}

static void makeVectors(struct State *S) {
  S->Count = firstNumber(S) + listNumbers(S, 0);
  S->Numbers = get(S->Count * sizeof(struct Number));
  listNumbers(S, S->Numbers + firstNumber(S));
  double **Vectors[] = {&S->X, &S->V, &S->W, &S->Y, &S->YPlus, &S->YMinus};
  S->X = get(6 * S->Count * sizeof(double));
  memset(S->X, 0, 6 * S->Count * sizeof(double));
  for (int I = 1; I < 6; ++I)
    *Vectors[I] = S->X + I * S->Count;
}

/// Given: in reverse mode the weight of each result, in forward mode the
/// direction of each scalar.
struct State *probe_begin(const struct Probe *P, void *Frame,
                          char *const *Pointers, const double *Scalars,
                          const double *Given) {
  if (!isDue(P))
    return 0;
  int Errno = errno;
  uint64_t Bytes = sizeof(struct State) + P->Regions * sizeof(struct Region);
  struct State *S = get(Bytes);
  memset(S, 0, Bytes);
  S->P = P;
  S->Frame = Frame;
  for (uint64_t I = 0; I < P->Regions; ++I) {
    S->Regions[I].Base = Pointers[2 * I];
    S->Regions[I].Shadow = Pointers[2 * I + 1];
  }
  if (!explore(S, Scalars)) {
    drop(S);
    errno = Errno;
    return 0;
  }
  copyRegions(S);
  makeVectors(S);
  memcpy(S->X, Scalars, P->Scalars * sizeof(double));
  if (P->IsForward)
    memcpy(S->V, Given, P->Scalars * sizeof(double));
  else
    memcpy(S->W + P->Scalars, Given, P->Results * sizeof(double));
  gather(S, FromSaved, S->X);
  gather(S, FromShadow, P->IsForward ? S->V : S->W);
  errno = Errno;
  return S;
}

//===-- After it ----------------------------------------------------------===//

/// f at x + T v.
static void evaluate(struct State *S, double T, double *Y) {
  const struct Probe *P = S->P;
  double *In = get((P->Scalars + 1) * sizeof(double));
  for (uint64_t I = 0; I < P->Scalars; ++I)
    In[I] = S->X[I] + T * S->V[I];
  for (uint64_t I = 0; I < P->Regions; ++I) {
    const struct Region *R = &S->Regions[I];
    memcpy(R->Copy, R->Saved, R->Hi - R->Lo);
  }
  for (uint64_t N = firstNumber(S); N < S->Count && T != 0; ++N)
    if (S->V[N] != 0) {
      const struct Number *M = &S->Numbers[N];
      store(S->Regions[M->Region].Copy + M->Offset, M->Bytes,
            S->X[N] + T * S->V[N]);
    }
  P->Run(S, S->Frame, In, Y + P->Scalars);
  putBack(S);
  gather(S, FromCopy, Y);
  free(In);
}

/// f may read the number. What it only writes holds anything before.
static int isRead(const struct State *S, uint64_t N) {
  const struct Number *M = &S->Numbers[N];
  const struct Region *R = &S->Regions[M->Region];
  const char *At = R->Lo + M->Offset;
  return At < R->ReadHi && At + M->Bytes > R->ReadLo;
}

static double pick(uint64_t N) {
  uint64_t Bits = mix(N);
  double X = 0.5 + 0.5 * (double)(Bits >> 12) / 0x1p52;
  return Bits & 1 ? X : -X;
}

/// By which amounts numbers can be changed: in proportion to themselves, and
/// zeros to the numbers around them. By nothing where memory may not have been
/// set.
static void findScales(const struct State *S, double *Scale) {
  for (uint64_t N = 0; N < S->P->Scalars; ++N)
    Scale[N] = S->X[N] != 0 ? size(S->X[N]) : 1;
  for (uint64_t N = firstNumber(S), Next = N; N < S->Count; N = Next) {
    double Sum = 0, Others = 0;
    for (; Next < S->Count && S->Numbers[Next].Region == S->Numbers[N].Region;
         ++Next) {
      double X = size(S->X[Next]);
      int IsSet = isFinite(X) && (isRead(S, Next) || (X < 1e15 && X > 1e-15));
      Scale[Next] = IsSet ? X : 0;
      Sum += Scale[Next];
      Others += Scale[Next] > 0;
    }
    for (uint64_t K = N; K < Next; ++K)
      if (S->X[K] == 0)
        Scale[K] = Others > 0 ? Sum / Others : 1;
  }
}

/// Sets what is free to choose, and returns by how much the direction exceeds
/// the scales: zero if there is nothing to look at.
static double choose(struct State *S) {
  const struct Probe *P = S->P;
  double *Scale = get(S->Count * sizeof(double)), Ratio = 0;
  int Missed = 0;
  memset(Scale, 0, S->Count * sizeof(double));
  findScales(S, Scale);
  for (uint64_t N = 0; N < S->Count; ++N) {
    int IsScalar = N < P->Scalars;
    int IsResult = !IsScalar && N < firstNumber(S);
    if (!P->IsForward && !IsResult)
      S->V[N] = Scale[N] * pick(N);
    if (P->IsForward && N >= P->Scalars)
      S->W[N] = pick(N);
    if (!isFinite(S->V[N]) || Scale[N] == 0) {
      if (P->IsForward && S->V[N] != 0 && (IsScalar || isRead(S, N)))
        Missed = 1;
      S->V[N] = 0;
    }
    if (!isFinite(S->W[N]))
      S->W[N] = 0;
    if (S->V[N] != 0)
      Ratio = larger(Ratio, size(S->V[N]) / Scale[N]);
  }
  free(Scale);
  // A direction was given that cannot be taken.
  return Missed ? 0 : Ratio;
}

/// Forward: what f does not read has no direction, and, where it is not written
/// either, nothing to compare. What its shadow holds is nobody's concern.
static void ignoreUnused(struct State *S) {
  for (uint64_t N = firstNumber(S); S->P->IsForward && N < S->Count; ++N)
    if (!isRead(S, N)) {
      S->V[N] = 0;
      if (!(S->Y[N] < S->X[N] || S->Y[N] > S->X[N]))
        S->W[N] = 0;
    }
}

/// One quotient of differences.
struct Quotient {
  double Value;
  double Terms; // the sum of the absolute values of its terms
  double Bend;  // one-sided quotients differ by that
  double Noise; // by rounding of f's results
};

static struct Quotient quotient(struct State *S, double H) {
  evaluate(S, H, S->YPlus);
  evaluate(S, -H, S->YMinus);
  struct Quotient Q = {0, 0, 0, 0};
  double Epsilon = S->P->IsSingle ? 0x1p-23 : 0x1p-52;
  for (uint64_t N = S->P->Scalars; N < S->Count; ++N) {
    double W = S->W[N];
    if (W == 0)
      continue;
    double Plus = S->YPlus[N], Minus = S->YMinus[N];
    double Term = W * ((Plus - Minus) / (2 * H));
    Q.Value += Term;
    Q.Terms += size(Term);
    Q.Bend += size(W * ((Plus - S->Y[N]) / H - (S->Y[N] - Minus) / H));
    Q.Noise += Epsilon * size(W) * (size(Plus) + size(Minus)) / (2 * H);
  }
  return Q;
}

enum { Steps = 3 };

/// What the derivative says of the direction, from the shadows.
static double derivativeSays(struct State *S, const double *Computed,
                             double *Terms) {
  const struct Probe *P = S->P;
  double *After = get(S->Count * sizeof(double)), Sum = 0;
  memset(After, 0, S->Count * sizeof(double));
  memcpy(P->IsForward ? After + P->Scalars : After, Computed,
         (P->IsForward ? P->Results : P->Scalars) * sizeof(double));
  gather(S, FromShadow, After);
  *Terms = 0;
  for (uint64_t N = 0; N < S->Count; ++N) {
    double With = P->IsForward ? S->W[N] : S->V[N];
    if (With == 0)
      continue;
    Sum += With * After[N];
    *Terms += size(With * After[N]);
  }
  free(After);
  return Sum;
}

/// The quotients agree with each other, as they do where f is smooth and steps
/// are neither too large nor too small for it; and not with \p Says.
static int isWrong(const struct Quotient *Q, double Says, double Terms,
                   int IsSingle) {
  double Apart = 0, Bend = Q[Steps - 1].Bend, Noise = Q[Steps - 1].Noise;
  for (int I = 0; I < Steps; ++I) {
    if (!isFinite(Q[I].Value) || !isFinite(Q[I].Bend))
      return 0;
    Apart = larger(Apart, size(Q[I].Value - Q[(I + 1) % Steps].Value));
  }
  double Middle = Q[1].Value;
  if (!isFinite(Says))
    return 20 * Apart < size(Middle) && 20 * Bend < size(Middle);
  double Error = size(Says - Middle);
  double Tolerance = IsSingle ? 5e-3 : 1e-6;
  return Error > 1e-200 && Error > 20 * Apart && Error > 10 * Bend &&
         Error > Tolerance * (Terms + Q[1].Terms) + 200 * Noise;
}

static void compare(struct State *S, const double *Computed) {
  const struct Probe *P = S->P;
  double Ratio = choose(S);
  S->Flags = 0;
  evaluate(S, 0, S->Y);
  if (S->Flags & AnotherWay) {
    say(P, "memory behind an argument is accessed by pointers in memory, too",
        "");
    return;
  }
  ignoreUnused(S);
  if (Ratio == 0) {
    if (!P->IsForward)
      say(P, "nothing that it is differentiated by can be seen", "");
    return;
  }
  double Step = P->IsSingle ? 2e-2 : 1e-4;
  struct Quotient Q[Steps];
  for (int I = 0; I < Steps; ++I) {
    Q[I] = quotient(S, Step / Ratio);
    Step *= P->IsSingle ? 0.5 : 0.3;
  }
  // f has taken another way through memory there.
  if (S->Flags)
    return;
  double Terms, Says = derivativeSays(S, Computed, &Terms);
  if (!isWrong(Q, Says, Terms, P->IsSingle) ||
      __atomic_exchange_n(P->Told, 1, __ATOMIC_RELAXED))
    return;
  dprintf(2,
          "adze: %sthe %s of '%s' %s a check: along a %s direction %s "
          "%.8g, differences give %.8g\n",
          P->Place, P->IsForward ? "tangents" : "gradient", P->Function,
          P->IsForward ? "fail" : "fails", P->IsForward ? "given" : "random",
          P->IsForward ? "a sum of them is" : "it gives", Says, Q[1].Value);
}

/// Computed: in reverse mode the adjoint of each scalar, in forward mode the
/// tangent of each result.
void probe_end(struct State *S, const double *Computed) {
  if (!S)
    return;
  int Errno = errno;
  compare(S, Computed);
  drop(S);
  errno = Errno;
}
