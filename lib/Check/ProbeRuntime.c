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
// asks adze_probe_at() for the address. That makes two things possible. First f
// runs where it is, to see which bytes it accesses; what it writes is put back
// afterwards. Then it runs on copies of these bytes, as often as we like.
#include "ProbeState.h"
#include <errno.h>

//===-- Where f finds its memory ------------------------------------------===//

/// f has overwritten the pointer that leads to region \p I.
static int isRewritten(struct State *S, uint64_t I) {
  const struct RegionText *T = &S->P->Texts[I];
  if (T->Parent < 0 || !S->Room)
    return 0;
  char *At = S->Regions[T->Parent].Base + T->Offset,
       *In = At - ((uint64_t)At & 7);
  return find(S, In)->At || find(S, In + 8 * (In != At))->At;
}

/// What was loaded from a parent leads to region \p I; it is seen from there
/// again.
static void findBase(struct State *S, uint64_t I) {
  const struct RegionText *T = &S->P->Texts[I];
  struct Region *R = &S->Regions[I];
  if (R->Base || T->Parent < 0)
    return;
  const struct Region *Parent = &S->Regions[T->Parent];
  if (isRewritten(S, I))
    S->Flags |= Rewritten;
  memcpy(&R->Base, Parent->Base + T->Offset, sizeof(char *));
  if (isActive(Parent))
    memcpy(&R->Shadow, Parent->Shadow + T->Offset, sizeof(char *));
}

