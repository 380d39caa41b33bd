#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules of the code base that no compiler checks.

Each rule below is one pattern, the files it is looked for in, and the files
that may hold it. Prints `file:line: reason` for each fault and ends with
`N passed, M failed, 0 skipped`, counting rules.

usage: check_sources.py [ROOT]
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_layers  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
CODE = {".c", ".cpp", ".h", ".hpp", ".def", ".py", ".sh", ".cmake"}

# name, pattern, folders, allowed files and folders, reason
RULES = [
    ("one door for options", r"\bcl::(opt|list|alias|bits)\s*<", ["lib", "include"],
     {"lib/Support/Options.cpp"}, "options are declared in lib/Support/Options.cpp only"),
    ("one door for versions", r"^\s*#\s*(el)?if.*\bLLVM_VERSION", ["lib", "include"],
     {"lib/Support/LLVMCompat.h"}, "LLVM's version is asked in lib/Support/LLVMCompat.h only"),
    ("diagnostics, not death",
     r"\b(llvm_unreachable|report_fatal_error|reportFatalError)\b|(?<![\w:.>@])(std::)?abort\s*\(|"
     r"\berrs\s*\(\)", ["lib", "include"], {"lib/Runtime/Stop.c", "include/adze/gpu"},
     "say it through adze::Diagnostics: a crash or a print is no error message"),
    ("facts, not tags", r"\bKnownKind\b", ["lib", "include"],
     {"lib/Known", "include/adze/KnownFunction.h"},
     "a row states facts: ask for those (CallFacts), not for its kind"),
    ("one place for rules", r"\bDerivation::\w+\s*,", ["lib"], {"lib/Rules/Registry.cpp"},
     "which rule a function has is said in lib/Rules/Registry.cpp only"),
    ("rules see no mode", r"\bDerivativeKind\b|\bKind\.is(Forward|Split)\b", ["lib/Rules"], {"lib/Rules/RuleContext.cpp"},
     "rules ask their context: carries(), carriesFloats(), reversesLater()"),
    ("emitters decide nothing", r"\b(lookupRule|recompute|reload|needsRuleIfInactive)\s*\([^)]*\bF\b",
     ["lib/Emit"], set(), "the plan says it: Plan::Rules, Decision"),
    ("one door for directions", r"\bR\.Width\b(?!\)(;|\.dualType| \{))",
     ["lib/Rules", "lib/Plan", "lib/Emit"],
     # Of a callee; and what is refused with several.
     {"lib/Plan/CallPlans.cpp", "lib/Rules/Exceptions.cpp", "lib/Plan/GivenPlan.cpp",
      "lib/Plan/StepPlans.cpp"},
     "how many directions there are is known to Lanes only"),
    ("one door for sums in shadows",
     r"\b(addFloatLeaves|addBits)\s*\(|\bBlockOp::Add", ["lib/Rules", "lib/Emit"],
     {"lib/Rules/RuleContext.cpp", "lib/Rules/BlockFunctions.cpp",
      "lib/Rules/BlockFunctions.h", "lib/Rules/FloatLeaves.cpp", "lib/Rules/FloatLeaves.h",
      "lib/Rules/FloatBits.cpp", "lib/Rules/FloatBits.h", "lib/Rules/Words.cpp",
      # An exchange stores what is left of the adjoint and that of its result.
      "lib/Rules/Atomics.cpp"},
     "add to shadows by ReverseContext::accumulate or accumulateBlock"),
    ("one mark of what is ours",
     r"starts_with\(\"adze\.\"\)|(?<!\w)Function::Create\(", ["lib"],
     {"lib/Support/OwnFunction.cpp", "lib/Runtime/Link.cpp", "lib/Emit/Skeleton.cpp",
      "lib/Cleanup/EraseUnused.cpp", "lib/Cleanup/ThreadStates.cpp",
      "lib/Prepare/ClonePrimal.cpp",
      "lib/Frontend/Annotations.cpp", "lib/Known/GuardedProduct.cpp",
      "lib/Rules/Deallocators.cpp", "lib/Rules/KeptBlocks.cpp", "lib/Prepare/LowerForks.cpp",
      "lib/Prepare/TaskFunctions.cpp",
      "lib/Plugin/SerialTwins.cpp"},
     "make functions by createOwn(), and know them by isOwn()"),
    ("no notes to self", r"\b(TODO|FIXME|XXX|HACK)\b",
     ["lib", "include", "tools", "test", "benchmarks", "cmake", "docs"],
     {"tools/lint/check_sources.py"}, "finish it, or open an issue"),
]


def tracked(root=ROOT):
    """Files of the tree that are in git or new, without ignored ones."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"],
        capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [root / name for name in listed.stdout.splitlines()]
    # Not a git checkout: all but the build folders.
    return [p for p in sorted(root.rglob("*"))
            if p.is_file() and not p.relative_to(root).parts[0].startswith("build")]


def lines_of(path):
    try:
        return path.read_text().splitlines()
    except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
        return []


def code_of(line, suffix):
    """The line without a trailing comment, for rules about code."""
    return line.split("//")[0] if suffix in {".c", ".cpp", ".h", ".hpp"} else line


def lies_in(relative, places):
    """The path is one of these files, or below one of these folders."""
    return any(relative == place or relative.startswith(place + "/") for place in places)


def faults_of_rule(root, rule, files):
    name, pattern, folders, allowed, reason = rule
    expression = re.compile(pattern)
    about_code = name != "no notes to self"
    for path in files:
        relative = path.relative_to(root).as_posix()
        if not lies_in(relative, folders) or lies_in(relative, allowed):
            continue
        for number, line in enumerate(lines_of(path), start=1):
            text = code_of(line, path.suffix) if about_code else line
            if expression.search(text):
                yield f"{relative}:{number}: {reason}"


def faults_of_licence(root, files):
    for path in files:
        script = not path.suffix and lines_of(path)[:1] and lines_of(path)[0].startswith("#!")
        if path.suffix in CODE or path.name == "CMakeLists.txt" or script:
            if not any(SPDX in line for line in lines_of(path)[:3]) and path.exists():
                yield f"{path.relative_to(root)}:1: no SPDX line at the top"


def main():
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    files = tracked(root)
    results = [("licence", list(faults_of_licence(root, files))),
               ("layers", check_layers.check(root)[0])]
    results += [(rule[0], list(faults_of_rule(root, rule, files))) for rule in RULES]
    failed = 0
    for name, faults in results:
        for fault in faults:
            print(fault)
        if faults:
            failed += 1
            print(f"failed: {name}")
    print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
