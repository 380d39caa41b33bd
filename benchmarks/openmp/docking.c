// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Energies of poses of a ligand at a protein: each thread has poses of its own,
// and all read the charges of the protein's atoms.
#include "bench.h"

enum { Poses = 64, Ligand = 24, Protein = 400, Degrees = 6 };
static double *ligand, *protein;
static int poses, atoms, sites;

int inputs(void) { return Poses * Degrees + Protein; }
void setup(double *x) {
  poses = unknown(Poses);
  atoms = unknown(Ligand);
  sites = unknown(Protein);
  ligand = array(4 * Ligand);
  protein = array(3 * Protein);
  for (int k = 0; k < Poses * Degrees + Protein; ++k)
    x[k] = number() - 0.5;
  for (int k = 0; k < 4 * Ligand; ++k)
    ligand[k] = number() - 0.5;
  for (int k = 0; k < 3 * Protein; ++k)
    protein[k] = 10 * (number() - 0.5);
}

static void energies(int poses, int atoms, int sites, const double *pose,
                     const double *charge, const double *l, const double *p,
                     double *energy) {
#pragma omp parallel for
  for (int i = 0; i < poses; ++i) {
    const double *q = pose + i * Degrees;
    const double cx = cos(q[3]), sx = sin(q[3]), cz = cos(q[4]), sz = sin(q[4]);
    double e = 0;
    for (int a = 0; a < atoms; ++a) {
      const double u = cz * l[4 * a] - sz * l[4 * a + 1],
                   v = sz * l[4 * a] + cz * l[4 * a + 1], w = l[4 * a + 2];
      const double x = u + q[0], y = cx * v - sx * w + q[1],
                   z = sx * v + cx * w + q[2] + q[5] * u;
      for (int b = 0; b < sites; ++b) {
        const double dx = x - p[3 * b], dy = y - p[3 * b + 1],
                     dz = z - p[3 * b + 2];
        const double r2 = dx * dx + dy * dy + dz * dz + 0.1;
        e += charge[b] * l[4 * a + 3] / sqrt(r2) + 1e-4 / (r2 * r2 * r2);
      }
    }
    energy[i] = e;
  }
}
static double objective(const double *x) {
  double *energy = malloc(Poses * sizeof(double));
  energies(poses, atoms, sites, x, x + Poses * Degrees, ligand, protein,
           energy);
  double sum = 0;
  for (int k = 0; k < Poses; ++k)
    sum += energy[k] * energy[k];
  free(energy);
  return sum;
}

static void hand(const double *in, double *out) {
  static double energy[Poses];
  const double *l = ligand, *p = protein, *charge = in + Poses * Degrees;
  double *dcharge = out + Poses * Degrees;
  energies(poses, atoms, sites, in, charge, l, p, energy);
#pragma omp parallel for reduction(+ : dcharge[ : Protein])
  for (int i = 0; i < poses; ++i) {
    const double *q = in + i * Degrees;
    double *dq = out + i * Degrees;
    const double cx = cos(q[3]), sx = sin(q[3]), cz = cos(q[4]), sz = sin(q[4]);
    const double de = 2 * energy[i];
    double dcx = 0, dsx = 0, dcz = 0, dsz = 0;
    for (int a = 0; a < atoms; ++a) {
      const double u = cz * l[4 * a] - sz * l[4 * a + 1],
                   v = sz * l[4 * a] + cz * l[4 * a + 1], w = l[4 * a + 2];
      const double x = u + q[0], y = cx * v - sx * w + q[1],
                   z = sx * v + cx * w + q[2] + q[5] * u;
      double gx = 0, gy = 0, gz = 0;
      for (int b = 0; b < sites; ++b) {
        const double dx = x - p[3 * b], dy = y - p[3 * b + 1],
                     dz = z - p[3 * b + 2];
        const double r2 = dx * dx + dy * dy + dz * dz + 0.1;
        const double r = 1 / sqrt(r2), i2 = 1 / r2;
        dcharge[b] += de * l[4 * a + 3] * r;
        const double d2 = de * (-0.5 * charge[b] * l[4 * a + 3] * r * i2 -
                                3e-4 * i2 * i2 * i2 * i2);
        gx += 2 * d2 * dx;
        gy += 2 * d2 * dy;
        gz += 2 * d2 * dz;
      }
      dq[0] += gx;
      dq[1] += gy;
      dq[2] += gz;
      dq[5] += gz * u;
      dcx += gy * v + gz * w;
      dsx += gz * v - gy * w;
      const double du = gx + gz * q[5], dv = gy * cx + gz * sx;
      dcz += du * l[4 * a] + dv * l[4 * a + 1];
      dsz += dv * l[4 * a] - du * l[4 * a + 1];
    }
    dq[3] += cx * dsx - sx * dcx;
    dq[4] += cz * dsz - sz * dcz;
  }
}
