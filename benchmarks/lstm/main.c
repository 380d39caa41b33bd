// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of lstm.h: reads an ADBench file or generates a network
// and a text.

#include "../common/bench.h"
#include "../common/support.h"
#include "lstm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int layers, chars, bits;
  double *inputs; ///< main, extra, state: the active inputs.
  double *state;  ///< Copy of the state that a call may overwrite.
  double *text;
} network;

static size_t num_gates(const network *net) {
  return 8 * (size_t)net->layers * (size_t)net->bits;
}

static size_t num_extra(const network *net) { return 3 * (size_t)net->bits; }

static size_t num_state(const network *net) {
  return 2 * (size_t)net->layers * (size_t)net->bits;
}

static size_t num_inputs(const network *net) {
  return num_gates(net) + num_extra(net) + num_state(net);
}

/// `layers chars bits`, gates, extra, state, text.
static network read_network(const char *path) {
  bench_reader reader = bench_open(path);
  network net = {0};
  net.layers = bench_read_size(&reader, "the number of layers");
  net.chars = bench_read_size(&reader, "the number of characters");
  net.bits = bench_read_size(&reader, "the number of bits");
  net.inputs = bench_read_array(&reader, num_inputs(&net), "a parameter");
  net.text = bench_read_array(&reader, (size_t)net.chars * (size_t)net.bits,
                              "a character");
  bench_close(&reader);
  return net;
}

/// Parameters uniform in [0, 1) as in ADBench's files; characters of random
/// bits.
static network generate_network(int layers, int chars, int bits,
                                unsigned long seed) {
  network net = {layers, chars, bits, NULL, NULL, NULL};
  bench_random random = {seed};
  net.inputs = bench_alloc(num_inputs(&net));
  for (size_t i = 0; i < num_inputs(&net); i++)
    net.inputs[i] = bench_uniform(&random);
  size_t size = (size_t)chars * (size_t)bits;
  net.text = bench_alloc(size);
  for (size_t i = 0; i < size; i++)
    net.text[i] = bench_uniform(&random) < 0.25 ? 1.0 : 0.0;
  return net;
}

/// The state that a call starts from: it is overwritten by every call.
static double *fresh_state(network *net, const double *inputs) {
  const double *initial = inputs + num_gates(net) + num_extra(net);
  return memcpy(net->state, initial, num_state(net) * sizeof(double));
}

static double primal(void *data, const double *p) {
  network *net = data;
  return lstm_primal(net->layers, net->chars, net->bits, p, p + num_gates(net),
                     fresh_state(net, p), net->text);
}

static void hand(void *data, const double *p, double *gradient) {
  network *net = data;
  size_t extra = num_gates(net), state = extra + num_extra(net);
  memset(gradient, 0, num_inputs(net) * sizeof(double));
  lstm_hand(net->layers, net->chars, net->bits, p, gradient, p + extra,
            gradient + extra, fresh_state(net, p), gradient + state, net->text);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *p, double *gradient) {
  network *net = data;
  size_t extra = num_gates(net), state = extra + num_extra(net);
  memset(gradient, 0, num_inputs(net) * sizeof(double));
  lstm_generated(net->layers, net->chars, net->bits, p, gradient, p + extra,
                 gradient + extra, fresh_state(net, p), gradient + state,
                 net->text);
}
#endif

BENCH_DECLARE_TOOLS(lstm);

int main(int argc, char **argv) {
  int layers = 2, chars = 1024, bits = 14;
  const bench_size sizes[] = {{"--layers", "layers", &layers},
                              {"--chars", "characters", &chars},
                              {"--bits", "bits of a character", &bits}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of a character-predicting LSTM's loss.", sizes, 3);
  network net = options.file
                    ? read_network(options.file)
                    : generate_network(layers, chars, bits, options.seed);
  if (net.chars < 2)
    bench_fail("a text needs at least two characters");
  net.state = bench_alloc(num_state(&net));
  char shape[64];
  snprintf(shape, sizeof shape, "layers=%d chars=%d bits=%d", net.layers,
           net.chars, net.bits);
  lstm_text constants = {net.layers, net.chars, net.bits, net.text};
  bench_problem problem = {.name = "lstm",
                           .shape = shape,
                           .input = options.file ? options.file : "generated",
                           .num_blocks = 3,
                           .blocks = {{"gates", num_gates(&net)},
                                      {"extra", num_extra(&net)},
                                      {"state", num_state(&net)}},
                           .x = net.inputs,
                           .data = &net,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(lstm),
                           .constants = &constants};
  int status = bench_run(&problem, &options);
  free(net.state);
  free(net.text);
  free(net.inputs);
  return status;
}
