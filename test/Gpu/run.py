#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Derivatives of GPU kernels, checked on the emulator.

usage: run.py --plugin build/lib/Adze.so [--filter REGEX] [--levels O0,O1,O2,O3] ...

Each program of Kernels is compiled for NVPTX, and for AMDGPU if it says so, with the
kernel's derivatives; the device code runs on the emulator (checks.py) and goes through the
target's back end. `pending.txt` names what the compiler refuses so far. Programs of Faults
have faults that the emulator must find, or come close to one; selftest.py has derivatives
with faults that checks.py must find. Ends with `N passed, M failed, K skipped`.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build  # noqa: E402
import convert  # noqa: E402
import selftest  # noqa: E402
from build import BuildError  # noqa: E402
from programs import Program  # noqa: E402

HERE = Path(__file__).resolve().parent
MODES = ["primal", "forward", "reverse"]
LEVELS = ["O0", "O1", "O2", "O3"]
REFUSED = "is refused"
STOP = "adze.stop"  # the function of a derivative that ends with a message


class Result:
    def __init__(self, program, target, level, what, status, detail=""):
        self.program, self.target, self.level, self.what = program, target, level, what
        self.status, self.detail = status, detail

    def key(self):
        return self.program, self.what, self.target, self.level


class Pending:
    """What is refused so far: lines `Folder/Name mode [target/level...]`."""

    def __init__(self, path):
        self.lines = {}
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split("#")[0].split()
            if words:
                self.lines[words[0], words[1]] = words[2:]

    def has(self, program, mode, target, level):
        where = self.lines.get((program, mode))
        return where is not None and (not where or f"{target}/{level}" in where)

    def programs(self):
        return {program for program, _ in self.lines}


