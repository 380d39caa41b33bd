// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objective of lstm.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "lstm.h"

#include <cmath>

namespace {

using std::exp;
using std::log;
using std::tanh;

template <class T> T sigmoid(const T &x) {
  T grown = 1.0 + exp(-x);
  return 1.0 / grown;
}

template <class T>
void layer(int bits, const T *weight, const T *bias, T *hidden, T *cell,
           const T *input) {
  for (int i = 0; i < bits; i++) {
    T forget = sigmoid<T>(input[i] * weight[i] + bias[i]);
    T ingate = sigmoid<T>(hidden[i] * weight[bits + i] + bias[bits + i]);
    T outgate =
        sigmoid<T>(input[i] * weight[2 * bits + i] + bias[2 * bits + i]);
    T change = hidden[i] * weight[3 * bits + i] + bias[3 * bits + i];
    T next = cell[i] * forget + ingate * tanh(change);
    cell[i] = next;
    hidden[i] = outgate * tanh(next);
  }
}

template <class T>
void predict(const lstm_text &net, const T *gates, const T *extra, T *state,
             const double *input, T *output) {
  const int bits = net.bits;
  for (int i = 0; i < bits; i++)
    output[i] = input[i] * extra[i];
  const T *below = output;
  for (int l = 0; l < net.layers; l++) {
    const T *weight = &gates[8 * l * bits];
    T *hidden = &state[2 * l * bits];
    layer(bits, weight, weight + 4 * bits, hidden, hidden + bits, below);
    below = hidden;
  }
  for (int i = 0; i < bits; i++)
    output[i] = below[i] * extra[bits + i] + extra[2 * bits + i];
}

int num_gates(const lstm_text &net) { return 8 * net.layers * net.bits; }
int num_extra(const lstm_text &net) { return 3 * net.bits; }
int num_state(const lstm_text &net) { return 2 * net.layers * net.bits; }

template <class T> T objective(const lstm_text &net, const T *gates) {
  const T *extra = gates + num_gates(net), *initial = extra + num_extra(net);
  std::vector<T> state(initial, initial + num_state(net)), output(net.bits);
  T total = 0.0;
  for (int t = 0; t + 1 < net.chars; t++) {
    const double *next = &net.text[(t + 1) * net.bits];
    predict(net, gates, extra, state.data(), &net.text[t * net.bits],
            output.data());
    T sum = 2.0;
    for (int i = 0; i < net.bits; i++)
      sum += exp(output[i]);
    T normalizer = log(sum);
    for (int i = 0; i < net.bits; i++)
      total += next[i] * (output[i] - normalizer);
  }
  return -total / (double(net.chars - 1) * net.bits);
}

} // namespace

TOOL_FUNCTION(lstm)(const void *constants, const double *x, double *gradient) {
  const auto &net = *static_cast<const lstm_text *>(constants);
  tool::gradient(num_gates(net) + num_extra(net) + num_state(net), x, gradient,
                 [&](const auto *at) { return objective(net, at); });
}
