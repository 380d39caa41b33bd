#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults that checks.py must find: derivatives in Python, one of them wrong each time."""
import sys
from pathlib import Path

import checks
from programs import Parameter, Program


def program():
    """y[i] = x[i]^3 * y[i], with a constant array beside."""
    p = Program.__new__(Program)
    p.parameters = [Parameter(t) for t in ("const double *x", "double *y", "const double *c")]
    for parameter, text in zip(p.parameters, ("active 6 in 0.5 1", "active 6", "const 3")):
        parameter.describe(text)
    p.grid = p.block = [1, 1, 1]
    p.shared, p.result, p.tolerance, p.differences = 0, "", 1e-12, 1e-6
    return p


class Machine:
    """Launches the three kernels in Python, with one fault."""

    def __init__(self, fault):
        self.fault = fault

    def launch(self, kernel, _program, arguments, how):
        values = [list(p.unpack(data)) for p, data in arguments]
        fault, again = self.fault, how["order"] == 1
        if kernel == "kernel_primal":
            x, y, c = values
            y[:] = [a ** 3 * b for a, b in zip(x, y)]
            if fault == "primal depends on order" and again:
                y[2] += 1e-3
            if fault == "primal is no number":
                y[5] = float("nan")
            if fault == "constant is changed":
                c[0] = 7
            if fault == "primal does nothing":
                y[:] = arguments[1][0].unpack(arguments[1][1])
        else:
            x, dx, y, dy, _ = values
            before = list(y)
            if not (fault == "primal is missing in reverse" and kernel == "kernel_reverse"):
                y[:] = [a ** 3 * b for a, b in zip(x, y)]
            if kernel == "kernel_forward":
                self.forward(x, dx, before, dy, again)
            else:
                self.reverse(x, dx, before, dy, again)
        return [p.pack(v) for (p, _), v in zip(arguments, values)]

    def forward(self, x, dx, y, dy, again):
        factor = 2 if self.fault == "both modes are wrong" else 3
        dy[:] = [factor * a * a * da * b + a ** 3 * db for a, da, b, db in zip(x, dx, y, dy)]
        if self.fault == "one tangent is wrong":
            dy[3] *= 1.001
        if self.fault == "tangents depend on order" and again:
            dy[1] += 1e-6

    def reverse(self, x, dx, y, dy, again):
        factor = 2 if self.fault == "both modes are wrong" else 3
        old = [0] * 6 if self.fault == "adjoints overwrite" else list(dx)
        dx[:] = [d + factor * a * a * b * w for d, a, b, w in zip(old, x, y, dy)]
        if self.fault != "adjoint of the output stays":
            dy[:] = [a ** 3 * w for a, w in zip(x, dy)]
        if self.fault == "one sum is lost":
            dx[4] = old[4]
        if self.fault == "one adjoint is a little off":
            dx[0] *= 1 + 1e-8
        if self.fault == "adjoints depend on order" and again:
            dx[0] += 1e-6
        if self.fault == "an adjoint is no number":
            dx[0] = float("inf")


FAULTS = ["primal depends on order", "primal is no number", "constant is changed",
          "primal does nothing", "primal is missing in reverse", "both modes are wrong",
          "one tangent is wrong", "tangents depend on order", "adjoints overwrite",
          "adjoint of the output stays", "one sum is lost", "one adjoint is a little off",
          "adjoints depend on order", "an adjoint is no number"]


def results():
    """(fault, whether it is judged as it should be)."""
    def failures(fault):
        found = checks.check(Machine(fault), program(), ["primal", "forward", "reverse"])
        return [failure for _, failure in found if failure]
    return [("no fault", not failures(None))] + [(f, bool(failures(f))) for f in FAULTS]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    bad = [name for name, good in results() if not good]
    print("\n".join(f"FAIL {name}" for name in bad))
    print(f"{len(results()) - len(bad)} passed, {len(bad)} failed, 0 skipped")
    sys.exit(bool(bad))
