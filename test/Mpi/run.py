#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the MPI programs of this folder (see check.h) on several ranks.

Each program is compiled once per level, and run with each number of ranks. One result is one
(program, level, ranks). The last line of output is `N passed, M failed, K skipped`; the exit
code is 0 exactly when M is 0. Without Open MPI all are skipped.

A program with a file of Fortran beside it (Fortran.c, Fortran.f90) is both, linked before the
pass. Of the programs a third, drawn by --seed, also runs under MPICH, at one level.

A program that says "// threads: 1 2 3" is one of OpenMP, and run with these numbers of threads
in each rank, of which one is drawn for each number of ranks but the first.

One that says "// stops: TEXT" ends with this message of the runtime.

Of many results, --share takes a part, another one with each --seed: each program
is run at the level MANY at least, on 2 ranks or more.
"""
import argparse
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEVELS = {"O0": ["-O0"], "O1": ["-O1", "-g"], "O2": ["-O2"], "O3": ["-O3"],
          "O2split": ["-O2", "-mllvm", "-adze-force-split"],
          "O1poison": ["-O1", "-mllvm", "-adze-poison-tapes", "-mllvm", "-adze-keep-tapes=0"],
          "O2sync": ["-O2"],
          "O2wide": ["-O2", "-DADZE_WIDTH=3"]}
# Each send waits for its receive, as those of large messages do.
SYNCHRONOUS = "O2sync"
# Three directions at once, but of programs that say "// directions: one".
WIDE = "O2wide"
# Only where they are asked for: what is lost, or read and not written. Tapes are fresh.
FRESH = ["-gdwarf-4", "-mllvm", "-adze-keep-tapes=0"]
VALGRIND, SANITIZED = "O1valgrind", "O1asan"
ON_REQUEST = {VALGRIND: ["-O1", *FRESH],
              SANITIZED: ["-O1", *FRESH, "-fsanitize=address,undefined",
                          "-fno-sanitize-recover=undefined"]}
MEMCHECK = ["valgrind", "-q", "--error-exitcode=33", "--leak-check=full",
            "--errors-for-leak-kinds=definite", "--num-callers=60",
            f"--suppressions={HERE / 'support/valgrind.supp'}"]
RANKS = [1, 2, 3, 4, 8]
# All of them at this level, at others three: an uneven ring.
MANY = "O1"
FEW = [3]
TWO = [2]
# Of the programs, those that MPICH runs, too; and on how many ranks.
MPICH_SHARE = 1 / 3
MPICH_RANKS = [2, 3]
# Programs that one processor compiles before they are run.
AHEAD = 4
# What Fortran's names for MPI's functions are in.
FORTRAN_LIBRARY = {"openmpi": "-lmpi_mpifh", "mpich": "-lmpichfort"}


def wrapper_flags(name):
    """What Open MPI's compiler `name` adds to compile, and to link; None without it."""
    if not shutil.which(name) or not shutil.which("mpirun"):
        return None
    flags = []
    for what in ("compile", "link"):
        done = subprocess.run([name, f"--showme:{what}"], capture_output=True, text=True)
        if done.returncode:
            return None
        flags.append(done.stdout.split())
    return flags


def mpich_flags(name):
    """The same of MPICH's compiler."""
    if not shutil.which(name) or not shutil.which("mpiexec.mpich"):
        return None
    done = subprocess.run([name, "-show"], capture_output=True, text=True)
    words = done.stdout.split()
    if done.returncode:
        return None
    return [[w for w in words if w.startswith("-I")],
            [w for w in words if w.startswith(("-L", "-l"))]]


def run(command, limit, **environment):
    """Exit status (None if it took too long) and output; all processes end."""
    # Leaks are valgrind's: it is told of the library's own. A library below MPI must not patch
    # functions that the sanitizer has replaced.
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", UCX_MEM_MMAP_HOOK_MODE="none")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True,
                               env={**env, **environment})
    try:
        output, _ = process.communicate(timeout=limit)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output


