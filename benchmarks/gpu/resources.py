# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers, stack and spills of the kernels of benchmarks/gpu, as the assemblers tell them,
against resources.txt. A line of that file: benchmark, processor, and for the kernel, its
gradient and the adjoint by hand registers/stack/spills, the last two in bytes."""
import re
from pathlib import Path

import build

TABLE = Path(__file__).resolve().parent / "resources.txt"
NVIDIA = list(build.PROCESSORS)
AMD = "gfx90a"
# Other versions of an assembler may take so much more.
MORE = {"registers": (1.25, 8), "stack": (1.25, 64), "spills": (1.25, 64)}


def of_ptxas(text):
    """{kernel: (registers, stack, spills)} from what `ptxas -v` says."""
    found, kernel, frame = {}, None, (0, 0)
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\w+)'", line):
            kernel = match[1]
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, "
                                r"(\d+) bytes spill loads", line):
            frame = int(match[1]), int(match[2]) + int(match[3])
        elif (match := re.search(r"Used (\d+) registers", line)) and kernel:
            found[kernel], kernel = (int(match[1]), *frame), None
    return found


def of_amd(text):
    """The same from LLVM's remarks, where vector registers count."""
    found, kernel = {}, None
    for line in text.splitlines():
        match = re.search(r"remark: [^ ]* +([\w ]+?)(?: \[[^]]*\])?: (\w+)", line)
        if not match:
            continue
        what, value = match[1].strip(), match[2]
        if what == "Function Name":
            kernel = found.setdefault(value, [0, 0, 0])
        elif kernel is not None and what in ("VGPRs", "ScratchSize", "VGPRs Spill"):
            kernel[["VGPRs", "ScratchSize", "VGPRs Spill"].index(what)] = int(value)
    return {name: (r, stack, 4 * spills) for name, (r, stack, spills) in found.items()}


def measure(builder, program, modes):
    """({processor: [(registers, stack, spills) of each mode]}, reasons for which some lack)."""
    rows, missing = {}, []
    stem = f"{program.path.stem}.resources"
    device = builder.device_code(program, "nvptx", "O3", modes, stem)
    for processor in NVIDIA:
        if not builder.assembler_knows(processor):
            missing.append(f"there is no ptxas that knows {processor}")
            continue
        if not build.libdevice():
            missing.append("there is no libdevice")
            continue
        ptx = builder.linked_ptx(device, processor, stem)
        code, text = build.execute([build.cuda_program("ptxas"), "-v", f"-arch={processor}", ptx,
                                    "-o", ptx.with_suffix(".cubin")])
        if code:
            raise build.BuildError(text)
        found = of_ptxas(text)
        rows[processor] = [found[f"kernel_{m}"] for m in modes]
    if "hip" in program.also:
        device = builder.device_code(program, "amdgcn", "O3", modes, f"{stem}.amd")
        code, text = build.execute([builder.tool("llc"), f"-mcpu={AMD}", "-filetype=null",
                                    "-pass-remarks-analysis=kernel-resource-usage", device])
        if code:
            raise build.BuildError(text)
        found = of_amd(text)
        rows[AMD] = [found[f"kernel_{m}"] for m in modes]
    return rows, missing


def read_table():
    rows = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words:
            rows[words[0], words[1]] = [tuple(map(int, w.split("/"))) for w in words[2:]]
    return rows


def write_table(rows):
    text = ["# Registers/stack/spills of kernel, gradient and adjoint by hand, at -O3; bytes.",
            "# benchmarks/gpu/run --record writes what can be measured anew."]
    for (name, processor), cells in sorted(rows.items()):
        text.append(f"{name:<10}{processor:<8}" +
                    "".join(f"{'/'.join(map(str, c)):>14}" for c in cells))
    TABLE.write_text("\n".join(text) + "\n", encoding="utf-8")


def compare(name, rows, table, modes):
    """Failures of one benchmark, and how many comparisons were made."""
    failures, number = [], 0
    for processor, cells in rows.items():
        recorded = table.get((name, processor))
        if not recorded:
            failures.append(f"resources.txt has no line for {name} {processor}")
            continue
        for mode, now, before in zip(modes, cells, recorded):
            number += 1
            for what, a, b in zip(MORE, now, before):
                factor, more = MORE[what]
                if a > max(b * factor, b + more):
                    failures.append(f"{name} {mode} for {processor}: {a} {what}, recorded {b}")
    return failures, number
