// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loss of a network that predicts the next character of a text: the LSTM
// objective of ADBench, and its gradient.
//
// Characters are rows of `bits` numbers. A layer is diagonal (every bit has
// its own weight and bias in each of the four gates) and keeps two rows of
// state, hidden h and cell c, which a step overwrites:
//
//   forget = sigmoid(w0 in + b0)     ingate = sigmoid(w1 h + b1)
//   outgate = sigmoid(w2 in + b2)    change = tanh(w3 h + b3)
//   c <- c forget + ingate change    h <- outgate tanh(c)
//
// `in` is the character scaled by extra[0] for the first layer and h of the
// layer below for the others. The prediction is y = h_top extra[1] + extra[2],
// normalized by log(2 + sum(exp(y))), and the loss is the mean over all bits
// and characters of -(next character) * (normalized y).
//
//   gates   layers x 2 rows (weights, biases) of 4 bits, gate by gate
//   extra   3 rows of bits
//   state   layers x 2 rows (hidden, cell) of bits: read, and overwritten by
//           the state after the last step
//   text    chars rows of bits
//
// The gradients are *added* to d_gates and d_extra. `d_state` is the shadow of
// an argument that is overwritten: on entry the adjoint of the final state, on
// exit that of the initial one. What `state` holds after a gradient is not
// specified.

#ifndef ADZE_BENCHMARKS_LSTM_LSTM_H
#define ADZE_BENCHMARKS_LSTM_LSTM_H

/// What the tools of tools.h are given; their x is gates, extra, state.
typedef struct {
  int layers, chars, bits;
  const double *text;
} lstm_text;

double lstm_primal(int layers, int chars, int bits, const double *gates,
                   const double *extra, double *state, const double *text);

void lstm_hand(int layers, int chars, int bits, const double *gates,
               double *d_gates, const double *extra, double *d_extra,
               double *state, double *d_state, const double *text);

void lstm_generated(int layers, int chars, int bits, const double *gates,
                    double *d_gates, const double *extra, double *d_extra,
                    double *state, double *d_state, const double *text);

#endif
