#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that check.c finds faults: each fault of selftest.c against the exit bits it must
set; and what run.py makes of directives. Usage: selftest.py [--clang clang-19] [--include DIR]"""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import run as runner  # noqa: E402
REVERSE, FORWARD, DOT, PRIMAL, NOTHING = 1, 2, 4, 8, 16
# fault: (what it is, exit code that must come); None says the last line must be missing.
FAULTS = {
    0: ("no fault", 0),
    1: ("wrong entry in reverse mode", REVERSE),
    2: ("wrong entry in forward mode", FORWARD),
    3: ("the same wrong entry in both modes", REVERSE | FORWARD),
    4: ("shadow overwritten, not added to", REVERSE),
    5: ("adjoint of an output not zeroed", REVERSE),
    6: ("wrong primal result", REVERSE),
    7: ("the third gradient differs in the last digit", REVERSE),
    8: ("write after the shadow", REVERSE),
    9: ("an error too small for differences", DOT),
    10: ("a tangent not written", FORWARD),
    11: ("an input changed", REVERSE),
    12: ("no case in the program", NOTHING),
    13: ("wrong closed form", PRIMAL | REVERSE | FORWARD),
    14: ("NaN", REVERSE),
    15: ("a hand-written body that differs when repeated", REVERSE),
    16: ("the program ends early with code 0", None),
    17: ("write before the shadow", REVERSE),
    18: ("wrong number in a hand-written body", FORWARD),
    19: ("a hand-written body without comparisons", NOTHING),
    20: ("neither closed form nor differences", NOTHING),
}


# directive: (levels it leaves, levels at which it allows a refusal)
DIRECTIVES = {
    "": (runner.LEVELS + ["O0clang", "O2noalias", "O0g", "O2g", "O2poison", "O2split",
                          "O2again"], []),
    "levels=O2,O3": (["O2", "O3", "O2noalias", "O2g", "O2poison", "O2split", "O2again"], []),
    "levels=O0g": (["O0g"], []),
    "vectorized levels=O1": (["O1", "vec"], []),
    "levels=O0 may-refuse": (["O0", "O0clang", "O0g"], ["O0", "O0clang", "O0g"]),
    "levels=O0 may-refuse=O0,O0g": (["O0", "O0clang", "O0g"], ["O0", "O0g"]),
}
# directive: the levels of several directions at which it allows a refusal
WIDE_REFUSALS = {
    "": [],
    "may-refuse": ["O0wide", "O2wide"],
    "may-refuse=O0": ["O0wide"],
    "may-refuse=O2wide,O1": ["O2wide"],
}


def directives(folder):
    """How many directives are misread."""
    bad = 0
    for number, (line, want) in enumerate(DIRECTIVES.items()):
        path = Path(folder) / f"d{number}.c"
        path.write_text(f"// ADZE: {line}\n", encoding="utf-8")
        program = runner.Program(path, root=path.parent)
        levels = program.levels()
        got = (levels, [v for v in levels if program.may_refuse(v)])
        if got != want:
            bad += 1
            print(f"FAIL directive '{line}': {got}, expected {want}")
        if "O1" in levels and program.levels_among(["O1", "O1asan"]) != ["O1", "O1asan"]:
            bad += 1
            print(f"FAIL directive '{line}': not at O1asan on request")
    for number, (line, want) in enumerate(WIDE_REFUSALS.items()):
        path = Path(folder) / f"w{number}.c"
        path.write_text(f"// ADZE: {line}\n", encoding="utf-8")
        program = runner.Program(path, root=path.parent)
        got = [v for v in ("O0wide", "O2wide") if program.may_refuse(v)]
        if got != want:
            bad += 1
            print(f"FAIL directive '{line}': may refuse {got}, expected {want}")
    return bad


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--clang", default="clang-19")
    p.add_argument("--include", default=str(HERE.parents[2] / "include"))
    args = p.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        flags = ["-O1", f"-I{HERE.parent}", f"-I{args.include}"]
        check = f"{folder}/check.o"
        subprocess.run([args.clang, *flags, "-c", str(HERE.parent / "check.c"), "-o",
                        check], check=True)
        bad += directives(folder)
        for fault, (what, want) in FAULTS.items():
            binary = f"{folder}/{fault}"
            subprocess.run([args.clang, *flags, f"-DBUG={fault}",
                            str(HERE / "selftest.c"), check, "-lm", "-o", binary],
                           check=True)
            run = subprocess.run([binary, "all"], capture_output=True, text=True)
            ended = run.stdout.rstrip().rsplit("\n", 1)[-1].startswith("adze-check:")
            ok = not ended if want is None else ended and run.returncode == want
            if not ok:
                bad += 1
                print(f"FAIL fault {fault} ({what}): exit {run.returncode}, expected "
                      f"{want}\n{run.stdout}")
    print(f"{len(FAULTS) + len(DIRECTIVES) + len(WIDE_REFUSALS) - bad} passed, {bad} failed, 0 skipped")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
