/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The gas dynamics of ../hydro on a mesh that is cut into blocks, one on each
 * rank, of n * n * n elements each. Nodes between blocks are on each of their
 * ranks: what the elements of each give to the force on such a node is summed,
 * by an exchange along each of the three axes. Inputs: the energies at the
 * begin. Outputs: positions and energies at the end.
 */
#include "../hydro/hand_elements.h"
#include "../hydro/primal_elements.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 8, AXES = 3 };
#define EDGE(n) ((size_t)(n) + 1)
#define COORDINATES(n) (3 * EDGE(n) * EDGE(n) * EDGE(n))
#define INPUTS(n) ((size_t)(n) * (size_t)(n) * (size_t)(n))
#define OUTPUTS(n) (COORDINATES(n) + INPUTS(n))

/* The neighbours of a rank along each axis, below and above, and the nodes
 * that it shares with them. */
struct cut {
  MPI_Comm comm;
  int coordinate[AXES], parts[AXES];
  int neighbour[AXES][2];
  MPI_Datatype plane[AXES][2];
  double *got;
};

struct block {
  hydro_mesh mesh;
  struct cut cut;
  int *corner;
  double *mass, *node_mass;
};

static void make_cut(struct cut *it, int n) {
  const int edge = n + 1, periodic[AXES] = {0, 0, 0};
  int ranks, rank;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int a = 0; a < AXES; ++a)
    it->parts[a] = 0;
  MPI_Dims_create(ranks, AXES, it->parts);
  MPI_Cart_create(MPI_COMM_WORLD, AXES, it->parts, periodic, 0, &it->comm);
  MPI_Comm_rank(it->comm, &rank);
  MPI_Cart_coords(it->comm, rank, AXES, it->coordinate);
  for (int a = 0; a < AXES; ++a) {
    MPI_Cart_shift(it->comm, a, 1, &it->neighbour[a][0], &it->neighbour[a][1]);
    for (int side = 0; side < 2; ++side) {
      const int sizes[4] = {edge, edge, edge, 3};
      int part[4] = {edge, edge, edge, 3}, start[4] = {0, 0, 0, 0};
      part[a] = 1;
      start[a] = side * n;
      MPI_Type_create_subarray(4, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE,
                               &it->plane[a][side]);
      MPI_Type_commit(&it->plane[a][side]);
    }
  }
  it->got = (double *)malloc(6 * EDGE(n) * EDGE(n) * sizeof(double));
}

static void free_cut(struct cut *it) {
  for (int a = 0; a < AXES; ++a)
    for (int side = 0; side < 2; ++side)
      MPI_Type_free(&it->plane[a][side]);
  MPI_Comm_free(&it->comm);
  free(it->got);
}

/* How many elements of all blocks meet at coordinate i of an axis. */
static int meeting(const struct cut *it, int axis, int i, int n) {
  const int low = i > 0 || it->coordinate[axis] > 0;
  const int high = i < n || it->coordinate[axis] + 1 < it->parts[axis];
  return low + high;
}

static void make_block(struct block *b, int n) {
  const int edge = n + 1, nodes = edge * edge * edge;
  make_cut(&b->cut, n);
  b->corner = (int *)malloc(INPUTS(n) * HYDRO_CORNERS * sizeof(int));
  b->mass = (double *)malloc(INPUTS(n) * sizeof(double));
  b->node_mass = (double *)malloc((size_t)nodes * sizeof(double));
  for (int i = 0, k = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < n; ++l, ++k) {
        const int at = (i * edge + j) * edge + l, up = edge * edge;
        /* The third axis counts fastest: it points up in elements. */
        const int corners[HYDRO_CORNERS] = {
            at,     at + up,     at + up + edge,     at + edge,
            at + 1, at + up + 1, at + up + edge + 1, at + edge + 1};
        memcpy(b->corner + HYDRO_CORNERS * k, corners, sizeof corners);
        b->mass[k] = 1;
      }
  for (int i = 0; i < nodes; ++i)
    b->node_mass[i] = 0.125 * meeting(&b->cut, 0, i / (edge * edge), n) *
                      meeting(&b->cut, 1, i / edge % edge, n) *
                      meeting(&b->cut, 2, i % edge, n);
  const hydro_mesh mesh = {nodes,     n * n * n, STEPS,        0.02, 1.4, 0.1,
                           b->corner, b->mass,   b->node_mass, 0,    0};
  b->mesh = mesh;
}

static void free_block(struct block *b) {
  free_cut(&b->cut);
  free(b->corner), free(b->mass), free(b->node_mass);
}

static void place_nodes(const struct cut *cut, double *x, int n) {
  const int edge = n + 1;
  for (int i = 0; i < edge * edge * edge; ++i) {
    x[3 * i] = i / (edge * edge) + cut->coordinate[0] * n;
    x[3 * i + 1] = i / edge % edge + cut->coordinate[1] * n;
    x[3 * i + 2] = i % edge + cut->coordinate[2] * n;
  }
}

