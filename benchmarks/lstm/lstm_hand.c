// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of lstm.h by hand.
//
// The forward pass keeps, for each step, layer and bit, what the derivatives
// of the gates are made of: the four gates, tanh(c), and the h and c that the
// step overwrites; no exponential is taken twice. The adjoint of the
// prediction is known as soon as the prediction is, so that is what is kept
// for each character, with h of the top layer.

#include "lstm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Rows of `bits` that one step of one layer keeps.
enum { FORGET, INGATE, OUTGATE, CHANGE, TANH_CELL, HIDDEN, CELL, LAYER_ROWS };

static double sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }

/// A step of a layer that fills its rows of the tape.
static void forward_layer(int bits, const double *restrict weight,
                          double *restrict hidden, double *restrict cell,
                          const double *restrict input, double *restrict tape) {
  const double *restrict bias = weight + 4 * bits;
  for (int i = 0; i < bits; i++) {
    double h = hidden[i], c = cell[i];
    double forget = sigmoid(input[i] * weight[i] + bias[i]);
    double ingate = sigmoid(h * weight[bits + i] + bias[bits + i]);
    double outgate =
        sigmoid(input[i] * weight[2 * bits + i] + bias[2 * bits + i]);
    double change = tanh(h * weight[3 * bits + i] + bias[3 * bits + i]);
    double new_cell = c * forget + ingate * change;
    double tanh_cell = tanh(new_cell);
    cell[i] = new_cell;
    hidden[i] = outgate * tanh_cell;
    tape[FORGET * bits + i] = forget;
    tape[INGATE * bits + i] = ingate;
    tape[OUTGATE * bits + i] = outgate;
    tape[CHANGE * bits + i] = change;
    tape[TANH_CELL * bits + i] = tanh_cell;
    tape[HIDDEN * bits + i] = h;
    tape[CELL * bits + i] = c;
  }
}

/// One character: fills its tape, whose last row is the adjoint of the
/// prediction. `scale` is the factor of the loss.
static void forward_step(int layers, int bits, const double *restrict gates,
                         const double *restrict extra, double *restrict state,
                         const double *restrict input,
                         const double *restrict next, double scale,
                         double *restrict tape) {
  double *d_output = tape + layers * LAYER_ROWS * bits;
  for (int i = 0; i < bits; i++)
    d_output[i] = input[i] * extra[i];
  const double *below = d_output;
  for (int l = 0; l < layers; l++) {
    double *hidden = &state[2 * l * bits];
    forward_layer(bits, &gates[8 * l * bits], hidden, hidden + bits, below,
                  &tape[l * LAYER_ROWS * bits]);
    below = hidden;
  }
  double sum = 2.0, mass = 0.0;
  for (int i = 0; i < bits; i++) {
    d_output[i] = exp(below[i] * extra[bits + i] + extra[2 * bits + i]);
    sum += d_output[i];
    mass += next[i];
  }
  double share = mass / sum;
  for (int i = 0; i < bits; i++)
    d_output[i] = scale * (next[i] - share * d_output[i]);
}

/// Reverse of a step of a layer. `d_hidden` and `d_cell` turn from adjoints
/// after the step into adjoints before it; `d_input` is added to.
static void reverse_layer(int bits, const double *restrict weight,
                          double *restrict d_weight, double *restrict d_hidden,
                          double *restrict d_cell, const double *restrict input,
                          double *restrict d_input,
                          const double *restrict tape) {
  double *restrict d_bias = d_weight + 4 * bits;
  for (int i = 0; i < bits; i++) {
    double forget = tape[FORGET * bits + i];
    double ingate = tape[INGATE * bits + i];
    double outgate = tape[OUTGATE * bits + i];
    double change = tape[CHANGE * bits + i];
    double tanh_cell = tape[TANH_CELL * bits + i];
    double h = tape[HIDDEN * bits + i];
    double bar_c =
        d_cell[i] + d_hidden[i] * outgate * (1.0 - tanh_cell * tanh_cell);
    double bar_out = d_hidden[i] * tanh_cell * outgate * (1.0 - outgate);
    double bar_forget = bar_c * tape[CELL * bits + i] * forget * (1.0 - forget);
    double bar_in = bar_c * change * ingate * (1.0 - ingate);
    double bar_change = bar_c * ingate * (1.0 - change * change);
    d_cell[i] = bar_c * forget;
    d_hidden[i] = bar_in * weight[bits + i] + bar_change * weight[3 * bits + i];
    d_input[i] += bar_forget * weight[i] + bar_out * weight[2 * bits + i];
    d_weight[i] += bar_forget * input[i];
    d_weight[bits + i] += bar_in * h;
    d_weight[2 * bits + i] += bar_out * input[i];
    d_weight[3 * bits + i] += bar_change * h;
    d_bias[i] += bar_forget;
    d_bias[bits + i] += bar_in;
    d_bias[2 * bits + i] += bar_out;
    d_bias[3 * bits + i] += bar_change;
  }
}

/// Reverse of a character. `input` is scratch of two rows.
static void reverse_step(int layers, int bits, const double *restrict gates,
                         double *restrict d_gates, const double *restrict extra,
                         double *restrict d_extra, double *restrict d_state,
                         const double *restrict text,
                         const double *restrict tape, double *restrict input) {
  double *d_input = input + bits;
  const double *d_output = tape + layers * LAYER_ROWS * bits;
  const double *top = tape + (layers - 1) * LAYER_ROWS * bits;
  double *d_top = &d_state[2 * (layers - 1) * bits];
  for (int i = 0; i < bits; i++) {
    double hidden = top[OUTGATE * bits + i] * top[TANH_CELL * bits + i];
    d_top[i] += d_output[i] * extra[bits + i];
    d_extra[bits + i] += d_output[i] * hidden;
    d_extra[2 * bits + i] += d_output[i];
  }
  for (int l = layers - 1; l >= 0; l--) {
    const double *rows = &tape[l * LAYER_ROWS * bits];
    const double *below = rows - LAYER_ROWS * bits;
    for (int i = 0; i < bits; i++)
      input[i] = l > 0 ? below[OUTGATE * bits + i] * below[TANH_CELL * bits + i]
                       : text[i] * extra[i];
    double *d_hidden = &d_state[2 * l * bits];
    double *target = l > 0 ? d_hidden - 2 * bits : d_input;
    if (l == 0)
      memset(d_input, 0, (size_t)bits * sizeof(double));
    reverse_layer(bits, &gates[8 * l * bits], &d_gates[8 * l * bits], d_hidden,
                  d_hidden + bits, input, target, rows);
  }
  for (int i = 0; i < bits; i++)
    d_extra[i] += d_input[i] * text[i];
}

void lstm_hand(int layers, int chars, int bits, const double *gates,
               double *d_gates, const double *extra, double *d_extra,
               double *state, double *d_state, const double *text) {
  const size_t step = (size_t)(layers * LAYER_ROWS + 1) * (size_t)bits;
  const size_t steps = (size_t)(chars - 1);
  double *tape = malloc((steps * step + 2 * (size_t)bits) * sizeof(double));
  double *input = tape + steps * step;
  const double scale = -1.0 / ((double)(chars - 1) * bits);
  for (int t = 0; t + 1 < chars; t++)
    forward_step(layers, bits, gates, extra, state, &text[t * bits],
                 &text[(t + 1) * bits], scale, &tape[(size_t)t * step]);
  for (int t = chars - 2; t >= 0; t--)
    reverse_step(layers, bits, gates, d_gates, extra, d_extra, d_state,
                 &text[t * bits], &tape[(size_t)t * step], input);
  free(tape);
}
