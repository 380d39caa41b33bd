# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs units of programs and judges each program.

A unit is compiled once for a level. Where that fails it is halved until the
program is found that the compiler does not take; where the binary dies, it
goes on with the program after the one that had begun.

    AGREES      reverse, forward and the oracle agree
    MISMATCH    they do not
    CRASH       compiler or program died; HANG: neither ended
    REFUSED     an error message of the plugin
    STOP        a message of the plugin at run time
    UNDEFINED   the oracle is not a number there
    INVALID     the program is none without the plugin: a fault of ours
"""
import math
import os
import re
import shlex
import signal
import threading

from . import processes
from .levels import STEADY
from .programs import unit

AGREES, MISMATCH, CRASH, HANG = "AGREES", "MISMATCH", "CRASH", "HANG"
REFUSED, STOP, UNDEFINED, INVALID = "REFUSED", "STOP", "UNDEFINED", "INVALID"
ERRORS = (MISMATCH, CRASH, HANG, INVALID)
SHARE = 0.2  # of the time limit, for each further program of a unit

TIGHT, LOOSE = 1e-9, 2e-4
SECOND = 1e-8
FLOOR = 1e-3  # of the size of a derivative that a difference is relative to


class Verdict:
    """comparisons: how many there were; detail: numbers or a message."""

    def __init__(self, kind, detail="", comparisons=0):
        self.kind, self.detail, self.comparisons = kind, detail, comparisons

    @property
    def error(self):
        return self.kind in ERRORS


def message(text):
    """The first error in a compiler's output, without place and names."""
    lines = [l for l in text.splitlines() if "error:" in l or "LLVM ERROR" in l or
             "Assertion" in l]
    line = lines[0] if lines else (text.strip().splitlines() or ["?"])[-1]
    line = re.sub(r"^.*?error: ", "error: ", line)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'..'", line))[:120]


def parse(text):
    """{name: {word: number}} of the lines '= name word number ... .', and the
    name begun last. What is something else is left out."""
    found, last = {}, None
    # A message comes in the middle of a line that has begun.
    for line in text.replace("adze: ", "\nadze: ").splitlines():
        match = re.match(r"= (\w+)(.*)$", line)
        if not match:
            continue
        last = match.group(1)
        words = match.group(2).split()
        try:
            numbers = dict(zip(words[0::2], map(float, words[1::2])))
        except ValueError:
            continue
        if words[-1:] == ["."]:
            found[last] = numbers
    return found, last


def judge(program, oracle, numbers):
    """Compares what forward mode, two runs of reverse mode, and one mode over
    another computed."""
    if not all(math.isfinite(number) for number in oracle.values()):
        return Verdict(UNDEFINED)
    near = LOOSE if program.loose else TIGHT
    size = numbers.get("reverse-size", 0)
    scale = FLOOR + (size if math.isfinite(size) else 0)
    # What is compared with what, how near, relative to what.
    checks = [("forward against the oracle", "forward", oracle["tangent"], near * scale),
              ("reverse against forward", "reverse", numbers.get("forward"), near * scale),
              ("reverse against the second reverse", "again", numbers.get("reverse"),
               near * scale)]
    for mode, of in (("forward", "forward mode"), ("reverse", "reverse mode"),
                     ("again", "the second reverse")):
        for what in "x", "y", "value":
            if f"{mode}-{what}" in numbers:
                checks.append((f"results of {of}", f"{mode}-{what}", oracle[what],
                               near * (1 + abs(oracle[what]))))
    if "second" in numbers:
        size = numbers.get("second-size", 0)
        checks.append(("second derivative against the oracle", "second", oracle["second"],
                       SECOND * (1 + (size if math.isfinite(size) else 0))))
    for name, left, right, allowed in checks:
        if left not in numbers or right is None:
            return Verdict(CRASH, f"incomplete output: no {left}")
        if not abs(numbers[left] - right) <= allowed:
            return Verdict(MISMATCH, f"{name}: {numbers[left]:.17g} and {right:.17g}",
                           len(checks))
    return Verdict(AGREES, "", len(checks))


def suffix(program):
    return ".cpp" if program.language == "c++" else ".c"