def mpirun(ranks, program, tool=()):
    # As many as asked for, on one machine, also for the superuser. (The component "rdma" makes no
    # windows for a rank alone.)
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca",
            "btl_base_warn_component_unused", "0", "--mca", "osc", "^rdma", "-n", str(ranks),
            *tool, str(program)]


def mpiexec(ranks, program, tool=()):
    return ["mpiexec.mpich", "-n", str(ranks), *tool, str(program)]


def run_ranks(source, launch, number, program, tool, limit, threads):
    """Status and output of a program by so many ranks."""
    environment = {"OMP_NUM_THREADS": str(threads or 1)}
    if not message_of(source):
        return run(launch(number, program, tool), limit, **environment)
    # A launcher that ends all ranks may lose what the last of them said.
    errors = Path(f"{program}.errors")
    errors.write_text("")
    tool = ["sh", "-c", 'exec "$@" 2>>"$0"', str(errors), *tool]
    ended, said = run(launch(number, program, tool), limit, **environment)
    return ended, said + errors.read_text(errors="replace")


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.why = set()

    def skip(self, number, why):
        self.skipped += number
        self.why.add(why)

    def add(self, what, fault, output=""):
        if not fault:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {what}: {fault}\n{output[-3000:]}", flush=True)


def is_drawn(args, *what):
    """Whether the sample of this seed has it: of programs in several directions, half as many."""
    text = " ".join([args.seed, *map(str, what)]).encode()
    share = args.share / 2 if WIDE in what and args.share < 1 else args.share
    return int(hashlib.sha256(text).hexdigest()[:8], 16) < share * 2 ** 32


def ranks_at(source, level, args):
    """The numbers of ranks to run a program on: none if the level is not drawn."""
    if args.ranks:
        ranks = [int(n) for n in args.ranks.split(",")]
    else:
        ranks = RANKS if level == MANY else TWO if level in ON_REQUEST else FEW
    if level != MANY:
        return ranks if is_drawn(args, source.name, level) else []
    drawn = [n for n in ranks if is_drawn(args, source.name, level, n)]
    # One rank alone says little.
    return drawn if any(n > 1 for n in drawn) else sorted({*drawn, ranks[-1]})


def threads_of(source):
    """The numbers of threads that a program says; none if it has no regions."""
    said = re.search(r"^// threads: (.*)$", source.read_text(), re.M)
    return [int(n) for n in said.group(1).split()] if said else []


def levels_of(source, args):
    """Those that are asked for. A program may say that it sends before anybody receives."""
    is_buffered = re.search(r"^// sends: buffered$", source.read_text(), re.M)
    is_wide = not re.search(r"^// directions: one$", source.read_text(), re.M)
    return [level for level in args.levels.split(",")
            if not (is_buffered and level == SYNCHRONOUS) and (is_wide or level != WIDE)]


def message_of(source):
    """The message with which a program ends; none if it is to go on."""
    said = re.search(r"^// stops: (.*)$", source.read_text(), re.M)
    return said.group(1) if said else None


def fault_of(source, ended, said):
    """What is wrong with a run; empty if nothing is."""
    if ended is None:
        return "deadlock"
    if message := message_of(source):
        return "" if ended and message in said else f"status {ended}, without its message"
    if ended:
        return f"status {ended}"
    return "" if re.search(r"^\d+ tests, 0 failures$", said, re.M) else "no result"


def flags_of(level):
    return LEVELS.get(level) or ON_REQUEST[level]


def fortran_of(source):
    """The file of Fortran beside a program, or None."""
    beside = source.with_suffix(".f90")
    return beside if beside.exists() else None


