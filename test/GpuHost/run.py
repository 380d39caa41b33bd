#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of the host that launch kernels, and their derivatives (README.md).

Each program of Programs is compiled twice, as clang does it: the code of the device goes to
the emulator of ../Gpu, that of the host is linked with runtime.cpp, which stands for CUDA's
library. The program says whether its derivatives are right."""
import argparse
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Gpu"))
import build  # noqa: E402

FLAGS = ["-x", "cuda", "-std=c++17", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_70",
         "-Wno-unknown-cuda-version", f"-I{HERE / 'include'}", f"-I{HERE.parents[1] / 'include'}"]


def run(builder, command, what, seconds=120):
    code, text = build.execute(command, seconds)
    if code:
        raise build.BuildError(f"{what}: status {code}\n{text}", bool(build.REFUSAL.search(text)))
    return text


def check(builder, runtime, source, level):
    """None, or what is wrong."""
    stem = f"{source.stem}.{level}"
    device, host = builder.out / f"{stem}.device.ll", builder.out / f"{stem}.o"
    program = builder.out / stem
    plugin = f"-fpass-plugin={builder.plugin}"
    marker = builder.out / "fatbinary"
    marker.write_text("the code of the device is elsewhere\n")
    try:
        run(builder, [builder.clang, *FLAGS, "--cuda-device-only", f"-{level}", plugin, "-S",
                      "-emit-llvm", source, "-o", device], "device")
        # What the program's own code would have, a library has not.
        device.write_text(device.read_text().replace(" dso_local", ""))
        library = builder.for_emulator(device, stem)
        run(builder, [builder.clang, *FLAGS, "--cuda-host-only", f"-{level}", plugin, "-Xclang",
                      "-fcuda-include-gpubinary", "-Xclang", marker, "-c", source, "-o", host],
            "host")
        run(builder, [builder.clang, host, *runtime, library,
                      builder.libraries / "GpuEmulator.so", "-o", program], "link")
        os.environ["LD_LIBRARY_PATH"] = str(builder.libraries)
        stops = re.search(r"^// stops: (.*)$", source.read_text(), re.M)
        code, text = build.execute([program], 60)
        if stops and (not code or stops[1] not in text):
            return f"run: status {code}, it should stop\n{text}"
        if code and not stops:
            return f"run: status {code}\n{text}"
    except build.BuildError as wrong:
        return str(wrong)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--plugin", required=True, help="Adze.so")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--build-dir", default="build/gpu-host")
    parser.add_argument("--filter", default="", help="part of a program's name")
    parser.add_argument("--levels", default="O0,O2")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    plugin = Path(options.plugin).resolve()
    builder = build.Builder(options.clang, plugin, options.build_dir)
    runtime = [builder.out / "runtime.o", builder.out / "blas.o"]
    for made in runtime:
        run(builder, [builder.clang, "-x", "c++", "-std=c++17", "-O1", f"-I{HERE / 'include'}",
                      f"-I{HERE.parent / 'Gpu' / 'emulator'}", "-c", HERE / f"{made.stem}.cpp", "-o",
                      made], made.stem)
    jobs = [(p, level) for p in sorted((HERE / "Programs").glob("*.cu"))
            if options.filter in p.name for level in options.levels.split(",")]
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for (source, level), wrong in zip(jobs, pool.map(
                lambda job: check(builder, runtime, *job), jobs)):
            if wrong:
                failed += 1
                print(f"FAILED {source.stem} {level}\n{wrong}")
    print(f"{len(jobs) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
