// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of lstm.h, in a header so that the file with the marker call sees
// it.

#ifndef ADZE_BENCHMARKS_LSTM_LSTM_OBJECTIVE_H
#define ADZE_BENCHMARKS_LSTM_LSTM_OBJECTIVE_H

#include <math.h>
#include <stdlib.h>

static double lstm_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

/// One step of one layer: overwrites `hidden` and `cell`.
static void lstm_layer(int bits, const double *restrict weight,
                       const double *restrict bias, double *restrict hidden,
                       double *restrict cell, const double *restrict input) {
  for (int i = 0; i < bits; i++) {
    double forget = lstm_sigmoid(input[i] * weight[i] + bias[i]);
    double ingate = lstm_sigmoid(hidden[i] * weight[bits + i] + bias[bits + i]);
    double outgate =
        lstm_sigmoid(input[i] * weight[2 * bits + i] + bias[2 * bits + i]);
    double change = tanh(hidden[i] * weight[3 * bits + i] + bias[3 * bits + i]);
    cell[i] = cell[i] * forget + ingate * change;
    hidden[i] = outgate * tanh(cell[i]);
  }
}

/// Runs the network on one character; `output` becomes its prediction.
static void lstm_predict(int layers, int bits, const double *restrict gates,
                         const double *restrict extra, double *restrict state,
                         const double *restrict input,
                         double *restrict output) {
  for (int i = 0; i < bits; i++)
    output[i] = input[i] * extra[i];
  const double *below = output;
  for (int l = 0; l < layers; l++) {
    const double *weight = &gates[8 * l * bits];
    double *hidden = &state[2 * l * bits];
    lstm_layer(bits, weight, weight + 4 * bits, hidden, hidden + bits, below);
    below = hidden;
  }
  for (int i = 0; i < bits; i++)
    output[i] = below[i] * extra[bits + i] + extra[2 * bits + i];
}

static double lstm_objective(int layers, int chars, int bits,
                             const double *restrict gates,
                             const double *restrict extra,
                             double *restrict state,
                             const double *restrict text) {
  double *restrict output = malloc((size_t)bits * sizeof(double));
  double total = 0.0;
  for (int t = 0; t + 1 < chars; t++) {
    const double *next = &text[(t + 1) * bits];
    lstm_predict(layers, bits, gates, extra, state, &text[t * bits], output);
    double sum = 2.0;
    for (int i = 0; i < bits; i++)
      sum += exp(output[i]);
    double normalizer = log(sum);
    for (int i = 0; i < bits; i++)
      total += next[i] * (output[i] - normalizer);
  }
  free(output);
  return -total / ((double)(chars - 1) * bits);
}

#endif
