# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Test programs: a device function `body`, and in comments what to call it with.

    // launch: grid 4,2 block 32 [shared 256]
    // x: active 256 in 0.5 2         256 numbers between these bounds, differentiated
    // table: const 16                 likewise, not differentiated; default: -1 1
    // index: const [i % 7 for i in range(256)]      an expression of Python
    // flags: scratch [0] * 8           changed, but of no interest afterwards
    // n: 256                          a number by value
    // weights, dweights: variable double active 4      a variable of the device, and its shadow
    // result: y = [2 * v for v in x]  what memory holds afterwards, of what it held before
    // also: hip                       runs on AMDGPU, too
    // planted: atomics barriers tests  a gradient without these must be found to be wrong
    // races: primal                   the kernel itself reads plainly what others change atomically
    // atomics: 0                      so many of them the gradient executes, but at O0
    // tolerance: 1e-10                of <u, J v> = <J' u, v>; of differences
    // differences: 1e-5
    // large: 4096                     SCALE in all of these, for times on a GPU; else 1
    // tables: ROWS 64 11303, KINDS 4 68      names in all of these, and macros: for tests, and
                                      for times with tables as large as programs have them

A function `adjoint`, with a shadow behind each active parameter, is the derivative by hand.
What body's parameters are called, and their types, is read from its declaration. All
active memory is both input and output: what body does not write goes through.
"""
import math
import random
import re
import struct

TYPES = {"double": ("d", 8), "float": ("f", 4), "int": ("i", 4), "unsigned": ("I", 4),
         "float4": ("f", 4), "float2": ("f", 4), "double2": ("d", 8), "char": ("b", 1),
         "long": ("q", 8), "short": ("h", 2)}
REAL = ("d", "f")


class Parameter:
    """type, name, pointer, active, and for memory its numbers, else its value."""

    MOST_WRITTEN = 1 << 16  # numbers in a file that describes the program

    def __init__(self, declaration):
        text = re.sub(r"\b(const|__restrict__|__restrict|struct)\b", " ", declaration)
        match = re.fullmatch(r"\s*(\w+)\s*(\*?)\s*(\w+)\s*", text)
        if not match:
            raise ValueError(f"parameter {declaration!r} is not understood")
        self.type, star, self.name = match.groups()
        self.pointer = bool(star)
        self.text = declaration.strip()
        self.code, self.bytes = TYPES.get(self.type, (None, 0))
        self.active = self.scratch = False
        self.variables = []  # of the device, where it is no parameter: it, and its shadow
        self.count, self.low, self.high, self.values = 0, -1.0, 1.0, None
        self.expression, self.constants = "", {}

    def describe(self, text, constants=None):
        """Reads what a directive says of the parameter."""
        self.constants = constants or {}
        known = {"math": math, **self.constants}
        if not self.pointer:
            self.values = [eval(text, known)]
            return
        match = re.fullmatch(r"(active|const|scratch)\s+(.*)", text)
        if not match:
            raise ValueError(f"{self.name}: {text!r} is not active, const or scratch")
        self.active, self.scratch = match[1] == "active", match[1] == "scratch"
        numbers = re.fullmatch(r"([\dA-Z*]+)(?:\s+in\s+(\S+)\s+(\S+))?", match[2])
        if numbers:
            self.count = eval(numbers[1], known)
            if numbers[2]:
                self.low, self.high = float(numbers[2]), float(numbers[3])
        else:
            self.values = list(eval(match[2], known))
            self.count = len(self.values)
            if self.count > self.MOST_WRITTEN:
                self.values, self.expression = None, match[2]
        if self.active and self.code not in REAL:
            raise ValueError(f"{self.name}: no derivative of {self.type}")

    def initial(self, seed):
        """The numbers that the test starts with, the same everywhere."""
        if self.values is not None:
            return list(self.values)
        if self.expression:
            return list(eval(self.expression, {"math": math, **self.constants}))
        draw = random.Random(f"{seed} {self.name}")
        if self.code in REAL:
            return self.rounded([draw.uniform(self.low, self.high) for _ in range(self.count)])
        return [draw.randint(int(self.low), int(self.high)) for _ in range(self.count)]

    def rounded(self, numbers):
        return list(self.unpack(self.pack(numbers)))

    def pack(self, numbers):
        return struct.pack(f"<{len(numbers)}{self.code}", *numbers)

    def unpack(self, data):
        return struct.unpack(f"<{len(data) // self.bytes}{self.code}", data)


class Program:
    """What a file says; `as_dict` is what runs where there is neither file nor compiler."""

    def __init__(self, path, large=False, tables=False):
        self.path = path
        self.name = f"{path.parent.name}/{path.stem}" + ("-tables" if tables else "")
        text = path.read_text(encoding="utf-8")
        said = dict(re.findall(r"^// (\w+(?:, \w+)?): (.*)$", text, re.M))
        body = re.search(r"__device__\s+(?:__noinline__\s+)?void\s+body\s*\(([^)]*)\)", text)
        if not body:
            raise ValueError(f"{path}: no function body")
        self.by_hand = bool(re.search(r"__device__\s+void\s+adjoint\s*\(", text))
        scale = int(said.pop("large", 1))
        sizes = [words.split() for words in said.pop("tables", "").split(",") if words]
        self.macros = {name: int(big if tables else small) for name, small, big in sizes}
        constants = {"SCALE": scale if large else 1, **self.macros}
        self.parameters = [Parameter(p) for p in body[1].split(",")]
        for p in self.parameters:
            if p.name not in said:
                raise ValueError(f"{path}: nothing is said of {p.name}")
            p.describe(said.pop(p.name), constants)
        for names in [n for n, words in said.items() if words.startswith("variable ")]:
            _, kind, words = said.pop(names).split(" ", 2)
            variable = Parameter(f"{kind} *{names.split(',')[0]}")
            variable.variables = names.split(", ")
            variable.describe(words, constants)
            self.parameters.append(variable)
        launch = said.pop("launch", "")
        match = re.fullmatch(r"grid (\S+) block ([\d,]+)(?: shared (\d+))?", launch)
        if not match:
            raise ValueError(f"{path}: launch: {launch!r} is not understood")
        self.grid, self.block = ([*(eval(n, dict(constants)) for n in m.split(",")), 1, 1][:3]
                                 for m in match.group(1, 2))
        self.shared = int(match[3] or 0)
        single = any(p.active and p.code == "f" for p in self.parameters)
        self.tolerance = float(said.pop("tolerance", 2e-4 if single else 1e-12))
        self.differences = float(said.pop("differences", 3e-2 if single else 1e-6))
        self.also = said.pop("also", "").split()
        self.faults = said.pop("faults", "")
        self.result = said.pop("result", "")
        self.planted = said.pop("planted", "").split()
        self.racy = said.pop("races", "") == "primal"
        self.atomics = eval(said.pop("atomics", "None"), dict(constants))
        if said:
            raise ValueError(f"{path}: {' and '.join(said)} are not understood")

    def as_dict(self):
        return {"name": self.name, "grid": self.grid, "block": self.block,
                "shared": self.shared, "tolerance": self.tolerance,
                "differences": self.differences, "result": self.result, "racy": self.racy,
                "parameters": [vars(p) for p in self.parameters]}

    def shared_of(self, kernel):
        """Bytes of dynamic shared memory; derivatives have shadows behind the program's part
        (adze_gpu_shared() in include/adze/gpu.h)."""
        if not self.shared or kernel == "kernel_primal":
            return self.shared
        return 2 * (self.shared + 15 & ~15) + 4

    @staticmethod
    def from_dict(data):
        program = Program.__new__(Program)
        vars(program).update(data)
        program.parameters = []
        for fields in data["parameters"]:
            p = Parameter.__new__(Parameter)
            vars(p).update(fields)
            program.parameters.append(p)
        return program

    def wrapper(self):
        """The text of the kernels that call body and its derivatives. What is not asked for
        by a macro, PRIMAL, FORWARD, REVERSE or HAND, is left out."""
        parameters = [p for p in self.parameters if not p.variables]
        plain = [p.text for p in parameters]
        dual, calls, both = [], [], []
        for p in parameters:
            dual.append(p.text)
            both += [p.name, f"d_{p.name}"] if p.active else [p.name]
            if p.active:
                dual.append(f"{p.type} *d_{p.name}")
                calls.append(f"enzyme_dup, {p.name}, d_{p.name}")
            else:
                calls.append(f"enzyme_const, {p.name}")
        def kernel(name, parameters, line):
            return (f"#ifdef {name.upper()}\nextern \"C\" __global__ void kernel_{name}"
                    f"({', '.join(parameters)}) {{\n  {line}\n}}\n#endif\n")
        names = ", ".join(p.name for p in parameters)
        called = ", ".join(calls)
        return ("".join(f"#define {name} {size}\n" for name, size in self.macros.items()) +
                f'#include "{self.path}"\n'
                "extern __device__ int enzyme_dup, enzyme_const;\n"
                "__device__ void __enzyme_fwddiff(void *, ...);\n"
                "__device__ void __enzyme_autodiff(void *, ...);\n"
                + kernel("primal", plain, f"body({names});")
                + kernel("forward", dual, f"__enzyme_fwddiff((void *)body, {called});")
                + kernel("reverse", dual, f"__enzyme_autodiff((void *)body, {called});")
                + (kernel("hand", dual, f"adjoint({', '.join(both)});") if self.by_hand else ""))
