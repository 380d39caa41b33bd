// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of docking.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "docking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 6, TYPES = 24 };

typedef struct {
  docking_deck deck;
  docking_atom *atoms;
  docking_type *types;
  double *inputs, *energy, *weight, *d_energy;
} screening;

static double between(bench_random *random, double low, double high) {
  return low + (high - low) * bench_uniform(random);
}

/// Atoms that fill a ball, or the shell around one, at random.
static void generate_atoms(docking_atom *atoms, int count, double inner,
                           double outer, bench_random *random) {
  for (int i = 0; i < count;) {
    double v[3], square = 0.0;
    for (int d = 0; d < 3; d++) {
      v[d] = between(random, -outer, outer);
      square += v[d] * v[d];
    }
    if (square > outer * outer || square < inner * inner)
      continue;
    atoms[i++] =
        (docking_atom){v[0], v[1], v[2], (int)(TYPES * bench_uniform(random))};
  }
}

static void generate_types(docking_type *types, bench_random *random) {
  static const enum docking_bond bonds[] = {DOCKING_NONE, DOCKING_NONE,
                                            DOCKING_FORMAL, DOCKING_EITHER};
  for (int i = 0; i < TYPES; i++)
    types[i] = (docking_type){between(random, 1.0, 2.0),
                              i % 3 == 0 ? 0.0 : between(random, -1.0, 1.0),
                              i % 2 == 0 ? 0.0 : between(random, -1.0, 1.0),
                              bonds[i % 4]};
}

/// A ligand in a cavity of the protein, turned in all directions and moved a
/// little.
static screening generate_screening(int poses, int ligand, int protein,
                                    unsigned long seed) {
  screening s = {.atoms = malloc((size_t)(ligand + protein) * sizeof *s.atoms),
                 .types = malloc(TYPES * sizeof *s.types)};
  if (!s.atoms || !s.types)
    bench_fail("no memory for %d atoms", ligand + protein);
  bench_random random = {seed};
  generate_types(s.types, &random);
  generate_atoms(s.atoms, ligand, 0.0, 4.0, &random);
  generate_atoms(s.atoms + ligand, protein, 4.0, 14.0, &random);
  s.deck = (docking_deck){poses,   ligand,           protein,
                          s.atoms, s.atoms + ligand, s.types};
  s.inputs = bench_alloc((size_t)(PARAMETERS * poses));
  s.energy = bench_alloc((size_t)poses);
  s.weight = bench_alloc((size_t)poses);
  s.d_energy = bench_alloc((size_t)poses);
  for (int i = 0; i < PARAMETERS * poses; i++)
    s.inputs[i] = i < 3 * poses ? between(&random, 0.0, 2 * acos(-1.0))
                                : between(&random, -2.0, 2.0);
  for (int p = 0; p < poses; p++)
    s.weight[p] = between(&random, -1.0, 1.0);
  return s;
}

static void free_screening(screening *s) {
  free(s->atoms);
  free(s->types);
  free(s->inputs);
  free(s->energy);
  free(s->weight);
  free(s->d_energy);
}

static double primal(void *data, const double *x) {
  screening *s = data;
  docking_primal(&s->deck, x, s->energy);
  return bench_dot(s->weight, s->energy, (size_t)s->deck.poses);
}

static void hand(void *data, const double *x, double *gradient) {
  screening *s = data;
  memset(gradient, 0, (size_t)(PARAMETERS * s->deck.poses) * sizeof(double));
  docking_hand(&s->deck, x, gradient, s->weight);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  screening *s = data;
  memset(gradient, 0, (size_t)(PARAMETERS * s->deck.poses) * sizeof(double));
  memcpy(s->d_energy, s->weight, (size_t)s->deck.poses * sizeof(double));
  docking_generated(&s->deck, x, gradient, s->energy, s->d_energy);
}
#endif

int main(int argc, char **argv) {
  int poses = 256, ligand = 26, protein = 938;
  const bench_size sizes[] = {{"--poses", "poses of the ligand", &poses},
                              {"--ligand", "atoms of the ligand", &ligand},
                              {"--protein", "atoms of the protein", &protein}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of the energies of docking poses.", sizes, 3);
  if (options.file)
    bench_fail("docking reads no file: %s", options.file);
  screening s = generate_screening(poses, ligand, protein, options.seed);
  char shape[80];
  snprintf(shape, sizeof shape, "%d poses, %d x %d atoms", poses, ligand,
           protein);
  // The energy has kinks where atoms come into reach: a small step meets few,
  // and weights of both signs leave the sum enough digits.
  bench_problem problem = {
      .name = "docking",
      .shape = shape,
      .input = "generated",
      .num_blocks = 2,
      .blocks = {{"angles", 3 * (size_t)poses}, {"moves", 3 * (size_t)poses}},
      .x = s.inputs,
      .data = &s,
      .primal = primal,
      .hand = hand,
      .generated = generated,
      .step = 4e-6};
  int status = bench_run(&problem, &options);
  free_screening(&s);
  return status;
}
