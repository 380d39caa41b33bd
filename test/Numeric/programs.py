# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numeric programs, what their `// ADZE:` lines say, and the levels that they are
compiled at. For run.py.
"""
import hashlib
import re
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEVELS = ["O0", "O1", "O2", "O3"]
VECTORIZED = "vec"
# Levels that differ from one of the above in what the IR says of types (with the front-end
# plugin, without type-based alias information, with debug information), or in that each
# gradient is made of the two halves of split mode, or iterations run again wherever they can.
VARIANTS = {"O0clang": ("O0", []), "O2noalias": ("O2", ["-fno-strict-aliasing"]),
            "O0g": ("O0", ["-g"]), "O2g": ("O2", ["-g"]), "O2poison": ("O2", []),
            "O2split": ("O2", ["-mllvm", "-adze-force-split"]),
            "O2again": ("O2", ["-mllvm", "-adze-run-again=always"])}
# What is promised of the primal's values must not be taken for a promise of slopes: for
# programs whose topic is branches and kinks, and those that say `fast`.
FAST_MATH = {"O1fast": ("O1", ["-ffast-math"]), "O3fast": ("O3", ["-ffast-math"])}
FAST_TOPICS = {"ControlFlow", "Kinks"}
VARIANTS.update(FAST_MATH)
# Four directions at once, in programs of the shapes of check.h.
WIDE = {"O0wide": ("O0", ["-DADZE_WIDTH=4"]), "O2wide": ("O2", ["-DADZE_WIDTH=4"])}
VARIANTS.update(WIDE)
# With LLVM's library of C++: other containers, texts and streams. For programs that say
# `libcxx`; `may-refuse` and `fail-level` of -O0 and -O2 do not hold for these levels.
LIBCXX = {"O0libcxx": ("O0", ["-stdlib=libc++"]), "O2libcxx": ("O2", ["-stdlib=libc++"])}
VARIANTS.update(LIBCXX)
# Under ThreadSanitizer, with what LLVM's OpenMP runtime tells it (Archer): no races in
# derivatives. For programs that say `threads`.
RACES = {"O1tsan": ("O1", ["-g", "-fsanitize=thread"])}
# With random short delays around the calls of LLVM's OpenMP runtime (delays.c), several
# times. For programs that say `threads`.
DELAYED = {"O2delays": ("O2", [str(HERE / "delays.c"), "-Wno-deprecated"])}
THREADED = {**RACES, **DELAYED}
VARIANTS.update(THREADED)
DEFAULT_LEVELS = [*LEVELS, VECTORIZED, *VARIANTS]
# What --share leaves of a program's levels in any case: unoptimized, optimized, races.
ALWAYS = ["O0", "O2", *RACES]
# A program that may need as many seconds to compile is run at one of its levels then.
COSTLY = 60
# Not by default: where derivatives read and write what is not theirs, or leak. The plugin
# runs before the sanitizers' passes, so derivatives are instrumented like other code.
SANITIZED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             # One derivative for all functions of a type: their addresses are compared.
             "-fno-sanitize=function,vptr"]
VALGRIND = "O2valgrind"
ON_REQUEST = {"O1asan": ("O1", SANITIZED), "O3asan": ("O3", SANITIZED), VALGRIND: ("O2", [])}
# Checks of the sanitizers stand between accesses and what shows their types: what is
# refused there is no fault, but listed.
SANITIZED_LEVELS = [level for level, (_, flags) in ON_REQUEST.items() if flags]
# Run by lli, without thread-local variables of the plugin's.
JIT = {"O2lli": ("O2", ["-mllvm", "-adze-tape-allocator=malloc"])}
ON_REQUEST.update(JIT)
VARIANTS.update(ON_REQUEST)
ALL_LEVELS = [*LEVELS, VECTORIZED, *VARIANTS]
FRONT_END = "O0clang"
# Fresh tape memory is filled with ones, and none is kept for the next gradient.
POISON = "O2poison"
POISONED = ["-mllvm", "-adze-poison-tapes", "-mllvm", "-adze-keep-tapes=0"]
MODES = ["reverse", "forward"]


class Program:
    """A source file and what its `// ADZE:` lines say."""

    KEYS = {"levels", "modes", "flags", "libs", "skip-unless", "fail-level", "vectorized",
            "fast", "no-fast", "no-jit", "libcxx", "threads", "may-refuse", "compile-limit",
            "leaks", "reason", "fortran"}

    def __init__(self, path, root=HERE):
        self.path = path
        self.name = str(path.relative_to(root).with_suffix(""))
        self.cxx = path.suffix == ".cpp"
        self.opts = {}
        self.has_shape = False
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                self.has_shape |= bool(re.match(r"ADZE_TEST_(MAP|INPLACE|ARRAY|SCALAR)", line))
                m = re.match(r"\s*//\s*ADZE:\s*(.*)$", line)
                if not m:
                    if re.search(r"//.*\bADZE:", line):
                        sys.exit(f"{path}:{number}: a directive has to begin its line")
                    continue
                for word in shlex.split(m.group(1)):
                    key, _, value = word.partition("=")
                    if key not in self.KEYS:
                        sys.exit(f"{path}:{number}: unknown directive '{key}'")
                    self.opts[key] = value or True

    def list(self, key, default):
        value = self.opts.get(key)
        return value.split(",") if value else default

    def levels(self):
        levels = self.list("levels", LEVELS)
        if "fortran" in self.opts:
            return levels
        variants = [v for v, (base, _) in VARIANTS.items()
                    if base in levels and v not in levels and v not in ON_REQUEST and
                    (v not in FAST_MATH or self.is_fast()) and
                    (v not in LIBCXX or "libcxx" in self.opts) and
                    (v not in WIDE or self.has_shape) and
                    (v not in THREADED or "threads" in self.opts)]
        return levels + [VECTORIZED] * ("vectorized" in self.opts) + variants

    def levels_among(self, wanted):
        """Its levels, and those on request that go with them, of these."""
        on_request = [v for v, (base, _) in ON_REQUEST.items()
                      if base in self.list("levels", LEVELS) and "fortran" not in self.opts
                      and not (v in JIT and "no-jit" in self.opts)]
        return [v for v in self.levels() + on_request if v in wanted]

    def sample(self, levels, share, seed):
        """Of these levels ALWAYS and a share of the others, another one with each seed; of a
        costly program one. All if the share is 1."""
        def number(level):
            text = f"{seed} {self.name} {level}".encode()
            return int(hashlib.sha256(text).hexdigest()[:8], 16) / 2 ** 32

        def drawn(level):
            return number(level) < (share / 3 if level in WIDE else share)
        if share >= 1:
            return levels
        if float(self.opts.get("compile-limit", 0)) >= COSTLY:
            return sorted(levels, key=number)[:1]
        return [v for v in levels if v in ALWAYS or drawn(v)]

    def is_fast(self):
        topic = self.name.split("/")[0] in FAST_TOPICS and "no-fast" not in self.opts
        return topic or "fast" in self.opts

    def may_refuse(self, level):
        levels = self.opts.get("may-refuse")
        if not levels:
            return level in SANITIZED_LEVELS
        if levels is True or level in SANITIZED_LEVELS:
            return True
        like = {**ON_REQUEST, **WIDE}.get(level, (level,))[0]
        return not {level, like}.isdisjoint(levels.split(","))

    def words(self, key):
        return shlex.split(self.opts.get(key, ""))
