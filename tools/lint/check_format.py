#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every C and C++ file of the tree is formatted as .clang-format says.

`check_format.py --fix` formats instead. Ends with `N passed, M failed, K
skipped`, counting files. Tests whose line numbers or layout are part of the
test (those that lit runs) are not formatted.
"""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_sources import ROOT, tracked  # noqa: E402

FOLDERS = ["lib/", "include/", "tools/", "cmake/", "test/unit/", "benchmarks/"]


def main():
    program = shutil.which("clang-format-19") or shutil.which("clang-format")
    if not program:
        print("clang-format not found")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    files = sorted(str(path) for path in tracked()
                   if path.suffix in {".h", ".hpp", ".c", ".cpp"} and path.exists()
                   and path.relative_to(ROOT).as_posix().startswith(tuple(FOLDERS)))
    if "--fix" in sys.argv:
        return subprocess.run([program, "-i", *files]).returncode
    failed = 0
    for name in files:
        run = subprocess.run([program, "--dry-run", "-Werror", name],
                             capture_output=True, text=True)
        if run.returncode:
            failed += 1
            print(run.stderr.splitlines()[0] if run.stderr else name)
    if failed:
        print("format with: tools/lint/check_format.py --fix")
    print(f"{len(files) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
