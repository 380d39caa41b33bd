/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Evaluates one program
 *
 *   static REAL f_NAME(REAL *x, REAL *y, REAL a, REAL b, int n, int steps,
 *                      const int *at, const REAL *c)
 *
 * (x and y active, the others as said below) as the scalar
 *
 *   S = f + <u, x after> + <w, y after>
 *
 * Included once for each program, after these were defined:
 *
 *   NAME LENGTH LAPS SEED   the program, n, steps, the point
 *   SCALARS                 2: a and b are active; 1: a is; 0: neither
 *   TABLE_MOVES             c is active, too
 *   TABLE_PLAIN             c's shadow is c, with enzyme_runtime_activity
 *   Y_UNNEEDED              enzyme_dupnoneed for y in the second gradient
 *   VALUE                   f's result is asked for besides (SCALARS is 2)
 *   NESTED                  OUTER * 10 + INNER mode of a second derivative,
 *                           1 for forward and 2 for reverse
 *
 * Forward mode runs once, and reverse mode twice; with -DSPLIT the second time
 * in two halves, with -DSEVERAL forward mode and the second time carry an other
 * direction besides. All that comes of it is printed as words and numbers.
 */
#define THIS(prefix) JOIN(prefix, NAME)

#if SCALARS < 2
#define B_DIRECTION 0.0
#else
#define B_DIRECTION p.vb
#endif
#if SCALARS < 1
#define A_DIRECTION 0.0
#else
#define A_DIRECTION p.va
#endif
#ifdef TABLE_MOVES
#define C_DIRECTION p.vc[i]
#else
#define C_DIRECTION 0.0
#endif

#if defined(ORACLE)

static REAL THIS(dual_)(double value, double tangent, double other) {
#ifdef SECOND
  return REAL(Dual<double>(value, other), Dual<double>(tangent, 0));
#else
  (void)other;
  return REAL(value, tangent);
#endif
}

static void THIS(run_)(void) {
  static struct Point p;
  static REAL x[MOST], y[MOST], c[MOST];
  volatile int opaque[2] = {LENGTH, LAPS};
  const int n = opaque[0], steps = opaque[1];
  point_fill(&p, n, SEED);
  for (int i = 0; i < n; i++) {
    x[i] = THIS(dual_)(p.x[i], p.vx[i], p.ox[i]);
    y[i] = THIS(dual_)(p.y[i], p.vy[i], p.oy[i]);
    c[i] = THIS(dual_)(p.c[i], C_DIRECTION, 0);
  }
  const REAL r =
      THIS(f_)(x, y, THIS(dual_)(p.a, A_DIRECTION, p.oa),
               THIS(dual_)(p.b, B_DIRECTION, p.ob), n, steps, p.at, c);
  REAL s = r, sx = 0.0, sy = 0.0;
  for (int i = 0; i < n; i++) {
    sx += p.u[i] * x[i];
    sy += p.w[i] * y[i];
  }
  s += sx + sy;
#ifdef SECOND
  printf(" tangent %.17g x %.17g y %.17g value %.17g second %.17g", s.d.v,
         sx.v.v, sy.v.v, r.v.v, s.d.d);
#else
  printf(" tangent %.17g x %.17g y %.17g value %.17g", s.d, sx.v, sy.v, r.v);
#endif
}

#elif defined(PRIMAL)

static void THIS(run_)(void) {
  static struct Point p;
  volatile int opaque[2] = {LENGTH, LAPS};
  const int n = opaque[0], steps = opaque[1];
  point_fill(&p, n, SEED);
  double r = THIS(f_)(p.x, p.y, p.a, p.b, n, steps, p.at, p.c);
  printf(" value %.17g", r);
  print_after("primal", &p, p.x, p.y, n);
}

#else

#define CALLED (void *)THIS(f_),
#ifdef TABLE_PLAIN
#define BEFORE enzyme_runtime_activity,
#define TABLE(shadow) enzyme_dup, c, c
#elif defined(TABLE_MOVES)
#define BEFORE
#define TABLE(shadow) enzyme_dup, c, shadow
#else
#define BEFORE
#define TABLE(shadow) enzyme_const, c
#endif
#define REST(shadow)                                                           \
  enzyme_const, n, enzyme_const, steps, enzyme_const, p.at, TABLE(shadow)