def compile_with_fortran(source, level, program, args, flags, library):
    """Compiles a program of C and its functions of Fortran; status and output."""
    def bitcode(what):
        return f"{program}.{what}.bc"

    plugin = str(args.plugin.resolve())
    compile_flags, link_flags = flags
    optimize = [f for f in flags_of(level) if f.startswith("-O")]
    # mpif.h is where mpi.h is.
    include = [f for f in compile_flags if f.startswith("-I")]
    found = subprocess.run([args.clang, "-print-file-name=libFortranRuntime.a"],
                           capture_output=True, text=True)
    libraries = [f"-L{Path(found.stdout.strip()).parent}", "-lFortranRuntime",
                 "-lFortranDecimal", "-lstdc++"]
    options = [f for f in flags_of(level) if f.startswith("-adze")]
    status, output = 0, ""
    for command in (
            [args.flang, *optimize, "-emit-llvm", "-c", *include, str(fortran_of(source)),
             "-o", bitcode("f")],
            [args.clang, *flags_of(level)[:1], *compile_flags, f"-I{ROOT / 'include'}", "-emit-llvm",
             "-c", str(source), "-o", bitcode("c")],
            [args.llvm_link, bitcode("f"), bitcode("c"), "-o", bitcode("both")],
            [args.opt, f"-load-pass-plugin={plugin}", *options, "-passes=adze", bitcode("both"),
             "-o", bitcode("ad")],
            [args.clang, *optimize, "-Wno-override-module", bitcode("ad"), "-o", str(program),
             FORTRAN_LIBRARY[library], *link_flags, *libraries, "-lm"]):
        status, output = run(command, args.limit)
        if status != 0:
            break
    return status, output


def synchronous_sends(program, clang, flags):
    """What is linked to each program at that level."""
    made = f"{program}.synchronous.o"
    subprocess.run([clang, "-O2", *flags[0], "-c", str(HERE / "support/synchronous.c"), "-o", made],
                   check=True)
    return [made]


def compile_program(source, level, program, args, flags, library):
    """Status and output."""
    if level == SYNCHRONOUS:
        flags = [flags[0], [*synchronous_sends(program, args.clang, flags), *flags[1]]]
    if fortran_of(source):
        return compile_with_fortran(source, level, program, args, flags, library)
    is_cplusplus = source.suffix == ".cpp"
    clang = args.clang.replace("clang", "clang++") if is_cplusplus else args.clang
    plugin = str(args.plugin.resolve())
    compile_flags, link_flags = flags
    openmp = ["-fopenmp"] if threads_of(source) else []
    return run([clang, *flags_of(level), *openmp, *compile_flags, f"-I{ROOT / 'include'}", "-Wno-deprecated",
                "-Xclang", "-load", "-Xclang", plugin, f"-fpass-plugin={plugin}", str(source),
                "-o", str(program), *link_flags, "-lm"], args.limit)


def with_threads(source, level, ranks, args):
    """Pairs of ranks and threads: all threads with the first number of ranks, one with others."""
    threads = threads_of(source) or [0]
    for which, number in enumerate(ranks):
        text = f"{args.seed} {source.name} {level} {number}".encode()
        drawn = int(hashlib.sha256(text).hexdigest()[:8], 16) % len(threads)
        for each in threads if which == 0 or args.all_threads else [threads[drawn]]:
            yield number, each


class Job(NamedTuple):
    """A program at a level, and the numbers of ranks that it is run on."""
    source: Path
    level: str
    ranks: list
    flags: list
    library: str

    def program(self, args):
        suffix = "-mpich" if self.library == "mpich" else ""
        return args.build_dir / f"{self.source.stem}-{self.level}{suffix}"

    def compile(self, args):
        return compile_program(self.source, self.level, self.program(args), args, self.flags,
                               self.library)


