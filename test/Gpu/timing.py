# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of the benchmarks' kernels on a GPU, and of adjoints by hand."""
import time

import checks
import cuda
from programs import Program


class Stopwatch(cuda.Gpu):
    """Launches each kernel several times; keeps the shortest mean of a series."""

    SERIES, LAUNCHES = 5, 20

    def __init__(self, driver, image):
        super().__init__(driver, image)
        self.shortest = 0.0

    def call(self, name, *arguments):
        if name != "cuLaunchKernel":
            return super().call(name, *arguments)
        super().call(name, *arguments)
        super().call("cuCtxSynchronize")
        means = []
        for _ in range(self.SERIES):
            begin = time.perf_counter()
            for _ in range(self.LAUNCHES):
                super().call(name, *arguments)
            super().call("cuCtxSynchronize")
            means.append((time.perf_counter() - begin) / self.LAUNCHES)
        self.shortest = min(means)


def measure(driver, image, description):
    """{mode: seconds}."""
    program = Program.from_dict(description)
    machine = Stopwatch(driver, image)
    state, shadow = checks.state_of(program), checks.directions(program, 2)
    seconds = {}
    for mode in ("primal", "reverse", "hand"):
        arguments = []
        values, shadows = iter(state), iter(shadow)
        for p in program.parameters:
            if not p.pointer:
                arguments.append((p, p.values[0]))
            elif not p.active:
                arguments.append((p, p.pack(p.initial(1))))
            else:
                arguments.append((p, p.pack(next(values))))
                if mode != "primal":
                    arguments.append((p, p.pack(next(shadows))))
        machine.launch(f"kernel_{mode}", program, arguments, checks.SEEDS[0])
        seconds[mode] = machine.shortest
    return seconds


def row(name, seconds):
    primal = seconds["primal"]
    return (f"{name:<16}{primal * 1e6:>10.1f} us{seconds['reverse'] / primal:>10.2f}"
            f"{seconds['hand'] / primal:>10.2f}")
