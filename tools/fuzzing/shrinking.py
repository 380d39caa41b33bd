# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program smaller.

Lines, blocks with their braces, braces alone, and parts of expressions are
taken out as long as the program stays defined (clean under the sanitizers,
nothing uninitialized) and fails in the same way: the same kind of verdict and
the same comparison or message.
"""
import re
import time

from .running import CRASH, HANG, INVALID, MISMATCH

KEEP = {"if", "for", "while", "switch", "sizeof", "malloc", "calloc", "realloc"}


def closing(lines, at):
    """The line that closes the brace at the end of this one, or None."""
    if not lines[at].rstrip().endswith("{"):
        return None
    depth = 0
    for end in range(at, len(lines)):
        depth += lines[end].count("{") - lines[end].count("}")
        if depth == 0:
            return end
    return None


def matching(text, begin):
    """The parenthesis that closes the one at begin, or None."""
    depth = 0
    for end in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        if depth == 0:
            return end
    return None


def simpler(text):
    """The line with one call or parenthesis replaced by a part of it."""
    found = set()
    for match in re.finditer(r"\(", text):
        begin = match.start()
        end = matching(text, begin)
        if end is None or end - begin < 4:
            continue
        head = re.search(r"\w+$", text[:begin])
        if head and head.group() in KEEP:
            continue
        start = head.start() if head else begin
        inside = text[begin + 1:end]
        for part in ["0.5", *re.split(r" [-+*/?:] ", inside), inside]:
            if part.count("(") == part.count(")") and part != text[start:end + 1]:
                found.add(text[:start] + part + text[end + 1:])
    return sorted(found, key=lambda t: (len(t), t))


def signature(verdict):
    """What stays the same while a program becomes smaller."""
    if verdict.kind == MISMATCH:
        return verdict.kind, verdict.detail.split(":")[0]
    if verdict.kind == CRASH:
        return verdict.kind, verdict.detail[:60]
    return verdict.kind, ""


class Shrinker:
    """Of one program that fails at one level; stops after some seconds."""

    def __init__(self, runner, program, level, verdict, seconds):
        self.runner, self.program, self.level = runner, program, level
        self.wanted = signature(verdict)
        self.until = time.monotonic() + seconds

    def fails(self, lines):
        if time.monotonic() > self.until:
            return False
        smaller = self.program.with_lines(lines)
        verdict = None
        for _, level, found in self.runner.all_levels([smaller], [self.level]):
            if level == self.level:
                verdict = found
        if verdict is None or verdict.kind == INVALID or signature(verdict) != self.wanted:
            return False
        return self.runner.defined(smaller)

    def chunks(self, lines):
        size = len(lines) // 2
        while size:
            at, changed = 0, False
            while at < len(lines):
                smaller = lines[:at] + lines[at + size:]
                if self.fails(smaller):
                    lines, changed = smaller, True
                else:
                    at += size
            size = size if changed and size == 1 else size // 2
        return lines

    def first(self, lines, variants):
        """The first variant that fails, or None."""
        return next((v for v in variants(lines) if self.fails(v)), None)

    def repeat(self, lines, variants):
        while True:
            smaller = self.first(lines, variants)
            if smaller is None:
                return lines
            lines = smaller

    @staticmethod
    def without_blocks(lines):
        for at in range(len(lines)):
            end = closing(lines, at)
            if end is not None:
                yield lines[:at] + lines[end + 1:]
                yield lines[:at] + lines[at + 1:end] + lines[end + 1:]

    @staticmethod
    def with_simpler_lines(lines):
        for at, text in enumerate(lines):
            for smaller in simpler(text):
                yield lines[:at] + [smaller] + lines[at + 1:]

    def shrink(self):
        """The smallest program found; the program itself if it fails no more
        (then its failure depends on the programs beside it)."""
        lines, before = list(self.program.lines), None
        if self.wanted[0] == HANG:
            self.until = min(self.until, time.monotonic() + 300)
        if not self.fails(lines):
            return None
        while before != lines and time.monotonic() < self.until:
            before = list(lines)
            lines = self.repeat(lines, self.without_blocks)
            lines = self.chunks(lines)
            lines = self.repeat(lines, self.with_simpler_lines)
        return self.program.with_lines(lines)
