#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fail when an #include goes against the declared order of the layers.

The order is declared where the build declares it: a layer may include itself
and what `adze_layer(<Name> DEPENDS ...)` in lib/<Name>/CMakeLists.txt reaches,
directly or through others. The headers of include/adze/ belong to the layer
that the table below gives them.

usage: check_layers.py [ROOT]
Prints one line `file:line: reason` for each fault; exit status 1 if any.
"""
import pathlib
import re
import sys

# Public header -> the lowest layer that owns what it declares. A header that
# users include from their programs belongs to no layer: "User".
HEADERS = {
    "adze.h": "User",
    "gpu.h": "User",
    "gpu.hpp": "User", "cublas.hpp": "User",
    "adze.hpp": "User",
    "Origin.h": "Support",
    "InternalCopy.h": "Support",
    "Options.h": "Support",
    "Diagnostics.h": "Support",
    "AddressRange.h": "Runtime",
    "Runtime.h": "Runtime",
    "SerialThreads.h": "Runtime",
    "RuntimeStop.h": "Runtime",
    "ExceptionShadows.h": "Runtime",
    "Exceptions.h": "Support",
    "Diagnostics.def": "Support",
    "Request.h": "Support",
    "Primal.h": "Support",
    "Checkpoints.h": "Support",
    "Alternatives.h": "Support",
    "ErrorRecorder.h": "Support",
    "AggregateParts.h": "Support",
    "FloatPuns.h": "Support",
    "OwnFunction.h": "Support",
    "WordMoves.h": "Support",
    "OwnAnalyses.h": "Support",
    "VerifyIR.h": "Support",
    "SourceTypes.h": "Support",
    "ReachableConstants.h": "Support",
    "FlowGraph.h": "Support",
    "Expr.h": "Support",
    "TypeTree.h": "Support",
    "AnnotationText.h": "Support",
    "DeviceTarget.h": "Support",
    "KnownFunction.h": "Known",
    "ComplexFunction.h": "Known",
    "GivenDerivatives.h": "Known",
    "GivenShadows.h": "Known",
    "GuardedProduct.h": "Known",
    "RoundingSum.h": "Known",
    "AddressMarks.h": "Known",
    "ParallelRuntime.h": "Known",
    "HeaderBodies.h": "Known",
    "DeviceLibrary.h": "Known",
    "DeviceSync.h": "Known",
    "LaneShuffles.h": "Known",
    "Launches.h": "Known",
    "Mpi.h": "Known",
    "MpiFortran.h": "Known",
    "Teams.h": "Known",
    "Tasks.h": "Known",
    "TeamTurns.h": "Known",
    "TeamExchange.h": "Known",
    "ThreadShadows.h": "Emit",
    "Annotations.h": "Frontend",
    "Marker.h": "Frontend",
    "Precision.h": "Precision",
    "Prepare.h": "Prepare",
    "Execution.h": "Loops",
    "TapeMemory.h": "Rules",
    "TeamLists.h": "Rules",
    "Analyses.h": "Analysis",
    "Facts.h": "Analysis",
    "TypeInfo.h": "Analysis",
    "ActivityInfo.h": "Analysis",
    "MemoryInfo.h": "Analysis",
    "Sharing.h": "Analysis",
    "CallPlan.h": "Analysis",
    "PartialFloatWrites.h": "Analysis",
    "FloatsInAddresses.h": "Analysis",
    "AliasScopes.h": "Rules",
    "ShadowAlign.h": "Rules",
    "AtomicSum.h": "Rules",
    "AddressDual.h": "Rules",
    "ExprEmitter.h": "Rules",
    "NotFinite.h": "Rules",
    "PlacedFloats.h": "Rules",
    "Rule.h": "Rules",
    "RuleContext.h": "Rules",
    "GivenPlan.h": "Plan",
    "Plan.h": "Plan",
    "Recording.h": "Plan",
    "Replicas.h": "Plan",
    "Remarks.h": "Remarks",
    "Deferred.h": "Rules",
    "Emit.h": "Emit",
    "Cleanup.h": "Cleanup",
    "UnreadMemory.h": "Cleanup",
    "UncertainChoices.h": "Cleanup",
    "Driver.h": "Driver",
    "Derive.h": "Driver",
}

# The C++ interface of users is made of these.
USER_FOLDERS = {"cpp", "gpu"}


def header_layer(name):
    """The layer of include/adze/<name>, or None."""
    if name.split("/")[0] in USER_FOLDERS:
        return "User"
    return HEADERS.get(name.split("/")[-1])


INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(adze/[^>]+)>)')
LAYER = re.compile(r"adze_layer\(\s*(\w+)([^)]*)\)")


def declared_layers(root):
    """Layer name -> names of all layers it may use, itself among them."""
    direct = {}
    for cmake in sorted(root.glob("lib/*/CMakeLists.txt")):
        match = LAYER.search(cmake.read_text())
        if match:
            words = match.group(2).split()
            start = words.index("DEPENDS") + 1 if "DEPENDS" in words else len(words)
            depends = []
            for word in words[start:]:
                if word == "EXCLUDE":
                    break
                depends.append(word)
            direct[match.group(1)] = depends
    closed = {}
    for name in direct:
        seen, todo = set(), [name]
        while todo:
            layer = todo.pop()
            if layer not in seen:
                seen.add(layer)
                todo.extend(direct.get(layer, []))
        closed[name] = seen
    return closed


def layer_of_target(root, source, name, layers):
    """The layer an include names, or None for a header of somebody else."""
    if name.startswith("adze/"):
        return header_layer(name[len("adze/"):]) or "?"
    beside = (source.parent / name).resolve()
    in_lib = (root / "lib" / name).resolve()
    in_layer = None
    if (root / "lib") in source.parents:
        layer_folder = source.relative_to(root / "lib").parts[0]
        in_layer = (root / "lib" / layer_folder / name).resolve()
    for path in [beside, in_layer, in_lib]:
        if path is None or not path.exists():
            continue
        if (root / "include" / "adze") in path.parents:
            return HEADERS.get(path.name, "?")
        if (root / "lib") in path.parents:
            return path.relative_to(root / "lib").parts[0]
    # A path that starts with a layer but does not exist is still against the
    # order if it names a higher layer; the compiler reports the rest.
    first = name.split("/")[0]
    return first if first in layers else None


def check_file(root, source, own, layers):
    """Yield (line, reason) for each include of `source` that is not allowed."""
    allowed = layers.get(own, set())
    text = source.read_text(errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(1) or match.group(2)
        target = layer_of_target(root, source, name, layers)
        if target is None:
            continue
        if target == "?":
            yield number, f'"{name}" has no layer in the table of check_layers.py'
        elif target not in allowed and not (own == target == "User"):
            yield number, f'layer {own} must not include "{name}" of layer {target}'


def check(root):
    layers = declared_layers(root)
    if not layers:
        return [f"{root}: no layer is declared"], 0
    faults, files = [], 0
    sources = []
    missing = []
    for path in sorted((root / "include" / "adze").glob("**/*")):
        if path.suffix in {".h", ".hpp", ".def"}:
            own = header_layer(str(path.relative_to(root / "include" / "adze")))
            if own is None:
                missing.append(f"{path.relative_to(root)}:1: no layer in the "
                               "table of check_layers.py")
            else:
                sources.append((path, own))
    for path in sorted((root / "lib").glob("*/**/*")):
        if path.suffix in {".h", ".hpp", ".def", ".cpp", ".inc"}:
            sources.append((path, path.relative_to(root / "lib").parts[0]))
    for path, own in sources:
        files += 1
        for number, reason in check_file(root, path, own, layers):
            faults.append(f"{path.relative_to(root)}:{number}: {reason}")
    return missing + faults, files


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else here
    faults, files = check(root)
    for fault in faults:
        print(fault)
    print(f"layers: {files} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
