// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops over elements of the adjoint of hydro.h by hand, for one process
// and for several.
//
// A step is undone from its last line to its first, with primes for adjoints:
//
//   for R = V' (the rate, of the new v):  R' = -dt s e' / m,  s' = -dt R e' / m
//   F' = dt v' / M
//   s' += sum_f A_f . G_f / 4,  A_f' = s G_f / 4,  G_f the sum of F' at a face
//   e' += s' (gamma - 1) m / V,  R' = -s' viscosity m / V^2,
//   V' = (-s + viscosity R m / V^2) s' / V, of the old v
//
// and a flux q = sum_f A_f . Y_f / 4, Y_f being the sum of a field over the
// corners of a face, gives A_f' += q' Y_f / 4 and q' A_f / 4 to each of them.

#ifndef ADZE_BENCHMARKS_HYDRO_HAND_ELEMENTS_H
#define ADZE_BENCHMARKS_HYDRO_HAND_ELEMENTS_H

#include "element.h"
#include "hydro.h"

#include <stddef.h>
#include <string.h>

typedef double corners[HYDRO_CORNERS][3];
typedef double faces[HYDRO_FACES][3];

/// Corners of one element and the area vectors of its faces.
typedef struct {
  corners x, v;
  faces area;
} element;

static inline void load_element(const int *corner, const double *x,
                                const double *v, element *it) {
  hydro_gather(corner, x, it->x);
  hydro_gather(corner, v, it->v);
  hydro_areas(it->x, it->area);
}

/// Adds the adjoint of a flux to those of its areas and its field.
static inline void reverse_flux(double bar, const faces area,
                                const corners field, faces d_area,
                                corners d_field) {
#pragma clang loop unroll(full)
  for (int f = 0; f < HYDRO_FACES; f++) {
    const int *at = hydro_face[f];
    for (int d = 0; d < 3; d++) {
      double part = 0.25 * bar * area[f][d];
      d_area[f][d] += 0.25 * bar *
                      (field[at[0]][d] + field[at[1]][d] + field[at[2]][d] +
                       field[at[3]][d]);
      for (int c = 0; c < 4; c++)
        d_field[at[c]][d] += part;
    }
  }
}

/// half = (y x z) / 2
static inline void half_cross(const double *y, const double *z, double *half) {
  half[0] = 0.5 * (y[1] * z[2] - y[2] * z[1]);
  half[1] = 0.5 * (y[2] * z[0] - y[0] * z[2]);
  half[2] = 0.5 * (y[0] * z[1] - y[1] * z[0]);
}

static inline void reverse_areas(const corners x, const faces d_area,
                                 corners d_x) {
#pragma clang loop unroll(full)
  for (int f = 0; f < HYDRO_FACES; f++) {
    const int *at = hydro_face[f];
    double p[3], q[3], d_p[3], d_q[3];
    for (int d = 0; d < 3; d++) {
      p[d] = x[at[2]][d] - x[at[0]][d];
      q[d] = x[at[3]][d] - x[at[1]][d];
    }
    half_cross(q, d_area[f], d_p);
    half_cross(d_area[f], p, d_q);
    for (int d = 0; d < 3; d++) {
      d_x[at[2]][d] += d_p[d];
      d_x[at[0]][d] -= d_p[d];
      d_x[at[3]][d] += d_q[d];
      d_x[at[1]][d] -= d_q[d];
    }
  }
}

static inline void scatter(const int *corner, const corners local,
                           double *restrict field) {
  for (int c = 0; c < HYDRO_CORNERS; c++)
    for (int d = 0; d < 3; d++)
      field[3 * corner[c] + d] += local[c][d];
}

/// One state on the tape.
typedef struct {
  double *x, *v, *e, *stress;
} instant;

static size_t instant_size(const hydro_mesh *mesh) {
  return 6 * (size_t)mesh->nodes + 2 * (size_t)mesh->elements;
}