#if SCALARS == 2
#define SCALARS_OUT enzyme_out, p.a, enzyme_out, p.b
#define SCALARS_DUP enzyme_dup, p.a, p.va, enzyme_dup, p.b, p.vb
#elif SCALARS == 1
#define SCALARS_OUT enzyme_out, p.a, enzyme_const, p.b
#define SCALARS_DUP enzyme_dup, p.a, p.va, enzyme_const, p.b
#else
#define SCALARS_OUT enzyme_const, p.a, enzyme_const, p.b
#define SCALARS_DUP enzyme_const, p.a, enzyme_const, p.b
#endif
#define REVERSE(y_tag) enzyme_dup, x, gx, y_tag, y, gy, SCALARS_OUT, REST(gc)

/* g = the marker, of which SCALARS numbers come back. */
#if SCALARS == 2
#define GRADIENT(marker, ...) g = marker##_2(__VA_ARGS__)
#elif SCALARS == 1
#define GRADIENT(marker, ...) g.a = marker##_1(__VA_ARGS__)
#else
#define GRADIENT(marker, ...) marker##_0(__VA_ARGS__)
#endif

#ifdef Y_UNNEEDED
#define Y_AGAIN enzyme_dupnoneed
#else
#define Y_AGAIN enzyme_dup
#endif

#ifdef SEVERAL
#ifdef TABLE_PLAIN
#define TABLES(other, shadow) enzyme_dup, c, c, c
#elif defined(TABLE_MOVES)
#define TABLES(other, shadow) enzyme_dup, c, other, shadow
#else
#define TABLES(other, shadow) enzyme_const, c
#endif
#define RESTS(other, shadow)                                                   \
  enzyme_const, n, enzyme_const, steps, enzyme_const, p.at,                    \
      TABLES(other, shadow)
#if SCALARS == 2
#define SCALARS_DUPS enzyme_dup, p.a, p.oa, p.va, enzyme_dup, p.b, p.ob, p.vb
#elif SCALARS == 1
#define SCALARS_DUPS enzyme_dup, p.a, p.oa, p.va, enzyme_const, p.b
#else
#define SCALARS_DUPS enzyme_const, p.a, enzyme_const, p.b
#endif

/* The sum of the tangents' products with the weights, but for those of x and y.
 */
static double THIS(forward_two_)(struct Point *q, int n, int steps) {
  struct Point p = *q;
  double *x = q->x, *y = q->y, *c = q->c;
#define TWO_DUPS                                                               \
  enzyme_width, 2, enzyme_dup, x, p.ox, q->vx, enzyme_dup, y, p.oy, q->vy,     \
      SCALARS_DUPS, RESTS(p.w, q->vc)
#ifdef VALUE
  const struct ValueNumbers r =
      __enzyme_fwddiff_two_value(CALLED BEFORE enzyme_primal_return, TWO_DUPS);
  printf(" forward-value %.17g", r.value);
#else
  const struct Numbers r = __enzyme_fwddiff_two(CALLED BEFORE TWO_DUPS);
#endif
  return r.b;
#undef TWO_DUPS
}

static struct Numbers THIS(reverse_two_)(struct Point *p_, double *gc, int n,
                                         int steps) {
  struct Point other = *p_;
#define p (*p_)
  double *x = p.x, *y = p.y, *c = p.c, *hx = other.vx, *hy = other.vy;
  double hc[MOST] = {0};
  struct Numbers g = {0, 0};
#define TWO                                                                    \
  enzyme_width, 2, enzyme_dup, x, hx, p.u, Y_AGAIN, y, hy, p.w, SCALARS_OUT,   \
      RESTS(hc, gc)
#ifdef VALUE
  const struct ValueTwoNumbers r =
      __enzyme_autodiff_two_value(CALLED BEFORE enzyme_primal_return, TWO);
  printf(" again-value %.17g", r.value);
  g.a = r.a;
  g.b = r.b;
#elif SCALARS == 2
  const struct TwoNumbers r = __enzyme_autodiff_two_2(CALLED BEFORE TWO);
  g.a = r.a;
  g.b = r.b;
#elif SCALARS == 1
  g.a = __enzyme_autodiff_two_1(CALLED BEFORE TWO).b;
#else
  __enzyme_autodiff_two_0(CALLED BEFORE TWO);
#endif
#undef TWO
#undef p
  (void)hc;
  return g;
}
#endif

