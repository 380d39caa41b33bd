# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is checked of a kernel and its derivatives, on any machine that can launch them.

A machine has launch(kernel, program, buffers, how): `buffers` is a list with bytes for
memory and numbers for values; what memory holds afterwards is returned in such a list.

The state is all active memory: S(s) is what the kernel makes of it, J its derivative. For
random t and w, <w, J t> of forward mode equals <J' w, t> of reverse mode. Memory that the
kernel only reads is a part of the state that goes through, so its shadow must hold w plus
what is added.
"""
import math
import random

SEEDS = [{"order": 0}, {"order": 1}, {"order": 2, "seed": 1},
         {"order": 2, "seed": 2, "each_access": 1}]


class Failure(Exception):
    """A check that failed, in words."""


def state_of(program, seed=1):
    return [p.initial(seed) for p in program.parameters if p.active]


def directions(program, seed):
    draw = random.Random(f"direction {seed}")
    return [p.rounded([draw.uniform(0.25, 1) * draw.choice((-1, 1)) for _ in range(p.count)])
            for p in program.parameters if p.active]


def run(machine, program, kernel, state, shadow=None, how=None):
    """Launches a kernel; returns the active memory and its shadow afterwards."""
    arguments, active = [], iter(range(len(state)))
    for p in program.parameters:
        if not p.pointer:
            arguments.append((p, p.values[0]))
        elif not p.active:
            arguments.append((p, p.pack(p.initial(1))))
        else:
            i = next(active)
            arguments.append((p, p.pack(state[i])))
            if shadow is not None:
                arguments.append((p, p.pack(shadow[i])))
    after = machine.launch(kernel, program, arguments, how or SEEDS[0])
    state_after, shadow_after, seen = [], [], set()
    for (p, before), data in zip(arguments, after):
        if not p.pointer:
            continue
        if not p.active:
            if data != before and not p.scratch:
                raise Failure(f"{kernel} has changed {p.name}, which is constant")
            continue
        (shadow_after if p.name in seen else state_after).append(list(p.unpack(data)))
        seen.add(p.name)
    return state_after, shadow_after


def dot(a, b):
    """The product, and the sum of its terms' magnitudes, to measure errors by."""
    terms = [x * y for xs, ys in zip(a, b) for x, y in zip(xs, ys)]
    return math.fsum(terms), math.fsum(map(abs, terms))


def finite(what, program, state):
    names = [p.name for p in program.parameters if p.active]
    for name, numbers in zip(names, state):
        for i, x in enumerate(numbers):
            if not math.isfinite(x):
                raise Failure(f"{what}: {name}[{i}] is {x}")


def near(what, program, got, want, tolerance):
    """Each number, relative to the largest of its array."""
    names = [p.name for p in program.parameters if p.active]
    for name, a, b in zip(names, got, want):
        scale = max([1e-300] + [abs(x) for x in b])
        for i, (x, y) in enumerate(zip(a, b)):
            if not abs(x - y) <= tolerance * scale:
                raise Failure(f"{what}: {name}[{i}] is {x!r}, not {y!r}")


def order_tolerance(program):
    return 1e-4 if any(p.active and p.code == "f" for p in program.parameters) else 1e-11


def check_result(program, after):
    """The kernel's result against the expression that the program gives."""
    if not program.result:
        return
    name, expression = program.result.split(" = ", 1)
    before = {p.name: p.initial(1) for p in program.parameters if p.pointer}
    want = list(eval(expression, {"math": math, **before}))
    names = [p.name for p in program.parameters if p.active]
    got = after[names.index(name)]
    if len(got) != len(want):
        raise Failure(f"{name} has {len(got)} numbers, its expression {len(want)}")
    for i, (x, y) in enumerate(zip(got, want)):
        if not abs(x - y) <= order_tolerance(program) * max(1, abs(y)):
            raise Failure(f"the kernel's result {name}[{i}] is {x!r}, not {y!r}")