class Runner:
    def __init__(self, args):
        self.args = args
        self.builder = build.Builder(args.clang, args.plugin, args.build_dir)
        self.pending = Pending(args.pending)
        self.assembles = {p: build.Builder.assembler_knows(p) for p in build.PROCESSORS}
        self.counts = {}

    def one(self, program, target, level):
        """All results of a program on a target at a level."""
        stem = f"{program.name.replace('/', '.')}.{target}.{level}"
        def result(what, status, detail=""):
            return Result(program.name, target, level, what, status, detail)
        if program.faults:
            return [self.fault(program, target, level, stem, result)]
        modes = list(self.args.modes)
        waiting = [m for m in modes if self.pending.has(program.name, m, target, level)]
        results = [self.refusal(program, target, level, m, stem, result) for m in waiting]
        modes = [m for m in modes if m not in waiting]
        try:
            device = self.builder.device_code(program, target, level, modes, stem)
        except BuildError:
            return results + self.apart(program, target, level, modes, stem, result)
        results += self.check(program, target, modes, device, stem, result)
        if "reverse" in modes:
            results += self.atomics(program, level, stem, result)
            results += self.planted(program, target, level, stem, result)
        return results

    def refusal(self, program, target, level, mode, stem, result):
        """What pending.txt names must end with a message: of the compiler, or when it runs."""
        stem = f"{stem}.{mode}"
        try:
            device = self.builder.device_code(program, target, level, [mode], stem)
        except BuildError as error:
            if error.refused:
                return result(mode, "skipped", "refused, as pending.txt says")
            return result(mode, "failed", f"is not refused, it fails:\n{error}")
        if mode != "primal" and STOP in device.read_text():
            device = self.builder.device_code(program, target, level, ["primal", mode], stem)
            found = self.emulate(program, target, ["primal", mode], device, stem, result)
            if any(r.what == mode and f"trap: {STOP}" in r.detail for r in found):
                return result(mode, "skipped", "stops when it runs, as pending.txt says")
        return result(mode, "failed", "compiles, but is in pending.txt")

    def apart(self, program, target, level, modes, stem, result):
        """Which modes do not compile; the others are checked alone."""
        good, results = [], []
        for mode in modes:
            try:
                self.builder.device_code(program, target, level, [mode], f"{stem}.{mode}")
                good.append(mode)
            except BuildError as error:
                how = REFUSED if error.refused else "does not compile"
                results.append(result(mode, "failed", f"{how}\n{error}"))
        if good and results:
            try:
                device = self.builder.device_code(program, target, level, good, stem)
                results += self.check(program, target, good, device, stem, result)
            except BuildError as error:
                results.append(result("compile", "failed", str(error)))
        elif not results:
            results.append(result("compile", "failed", "each mode compiles, all together do not"))
        return results

    def check(self, program, target, modes, device, stem, result):
        results = self.emulate(program, target, modes, device, stem, result)
        try:
            results += self.backend(target, device, stem, result)
        except BuildError as error:
            results.append(result("assemble", "failed", str(error)))
        return results

    def atomics(self, program, level, stem, result):
        """Sums that are proved to be apart are not atomic."""
        counts = self.counts.get(stem, {}).get("kernel_reverse")
        if program.atomics is None or level == "O0" or not counts:
            return []
        good = counts["atomics"] == program.atomics
        return [result("atomics", "passed" if good else "failed",
                       f"{counts['atomics']} atomic operations, not {program.atomics}")]

    def planted(self, program, target, level, stem, result):
        """Gradients from which atomics, or barriers, are taken: the emulator must say so."""
        results = []
        for what in program.planted:
            if what == "tests" and level == "O0":
                continue  # arguments of the marker lie in memory: all sums are atomic
            if self.pending.has(program.name, "reverse", target, level):
                return results
            name = f"{stem}.without-{what}"
            modes = ["primal", "reverse"]
            try:
                device = self.builder.device_code(program, target, level, modes, name)
                text, number = convert.without(what, device.read_text(), "kernel_primal")
            except BuildError as error:
                results.append(result(f"without {what}", "failed", str(error)))
                continue
            if not number:
                results.append(result(f"without {what}", "failed", "the gradient has none"))
                continue
            device.write_text(text)
            found = self.emulate(program, target, modes, device, name, result)
            primal, reverse = (next((r for r in found if r.what == m), None) for m in modes)
            good = primal and primal.status == "passed" and reverse.status == "failed" \
                and "race: " in reverse.detail
            results.append(result(f"without {what}", "passed" if good else "failed",
                                  "" if good else "no race was found\n" +
                                  "\n".join(r.detail for r in found)))
        return results

    def emulate(self, program, target, modes, device, stem, result):
        try:
            library = self.builder.for_emulator(device, stem)
        except BuildError as error:
            return [result("emulator", "failed", str(error))]
        job = self.builder.out / f"{stem}.json"
        job.write_text(json.dumps({
            "program": program.as_dict(), "library": str(library.resolve()), "modes": modes,
            "emulator": str(self.builder.libraries / "GpuEmulator.so"),
            "warp": build.TARGETS[target].warp}))
        code, text = build.execute([sys.executable, HERE / "emulated.py", job],
                                   self.args.run_limit)
        if code != 0:
            why = "time limit" if code is None else f"exit code {code}"
            return [result("emulator", "failed", f"the emulator died ({why})\n{text}")]
        answer = json.loads(text.rstrip().rsplit("\n", 1)[-1])
        self.counts[stem] = answer["counts"]
        return [result(mode, "failed" if failure else "passed", failure or "")
                for mode, failure in answer["results"]]

    def backend(self, target, device, stem, result):
        if target == "amdgcn":
            self.builder.amd_object(device, stem)
            return [result("gfx90a", "passed")]
        results = []
        for processor in build.PROCESSORS:
            ptx = self.builder.ptx(device, processor, stem)
            results.append(result(f"PTX for {processor}", "passed"))
            if self.assembles[processor]:
                self.builder.cubin(ptx, processor)
                results.append(result(f"ptxas {processor}", "passed"))
            else:
                results.append(result(f"ptxas {processor}", "skipped",
                                      f"there is no ptxas that knows {processor}"))
        return results

    def fault(self, program, target, level, stem, result):
        """A program whose kernel has a fault: the emulator must name it."""
        try:
            device = self.builder.device_code(program, target, level, ["primal"], stem)
        except BuildError as error:
            return result("fault", "failed", str(error))
        found = self.emulate(program, target, ["primal"], device, stem, result)
        text = "\n".join(r.detail for r in found)
        if program.faults == "none":
            bad = [r for r in found if r.status == "failed"]
            return result("no fault", "failed" if bad else "passed", text)
        good = re.search(program.faults, text)
        return result("fault", "passed" if good else "failed",
                      "" if good else f"nothing like {program.faults!r} was found\n{text}")


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("--plugin", required=True, help="path of Adze.so; GpuEmulator.so and "
                   "GpuHostCode.so lie beside it")
    p.add_argument("--clang", default="clang-19")
    p.add_argument("--filter", default="", help="regular expression on Folder/Name")
    p.add_argument("--modes", default=",".join(MODES))
    p.add_argument("--levels", default=",".join(LEVELS))
    p.add_argument("--targets", default="nvptx,amdgcn")
    p.add_argument("--share", type=float, default=1,
                   help="this part, 0 to 1, of each program's targets and levels, at least one")
    p.add_argument("--seed", default="1", help="any text; draws the share")
    p.add_argument("--build-dir", default="build/gpu")
    p.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    p.add_argument("--run-limit", type=float, default=60, help="seconds of processor time")
    p.add_argument("--list-failures", action="store_true", help="with what was printed")
    p.add_argument("--list", action="store_true", help="print the programs and stop")
    p.add_argument("--keep", action="store_true", help="keep the files of what passed")
    p.add_argument("--pending", type=Path, default=HERE / "pending.txt",
                   help="the list of what is refused so far")
    p.add_argument("--refused", help="write what is refused to this file, as pending.txt")
    p.add_argument("--counts", help="write what the launches counted to this file")
    args = p.parse_args()
    args.modes = args.modes.split(",")
    if "primal" not in args.modes:
        args.modes.insert(0, "primal")
    return args