static void note(struct State *S, uint64_t I, char *At, uint64_t Bytes,
                 uint32_t Writes) {
  struct Region *R = &S->Regions[I];
  S->Flags |= Outside;
  findBase(S, I);
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
void *adze_probe_at(struct State *S, int32_t Region, char *At, uint64_t Bytes,
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
void adze_probe_stopped(struct State *S) { S->Flags |= Stopped; }

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
  for (uint64_t I = 0; I < P->Regions; ++I)
    if (S->Regions[I].SeenHi && isRewritten(S, I))
      S->Flags |= Rewritten;
  putBack(S);
  // It will stop in the derivative as well.
  if (S->Flags & Stopped)
    return 0;
  if (S->Flags & Rewritten) {
    say(P, "it writes pointers by which it finds memory", "");
    return 0;
  }
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

/// f may read the number. What it only writes holds anything before.
static int isRead(const struct State *S, uint64_t N) {
  const struct Number *M = &S->Numbers[N];
  const struct Region *R = &S->Regions[M->Region];
  const char *At = R->Lo + M->Offset;
  return At < R->ReadHi && At + M->Bytes > R->ReadLo;
}

/// What was there before f writes is nobody's concern.
static void forgetUnread(struct State *S) {
  for (uint64_t N = firstNumber(S); N < S->Count; ++N)
    if (!isRead(S, N))
      store(S->Regions[S->Numbers[N].Region].Saved + S->Numbers[N].Offset,
            S->Numbers[N].Bytes, 0);
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
struct State *adze_probe_begin(const struct Probe *P, void *Frame,
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
  forgetUnread(S);
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

static double pick(uint64_t N) {
  uint64_t Bits = mix(N);
  double X = 0.5 + 0.5 * (double)(Bits >> 12) / 0x1p52;
  return Bits & 1 ? X : -X;
}

/// By which amounts numbers can be changed: in proportion to themselves, and
/// zeros to the numbers around them. By nothing where they are not finite.
static void findScales(const struct State *S, double *Scale) {
  for (uint64_t N = 0; N < S->P->Scalars; ++N)
    Scale[N] = S->X[N] != 0 ? size(S->X[N]) : 1;
  for (uint64_t N = firstNumber(S), Next = N; N < S->Count; N = Next) {
    double Sum = 0, Others = 0;
    for (; Next < S->Count && S->Numbers[Next].Region == S->Numbers[N].Region;
         ++Next) {
      double X = size(S->X[Next]);
      Scale[Next] = isFinite(X) ? X : 0;
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

/// Whether the derivative is wrong along the direction, and what it and
/// differences say.
static int check(struct State *S, const double *Computed, double Ratio,
                 double *Says, double *Middle) {
  double Step = (S->P->IsSingle ? 2e-2 : 1e-4) / Ratio;
  struct Quotient Q[Steps];
  for (int I = 0; I < Steps; ++I) {
    Q[I] = quotient(S, Step);
    Step *= S->P->IsSingle ? 0.5 : 0.3;
  }
  double Terms;
  *Says = derivativeSays(S, Computed, &Terms);
  *Middle = Q[1].Value;
  // With a flag, f has taken another way through memory somewhere.
  return !S->Flags && isWrong(Q, *Says, Terms, S->P->IsSingle);
}

/// What number \p N belongs to.
static const char *nameOf(const struct State *S, uint64_t N) {
  if (N < S->P->Scalars)
    return S->P->ScalarNames[N];
  return N < firstNumber(S) ? "the result"
                            : S->P->Texts[S->Numbers[N].Region].Name;
}

/// Appends the names of those parts of the direction, or in forward mode of the
/// results, that are wrong by themselves.
static void blame(struct State *S, const double *Computed, double Ratio,
                  char *Text, uint64_t Room) {
  double *With = S->P->IsForward ? S->W : S->V;
  double *All = get(S->Count * sizeof(double));
  memcpy(All, With, S->Count * sizeof(double));
  const char *Begin = "; wrong by itself: ";
  for (uint64_t N = 0, Next = 0; N < S->Count; N = Next) {
    const char *Name = nameOf(S, N);
    memset(With, 0, S->Count * sizeof(double));
    for (; Next < S->Count && nameOf(S, Next) == Name; ++Next)
      With[Next] = All[Next];
    double Says, Middle;
    uint64_t Length = strlen(Begin) + strlen(Name);
    if (Length >= Room || !check(S, Computed, Ratio, &Says, &Middle))
      continue;
    strcpy(Text, Begin);
    strcat(Text, Name);
    Text += Length;
    Room -= Length;
    Begin = ", ";
  }
  memcpy(With, All, S->Count * sizeof(double));
  free(All);
}

/// What is not finite in the weights is not in what differences can tell.
static int areFinite(const double *X, uint64_t Count) {
  for (uint64_t N = 0; N < Count; ++N)
    if (!isFinite(X[N]))
      return 0;
  return 1;
}

/// The results that the direction asks for are finite.
static int hasFiniteResults(const struct State *S) {
  for (uint64_t N = S->P->Scalars; N < S->Count; ++N)
    if (S->W[N] != 0 && !isFinite(S->Y[N]))
      return 0;
  return 1;
}

static void compare(struct State *S, const double *Computed) {
  const struct Probe *P = S->P;
  if (!P->IsForward && !areFinite(S->W, S->Count)) {
    say(P, "a shadow is not finite before the call", "");
    return;
  }
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
  double Says, Middle;
  int IsWrong = check(S, Computed, Ratio, &Says, &Middle);
  // Differences cannot tell at the end of a range, where slopes are infinite.
  int IsUndefined = !IsWrong && !isFinite(Says) && hasFiniteResults(S);
  if ((!IsWrong && !IsUndefined) ||
      __atomic_exchange_n(P->Told, 1, __ATOMIC_RELAXED))
    return;
  if (IsUndefined) {
    dprintf(2,
            "adze: %sthe %s of '%s' %s not finite, and the function is: to "
            "learn where, use -mllvm -adze-trap-nan\n",
            P->Place, P->IsForward ? "tangents" : "gradient", P->Function,
            P->IsForward ? "are" : "is");
    return;
  }
  char Culprits[400] = "";
  blame(S, Computed, Ratio, Culprits, sizeof(Culprits));
  dprintf(2,
          "adze: %sthe %s of '%s' %s a check: along a %s direction %s "
          "%.8g, differences give %.8g%s\n",
          P->Place, P->IsForward ? "tangents" : "gradient", P->Function,
          P->IsForward ? "fail" : "fails", P->IsForward ? "given" : "random",
          P->IsForward ? "a sum of them is" : "it gives", Says, Middle,
          Culprits);
}

/// Computed: in reverse mode the adjoint of each scalar, in forward mode the
/// tangent of each result.
void adze_probe_end(struct State *S, const double *Computed) {
  if (!S)
    return;
  int Errno = errno;
  compare(S, Computed);
  drop(S);
  errno = Errno;
}