def test(job, compiled, args, counts):
    """These numbers of ranks of one program at one level."""
    status, output = compiled
    is_mpich = job.library == "mpich"
    for number, threads in with_threads(job.source, job.level, job.ranks, args):
        what = f"{job.source.name} {job.level} {number} ranks{' MPICH' if is_mpich else ''}"
        if threads:
            what += f" {threads} threads"
        if status != 0:
            counts.add(what, "does not compile", output)
            continue
        launch = mpiexec if is_mpich else mpirun
        tool = MEMCHECK if job.level == VALGRIND else ()
        ended, said = run_ranks(job.source, launch, number, job.program(args), tool, args.limit, threads)
        if why := re.search(r"^skipped: (.*)$", said, re.M):
            counts.skip(1, why.group(1))
            continue
        counts.add(what, fault_of(job.source, ended, said), said)


def mpich_job(source, args, counts):
    """One program under MPICH, if it is drawn, at one of the levels; or None."""
    text = f"{args.seed} {source.name} mpich".encode()
    drawn = int(hashlib.sha256(text).hexdigest()[:8], 16)
    levels = levels_of(source, args)
    if drawn >= args.mpich * 2 ** 32 or not levels:
        return None
    flags = mpich_flags("mpicxx.mpich" if source.suffix == ".cpp" else "mpicc.mpich")
    if not flags:
        counts.skip(len(MPICH_RANKS), "MPICH's compiler or mpiexec is not there")
        return None
    return Job(source, levels[drawn % len(levels)], MPICH_RANKS, flags, "mpich")


def jobs_of(source, args, counts):
    """Those of one program that are drawn. What the machine lacks is counted as skipped."""
    flags = wrapper_flags("mpicxx" if source.suffix == ".cpp" else "mpicc")
    has_fortran = not fortran_of(source) or shutil.which(args.flang)
    for level in levels_of(source, args):
        ranks = ranks_at(source, level, args)
        if not flags:
            counts.skip(len(ranks), "Open MPI's compiler or mpirun is not there")
        elif not has_fortran:
            counts.skip(len(ranks), f"{args.flang} is not there")
        elif ranks:
            yield Job(source, level, ranks, flags, "openmpi")
    if has_fortran and (job := mpich_job(source, args, counts)):
        yield job


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", type=Path, required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--flang", default="flang-new-19")
    parser.add_argument("--llvm-link", default="llvm-link-19")
    parser.add_argument("--opt", default="opt-19")
    parser.add_argument("--mpich", type=float, default=MPICH_SHARE,
                        help="this part, 0 to 1, of the programs also under MPICH")
    parser.add_argument("--build-dir", type=Path, default=Path("build/mpi"))
    parser.add_argument("--levels", default=",".join(LEVELS),
                        help=f"of these, and {', '.join(ON_REQUEST)}")
    parser.add_argument("--ranks", help="numbers, for all levels")
    parser.add_argument("--filter", default="", help="regular expression of names")
    parser.add_argument("--share", type=float, default=1,
                        help="this part, 0 to 1, of levels and ranks, drawn by --seed")
    parser.add_argument("--seed", default="1", help="any text")
    parser.add_argument("--all-threads", action="store_true",
                        help="all numbers of threads with each number of ranks")
    parser.add_argument("--limit", type=float, default=120, help="seconds a command")
    args = parser.parse_args()
    args.build_dir.mkdir(parents=True, exist_ok=True)
    counts = Counts()
    if args.share < 1:
        print(f"a sample: --share {args.share:g} --seed {args.seed}")
    jobs = []
    for source in sorted([*HERE.glob("*.c"), *HERE.glob("*.cpp")]):
        if not re.search(args.filter, source.name):
            continue
        jobs += jobs_of(source, args, counts)
    # Compiled side by side, some ahead; run one by one, since ranks wait without sleeping.
    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        for first in range(0, len(jobs), AHEAD * workers):
            some = jobs[first:first + AHEAD * workers]
            for job, compiled in list(zip(some, pool.map(lambda job: job.compile(args), some))):
                test(job, compiled, args, counts)
    for why in sorted(counts.why):
        print(f"skipped: {why}")
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return counts.failed != 0


if __name__ == "__main__":
    sys.exit(main())