static instant instant_at(const hydro_mesh *mesh, double *tape, int t) {
  double *x = tape + (size_t)t * instant_size(mesh);
  double *v = x + 3 * mesh->nodes, *e = v + 3 * mesh->nodes;
  return (instant){x, v, e, e + mesh->elements};
}

static void forward_forces(const hydro_mesh *restrict mesh, instant now,
                           double *restrict force) {
  memset(force, 0, 3 * (size_t)mesh->nodes * sizeof(double));
  for (int k = 0; k < mesh->elements; k++) {
    const int *corner = mesh->corner + HYDRO_CORNERS * k;
    element it;
    load_element(corner, now.x, now.v, &it);
    double volume = hydro_flux(it.area, it.x) / 3.0;
    double rate = hydro_flux(it.area, it.v) / volume;
    double s = ((mesh->gamma - 1.0) * now.e[k] - mesh->viscosity * rate) *
               mesh->mass[k] / volume;
    now.stress[k] = s;
    corners push = {{0.0}};
    for (int f = 0; f < HYDRO_FACES; f++)
      for (int c = 0; c < 4; c++)
        for (int d = 0; d < 3; d++)
          push[hydro_face[f][c]][d] += 0.25 * s * it.area[f][d];
    scatter(corner, push, force);
  }
}

static void forward_work(const hydro_mesh *restrict mesh, instant now,
                         instant next) {
  for (int k = 0; k < mesh->elements; k++) {
    element it;
    load_element(mesh->corner + HYDRO_CORNERS * k, now.x, next.v, &it);
    next.e[k] = now.e[k] - mesh->dt * now.stress[k] *
                               hydro_flux(it.area, it.v) / mesh->mass[k];
  }
}

/// Leaves the adjoint of the stress in `bar.stress`.
static void reverse_work(const hydro_mesh *restrict mesh, instant now,
                         const double *restrict next_v, instant bar) {
  for (int k = 0; k < mesh->elements; k++) {
    const int *corner = mesh->corner + HYDRO_CORNERS * k;
    element it;
    load_element(corner, now.x, next_v, &it);
    double scale = -mesh->dt / mesh->mass[k] * bar.e[k];
    bar.stress[k] = scale * hydro_flux(it.area, it.v);
    element d = {{{0.0}}, {{0.0}}, {{0.0}}};
    reverse_flux(scale * now.stress[k], it.area, it.v, d.area, d.v);
    reverse_areas(it.x, d.area, d.x);
    scatter(corner, d.x, bar.x);
    scatter(corner, d.v, bar.v);
  }
}

static void reverse_forces(const hydro_mesh *restrict mesh, instant now,
                           const double *restrict d_force, instant bar) {
  for (int k = 0; k < mesh->elements; k++) {
    const int *corner = mesh->corner + HYDRO_CORNERS * k;
    element it, d = {{{0.0}}, {{0.0}}, {{0.0}}};
    load_element(corner, now.x, now.v, &it);
    corners pull, unused = {{0.0}};
    hydro_gather(corner, d_force, pull);
    double volume = hydro_flux(it.area, it.x) / 3.0;
    double rate = hydro_flux(it.area, it.v);
    double density = mesh->mass[k] / volume, s = now.stress[k];
    double d_s = bar.stress[k] + hydro_flux(it.area, pull);
    reverse_flux(s, it.area, pull, d.area, unused);
    double thin = mesh->viscosity * density / volume;
    bar.e[k] += d_s * (mesh->gamma - 1.0) * density;
    reverse_flux(-d_s * thin, it.area, it.v, d.area, d.v);
    double d_volume = d_s * (thin * rate - s) / volume;
    reverse_flux(d_volume / 3.0, it.area, it.x, d.area, d.x);
    reverse_areas(it.x, d.area, d.x);
    scatter(corner, d.x, bar.x);
    scatter(corner, d.v, bar.v);
  }
}

#endif