def combinations(program, args):
    """The targets and levels at which a program runs."""
    targets = ["nvptx"] + (["amdgcn"] if "hip" in program.also else [])
    all_of = [(t, v) for t in targets if t in args.targets.split(",")
              for v in args.levels.split(",")]
    if args.share >= 1:
        return all_of
    draw = random.Random(f"{args.seed} {program.name}")
    return draw.sample(all_of, max(1, round(args.share * len(all_of))))


def pending_lines(results, combos):
    """The lines of pending.txt for what is refused, in all or some of the combinations."""
    where = collections.defaultdict(set)
    for r in results:
        if r.what in MODES and (r.detail.startswith(REFUSED) or r.status == "skipped" or
                                f"trap: {STOP}" in r.detail):
            where[r.program, r.what].add(f"{r.target}/{r.level}")
    return [" ".join([program, mode] + (sorted(found) if found < combos[program] else []))
            for (program, mode), found in sorted(where.items())]


def report(results, args, programs, seconds):
    groups = collections.OrderedDict()
    for r in sorted((r for r in results if r.status == "failed"), key=Result.key):
        groups.setdefault((r.program, r.what), []).append(r)
    for (program, what), members in groups.items():
        where = " ".join(f"{r.target}/{r.level}" for r in members)
        print(f"FAIL {program} {what} at {where}")
        if args.list_failures:
            lines = members[0].detail.strip().split("\n")
            print("\n".join("    " + line for line in lines[:24]))
    for reason, number in sorted(collections.Counter(
            r.detail for r in results if r.status == "skipped").items()):
        print(f"skipped, {number} results: {reason}")
    print(f"{len(programs)} programs, {len(programs) - len({k[0] for k in groups})} without a "
          f"failure, {seconds:.0f} s")
    if args.share < 1:
        print(f"a sample of targets and levels: --share {args.share:g} --seed {args.seed}")
    count = {s: sum(r.status == s for r in results) for s in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 0 if count["passed"] and not count["failed"] else 1


def main():
    args = parse_arguments()
    programs = [Program(p) for f in ("Kernels", "Faults") for p in sorted((HERE / f).glob("*.cu"))]
    names = {p.name for p in programs}
    programs = [p for p in programs if re.search(args.filter, p.name)]
    if args.list:
        print("\n".join(p.name for p in programs))
        return 0
    runner = Runner(args)
    unknown = sorted(n for n in runner.pending.programs() if n not in names)
    if unknown:
        sys.exit(f"pending.txt names programs that are not there: {' '.join(unknown)}")
    begin, results = time.time(), []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        tasks = [pool.submit(runner.one, program, target, level)
                 for program in programs for target, level in combinations(program, args)]
        for task in concurrent.futures.as_completed(tasks):
            results += task.result()
    if re.search(args.filter, "selftest"):
        results += [Result("selftest", "-", "-", name, "passed" if good else "failed")
                    for name, good in selftest.results()]
    if not args.keep:
        bad = {r.program for r in results if r.status == "failed"}
        for program in programs:
            if program.name not in bad:
                for f in runner.builder.out.glob(program.name.replace("/", ".") + ".*"):
                    f.unlink()
    if args.refused:
        combos = {p.name: {f"{t}/{v}" for t, v in combinations(p, args)} for p in programs}
        Path(args.refused).write_text("\n".join(pending_lines(results, combos)) + "\n")
    if args.counts:
        Path(args.counts).write_text(json.dumps(runner.counts, indent=1, sort_keys=True))
    return report(results, args, programs, time.time() - begin)


if __name__ == "__main__":
    sys.exit(main())
