#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the lit tests and ends with `N passed, M failed, K skipped`.

Expected failures count as skipped: they are gaps with a name, not successes.
"""
import argparse
import json
import pathlib
import subprocess
import sys

PASSED = {"PASS", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED", "XFAIL"}


def find_lit(build):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("ADZE_LIT:"):
            return line.split("=", 1)[1]
    return "lit"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("tests", nargs="*")
    options = parser.parse_args()
    report = options.build / "lit-report.json"
    report.unlink(missing_ok=True)
    tests = options.tests or [str(options.build / "test")]
    run = subprocess.run([sys.executable, find_lit(options.build), "-sv",
                          "--no-progress-bar", "--output", str(report), *tests])
    if not report.exists():
        print(f"lit ended with status {run.returncode} and no report")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    codes = [t["code"] for t in json.loads(report.read_text())["tests"]]
    passed = sum(1 for code in codes if code in PASSED)
    skipped = sum(1 for code in codes if code in SKIPPED)
    failed = len(codes) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