class Runner:
    """folder: where a worker keeps its files; each thread has its own."""

    def __init__(self, tools, folder, limit=10):
        self.tools, self.folder, self.limit = tools, folder, limit
        self.env = dict(os.environ, MALLOC_PERTURB_="165", LC_ALL="C",
                        ASAN_OPTIONS="detect_leaks=0", KMP_BLOCKTIME="0",
                        OMP_SCHEDULE="dynamic,2", OMP_MAX_ACTIVE_LEVELS="2")
        self.race_env = {**self.env, **tools.race_env()}

    def path(self, name):
        return os.path.join(self.folder, f"{threading.get_ident()}-{name}")

    def write(self, programs):
        path = self.path("unit" + suffix(programs[0]))
        with open(path, "w", encoding="utf-8") as file:
            file.write(unit(programs))
        return path

    def make(self, steps, programs):
        seconds = self.limit * (1 + SHARE * (len(programs) - 1))
        return processes.execute_all(steps, seconds, self.env)

    def oracle(self, programs):
        """{name: numbers}; a program that is none lacks."""
        source, binary = self.write(programs), self.path("oracle")
        built = self.make(self.tools.oracle(source, binary), programs)
        if not built.good:
            if len(programs) == 1:
                return {}
            middle = len(programs) // 2
            return {**self.oracle(programs[:middle]), **self.oracle(programs[middle:])}
        return self.run(binary, programs)[0]

    def run(self, binary, programs, level=""):
        """({name: numbers}, {name: verdict}): of those that ended or died."""
        found, died, begin = {}, {}, 0
        before, env = (STEADY, self.race_env) if level == "tsan" else ([], self.env)
        while begin < len(programs):
            env = {**env, "ADZE_DELAYS": str(programs[begin].seed % 1000 + 1)}
            outcome = processes.execute([*before, binary, str(begin)], self.limit, env)
            numbers, last = parse(outcome.text)
            if outcome.good:
                found.update(numbers)
                break
            at = next((i for i, p in enumerate(programs) if p.name == last), begin)
            numbers.pop(programs[at].name, None)
            found.update(numbers)
            died[programs[at].name] = self.death(outcome)
            begin = at + 1
        return found, died

    def death(self, outcome):
        if outcome.hung:
            return Verdict(HANG, "the program")
        said = re.search(r"adze: .*", outcome.text)
        # None of the programs has a tape that memory would be too small for.
        if said and outcome.code == -signal.SIGABRT and "tape" not in said.group():
            return Verdict(STOP, re.sub(r"\S+:\d+:\d+: ", "", said.group())[:200])
        return Verdict(CRASH, f"the program ended with {outcome.code}: {outcome.text[-300:]}")

    def level(self, programs, level, oracles):
        """{name: verdict} at one level."""
        source, binary = self.write(programs), self.path(level)
        built = self.make(self.tools.steps(level, source, binary, programs[0].flags), programs)
        if not built.good:
            refused = self.refused(programs, built)
            if refused:
                rest = [p for p in programs if p.name not in refused]
                return {**refused, **(self.level(rest, level, oracles) if rest else {})}
            if len(programs) > 1:
                middle = len(programs) // 2
                return {**self.level(programs[:middle], level, oracles),
                        **self.level(programs[middle:], level, oracles)}
            return {programs[0].name: self.refusal(built)}
        found, verdicts = self.run(binary, programs, level)
        for program in programs:
            if program.name in found:
                verdicts[program.name] = judge(program, oracles[program.name],
                                               found[program.name])
        return verdicts

    @staticmethod
    def refused(programs, outcome):
        """{name: verdict} of those that the errors name, if each error names one: all
        functions of a program end in its name."""
        if outcome.hung or outcome.crashed:
            return {}
        found, names = {}, {program.name for program in programs}
        for text in re.split(r"^(?=\S.*error: )", outcome.text, flags=re.MULTILINE)[1:]:
            named = set(re.findall(r"_(p\d+)\b", text)) & names
            if len(named) != 1:
                return {}
            found.setdefault(named.pop(), Verdict(REFUSED, message(text)))
        return found

    def refusal(self, outcome):
        if outcome.hung:
            return Verdict(HANG, "the compiler")
        if outcome.crashed or "error:" not in outcome.text:
            return Verdict(CRASH, "the compiler: " + message(outcome.text))
        return Verdict(REFUSED, message(outcome.text))

    def defined(self, program):
        """Whether the program is one: clean under the sanitizers. Their library cannot
        stand beside one that is preloaded for the plugin's sake."""
        env = {name: value for name, value in self.env.items() if name != "LD_PRELOAD"}
        source, binary = self.write([program]), self.path("defined")
        outcomes = [processes.execute_all([command, [binary]], self.limit, env)
                    for command in self.tools.defined(source, binary)]
        return all(o.good for o in outcomes) and \
            (not program.flags or self.threads_agree(program, source, outcomes[0]))

    def threads_agree(self, program, source, serial):
        """Threads compute what one thread does, and have no race."""
        binary = self.path("races")
        outcome = processes.execute_all(
            [self.tools.races(source, binary, program.flags), [*STEADY, binary]],
            4 * self.limit, self.race_env)
        left, right = (parse(o.text)[0].get(program.name, {}) for o in (serial, outcome))
        near = LOOSE if program.loose else TIGHT
        return outcome.good and left.keys() == right.keys() and \
            all(abs(left[k] - right[k]) <= near * (1 + abs(left[k])) for k in left)

    def all_levels(self, programs, levels):
        """Yields (program, level, verdict); of a unit all have one language and flags."""
        kinds = [(program.language, program.flags) for program in programs]
        for kind in sorted({(language, *flags) for language, flags in kinds}):
            yield from self.of_unit([p for p, (language, flags) in zip(programs, kinds)
                                     if (language, *flags) == kind], levels)

    def of_unit(self, programs, levels):
        oracles = self.oracle(programs)
        valid = []
        for program in programs:
            if program.name in oracles:
                valid.append(program)
            else:
                yield program, "oracle", Verdict(INVALID, "no result as dual numbers")
        for level in levels:
            if valid:
                verdicts = self.level(valid, level, oracles)
                for program in valid:
                    yield program, level, verdicts.get(
                        program.name, Verdict(CRASH, "no output"))

    def command(self, level, source, binary, flags):
        return "\n".join(shlex.join(step)
                         for step in self.tools.steps(level, source, binary, flags))