#ifdef NESTED
#if NESTED % 10 == 1
static double THIS(inner_)(double *x, double *gx, double *y, double *gy,
                           double a, double va, double b, double vb, int n,
                           int steps, const int *at, const double *c) {
  return __enzyme_fwddiff(CALLED enzyme_dup, x, gx, enzyme_dup, y, gy,
                          enzyme_dup, a, va, enzyme_dup, b, vb, enzyme_const, n,
                          enzyme_const, steps, enzyme_const, at, enzyme_const,
                          c);
}
#else
static void THIS(inner_)(double *x, double *gx, double *y, double *gy, double a,
                         double b, int n, int steps, const int *at,
                         const double *c, struct Numbers *g) {
  *g = __enzyme_autodiff_2(
      CALLED enzyme_dup, x, gx, enzyme_dup, y, gy, enzyme_out, a, enzyme_out, b,
      enzyme_const, n, enzyme_const, steps, enzyme_const, at, enzyme_const, c);
}
#endif

/* The second derivative of S along v and o: the gradient's tangent times v, or
 * the adjoint of the tangent along v times o. */
static void THIS(second_)(struct Point *q, int n, int steps) {
  struct Point p = *q;
  double *x = p.x, *y = p.y, *c = p.c;
  double sum = 0, size = 0;
#if NESTED % 10 == 1
  double *gx = p.vx, *gy = p.vy; /* tangents */
#define INNER_SCALARS_DUP                                                      \
  enzyme_dup, p.a, p.oa, enzyme_const, A_DIRECTION, enzyme_dup, p.b, p.ob,     \
      enzyme_const, B_DIRECTION
#define INNER_SCALARS_OUT                                                      \
  enzyme_out, p.a, enzyme_const, A_DIRECTION, enzyme_out, p.b, enzyme_const,   \
      B_DIRECTION
#define INNER_NUMBERS
#else
  double *gx = p.u, *gy = p.w; /* adjoints */
  struct Numbers g = {0, 0};
#define INNER_SCALARS_DUP enzyme_dup, p.a, p.oa, enzyme_dup, p.b, p.ob
#define INNER_SCALARS_OUT enzyme_out, p.a, enzyme_out, p.b
#define INNER_NUMBERS , enzyme_dup, &g, &dg
#endif
#define INNER_REST                                                             \
  enzyme_const, n, enzyme_const, steps, enzyme_const, p.at, enzyme_const,      \
      c INNER_NUMBERS
#if NESTED / 10 == 1
  double hx[MOST] = {0}, hy[MOST] = {0};
#if NESTED % 10 == 1
  sum = __enzyme_fwddiff((void *)THIS(inner_), enzyme_dup, x, p.ox, enzyme_dup,
                         gx, hx, enzyme_dup, y, p.oy, enzyme_dup, gy, hy,
                         INNER_SCALARS_DUP, INNER_REST);
  size = fabs(sum);
  dot(&sum, &size, hx, q->u, n);
  dot(&sum, &size, hy, q->w, n);
#else
  struct Numbers dg = {0, 0};
  __enzyme_fwddiff_0((void *)THIS(inner_), enzyme_dup, x, p.ox, enzyme_dup, gx,
                     hx, enzyme_dup, y, p.oy, enzyme_dup, gy, hy,
                     INNER_SCALARS_DUP, INNER_REST);
  sum = dg.a * A_DIRECTION + dg.b * B_DIRECTION;
  size = fabs(dg.a * A_DIRECTION) + fabs(dg.b * B_DIRECTION);
  dot(&sum, &size, hx, q->vx, n);
  dot(&sum, &size, hy, q->vy, n);
#endif
#else
  double bx[MOST] = {0}, by[MOST] = {0};
#if NESTED % 10 == 1
  double *hx = p.u, *hy = p.w;
#else
  double *hx = p.vx, *hy = p.vy;
  struct Numbers dg = {A_DIRECTION, B_DIRECTION};
#endif
  const struct Numbers r = __enzyme_autodiff_2(
      (void *)THIS(inner_), enzyme_dup, x, bx, enzyme_dup, gx, hx, enzyme_dup,
      y, by, enzyme_dup, gy, hy, INNER_SCALARS_OUT, INNER_REST);
  sum = r.a * p.oa + r.b * p.ob;
  size = fabs(r.a * p.oa) + fabs(r.b * p.ob);
  dot(&sum, &size, bx, q->ox, n);
  dot(&sum, &size, by, q->oy, n);
#endif
  printf(" second %.17g second-size %.17g", sum, size);
#undef INNER_SCALARS_DUP
#undef INNER_SCALARS_OUT
#undef INNER_NUMBERS
#undef INNER_REST
}
#endif /* NESTED */

