#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the numeric programs of this folder (see README.md and check.h).

Every program is compiled once per level, with the reverse and the forward call in one
binary; only where that fails is each mode compiled alone, so that one does not hide the
other. One result is one (program, level, mode). The last line of output is
`N passed, M failed, K skipped`; the exit code is 0 exactly when M is 0 and N is not.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from programs import (ALL_LEVELS, ALWAYS, COSTLY, DEFAULT_LEVELS, DELAYED, FRONT_END, HERE,
                      JIT, LEVELS, LIBCXX, MODES, ON_REQUEST, POISON, POISONED, RACES,
                      SANITIZED_LEVELS, VALGRIND, VARIANTS, VECTORIZED, Program)

# The sanitizer wants to know where memory is.
STEADY = ["setarch", "-R"]
MEMCHECK = ["valgrind", "-q", "--error-exitcode=33",
            "--errors-for-leak-kinds=definite,possible", "--num-callers=8",
            f"--suppressions={HERE / 'openmp.supp'}"]
RACE = """volatile int n;
int main(void) {
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 1000; ++i) {
    n += i;
#pragma omp barrier
  }
  return 0;
}
"""
BITS = {"reverse": 1, "forward": 2}
DOT, PRIMAL, NOTHING = 4, 8, 16
# Text that only a crashing compiler writes.
CRASH = re.compile(r"PLEASE submit a bug|Stack dump:|Segmentation fault|core dumped|"
                   r"LLVM ERROR|UNREACHABLE|symbol lookup error|"
                   r"command failed due to signal|command failed with exit code")
# What differs between levels though nothing else does.
NOISE = re.compile(r"\bO[0-3][a-z]*\b|\bvec\b|-fno-strict-aliasing|-g\b|0x[0-9a-f]+|"
                   r"\S*/\S+|-?\d+\.?\d*(e[-+]\d+)?|nan")
# The plugin's own error messages end with one of these lines.
REFUSAL = re.compile(r"error:.*(to fix:|in the derivative that ')", re.S)


class Result:
    def __init__(self, program, level, mode, status, detail=""):
        self.program, self.level, self.mode = program, level, mode
        self.status, self.detail = status, detail

    def key(self):
        return (self.program, self.level, self.mode)


