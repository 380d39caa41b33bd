#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a GoogleTest program and ends with `N passed, M failed, K skipped`.

The numbers come from the report that the program writes at its end: one that
crashes half way has written none, and counts as failed.
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def main():
    program = pathlib.Path(sys.argv[1])
    if not program.exists():
        print(f"{program} was not built: is GoogleTest missing?")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = subprocess.run([str(program), f"--gtest_output=json:{report}", "--gtest_brief=1"])
        if not report.exists():
            print(f"{program.name} ended with status {run.returncode} and no report")
            print("0 passed, 1 failed, 0 skipped")
            return 1
        data = json.loads(report.read_text())
    tests = [t for suite in data["testsuites"] for t in suite["testsuite"]]
    failed = sum(1 for t in tests if t.get("failures"))
    skipped = sum(1 for t in tests if t.get("result") == "SKIPPED" or t["status"] == "NOTRUN")
    print(f"{len(tests) - failed - skipped} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or run.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