static void THIS(forward_)(struct Point *q, int n, int steps) {
  struct Point p = *q;
  double *x = p.x, *y = p.y, *c = p.c, *gx = p.vx, *gy = p.vy;
  double size = 0;
#ifdef SEVERAL
  double sum = THIS(forward_two_)(&p, n, steps);
  (void)c;
#elif defined(VALUE)
  const struct Numbers r =
      __enzyme_fwddiff_value(CALLED BEFORE enzyme_primal_return, enzyme_dup, x,
                             gx, enzyme_dup, y, gy, SCALARS_DUP, REST(p.vc));
  double sum = r.b;
  printf(" forward-value %.17g", r.a);
#else
  double sum = __enzyme_fwddiff(CALLED BEFORE enzyme_dup, x, gx, enzyme_dup, y,
                                gy, SCALARS_DUP, REST(p.vc));
#endif
  dot(&sum, &size, p.u, gx, n);
  dot(&sum, &size, p.w, gy, n);
  printf(" forward %.17g", sum);
  print_after("forward", &p, x, y, n);
}

static void THIS(report_)(const char *mode, const struct Point *q,
                          const struct Point *p, struct Numbers g,
                          const double *gc, const double *y, int n) {
  double sum = g.a * q->va + g.b * q->vb;
  double size = fabs(g.a * q->va) + fabs(g.b * q->vb);
  dot(&sum, &size, p->u, q->vx, n);
  dot(&sum, &size, p->w, q->vy, n);
  dot(&sum, &size, gc, q->vc, n);
  printf(" %s %.17g %s-size %.17g", mode, sum, mode, size);
  print_after(mode, q, p->x, y, n);
}

static void THIS(reverse_)(struct Point *q, int n, int steps) {
  struct Point p = *q;
  double *x = p.x, *y = p.y, *c = p.c, *gx = p.u, *gy = p.w;
  double gc[MOST] = {0};
  struct Numbers g = {0, 0};
  GRADIENT(__enzyme_autodiff, CALLED BEFORE REVERSE(enzyme_dup));
  THIS(report_)("reverse", q, &p, g, gc, y, n);
}

static void THIS(again_)(struct Point *q, int n, int steps) {
  struct Point p = *q;
  double *x = p.x, *y = p.y, *c = p.c, *gx = p.u, *gy = p.w;
  double gc[MOST] = {0};
  struct Numbers g = {0, 0};
#ifdef SPLIT
  void *tape = __enzyme_augmentfwd(CALLED BEFORE REVERSE(Y_AGAIN));
  GRADIENT(__enzyme_reverse, CALLED BEFORE REVERSE(Y_AGAIN), 1.0, tape);
#elif defined(SEVERAL)
  g = THIS(reverse_two_)(&p, gc, n, steps);
  (void)x, (void)c, (void)gx, (void)gy;
#elif defined(VALUE)
  const struct ValueNumbers r = __enzyme_autodiff_value(
      CALLED BEFORE enzyme_primal_return, REVERSE(Y_AGAIN));
  g.a = r.a;
  g.b = r.b;
  printf(" again-value %.17g", r.value);
#else
  GRADIENT(__enzyme_autodiff, CALLED BEFORE REVERSE(Y_AGAIN));
#endif
#ifdef Y_UNNEEDED
  y = 0;
#endif
  THIS(report_)("again", q, &p, g, gc, y, n);
}

static void THIS(run_)(void) {
  static struct Point p;
  volatile int opaque[2] = {LENGTH, LAPS};
  const int n = opaque[0], steps = opaque[1];
  point_fill(&p, n, SEED);
  THIS(forward_)(&p, n, steps);
  THIS(reverse_)(&p, n, steps);
  THIS(again_)(&p, n, steps);
#ifdef NESTED
  THIS(second_)(&p, n, steps);
#endif
}

#undef CALLED
#undef BEFORE
#undef TABLE
#undef REST
#undef SCALARS_OUT
#undef SCALARS_DUP
#undef REVERSE
#undef GRADIENT
#undef Y_AGAIN
#undef TABLES
#undef RESTS
#undef SCALARS_DUPS

#endif

#undef THIS
#undef A_DIRECTION
#undef B_DIRECTION
#undef C_DIRECTION
#undef NAME
#undef LENGTH
#undef LAPS
#undef SEED
#undef SCALARS
#undef TABLE_MOVES
#undef TABLE_PLAIN
#undef Y_UNNEEDED
#undef VALUE
#undef NESTED
