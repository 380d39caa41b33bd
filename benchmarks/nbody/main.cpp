// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of nbody.h; its data are always generated.

extern "C" {
#include "../common/bench.h"
#include "../common/support.h"
}
#include "nbody.h"

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

struct System {
  std::vector<nbody::Body> bodies; ///< The active inputs.
  std::vector<nbody::Body> moved;  ///< Copy that a call overwrites.
  std::vector<nbody::Vector> target;
  nbody::Method method;
};

static_assert(sizeof(nbody::Body) == 7 * sizeof(double),
              "the harness sees a body as seven numbers");

nbody::Vector random_vector(bench_random &random, double scale) {
  double x = bench_normal(&random), y = bench_normal(&random);
  return {scale * x, scale * y, scale * bench_normal(&random)};
}

System generate_system(int count, int steps, unsigned long seed) {
  System system;
  system.method = {steps, 0.01, 0.1};
  bench_random random = {seed};
  for (int i = 0; i < count; i++) {
    nbody::Vector position = random_vector(random, 1.0);
    nbody::Vector velocity = random_vector(random, 0.3);
    double mass = (0.5 + bench_uniform(&random)) / count;
    system.bodies.push_back({position, velocity, mass});
    system.target.push_back(random_vector(random, 1.0));
  }
  system.moved = system.bodies;
  return system;
}

int count_of(const System &system) {
  return static_cast<int>(system.bodies.size());
}

nbody::Body *fresh_bodies(System &system, const double *x) {
  std::memcpy(static_cast<void *>(system.moved.data()), x,
              system.moved.size() * sizeof(nbody::Body));
  return system.moved.data();
}

nbody::Body *cleared(const System &system, double *gradient) {
  std::memset(gradient, 0, system.bodies.size() * sizeof(nbody::Body));
  return reinterpret_cast<nbody::Body *>(gradient);
}

double primal(void *data, const double *x) {
  System &system = *static_cast<System *>(data);
  return nbody::primal(fresh_bodies(system, x), count_of(system), system.method,
                       system.target.data());
}

void hand(void *data, const double *x, double *gradient) {
  System &system = *static_cast<System *>(data);
  nbody::hand(fresh_bodies(system, x), cleared(system, gradient),
              count_of(system), system.method, system.target.data());
}

#ifdef ADZE_NO_GENERATED
const bench_gradient generated = nullptr;
#else
void generated(void *data, const double *x, double *gradient) {
  System &system = *static_cast<System *>(data);
  nbody::generated(fresh_bodies(system, x), cleared(system, gradient),
                   count_of(system), system.method, system.target.data());
}
#endif

} // namespace

int main(int argc, char **argv) {
  int count = 100, steps = 20;
  const bench_size sizes[] = {{"--bodies", "bodies", &count},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through the motion of gravitating bodies.", sizes,
      2);
  if (options.file)
    bench_fail("nbody reads no file: %s", options.file);
  System system = generate_system(count, steps, options.seed);
  char shape[64];
  std::snprintf(shape, sizeof shape, "%d bodies, %d steps", count, steps);
  bench_problem problem = {};
  problem.name = "nbody";
  problem.shape = shape;
  problem.input = "generated";
  problem.num_blocks = 1;
  problem.blocks[0] = {"bodies", 7 * system.bodies.size()};
  problem.x = reinterpret_cast<const double *>(system.bodies.data());
  problem.data = &system;
  problem.primal = primal;
  problem.hand = hand;
  problem.generated = generated;
  return bench_run(&problem, &options);
}