def execute(command, limit, env=None):
    """(exit code, text); a code of None says that a time limit passed. The limit is on
    processor time, so that a busy machine fails nothing; ten times that by the clock."""
    limited = ["/bin/sh", "-c", 'ulimit -t "$0"; exec "$@"', str(int(limit)), *command]
    # Killed as a group: a compiler driver leaves its children behind.
    p = subprocess.Popen(limited, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env,
                         stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        text = p.communicate(timeout=10 * limit)[0].decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        text = p.communicate()[0].decode("utf-8", "replace")
        return None, text + f"\nclock limit of {10 * limit:.0f} s passed"
    if p.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or "CPU time limit" in text:
        return None, text + f"\nprocessor time limit of {limit:.0f} s passed"
    return p.returncode, text


class Runner:
    def __init__(self, args):
        self.args = args
        self.out = Path(args.build_dir).resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.env = dict(os.environ, MALLOC_PERTURB_="165", LC_ALL="C",
                        # Threads that wait leave the processor to others.
                        KMP_BLOCKTIME="0", OMP_SCHEDULE="dynamic,2", ADZE_DELAYS="1")
        self.includes = [f"-I{HERE}", *(f"-I{d}" for d in args.include)]
        self.features = {}

    def compiler(self, program):
        return [self.args.clangxx if program.cxx else self.args.clang]

    def plugin(self, level):
        if not self.args.plugin:
            return []
        p = str(Path(self.args.plugin).resolve())
        # The early load makes the pass's options known to -mllvm.
        flags = ["-Xclang", "-load", "-Xclang", p, f"-fpass-plugin={p}"]
        if level == FRONT_END:
            flags.append(f"-fplugin={Path(self.args.clang_plugin).resolve()}")
        if level == POISON or level in ON_REQUEST and level not in JIT:
            flags += POISONED
        return flags

    def runtime(self):
        """check.o, made without the plugin, and check.bc for lli."""
        for name, extra in (("check.o", []), ("check.bc", ["-emit-llvm"])):
            code, text = execute([self.args.clang, "-O1", "-Wall", "-Werror", *self.includes,
                                  *extra, "-c", str(HERE / "check.c"), "-o",
                                  str(self.out / name)], 120)
            if code != 0:
                sys.exit(f"check.c does not compile:\n{text}")

    def has(self, feature):
        """arch:NAME, header:NAME, type:NAME, libcxx or races, asked of the compiler once;
        cpu:FLAG."""
        if feature not in self.features:
            kind, _, what = feature.partition(":")
            if kind == "libcxx":
                p = subprocess.run([self.args.clangxx, "-stdlib=libc++", "-x", "c++",
                                    "-fsyntax-only", "-"], input=b"#include <vector>\n",
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.features[feature] = p.returncode == 0
                return self.features[feature]
            if kind == "races":
                self.features[feature] = self.finds_races()
                return self.features[feature]
            if kind == "cpu":
                info = Path("/proc/cpuinfo")
                flags = info.read_text().split() if info.exists() else []
                self.features[feature] = what in flags
                return self.features[feature]
            if kind == "arch":
                source = f"#ifndef __{what}__\n#error no\n#endif\n"
            elif kind == "header":
                # Not included: it may be of another language.
                source = f"#if !__has_include(<{what}>)\n#error no\n#endif\n"
            elif kind == "type":
                source = f"{what} f({what} a) {{ return a + a; }}\n"
            else:
                sys.exit(f"unknown feature '{feature}'")
            p = subprocess.run([self.args.clang, "-x", "c", "-fsyntax-only", "-"],
                               input=source.encode(), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
            self.features[feature] = p.returncode == 0
        return self.features[feature]

    def finds_races(self):
        """ThreadSanitizer and Archer are there and find the race of a small program."""
        if not self.archer():
            return False
        # More than one thread may ask at the same time.
        with tempfile.TemporaryDirectory(dir=self.out) as place:
            source, binary = Path(place) / "race.c", Path(place) / "race"
            source.write_text(RACE)
            made, _ = execute([self.args.clang, "-O0", "-g", "-fopenmp", "-fsanitize=thread",
                               str(source), "-o", str(binary)], 60)
            _, text = execute([*STEADY, str(binary)], 60, env=self.race_env()) \
                if made == 0 else (None, "")
        return "WARNING: ThreadSanitizer: data race" in text

    def archer(self):
        p = subprocess.run([self.args.clang, "-print-file-name=libarcher.so"],
                           capture_output=True, text=True)
        return p.stdout.strip() if "/" in p.stdout else ""

    def race_env(self):
        # KMP_TASKING=0: the tasks of primals run where they are created. The runtime uses
        # their memory again without telling anyone, which looks like a race.
        return dict(self.env, OMP_TOOL_LIBRARIES=self.archer(), KMP_TASKING="0",
                    TSAN_OPTIONS="ignore_noninstrumented_modules=1")

    def compile(self, program, level, modes, stem):
        """(ok, text, crashed) of making the binary with these modes' markers in it."""
        binary = str(self.out / stem)
        defines = ["-DADZE_PRIMAL_ONLY"] if not modes else [
            f"-DADZE_REVERSE={int('reverse' in modes)}",
            f"-DADZE_FORWARD={int('forward' in modes)}"]
        common = self.compiler(program) + [
            "-fno-color-diagnostics", "-fno-crash-diagnostics", *self.includes, *defines,
            *program.words("flags")]
        link = [str(self.out / "check.o"), *program.words("libs"), "-lm", "-o", binary]
        source = str(program.path)
        if "fortran" in program.opts:
            steps = self.with_fortran(program, level, modes, common, binary)
        elif level in JIT:
            base, extra = JIT[level]
            steps = [common + [f"-{base}", *extra, *(self.plugin(level) if modes else []),
                               "-emit-llvm", "-c", source, "-o", binary + ".bc"]]
        elif level != VECTORIZED:
            base, extra = VARIANTS.get(level, (level, []))
            steps = [common + [f"-{base}", *extra,
                               *(self.plugin(level) if modes else []), source, *link]]
        else:
            # Vector code first, markers second, the back end last.
            bc, ad = binary + ".bc", binary + ".ad.bc"
            steps = [common + ["-O3", "-emit-llvm", "-c", source, "-o", bc]]
            if modes:
                p = str(Path(self.args.plugin).resolve())
                steps.append([self.args.opt, f"-load-pass-plugin={p}", "-passes=adze", bc,
                              "-o", ad])
            steps.append(self.compiler(program) + ["-O2", "-Wno-override-module",
                                                   ad if modes else bc, *link])
        limit = float(program.opts.get("compile-limit", self.args.compile_limit))
        for step in steps:
            code, text = execute(step, limit, env=self.env)
            if code != 0:
                crashed = code is None or code < 0 or code >= 128 or CRASH.search(text)
                return False, shlex.join(step) + "\n" + text, bool(crashed)
        return True, "", False

    def by_lli(self, program, stem, which):
        """The command that runs a program's bitcode, with the libraries that it names."""
        names = ["libstdc++.so.6"] * program.cxx
        names += ["libomp.so"] * ("-fopenmp" in program.words("flags"))
        names += [f"lib{word[2:]}.so" for word in program.words("libs") if word.startswith("-l")]
        loads = []
        for name in names:
            p = subprocess.run([self.args.clang, f"-print-file-name={name}"],
                               capture_output=True, text=True, check=False)
            loads.append(f"-load={p.stdout.strip()}")
        # (The function main is looked for in the first module.)
        return [self.args.lli, f"-jit-kind={self.args.jit_kind}", *loads,
                f"--extra-module={self.out / stem}.bc", str(self.out / "check.bc"), which]

    def with_fortran(self, program, level, modes, common, binary):
        """Commands for a program and its functions of Fortran, linked before the pass."""
        fortran, bc, both, ad = (f"{binary}.{end}.bc" for end in ("f", "c", "both", "ad"))
        source = program.path.parent / program.opts["fortran"]
        steps = [[self.args.flang, *program.words("flags"), f"-{level}", "-emit-llvm", "-c",
                  "-module-dir", str(self.out), str(source), "-o", fortran],
                 common + [f"-{level}", "-emit-llvm", "-c", str(program.path), "-o", bc],
                 [self.args.llvm_link, fortran, bc, "-o", both]]
        if modes:
            p = str(Path(self.args.plugin).resolve())
            steps.append([self.args.opt, f"-load-pass-plugin={p}", "-passes=adze", both,
                          "-o", ad])
        return steps + [[self.args.clang, f"-{level}", "-Wno-override-module",
                         *program.words("flags"), ad if modes else both,
                         str(self.out / "check.o"), *program.words("libs"),
                         *self.fortran_libraries(), "-lm", "-o", binary]]

    def fortran_libraries(self):
        p = subprocess.run([self.args.clang, "-print-file-name=libFortranRuntime.a"],
                           capture_output=True, text=True, check=False)
        return [f"-L{Path(p.stdout.strip()).parent}", "-lFortranRuntime", "-lFortranDecimal",
                "-lstdc++"]

    def judge(self, program, level, modes, stem):
        """Results of an existing binary; when it dies, each mode is run alone."""
        binary = str(self.out / stem)
        which = "all" if len(modes) == 2 else modes[0] if modes else "primal"
        command, limit, env = [binary, which], self.args.run_limit, self.env
        if level in JIT:
            command, limit = self.by_lli(program, stem, which), 4 * limit
        leaks = "leaks" in program.opts
        if level == VALGRIND:
            check = ["--leak-check=no"] if leaks else ["--leak-check=full"]
            command, limit = MEMCHECK + check + command, 30 * limit
        elif level in RACES:
            command, limit, env = STEADY + command, 4 * limit, self.race_env()
        elif level in DELAYED:
            limit *= 4  # threads that wait for one that sleeps use the processor
        elif leaks and level in SANITIZED_LEVELS:
            env = dict(env, ASAN_OPTIONS="detect_leaks=0")
        code, text = execute(command, limit, env=env)
        for number in range(1, self.args.delays if level in DELAYED else 1):
            if code == 0:
                code, text = execute(command, limit, env=dict(env, ADZE_DELAYS=str(number + 1)))
        last = text.rstrip().rsplit("\n", 1)[-1]
        if not modes:
            good = code == 0 and last.startswith("adze-check:")
            return [Result(program.name, level, "primal", "passed" if good else "failed",
                           text)]
        if code is not None and 0 <= code < 32 and last.startswith("adze-check:"):
            verdicts = dict(re.findall(r"(\w+)=(\S+)", last))
            results = []
            for mode in modes:
                bad = code & (BITS[mode] | PRIMAL | NOTHING)
                bad |= code & DOT
                if not bad and verdicts.get(mode) == "none":
                    results.append(Result(program.name, level, mode, "absent"))
                else:
                    results.append(Result(program.name, level, mode,
                                          "failed" if bad else "passed", text))
            return results
        if len(modes) == 2:
            return [r for m in modes for r in self.judge(program, level, [m], stem)]
        if program.may_refuse(level) and text.startswith("adze: "):
            # Refused when it runs: what it would have to know depends on its data.
            return [Result(program.name, level, modes[0], "passed", "refused\n" + text)]
        reason = "time limit" if code is None else f"exit code {code}"
        return [Result(program.name, level, modes[0], "failed",
                       f"the program died ({reason})\n{text}")]

    def one(self, program, level, wanted):
        stem = program.name.replace("/", ".") + "." + level
        ok, text, crashed = self.compile(program, level, wanted, stem)
        if ok:
            return self.judge(program, level, wanted, stem)
        if not wanted:
            return [Result(program.name, level, "primal", "failed", text)]
        if len(wanted) == 1:
            return [self.refused(program, level, wanted[0], text, crashed)]
        results = []
        for mode in wanted:
            alone, why, crash = self.compile(program, level, [mode], stem + "." + mode)
            if alone:
                results += self.judge(program, level, [mode], stem + "." + mode)
            else:
                results.append(self.refused(program, level, mode, why, crash))
        if all(r.status in ("passed", "absent") and not r.detail.startswith("refused")
               for r in results):
            text = "each mode compiles alone, both together do not\n" + text
            results = [Result(program.name, level, m, "failed", text) for m in wanted]
        return results

    def refused(self, program, level, mode, text, crashed):
        """A refusal is a pass only where the program allows one and it is one of the
        plugin's error messages: not a crash, not an undefined symbol at link time."""
        clean = REFUSAL.search(text) and not crashed and "undefined reference" not in text
        if program.may_refuse(level) and clean:
            return Result(program.name, level, mode, "passed", "refused\n" + text)
        what = "compiler crash" if crashed else "does not compile"
        return Result(program.name, level, mode, "failed", f"{what}\n{text}")

    def safely(self, program, level, wanted):
        """Applies skip-unless and fail-level around one()."""
        for feature in program.list("skip-unless", []):
            if not self.has(feature):
                return [Result(program.name, level, m, "skipped", f"needs {feature}")
                        for m in wanted or ["primal"]]
        if "fortran" in program.opts and not shutil.which(self.args.flang):
            return [Result(program.name, level, m, "skipped", f"there is no {self.args.flang}")
                    for m in wanted or ["primal"]]
        if level in LIBCXX and not self.has("libcxx"):
            return [Result(program.name, level, m, "skipped", "libc++ is not installed")
                    for m in wanted or ["primal"]]
        if level in RACES and not self.has("races"):
            return [Result(program.name, level, m, "skipped", "no race is found here")
                    for m in wanted or ["primal"]]
        if level == FRONT_END and wanted and not Path(self.args.clang_plugin).is_file():
            return [Result(program.name, level, m, "skipped",
                           f"no front-end plugin at {self.args.clang_plugin}")
                    for m in wanted]
        results = [r for r in self.one(program, level, wanted) if r.status != "absent"]
        if not results:
            return [Result(program.name, level, "none", "failed",
                           "no mode of this program was checked")]
        expected = program.list("fail-level", [])
        for r in results:
            if wanted and (level in expected or f"{r.mode}@{level}" in expected):
                if r.status == "failed":
                    r.status = "skipped"
                    r.detail = f"known: {program.opts.get('reason', '')}\n{r.detail}"
                elif r.status == "passed":
                    r.status, r.detail = "failed", "passes, but is listed as failing"
        return results


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    p.add_argument("--plugin", help="path of Adze.so")
    p.add_argument("--clang-plugin", help="path of ClangAdze.so; default: beside --plugin")
    p.add_argument("--clang", default="clang-19")
    p.add_argument("--clangxx", help="default: --clang with ++")
    p.add_argument("--opt", default="opt-19")
    p.add_argument("--lli", default="lli-19")
    p.add_argument("--jit-kind", choices=["orc", "mcjit"], default="orc")
    p.add_argument("--flang", default="flang-new-19")
    p.add_argument("--llvm-link", default="llvm-link-19")
    p.add_argument("--filter", default="", help="regular expression on Topic/Name")
    p.add_argument("--modes", default="reverse,forward",
                   help="reverse,forward; or primal: no plugin, only the tests' own "
                        "closed forms against differences")
    p.add_argument("--levels", help="some of " + ",".join(ALL_LEVELS))
    p.add_argument("--share", type=float, default=1,
                   help="this part, 0 to 1, of the levels of each program, drawn by --seed, "
                        "and in any case " + ", ".join(ALWAYS) +
                        f"; but one level of a program whose compile-limit is {COSTLY} or more")
    p.add_argument("--seed", default="1", help="any text")
    p.add_argument("--build-dir", default="build/numeric")
    p.add_argument("--include", action="append", default=[], help="folder of adze/adze.h")
    p.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    p.add_argument("--compile-limit", type=float, default=30,
                   help="seconds of processor time")
    p.add_argument("--run-limit", type=float, default=20)
    p.add_argument("--delays", type=int, default=3,
                   help="how often programs with delays are run, each time with others")
    p.add_argument("--list-failures", action="store_true", help="with what was printed")
    p.add_argument("--list", action="store_true", help="print the programs and stop")
    p.add_argument("--keep", action="store_true", help="keep the binaries that passed")
    p.add_argument("--json", help="write all results to this file")
    args = p.parse_args()
    if not args.include:
        args.include = [str(HERE.parent.parent / "include")]
    if not args.clangxx:
        args.clangxx = re.sub(r"clang(?=[^/]*$)", "clang++", args.clang, count=1)
    args.modes = [m for m in args.modes.split(",") if m]
    if args.levels is None:
        # Without derivatives, the variants would run the same code again.
        args.levels = ",".join(DEFAULT_LEVELS if args.modes != ["primal"]
                               else LEVELS + [VECTORIZED])
    args.levels = [v for v in args.levels.split(",") if v]
    if not set(args.levels) <= set(ALL_LEVELS):
        p.error(f"--levels: {','.join(ALL_LEVELS)}")
    if not args.clang_plugin:
        args.clang_plugin = str(Path(args.plugin or ".").parent / "ClangAdze.so")
    if args.modes != ["primal"] and not args.list:
        if not set(args.modes) <= set(MODES):
            p.error(f"--modes: {','.join(MODES)} or primal")
        if not args.plugin:
            p.error("--plugin is needed (or --modes primal)")
        if not Path(args.plugin).is_file():
            p.error(f"no plugin at {args.plugin}")
    return args


def table(results, modes, levels):
    cell = {}
    for r in results:
        entry = cell.setdefault((r.mode, r.level), [0, 0])
        entry[0] += r.status == "passed"
        entry[1] += r.status != "skipped"
    used = [v for v in levels if any((m, v) in cell for m in modes)]
    print(f"{'passed/run':<12}" + "".join(f"{v:>12}" for v in used))
    for m in modes:
        row = [cell.get((m, v), [0, 0]) for v in used]
        print(f"{m:<12}" + "".join(f"{f'{a}/{b}':>12}" for a, b in row))


def report(results, programs, args, seconds):
    failed = [r for r in results if r.status == "failed"]
    groups = {}
    for r in sorted(failed, key=lambda r: (r.program, r.mode, r.level)):
        # The same complaint at the next level is not worth reading again.
        same = (r.program, r.mode, NOISE.sub("", r.detail) if args.list_failures else "")
        groups.setdefault(same, []).append(r)
    for (program, mode, _), members in groups.items():
        print(f"FAIL {program} {mode} at {' '.join(r.level for r in members)}")
        if args.list_failures:
            lines = members[0].detail.strip().split("\n")
            if len(lines) > 24:
                lines = lines[:12] + ["..."] + lines[-11:]
            print("\n".join("    " + line for line in lines))
    modes = args.modes
    table(results, modes, args.levels)
    bad = {r.program for r in failed}
    refusals = sorted({r.program for r in results if r.status == "passed"
                       and r.detail.startswith("refused")})
    if refusals:
        print("refused, as they may be: " + " ".join(refusals))
    skips = collections.Counter(r.detail.split("\n", 1)[0] for r in results
                                if r.status == "skipped")
    for reason, number in sorted(skips.items()):
        print(f"skipped, {number} results: {reason}")
    right = {level: {r.program for r in results if r.level == level} -
             {r.program for r in results if r.level == level and (
                 r.status != "passed" or r.detail.startswith("refused"))}
             for level in args.levels}
    if "O0" in right and right.get(FRONT_END):
        needy = sorted(right[FRONT_END] - right["O0"])
        print(f"at -O0, {len(needy)} of {len(right[FRONT_END])} programs need the front-end "
              f"plugin: {' '.join(needy)}")
    print(f"{len(programs)} programs, {len(programs) - len(bad)} right in every mode and "
          f"level, {seconds:.0f} s")
    if args.share < 1:
        print(f"a sample of levels: --share {args.share:g} --seed {args.seed}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as f:
            json.dump([vars(r) for r in sorted(results, key=Result.key)], f, indent=1)
    count = {s: sum(r.status == s for r in results)
             for s in ("passed", "failed", "skipped")}
    print(f"{count['passed']} passed, {count['failed']} failed, "
          f"{count['skipped']} skipped")
    return 0 if count["passed"] and not count["failed"] else 1


def main():
    args = parse_arguments()
    sources = sorted(s for s in [*HERE.glob("*/*.c"), *HERE.glob("*/*.cpp")]
                     if s.parent.name != "selftest")
    programs = [Program(s) for s in sources]
    names = [p.name for p in programs]
    for name in {n for n in names if names.count(n) > 1}:
        sys.exit(f"two programs are called {name}")
    programs = [p for p in programs if re.search(args.filter, p.name)]
    if args.list:
        print("\n".join(p.name for p in programs))
        return 0
    runner = Runner(args)
    runner.runtime()
    begin = time.time()
    results, tasks = [], {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program in programs:
            if args.modes == ["primal"]:
                modes = []
            else:
                modes = [m for m in args.modes if m in program.list("modes", MODES)]
                if not modes:
                    continue
            levels = program.levels_among(args.levels)
            for level in program.sample(levels, args.share, args.seed):
                tasks[pool.submit(runner.safely, program, level, modes)] = program
        if not tasks:
            sys.exit("nothing to run: no program has these levels and modes")
        for task in concurrent.futures.as_completed(tasks):
            results += task.result()
    if not args.keep:
        good = {r.program for r in results} - {
            r.program for r in results if r.status == "failed"}
        for name in good:
            for f in runner.out.glob(name.replace("/", ".") + ".*"):
                f.unlink()
    return report(results, programs, args, time.time() - begin)


if __name__ == "__main__":
    sys.exit(main())