def check_primal(machine, program, seeds):
    state = state_of(program)
    first, _ = run(machine, program, "kernel_primal", state, how=seeds[0])
    finite("the kernel's result", program, first)
    if first == state:
        raise Failure("the kernel changes nothing")
    check_result(program, first)
    for how in seeds[1:]:
        other, _ = run(machine, program, "kernel_primal", state, how=how)
        near(f"the kernel's result depends on the order of threads ({how})", program, other,
             first, order_tolerance(program))
    return first


def differences(machine, program, state, t):
    """J t by central differences of the kernel."""
    active = [p for p in program.parameters if p.active]
    h = 2e-3 if any(p.code == "f" for p in active) else 1e-6
    ends = []
    for sign in (1, -1):
        moved = [p.rounded([x + sign * h * d for x, d in zip(xs, ds)])
                 for p, xs, ds in zip(active, state, t)]
        ends.append(run(machine, program, "kernel_primal", moved)[0])
    return [[(a - b) / (2 * h) for a, b in zip(up, down)] for up, down in zip(*ends)]


def check_forward(machine, program, seeds, primal):
    """Forward mode against differences."""
    state, t, w = state_of(program), directions(program, 1), directions(program, 2)
    results = [run(machine, program, "kernel_forward", state, t, how) for how in seeds]
    for (after, tangent), how in zip(results, seeds):
        near(f"forward mode computes another result ({how})", program, after, primal,
             order_tolerance(program))
        finite("forward mode", program, tangent)
        near(f"tangents depend on the order of threads ({how})", program, tangent, results[0][1],
             order_tolerance(program))
    got, scale = dot(w, results[0][1])
    want, other = dot(w, differences(machine, program, state, t))
    if not abs(got - want) <= program.differences * max(scale, other):
        raise Failure(f"forward mode: <w, J t> = {got!r}, by differences {want!r}")


def check_reverse(machine, program, seeds, primal):
    """Reverse mode against forward mode, where that is there, else against differences, for
    two pairs of directions."""
    state = state_of(program)
    for pair in (1, 2):
        t, w = directions(program, 2 * pair - 1), directions(program, 2 * pair)
        first = None
        for how in seeds if pair == 1 else seeds[:1]:
            after, adjoint = run(machine, program, "kernel_reverse", state, w, how)
            finite("reverse mode", program, adjoint)
            near(f"reverse mode computes another result ({how})", program, after, primal,
                 order_tolerance(program))
            first = first or adjoint
            near(f"adjoints depend on the order of threads ({how})", program, adjoint, first,
                 order_tolerance(program))
        got, scale = dot(first, t)
        try:
            how, tolerance = "in forward mode", program.tolerance
            _, tangent = run(machine, program, "kernel_forward", state, t)
        except Failure:
            # Refused, or wrong, which its own check says.
            how, tolerance = "by differences", program.differences
            tangent = differences(machine, program, state, t)
        want, other = dot(w, tangent)
        if not abs(got - want) <= tolerance * max(scale, other):
            raise Failure(f"<w, J t> = {want!r} {how}, <J' w, t> = {got!r} in reverse mode")


def check_hand(machine, program, primal):
    """The adjoint by hand against reverse mode, number by number."""
    state, w = state_of(program), directions(program, 2)
    after, adjoint = run(machine, program, "kernel_hand", state, w)
    near("the adjoint by hand computes another result", program, after, primal,
         order_tolerance(program))
    _, want = run(machine, program, "kernel_reverse", state, w)
    near("the adjoint by hand", program, adjoint, want, 1e-9)


def check(machine, program, modes, seeds=None):
    """Results as (mode, what went wrong or None)."""
    seeds = seeds or SEEDS
    results, primal = [], None
    for mode in modes:
        try:
            if mode == "primal":
                primal = check_primal(machine, program, seeds)
            elif primal is None:
                raise Failure("there is no right result of the kernel to compare with")
            elif mode == "forward":
                check_forward(machine, program, seeds, primal)
            elif mode == "hand":
                check_hand(machine, program, primal)
            else:
                check_reverse(machine, program, seeds, primal)
            results.append((mode, None))
        except Failure as failure:
            results.append((mode, str(failure)))
    return results