/* Adds what a neighbour has given to the nodes of a plane. */
static void add_plane(double *restrict field, const double *restrict got,
                      int axis, int side, int n) {
  const size_t edge = EDGE(n);
  const size_t stride[AXES] = {3 * edge * edge, 3 * edge, 3};
  const size_t outer = stride[axis == 0 ? 1 : 0];
  const size_t inner = stride[axis == 2 ? 1 : 2];
  double *plane = field + (size_t)(side * n) * stride[axis];
  for (size_t i = 0; i < edge; ++i)
    for (size_t j = 0; j < edge; ++j)
      for (size_t d = 0; d < 3; ++d)
        plane[i * outer + j * inner + d] += got[3 * (i * edge + j) + d];
}

/* Sums the field over all copies of each node. The sum is its own adjoint. */
static void sum_copies(const struct cut *cut, double *field, int n) {
  const int size = 3 * (n + 1) * (n + 1);
  for (int a = 0; a < AXES; ++a) {
    MPI_Request r[4];
    for (int side = 0; side < 2; ++side)
      MPI_Irecv(cut->got + side * size, size, MPI_DOUBLE,
                cut->neighbour[a][side], a, cut->comm, &r[side]);
    for (int side = 0; side < 2; ++side)
      MPI_Isend(field, 1, cut->plane[a][side], cut->neighbour[a][side], a,
                cut->comm, &r[2 + side]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; ++side)
      if (cut->neighbour[a][side] != MPI_PROC_NULL)
        add_plane(field, cut->got + side * size, a, side, n);
  }
}

static void f(const double *input, double *output, int n) {
  struct block b;
  make_block(&b, n);
  const size_t coordinates = COORDINATES(n);
  double *x = output, *e = output + coordinates;
  double *v = (double *)calloc(coordinates, sizeof *v);
  double *force = (double *)malloc(coordinates * sizeof *force);
  double *stress = (double *)malloc(INPUTS(n) * sizeof *stress);
  place_nodes(&b.cut, x, n);
  memcpy(e, input, INPUTS(n) * sizeof *e);
  for (int t = 0; t < STEPS; ++t) {
    hydro_forces(&b.mesh, x, v, e, stress, force);
    sum_copies(&b.cut, force, n);
    for (size_t i = 0; i < coordinates; ++i)
      v[i] += b.mesh.dt * force[i] / b.node_mass[i / 3];
    hydro_work(&b.mesh, x, v, e, stress);
    for (size_t i = 0; i < coordinates; ++i)
      x[i] += b.mesh.dt * v[i];
  }
  free(v), free(force), free(stress);
  free_block(&b);
}

static void forward_by_hand(const struct block *b, double *tape, double *force,
                            int n) {
  for (int t = 0; t < STEPS; ++t) {
    const instant now = instant_at(&b->mesh, tape, t);
    const instant next = instant_at(&b->mesh, tape, t + 1);
    forward_forces(&b->mesh, now, force);
    sum_copies(&b->cut, force, n);
    for (size_t i = 0; i < COORDINATES(n); ++i)
      next.v[i] = now.v[i] + b->mesh.dt * force[i] / b->node_mass[i / 3];
    forward_work(&b->mesh, now, next);
    for (size_t i = 0; i < COORDINATES(n); ++i)
      next.x[i] = now.x[i] + b->mesh.dt * next.v[i];
  }
}

static void reverse_by_hand(const struct block *b, double *tape, instant bar,
                            double *d_force, int n) {
  for (int t = STEPS - 1; t >= 0; --t) {
    const instant now = instant_at(&b->mesh, tape, t);
    for (size_t i = 0; i < COORDINATES(n); ++i)
      bar.v[i] += b->mesh.dt * bar.x[i];
    reverse_work(&b->mesh, now, instant_at(&b->mesh, tape, t + 1).v, bar);
    for (size_t i = 0; i < COORDINATES(n); ++i)
      d_force[i] = b->mesh.dt * bar.v[i] / b->node_mass[i / 3];
    sum_copies(&b->cut, d_force, n);
    reverse_forces(&b->mesh, now, d_force, bar);
  }
}

static void f_by_hand(const double *input, double *d_input, double *output,
                      double *d_output, int n) {
  struct block b;
  make_block(&b, n);
  const size_t coordinates = COORDINATES(n), elements = INPUTS(n);
  double *tape =
      (double *)malloc((STEPS + 1) * instant_size(&b.mesh) * sizeof *tape);
  double *force = (double *)malloc(coordinates * sizeof *force);
  const instant first = instant_at(&b.mesh, tape, 0);
  place_nodes(&b.cut, first.x, n);
  memset(first.v, 0, coordinates * sizeof *first.v);
  memcpy(first.e, input, elements * sizeof *input);
  forward_by_hand(&b, tape, force, n);
  const instant last = instant_at(&b.mesh, tape, STEPS);
  memcpy(output, last.x, coordinates * sizeof *output);
  memcpy(output + coordinates, last.e, elements * sizeof *output);
  double *bar_v = (double *)calloc(coordinates, sizeof *bar_v);
  double *stress = (double *)malloc(elements * sizeof *stress);
  const instant bar = {d_output, bar_v, d_output + coordinates, stress};
  reverse_by_hand(&b, tape, bar, force, n);
  for (size_t k = 0; k < elements; ++k)
    d_input[k] += bar.e[k];
  memset(d_output, 0, OUTPUTS(n) * sizeof *d_output);
  free(tape), free(force), free(bar_v), free(stress);
  free_block(&b);
}

#include "driver.h"
