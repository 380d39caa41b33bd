#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks one program on the emulator: emulated.py DESCRIPTION.json

A process of its own, for device code may crash. Prints one line of JSON: a list of
[mode, failure or null], and what the launches counted."""
import ctypes
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import checks  # noqa: E402
from programs import Program  # noqa: E402


class Launch(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint32 * 3), ("block", ctypes.c_uint32 * 3),
                ("shared", ctypes.c_uint32), ("warp", ctypes.c_uint32),
                ("order", ctypes.c_uint32), ("each_access", ctypes.c_uint32),
                ("seed", ctypes.c_uint64)]


class Row(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("address", ctypes.c_void_p),
                ("number", ctypes.c_uint64)]


class Module(ctypes.Structure):
    """As emulator.h has it."""
    _fields_ = [(f"{name}{what}", kind) for name in ("kernels", "variables", "places")
                for what, kind in (("", ctypes.POINTER(Row)), ("_count", ctypes.c_uint64))]


class Counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in
                ("instructions", "global_bytes", "shared_bytes", "local_bytes", "atomics",
                 "barriers")]


class Emulator:
    """The machine of checks.py. Each launch has buffers of its own, in one piece of memory
    with gaps between them, so that accesses beyond the end of one are found."""

    def __init__(self, emulator, program, warp, kernels):
        self.library = ctypes.CDLL(emulator, mode=ctypes.RTLD_GLOBAL)
        self.program = ctypes.CDLL(program)
        self.library.gpu_faults.restype = ctypes.c_char_p
        module = Module.in_dll(self.program, "gpu_module")
        self.library.gpu_load(ctypes.byref(module))
        self.variables = {module.variables[i].name.decode(): module.variables[i]
                          for i in range(module.variables_count)}
        self.warp, self.kernels, self.counts = warp, kernels, {}

    def variable(self, name):
        if name not in self.variables:
            raise checks.Failure(f"the device has no variable {name}")
        return self.variables[name]

    def launch(self, kernel, program, arguments, how):
        if kernel not in self.kernels:
            raise checks.Failure(f"there is no {kernel}")
        slots, keep, names = [], [], set()
        for p, value in arguments:
            if p.variables:
                variable = self.variable(p.variables[p.name in names])
                names.add(p.name)
                ctypes.memmove(variable.address, value, len(value))
                keep.append((None, variable.address, len(value)))
            elif p.pointer:
                name = p.name if p.name not in names else "the shadow of " + p.name
                names.add(name)
                buffer = ctypes.create_string_buffer(len(value) + 192)
                address = (ctypes.addressof(buffer) + 127) // 64 * 64
                ctypes.memmove(address, value, len(value))
                self.library.gpu_add_buffer(ctypes.c_void_p(address),
                                            ctypes.c_uint64(len(value)), name.encode())
                keep.append((buffer, address, len(value)))
                slots.append(ctypes.c_void_p(address))
            else:
                kind = {"i": ctypes.c_int32, "I": ctypes.c_uint32, "d": ctypes.c_double,
                        "f": ctypes.c_float, "q": ctypes.c_int64}[p.code]
                keep.append(None)
                slots.append(kind(value))
        table = (ctypes.c_void_p * len(slots))(*[ctypes.addressof(s) for s in slots])
        launch = Launch(tuple(program.grid), tuple(program.block),
                        program.shared_of(kernel), self.warp,
                        how["order"], how.get("each_access", 0), how.get("seed", 0))
        counts = Counts()
        bad = self.library.gpu_launch(kernel.encode(), table, ctypes.byref(launch),
                                      ctypes.byref(counts))
        after = []
        for entry in keep:
            if entry and entry[0]:
                self.library.gpu_remove_buffer(ctypes.c_void_p(entry[1]))
            after.append(entry and ctypes.string_at(entry[1], entry[2]))
        if bad:
            faults = self.library.gpu_faults().decode()
            known = program.racy and kernel == "kernel_primal" and all(
                line.startswith("race: ") and "write in" not in line
                for line in faults.strip().splitlines())
            if not known:
                raise checks.Failure(f"{kernel} with {how}:\n{faults}")
        self.counts.setdefault(kernel, {n: getattr(counts, n) for n, _ in Counts._fields_})
        return after


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        job = json.load(f)
    program = Program.from_dict(job["program"])
    machine = Emulator(job["emulator"], job["library"], job["warp"],
                       [f"kernel_{m}" for m in job["modes"]])
    results = checks.check(machine, program, job["modes"])
    print(json.dumps({"results": results, "counts": machine.counts}))


if __name__ == "__main__":
    main()
