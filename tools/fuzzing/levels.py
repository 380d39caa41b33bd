# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Levels: the commands that make a program from a unit, with derivatives."""
import subprocess

# Compiler flags; LOAD makes the plugin's options known to -mllvm.
LEVELS = {
    "O0": ["-O0"], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3"],
    "vec": [],  # vector code first, derivatives after
    "split": ["-O2", "-DSPLIT"],
    "several": ["-O2", "-DSEVERAL"],  # directions at once
    "forced": ["-O2", "LOAD", "-mllvm", "-adze-force-split"],
    "poison": ["-O2", "LOAD", "-mllvm", "-adze-poison-tapes", "-mllvm", "-adze-keep-tapes=0"],
    "again": ["-O2", "LOAD", "-mllvm", "-adze-run-again=always", "-mllvm", "-adze-poison-tapes",
              "-mllvm", "-adze-keep-tapes=0"],
    "native": ["-O3", "-march=native", "-ffp-contract=off"],
    "debug": ["-O2", "-g"],
    "noalias": ["-O2", "-fno-strict-aliasing"],
    "clang": ["-O0", "FRONTEND"],
    "asan": ["-O2", "-g1", "-fsanitize=address,undefined", "-fno-sanitize=function,vptr",
             "-fno-sanitize-recover=all", "LOAD", "-mllvm", "-adze-poison-tapes", "-mllvm",
             "-adze-keep-tapes=0"],
}
# Of programs of threads: delays around the runtime's calls; races.
LEVELS["delays"] = ["-O2", "DELAYS"]
LEVELS["tsan"] = ["-O1", "-g1", "-fsanitize=thread"]
DEFAULT = ["O0", "O1", "O2", "O3", "vec", "split", "poison", "again"]
COMMON = ["-w", "-fno-color-diagnostics", "-fno-crash-diagnostics"]
# The sanitizer wants to know where memory is.
STEADY = ["setarch", "-R"]
# What optimizes IR sees derivatives as always. Machine code need not be good: without
# these passes a program takes two thirds of the time.
BACK_END = [word for option in (
    "-fast-isel", "-regalloc=fast", "-optimize-regalloc=false", "-disable-lsr",
    "-enable-misched=0", "-disable-cgp", "-disable-machine-licm", "-disable-machine-cse",
    "-disable-branch-fold", "-disable-block-placement") for word in ("-mllvm", option)]


class Tools:
    """Where the compiler, opt and the plugins are."""

    def __init__(self, compilers, opt, plugin, include):
        self.clang, self.clangxx = compilers
        self.opt, self.plugin, self.include = opt, plugin, f"-I{include}"
        self.delays = include.parents[1] / "test/Numeric/delays.c"
        self.frontend = plugin.replace("Adze.so", "ClangAdze.so")

    def compiler(self, source):
        """The one for this source, with flags; it is C++ by its name."""
        cpp = source.endswith(".cpp")
        return [*([self.clangxx, "-std=c++17"] if cpp else [self.clang]), *COMMON, self.include]

    def steps(self, level, source, binary, flags=()):
        """Commands, one after another, that make the binary. flags: the program's."""
        common = [*self.compiler(source), *flags]
        if level == "vec":
            plain, ready = binary + ".bc", binary + ".ad.bc"
            return [[*common, "-O3", "-emit-llvm", "-c", source, "-o", plain],
                    [self.opt, f"-load-pass-plugin={self.plugin}", "-passes=adze", plain,
                     "-o", ready],
                    [common[0], "-w", "-O2", *flags, *BACK_END, ready, "-lm", "-o", binary]]
        flags = [] if level == "native" else list(BACK_END)
        for flag in LEVELS[level]:
            if flag == "LOAD":
                flags += ["-Xclang", "-load", "-Xclang", self.plugin]
            elif flag == "FRONTEND":
                flags.append(f"-fplugin={self.frontend}")
            elif flag == "DELAYS":
                flags.append(str(self.delays))
            else:
                flags.append(flag)
        return [[*common, *flags, f"-fpass-plugin={self.plugin}", source, "-lm", "-o", binary]]

    def oracle(self, source, binary):
        """The program over dual numbers: no plugin, and nothing that takes time."""
        return [[self.clangxx, *COMMON, self.include, "-O0", "-std=c++17", "-DORACLE",
                 "-x", "c++", source, "-lm", "-o", binary]]

    def races(self, source, binary, flags):
        """The primal of a program of threads under ThreadSanitizer."""
        return [*self.compiler(source), *flags, "-O1", "-g1", "-fsanitize=thread", "-DPRIMAL",
                source, "-lm", "-o", binary]

    def race_env(self):
        """What ThreadSanitizer wants to know of LLVM's OpenMP runtime (Archer)."""
        found = subprocess.run([self.clang, "-print-file-name=libarcher.so"],
                               capture_output=True, text=True, check=False).stdout.strip()
        return {"OMP_TOOL_LIBRARIES": found,
                "TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}

    def defined(self, source, binary):
        """The primal under the sanitizers, one command for each of them; what would be
        undefined is an error. Only C's library can be used where memory that nobody
        wrote is looked for, and nothing may be optimized away before."""
        runs = [["-O1", "-fsanitize=address,undefined"]]
        if not source.endswith(".cpp"):
            runs.append(["-O0", "-fsanitize=memory"])
        return [[*self.compiler(source), *flags, "-DPRIMAL", "-Werror=uninitialized",
                 "-Werror=sometimes-uninitialized", "-Werror=return-type",
                 "-fno-sanitize-recover=all", source, "-lm", "-o", binary] for flags in runs]
