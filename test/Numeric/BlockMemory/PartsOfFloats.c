// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves, quarters and bytes of doubles go through small functions by value: as
// arguments, as results, as members of structures of words.
#include "check.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t bitsOf(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
static double ofBits(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}

// Two halves, each by a function.
static uint32_t low(double v) { return (uint32_t)(bitsOf(v) & 0xffffffff); }
static uint32_t high(double v) { return (uint32_t)(bitsOf(v) >> 32); }
static double join(uint32_t lo, uint32_t hi) { return ofBits((uint64_t)hi << 32 | lo); }

double halves(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = sin(x[i]) * x[(i + 1) % n];
    s = 0.7 * s + join(low(v), high(v)) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(halves, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// The same, never inlined by the compiler.
__attribute__((noinline)) static uint32_t lowApart(double v) { return low(v); }
__attribute__((noinline)) static uint32_t highApart(double v) { return high(v); }
__attribute__((noinline)) static double joinApart(uint32_t lo, uint32_t hi) {
  return join(lo, hi);
}

double halvesApart(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = sin(x[i]) * x[(i + 1) % n];
    s = 0.7 * s + joinApart(lowApart(v), highApart(v)) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(halvesApart, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Words are cut by functions that know of no float.
__attribute__((noinline)) static uint32_t lowWord(uint64_t u) { return (uint32_t)u; }
__attribute__((noinline)) static uint32_t highWord(uint64_t u) { return (uint32_t)(u >> 32); }
__attribute__((noinline)) static uint64_t ofWords(uint32_t lo, uint32_t hi) {
  return ((uint64_t)hi << 32) + lo;
}
double wordsCut(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t u = bitsOf(sin(x[i]) * x[(i + 1) % n]);
    s = 0.7 * s + ofBits(ofWords(lowWord(u), highWord(u))) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(wordsCut, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Halves wait in arrays.
double halvesStored(const double *x, int n) {
  uint32_t lo[8], hi[8];
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[i] + x[0];
    lo[i] = lowApart(v);
    hi[i] = highApart(v);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = 0.7 * s + joinApart(lo[n - 1 - i], hi[n - 1 - i]) * x[i];
  return s;
}
ADZE_TEST_ARRAY(halvesStored, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Four quarters.
static uint16_t quarter(double v, int k) { return (uint16_t)(bitsOf(v) >> (16 * k)); }
static double ofQuarters(uint16_t a, uint16_t b, uint16_t c, uint16_t d) {
  return ofBits((uint64_t)a | (uint64_t)b << 16 | (uint64_t)c << 32 | (uint64_t)d << 48);
}

double quarters(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = cos(x[i]) * x[(i + 1) % n];
    s = 0.7 * s + ofQuarters(quarter(v, 0), quarter(v, 1), quarter(v, 2), quarter(v, 3));
  }
  return s;
}
ADZE_TEST_ARRAY(quarters, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Bytes, each by a function.
static uint8_t byteOf(double v, int k) { return (uint8_t)(bitsOf(v) >> (8 * k)); }
static uint64_t withByte(uint64_t u, uint8_t b, int k) { return u | (uint64_t)b << (8 * k); }

double bytesByValue(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[(i + 1) % n];
    uint64_t u = 0;
    for (int k = 0; k < 8; ++k)
      u = withByte(u, byteOf(v, k), k);
    s = 0.7 * s + ofBits(u) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(bytesByValue, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A structure of two words, as a result and as an argument.
typedef struct {
  uint32_t lo, hi;
} Words;
__attribute__((noinline)) static Words split(double v) {
  uint64_t u = bitsOf(v);
  Words w = {(uint32_t)u, (uint32_t)(u >> 32)};
  return w;
}
__attribute__((noinline)) static double merge(Words w) {
  return ofBits((uint64_t)w.hi << 32 | w.lo);
}

double structOfWords(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Words w = split(exp(x[i]) * x[(i + 1) % n]);
    s = 0.7 * s + merge(w) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(structOfWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// The same, kept in an array.
double wordsKept(const double *x, int n) {
  Words w[8];
  for (int i = 0; i < n; ++i)
    w[i] = split(x[i] * x[(i + 1) % n]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = 0.7 * s + merge(w[n - 1 - i]) * x[i];
  return s;
}
ADZE_TEST_ARRAY(wordsKept, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A union of a double and its words.
typedef union {
  double v;
  uint32_t w[2];
  uint8_t b[8];
} Parts;
static uint32_t wordIn(double v, int k) {
  Parts p;
  p.v = v;
  return p.w[k];
}
static double ofWordsIn(uint32_t a, uint32_t b) {
  Parts p;
  p.w[0] = a;
  p.w[1] = b;
  return p.v;
}

double unionOfWords(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[(i + 1) % n];
    s = 0.7 * s + ofWordsIn(wordIn(v, 0), wordIn(v, 1)) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(unionOfWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

double unionOfBytes(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Parts p, q;
    p.v = x[i] * x[(i + 1) % n];
    for (int k = 0; k < 8; ++k)
      q.b[k] = p.b[k];
    s = 0.7 * s + q.v * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(unionOfBytes, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A buffer of words with a cursor.
typedef struct {
  uint32_t words[32];
  int at;
} Buffer;
__attribute__((noinline)) static void putWord(Buffer *b, uint32_t w) { b->words[b->at++] = w; }
__attribute__((noinline)) static uint32_t getWord(Buffer *b) { return b->words[b->at++]; }
static void putDouble(Buffer *b, double v) {
  uint64_t u = bitsOf(v);
  putWord(b, (uint32_t)u);
  putWord(b, (uint32_t)(u >> 32));
}
static double getDouble(Buffer *b) {
  uint64_t lo = getWord(b), hi = getWord(b);
  return ofBits(hi << 32 | lo);
}

double bufferOfWords(const double *x, int n) {
  Buffer b;
  b.at = 0;
  for (int i = 0; i < n; ++i) {
    putWord(&b, 17 + i);
    putDouble(&b, x[i] * x[(i + 1) % n]);
  }
  b.at = 0;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double k = getWord(&b);
    s = 0.7 * s + getDouble(&b) * x[i] * k;
  }
  return s;
}
ADZE_TEST_ARRAY(bufferOfWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// The same in static memory, by functions of a file.
static uint32_t shelf[32];
static int shelfAt;
__attribute__((noinline)) static void shelve(uint32_t w) { shelf[shelfAt++] = w; }
__attribute__((noinline)) static uint32_t unshelve(void) { return shelf[shelfAt++]; }

double staticWords(const double *x, int n) {
  shelfAt = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t u = bitsOf(x[i] * x[(i + 1) % n]);
    shelve((uint32_t)u);
    shelve((uint32_t)(u >> 32));
  }
  shelfAt = 0;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t lo = unshelve(), hi = unshelve();
    s = 0.7 * s + ofBits(hi << 32 | lo) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(staticWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A buffer of bytes with a cursor.
typedef struct {
  uint8_t bytes[128];
  int at;
} Stream;
__attribute__((noinline)) static void putByte(Stream *b, uint8_t w) { b->bytes[b->at++] = w; }
__attribute__((noinline)) static uint8_t getByte(Stream *b) { return b->bytes[b->at++]; }

double streamOfBytes(const double *x, int n) {
  Stream b;
  b.at = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t u = bitsOf(x[i] * x[(i + 1) % n]);
    for (int k = 0; k < 8; ++k)
      putByte(&b, (uint8_t)(u >> (8 * k)));
  }
  b.at = 0;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t u = 0;
    for (int k = 0; k < 8; ++k)
      u |= (uint64_t)getByte(&b) << (8 * k);
    s = 0.7 * s + ofBits(u) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(streamOfBytes, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// To the order of the network and back, in halves.
__attribute__((noinline)) static uint32_t swapped(uint32_t u) {
  return u >> 24 | (u >> 8 & 0xff00) | (u << 8 & 0xff0000) | u << 24;
}
double networkOrder(const double *x, int n) {
  uint32_t wire[16];
  for (int i = 0; i < n; ++i) {
    uint64_t u = bitsOf(x[i] * x[(i + 1) % n]);
    wire[2 * i] = swapped((uint32_t)(u >> 32));
    wire[2 * i + 1] = swapped((uint32_t)u);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t hi = swapped(wire[2 * i]), lo = swapped(wire[2 * i + 1]);
    s = 0.7 * s + ofBits(hi << 32 | lo) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(networkOrder, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Floats of four bytes, two to a word.
static uint64_t packed(float a, float b) {
  uint32_t u, v;
  memcpy(&u, &a, sizeof u);
  memcpy(&v, &b, sizeof v);
  return (uint64_t)v << 32 | u;
}
static float firstOf(uint64_t w) {
  uint32_t u = (uint32_t)w;
  float a;
  memcpy(&a, &u, sizeof a);
  return a;
}
static float secondOf(uint64_t w) { return firstOf(w >> 32); }

double pairsOfFloats(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t w = packed((float)(x[i] * x[i]), (float)(x[i] * x[0]));
    s += firstOf(w) * 2.0 + secondOf(w) * (double)(i + 1);
  }
  return s;
}
ADZE_TEST_ARRAY(pairsOfFloats, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3, .step = 0.1)

// Halves chosen by a branch, and used twice.
double halvesChosen(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[(i + 1) % n], w = x[i] + 3 * x[0];
    uint32_t lo, hi;
    if (i % 2) {
      lo = lowApart(v);
      hi = highApart(v);
    } else {
      lo = lowApart(w);
      hi = highApart(w);
    }
    s = 0.7 * s + joinApart(lo, hi) * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(halvesChosen, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

double halvesTwice(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[(i + 1) % n];
    uint32_t lo = lowApart(v), hi = highApart(v);
    s = 0.7 * s + joinApart(lo, hi) * x[i] + sin(joinApart(lo, hi)) + v;
  }
  return s;
}
ADZE_TEST_ARRAY(halvesTwice, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Doubles among numbers in an array of words: which is which, the run knows.
double recordsOfWords(const double *x, int n) {
  uint64_t words[16];
  for (int i = 0; i < n; ++i) {
    words[2 * i] = (uint64_t)(i % 3);
    words[2 * i + 1] = i % 3 == 1 ? (uint64_t)(5 + i) : bitsOf(x[i] * x[(i + 1) % n]);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = words[2 * i] == 1 ? (double)words[2 * i + 1] : ofBits(words[2 * i + 1]);
    s = 0.7 * s + v * x[i];
  }
  return s;
}
ADZE_TEST_ARRAY(recordsOfWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// The same in halves, at places that the run knows.
double recordsOfHalves(const double *x, int n) {
  uint32_t words[32];
  int at = 0;
  for (int i = 0; i < n; ++i) {
    words[at++] = (uint32_t)(i % 3);
    if (i % 3 == 1) {
      words[at++] = (uint32_t)(5 + i);
    } else {
      double v = x[i] * x[(i + 1) % n];
      words[at++] = low(v);
      words[at++] = high(v);
    }
  }
  double s = 0;
  for (int i = 0, k = 0; i < at; ++k)
    if (words[i] == 1) {
      s = 0.7 * s + (double)words[i + 1] * x[k];
      i += 2;
    } else {
      s = 0.7 * s + join(words[i + 1], words[i + 2]) * x[k];
      i += 3;
    }
  return s;
}
ADZE_TEST_ARRAY(recordsOfHalves, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// What is a number stays one: exponent, sign, hash.
static int exponentOf(double v) { return (int)(high(v) >> 20 & 0x7ff) - 1023; }
static int isNegative(double v) { return (int)(high(v) >> 31); }
static uint32_t hashOf(double v) { return (low(v) * 31u ^ high(v)) * 2654435761u; }

double numbersOfBits(const double *x, int n) {
  double s = 0;
  uint32_t hash = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[(i + 1) % n];
    hash ^= hashOf(v);
    s += (isNegative(v) ? -2 : 3) * v + ldexp(x[i], exponentOf(v));
  }
  return hash == 12345 ? 2 * s : s;
}
ADZE_TEST_ARRAY(numbersOfBits, 4, ADZE_AT(0.5, 0.3, -0.6, 0.7))
