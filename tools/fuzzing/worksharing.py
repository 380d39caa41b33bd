# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP constructs with random bodies: loops whose iterations are shared, sections, what
one thread does, what one thread at a time does. A construct is a method with a weight in
`construct`; which shared data it may use is the business of the Interval (teams.py).

Where the order of threads matters to what is stored between, it does not to the result: sections of
one thread at a time do what commutes and associates (products, roots of sums of squares, ...)."""
from .source import LEN, Array

# r and t: numbers of about [-1, 1].
COMMUTING = [
    "{r} += 0.1*{t};", "{r} *= 1 + 0.05*{t};", "{r} = {r} + 0.05*{t} + 0.01*{r}*{t};",
    "{r} = sqrt({r}*{r} + 0.1*{t}*{t});",
    "{r} = log(exp({r}) + 0.1*exp({t}));",
    "if ({r} < {t}) {r} = {t};", "{r} = fmin({r}, {t});"]
REDUCTIONS = [("+", "{r} += 0.1*{t};"), ("*", "{r} *= 1 + 0.05*{t};"), ("-", "{r} -= 0.1*{t};"),
              ("max", "if ({r} < {t}) {r} = {t};"), ("min", "{r} = {r} < {t} ? (REAL){r} : (REAL)({t});"),
              ("max", "{r} = fmax({r}, {t});")]
SCHEDULES = ["", "", "", "", " schedule(static)", " schedule(static, 1)", " schedule(static, 3)",
             " schedule(dynamic)", " schedule(dynamic, 3)", " schedule(guided)",
             " schedule(guided, 2)", " schedule(auto)", " schedule(runtime)",
             " schedule(nonmonotonic : dynamic)", " schedule(monotonic : dynamic, 2)"]


class Iterations:
    """of a loop: its head, what an iteration may call its own of an array, whether it has
    two dimensions."""

    def __init__(self, heads, ints, own, times, few=False):
        self.heads, self.ints, self.own, self.times, self.few = heads, ints, own, times, few


class Worksharing:
    """Part of TeamProgram."""

    def construct(self, interval, private):
        self.pick([
            (7, self.loop), (1.5, self.pair), (1, self.sections), (1, self.single),
            (0.7, self.master), (0.8, self.by_number), (0.8, self.alone), (1, self.tasks),
            (1.5 if self.splits else 0, self.recursion),
            # Other atomics, and private data of the program's own: here.
        ])(interval, private)

    # --- iterations ----------------------------------------------------------
    def iterations(self, length):
        """Of a loop over an array of this length."""
        many, kind = length, self.r.choice(["int", "int", "int", "long", "unsigned", "size_t"])
        signed = kind in ("int", "long")
        high = self.r.choice([str(many), str(many), f"n*{many // LEN}" if many > LEN else "n"])
        forms = [
            (8, lambda: Iterations([f"for ({kind} i = 0; i < {high}; i++)"], [("i", 0, many - 1)],
                                   ["i", "i", f"{many - 1} - i", "order[i]"], many)),
            (4, lambda: Iterations([f"for ({kind} i = 1; i < {high} - 1; i++)"],
                                   [("i", 1, many - 2)], ["i"], many)),
            (2, lambda: Iterations([f"for ({kind} i = 0; i < {high}; i += 2)"],
                                   [("i", 0, many - 2)], ["i", "i + 1"], many)),
            (1, lambda: Iterations([f"for ({kind} i = steps; i < {high}; i += 3)"],
                                   [("i", 1, many - 1)], ["i"], many)),
            (1, lambda: Iterations([f"for ({kind} i = 0; i < 2; i++)"], [("i", 0, 1)], ["i"], 2, True)),
            (0.7, lambda: Iterations([f"for ({kind} i = n; i < 16; i++)"], [("i", 0, 15)], ["i"], 1, True)),
            (1.5, lambda: Iterations([f"for ({kind} i = 0; i < {many // 4}; i++)",
                                      f"for ({kind} j = 0; j < 4; j++)"],
                                     [("i", 0, many // 4 - 1), ("j", 0, 3)],
                                     ["4*i + j", "4*i + j", f"j*{many // 4} + i"], many))]
        if signed:
            forms.append((2, lambda: Iterations([f"for ({kind} i = {many - 1}; i >= 0; i--)"],
                                                [("i", 0, many - 1)], ["i", "order[i]"], many)))
        return self.pick(forms)()

    def schedule(self):
        found = self.r.choice(SCHEDULES)
        return "" if self.steady and ("dynamic" in found or "guided" in found) else found

    # --- bodies --------------------------------------------------------------
    def leaf_call(self, s, readable):
        """A call of a function that reads around a place, or None."""
        fits = [shared.text for shared in readable if shared.length >= LEN]
        if not self.near or not fits:
            return None
        return f"{self.r.choice(self.near)}({self.r.choice(fits)}, {self.index(s, LEN)}, {self.bounded(s, 2)}, n, at)"

    def statement(self, s, targets, local, depth=0):
        """One statement of an iteration. targets: texts of numbers that are its own; local:
        names of private numbers."""
        e = lambda: self.bounded(s, 1)
        t = self.r.choice(targets + local)
        self.pick([
            (6, lambda: self.line(f"{t} = {self.bounded(s)};")),
            (4, lambda: self.line(f"{t} += 0.2*{e()};")),
            (2, lambda: self.line(f"{t} = 0.5*{t} + 0.3*{t}*{e()};")),
            (1, lambda: self.line(f"{t} *= {e()};")),
            (1.5, lambda: self.conditional(s, targets, local, depth)),
            (1.5 if depth < 2 else 0, lambda: self.inner_loop(s, targets, local, depth)),
            (1 if depth < 1 else 0, lambda: self.scratch(s, t)),
            (0.5, lambda: self.line(f"if ({self.condition(s)}) {t} = {e()};")),
        ])()

    def conditional(self, s, targets, local, depth):
        with self.block(f"if ({self.condition(s)})"):
            self.statement(s, targets, local, depth + 1)
        if self.chance(0.4):
            with self.block("else"):
                self.statement(s, targets, local, depth + 1)

    def inner_loop(self, s, targets, local, depth):
        k = self.name("k")
        bound = self.r.choice(["3", "4", "steps", f"({self.int_expr(s)} & 3)"])
        with self.block(f"for (int {k} = 0; {k} < {bound}; {k}++)", 3):
            s.ints.append((k, 0, 3))
            self.statement(s, targets, local, depth + 1)
            s.ints.pop()

    def scratch(self, s, target):
        """An array or a block of this thread."""
        q = self.name("q")
        heap = self.chance(0.3)
        self.line(f"REAL *{q} = (REAL *)malloc(4*sizeof(REAL));" if heap else f"REAL {q}[4];")
        self.line(f"for (int m = 0; m < 4; m++) {q}[m] = {self.bounded(s, 1)}*(m + 1);")
        self.line(f"for (int m = 1; m < 4; m++) {q}[m] += 0.5*{q}[m - 1]*{q}[m];")
        self.line(f"{target} = 0.4*{target} + 0.2*{q}[{self.r.randrange(4)}]*{q}[3];")
        if heap:
            self.line(f"free({q});")

    def own_scope(self, interval, private, iterations, written):
        """(scope, targets): written: arrays of which each iteration has its own places."""
        targets = [f"{shared.text}[{own}]" for shared in written
                   for own in ([self.r.choice(iterations.own)] if iterations.own[0] != "i" or
                               "i + 1" not in iterations.own else iterations.own)]
        s = self.scope(interval, [*private, *((t, True) for t in targets)])
        s.ints += iterations.ints
        return s, targets

    def body(self, interval, s, targets):
        local = []
        for _ in range(self.r.choice([0, 1, 1, 2])):
            name = self.name("m")
            call = self.leaf_call(s, [x for x in interval.arrays if x.text in {a.text for a in s.arrays}])
            self.line(f"REAL {name} = {call if call and self.chance(0.5) else self.bounded(s)};")
            local.append(name)
            s.scalars.append((name, "REAL", True))
        if self.chance(0.08):
            self.line(f"if ({self.condition(s)}) continue;")
        if self.chance(0.1) and s.arrays[1:]:
            self.nested(s, local)
        if not targets and not local:
            return
        for _ in range(self.r.choice([1, 1, 2, 3])):
            self.statement(s, targets, local)
        if targets and self.put and self.chance(0.25):
            array, _, index = self.r.choice(targets).partition("[")
            self.line(f"{self.r.choice(self.put)}({array}, {index[:-1]}, {self.bounded(s, 1)}, n, at);")

    def nested(self, s, local):
        """A region within an iteration."""
        name = self.name("z")
        self.line(f"REAL {name} = 0.1;")
        self.line(f"#pragma omp parallel for num_threads({self.r.choice([1, 2, 3])}) "
                  f"reduction(+ : {name}){self.r.choice(['', '', ' if(steps > 1)'])}")
        with self.block("for (int l = 0; l < 5; l++)", 5):
            s.ints.append(("l", 0, 4))
            self.line(f"{name} += 0.1*{self.bounded(s, 1)};")
            s.ints.pop()
        local.append(name)
        s.scalars.append((name, "REAL", True))

    # --- loops ---------------------------------------------------------------
    def loop(self, interval, private):
        self.shared_loop(interval, private, "#pragma omp for", True)

    def combined(self, interval):
        """A region that is one construct."""
        interval.meet()
        self.shared_loop(interval, [], f"#pragma omp parallel for{self.clauses()}", False)
        interval.meet()

    def shared_loop(self, interval, private, pragma, may_go_on):
        base = self.r.choice(interval.arrays)
        iterations = self.iterations(base.length)
        fits = [x for x in interval.free(interval.arrays) if x.length >= base.length]
        self.r.shuffle(fits)
        written = fits[:self.r.choice([0, 1, 1, 1, 2])]
        for shared in written:
            interval.writes(shared)
        free = interval.free(interval.scalars)
        self.r.shuffle(free)
        what = self.pick([(6, "plain"), (3, "reduction"), (1.5, "atomic"), (2, "critical"),
                          (1, "ordered"), (1, "last"), (1, "array reduction")])
        if what in ("reduction", "critical", "ordered", "last") and not free or not written and what == "plain":
            what = "atomic" if fits[2:] else "nothing"
        clause, lines = self.extra(what, interval, free, fits[2:], iterations)
        if not lines and not written:
            return
        collapse = ""
        # An iteration may have one ordered section at most.
        if len(iterations.heads) == 2 and (what == "ordered" or
                                           self.chance(0.6) and what != "last"):
            collapse = " collapse(2)"
        schedule = self.schedule()
        if "nonmonotonic" in schedule and what == "ordered":
            schedule = ""
        # A thread that takes iterations from another one may have had the last one before:
        # LLVM's runtime then loses its value.
        if "static" not in schedule and what == "last":
            schedule = self.r.choice(["", " schedule(monotonic : dynamic)"])
        go_on = may_go_on and self.chance(0.3)
        self.line(f"{pragma}{schedule}{collapse}{clause}{' nowait' if go_on else ''}")
        s, targets = self.own_scope(interval, private, iterations, written)
        with self.block(iterations.heads[0], iterations.times):
            if len(iterations.heads) == 2:
                with self.block(iterations.heads[1]):
                    self.loop_body(interval, s, targets, lines)
            else:
                self.loop_body(interval, s, targets, lines)
        if not go_on:
            interval.meet()

    def loop_body(self, interval, s, targets, lines):
        unordered = not any("ordered" in line for line in lines)
        skips = self.chance(0.5) and unordered and not any("LAST" in line for line in lines)
        if skips or not lines:
            self.body(interval, s, targets)
        elif targets:
            self.statement(s, targets, [])
        for line in lines:
            while "@" in line:
                line = line.replace("@", self.bounded(s, 1), 1)
            while "#" in line and not line.startswith("#pragma"):
                line = line.replace("#", self.index(s, LEN), 1)
            self.line(line.replace("LAST", ""))

    def extra(self, what, interval, scalars, arrays, iterations):
        """(clause, lines of the body) of what comes of all iterations. In
        lines @ is a number, # an index."""
        if what == "reduction":
            chosen = scalars[:self.r.choice([1, 1, 2])]
            clause, lines = "", []
            for shared in chosen:
                interval.writes(shared)
                op, text = self.r.choice(REDUCTIONS)
                clause += f" reduction({op} : {shared.text})"
                lines.append(text.format(r=shared.text, t="@") if text.count("{t}") == 1 else
                             f"{{ REAL q = @; {text.format(r=shared.text, t='q')} }}")
            return clause, lines
        if what == "array reduction":
            fits = [a for a in interval.free(interval.arrays) if a.length >= LEN]
            if not fits:
                return "", []
            interval.writes(fits[0])
            op, text = self.r.choice([("+", "{r} += 0.1*{t};"), ("max", "{r} = fmax({r}, {t});"),
                                      ("*", "{r} *= 1 + 0.05*{t};")])
            count = self.r.choice([4, 16])
            return (f" reduction({op} : {fits[0].text}[ : {count}])",
                    [text.format(r=f"{fits[0].text}[(#) & {count - 1}]", t="@")]
                    if text.count("{r}") == 1 else
                    ["{ int o = (#) & %d; %s }" % (count - 1, text.format(r=f"{fits[0].text}[o]", t="@"))])
        if what == "atomic":
            return "", self.atomic(interval, scalars, arrays)
        if what == "critical":
            return self.critical(interval, scalars)
        if what == "ordered":
            r = scalars[0].text
            interval.writes(scalars[0])
            return " ordered", ["#pragma omp ordered",
                                f"{r} = {self.r.choice(['0.5*%s + 0.3*@', 'sin(%s + @)', '%s*@ + 0.2']) % r};"]
        if what == "last":
            r = scalars[0].text
            if iterations.few:
                return "", []
            interval.writes(scalars[0])
            return f" lastprivate({r})", [f"{r} = @;LAST"]
        return "", []

    def atomic(self, interval, scalars, arrays):
        targets = [s for s in arrays if s.length]
        if targets and self.chance(0.7):
            interval.writes(targets[0])
            place = f"{targets[0].text}[{self.r.choice(['#', 'at[#]', 'at[#]'])}]"
        elif scalars:
            interval.writes(scalars[0])
            place = scalars[0].text
        else:
            return []
        return ["{ REAL q = @;", "#pragma omp atomic",
                f"{place} {self.r.choice(['+=', '+=', '-='])} 0.1*q; }}"]

    def critical(self, interval, scalars):
        chosen = scalars[:self.r.choice([1, 1, 2])]
        lines = []
        name = self.r.choice(["", "", "(one)", "(two)"])
        for shared in chosen:
            interval.writes(shared)
            lines.append(self.r.choice(COMMUTING).format(r=shared.text, t="t0"))
        return "", ["{ REAL t0 = @;", f"#pragma omp critical{name}", "{", *lines, "}", "}"]

    # --- constructs of other kinds ---------------------------------------------
    def pair(self, interval, private):
        """Two loops of the same iterations, of which a thread has the same without meeting."""
        free = interval.free(interval.arrays)
        self.r.shuffle(free)
        if len(free) < 2:
            return
        first, second = free[:2]
        length = min(first.length, second.length)
        schedule = self.r.choice([" schedule(static)", " schedule(static, 2)"])
        head = self.r.choice([f"for (int i = 0; i < {length}; i++)", f"for (int i = 1; i < {length} - 1; i++)"])
        interval.writes(first)
        interval.writes(second)
        for target, own in ((first, [f"{first.text}[i]"]), (second, [f"{first.text}[i]", f"{second.text}[i]"])):
            nowait = " nowait" if target is first or self.chance(0.4) else ""
            self.line(f"#pragma omp for{schedule}{nowait}")
            s = self.scope(interval, [*private, *((t, True) for t in own)])
            s.ints.append(("i", 1, length - 2) if "i = 1" in head else ("i", 0, length - 1))
            with self.block(head, length):
                self.body(interval, s, own)
        if not nowait:
            interval.meet()

    def sections(self, interval, private):
        free = interval.free(interval.arrays + interval.scalars)
        self.r.shuffle(free)
        if not free:
            return
        go_on = self.chance(0.2)
        for shared in free[:3]:
            interval.writes(shared)
        self.line(f"#pragma omp sections{' nowait' if go_on else ''}")
        with self.block(""):
            for shared in free[:3]:
                self.line("#pragma omp section")
                with self.block(""):
                    self.by_one(interval, private, shared)
        if not go_on:
            interval.meet()

    def by_one(self, interval, private, shared):
        """What one thread does to all of what is shared."""
        s = self.scope(interval, private)
        if not shared.length:
            self.line(f"{shared.text} = 0.5*{shared.text} + 0.4*{self.bounded(s)};")
            return
        t = shared.text
        with self.block(f"for (int i = 1; i < {shared.length}; i++)", shared.length):
            s.ints.append(("i", 1, shared.length - 1))
            s.scalars += [(f"{t}[i - 1]", "REAL", False), (f"{t}[i]", "REAL", False)]
            self.statement(s, [f"{t}[i]"], [], 2)

    def single(self, interval, private):
        free = interval.free(interval.arrays + interval.scalars)
        if not free:
            return
        shared = self.r.choice(free)
        interval.writes(shared)
        go_on = self.chance(0.3)
        self.line(f"#pragma omp single{' nowait' if go_on else ''}")
        with self.block(""):
            self.by_one(interval, private, shared)
        if not go_on:
            interval.meet()

    def master(self, interval, private):
        free = interval.free(interval.arrays + interval.scalars)
        if not free:
            return
        shared = self.r.choice(free)
        interval.writes(shared)
        self.line(self.r.choice(["#pragma omp master", "#pragma omp masked"]))
        with self.block(""):
            self.by_one(interval, private, shared)
        if self.chance(0.7):
            self.barrier(interval)

    def by_number(self, interval, private):
        """Iterations that threads take by their number."""
        free = [x for x in interval.free(interval.arrays)]
        if not free:
            return
        shared = self.r.choice(free)
        interval.writes(shared)
        own = [f"{shared.text}[i]"]
        if self.chance(0.5):
            head = f"for (int i = THREAD; i < {shared.length}; i += THREADS)"
        else:
            head = (f"for (int i = THREAD*{shared.length}/THREADS; "
                    f"i < (THREAD + 1)*{shared.length}/THREADS; i++)")
        s = self.scope(interval, [*private, *((t, True) for t in own)])
        s.ints.append(("i", 0, shared.length - 1))
        with self.block(head, shared.length):
            self.body(interval, s, own)

    def tasks(self, interval, private):
        """What one thread hands out, in an order that only dependences say."""
        free = interval.free(interval.arrays)
        scalars = interval.free(interval.scalars)
        if not free:
            return
        shared = self.r.choice(free)
        interval.writes(shared)
        own = f"{shared.text}[i]"
        chain = self.r.choice(scalars) if scalars and self.chance(0.4) else None
        if chain:
            interval.writes(chain)
        s = self.scope(interval, [*private, (own, True)])
        s.ints.append(("i", 0, shared.length - 1))
        head = self.r.choice([f"for (int i = 0; i < {shared.length}; i++)",
                              f"for (int i = 0; i < {shared.length}; i += 3)", "for (int i = 0; i < 3; i++)"])
        self.line("#pragma omp single")
        with self.block(""):
            if self.chance(0.3):
                self.line("#pragma omp taskloop" + self.r.choice(["", " grainsize(3)", " num_tasks(4)", " nogroup"]))
                with self.block(head, shared.length):
                    self.statement(s, [own], [])
            else:
                grouped = self.chance(0.3)
                if grouped:
                    self.line("#pragma omp taskgroup")
                with self.block("" if grouped else "if (n > 3)"):
                    with self.block(head, shared.length):
                        self.line("#pragma omp task" + self.r.choice(["", " if(i > 2)", " untied"]))
                        with self.block(""):
                            self.statement(s, [own], [])
                        if chain:
                            self.line(f"#pragma omp task depend(inout : {chain.text})")
                            self.line(f"{chain.text} = 0.5*{chain.text} + 0.3*{self.bounded(s, 1).replace(own, 'a')};")
                if self.chance(0.3):
                    self.line("#pragma omp taskwait")
        interval.meet()

    def recursion(self, interval, private):
        """A recursion by tasks that one thread begins, or each on parts of its own."""
        free = interval.free(interval.arrays)
        self.r.shuffle(free)
        scalars = interval.free(interval.scalars)
        if len(free) < 2:
            return
        target, source = free[:2]
        interval.writes(target)
        interval.reads(source)
        length = min(target.length, source.length)
        call = lambda low, high, t: (f"{self.r.choice(self.splits)}({source.text}, {target.text}, "
                                     f"{low}, {high}, {t}, n, at)")
        if not scalars:
            self.line("#pragma omp for" + self.schedule())
            with self.block(f"for (int i = 0; i < {length}; i += 4)"):
                self.line(f"{call('i', 'i + 4', '0.3*a')};")
        else:
            result = self.r.choice(scalars)
            interval.writes(result)
            self.line(self.r.choice(["#pragma omp single", "#pragma omp master"]))
            with self.block(""):
                s = self.scope(interval, private)
                self.line(f"{result.text} = 0.5*{result.text} + 0.3*{call(0, length, self.bounded(s, 1))};")
            self.barrier(interval)
        interval.meet()

    def alone(self, interval, private):
        """Each thread in turn, or the first alone, with a critical section."""
        free = interval.free(interval.scalars)
        if not free:
            return
        r = self.r.choice(free)
        interval.writes(r)
        s = self.scope(interval, private)
        with self.block("if (THREAD == 0)"):
            self.line(self.r.choice(["#pragma omp critical", "#pragma omp critical(one)"]))
            self.line(f"{r.text} = 0.5*{r.text} + 0.3*{self.bounded(s)};")
