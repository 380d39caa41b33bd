# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates functions of several ranks for test/Mpi/check.h.

All ranks run the same statements, with peers and counts that depend on the rank,
and each message is started on all ranks before anybody waits for it: so there is
no deadlock, whatever the order of the waits, which may be another one on each
rank. Numbers stay small: each statement ends in a sine.
"""
import random
import re

from .exchanges import HEADER as EXCHANGES, LISTS, Exchanges

N = 4             # numbers of s and x
LARGE = 3000      # numbers above what Open MPI sends eagerly
SLOTS = 4         # messages that may be pending
HEADER = f"""\
#include "check.h"

enum {{ N = {N}, SLOTS = {SLOTS}, LARGE = {LARGE} }};

{EXCHANGES}
static MPI_Comm parts[3]; // all, pairs of ranks, even and odd ranks backwards
static MPI_Datatype strided, halves, record, word;
struct record {{
  double a;
  int count;
  double b;
}};

static void begin(void) {{
  parts[0] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &parts[1]);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &parts[2]);
  MPI_Type_vector(N, 1, 2, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
  int lengths[2] = {{1, N - 1}}, starts[2] = {{N, 0}};
  MPI_Type_indexed(2, lengths, starts, MPI_DOUBLE, &halves);
  MPI_Type_commit(&halves);
  int ones[3] = {{1, 1, 1}};
  MPI_Aint at[3] = {{0, offsetof(struct record, count),
                    offsetof(struct record, b)}};
  MPI_Datatype types[3] = {{MPI_DOUBLE, MPI_INT, MPI_DOUBLE}};
  MPI_Type_create_struct(3, ones, at, types, &record);
  MPI_Type_commit(&record);
  MPI_Type_contiguous(sizeof(double), MPI_BYTE, &word);
  MPI_Type_commit(&word);
  begin_exchanges();
}}

// Of a communicator: this rank and how many there are.
#define WHERE(comm)                                                            \\
  int me, all;                                                                 \\
  MPI_Comm_rank(comm, &me);                                                    \\
  MPI_Comm_size(comm, &all);                                                   \\
  (void)me
#define TO(shift) ((me + (shift)) % all)
#define FROM(shift) ((me + (shift) * (all - 1)) % all)

static double spread(const double *got, int n) {{
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += got[i] * (1 + i % 3);
  return sin(sum / (1 + n));
}}
"""


class Generator(Exchanges):
    """The text of the function of one seed."""

    def __init__(self, seed):
        self.random = random.Random(f"mpi {seed}")
        self.name = f"f{seed}"
        self.helpers, self.lines = [], []
        self.indent = 1
        self.next_tag = 0
        self.pending = []  # slots of what is started
        self.halves = {}   # of each slot: its requests
        self.depth = 0
        self.is_divided = False  # there is a communicator "own"

    # ---- Pieces ----

    def say(self, text):
        self.lines.append("  " * self.indent + text)

    def below(self, n):
        return self.random.randrange(n)

    def one(self, *choices):
        return self.random.choice(choices)

    def tag(self):
        """Messages of one tag are ordered; some have their own."""
        self.next_tag += 1
        return self.one(0, 1, self.next_tag + 1)

    def retyped(self, *calls):
        """The same messages: of doubles, or of the bytes that they have."""
        form = self.below(8)
        if form > 2:
            return list(calls)
        if form == 0:
            return [call.replace("MPI_DOUBLE", "word") for call in calls]
        kind = self.one("MPI_BYTE", "MPI_BYTE", "MPI_CHAR", "MPI_UNSIGNED_CHAR")
        return [re.sub(r"([^,(]+), MPI_DOUBLE", rf" 8 * (\1), {kind}", call) for call in calls]

    def factor(self):
        return self.one(f"x[{self.below(N)}]", f"s[{self.below(N)}]",
                        f"sin(s[{self.below(N)}])", f"cos(x[{self.below(N)}])",
                        "0.5", "1.0 / (1 + rank)")

    def number(self):
        return f"{self.factor()} * {self.factor()}"

    def fill(self, buffer, count):
        self.say(f"for (int i = 0; i < {count}; ++i)")
        self.say(f"  {buffer}[i] = {self.number()} + 0.1 * s[i % N];")

    def use(self, buffer, count):
        at = self.below(N)
        self.say(f"s[{at}] = 0.5 * sin(s[{at}] * {self.factor()} + "
                 f"spread({buffer}, {count}));")

    def count(self):
        """(declarations, what is sent, what is received): of all ranks or uneven."""
        form = self.below(8)
        if form == 0:
            return "0", "0", "1"
        if form == 1:
            return "me % 3", "from % 3", "2"
        if form == 2 and self.depth == 0:
            return "LARGE", "LARGE", "LARGE"
        n = str(1 + self.below(N))
        return n, n, n

    def comm(self):
        return "own" if self.is_divided else f"parts[{self.one(0, 0, 1, 2)}]"

    # ---- Messages ----

    def opened(self):
        comm = self.comm()
        self.say("{")
        self.indent += 1
        self.say(f"WHERE({comm});")
        return comm

    def closed(self):
        self.indent -= 1
        self.say("}")

    def blocking(self):
        comm, tag, shift = self.opened(), self.tag(), self.below(3)
        sent, got, room = self.count()
        wide = self.one("TO", "TO", "line")
        if wide == "line":
            self.say(f"const int to = me + {shift} < all ? me + {shift} : MPI_PROC_NULL;")
            self.say(f"const int from = me >= {shift} ? me - {shift} : MPI_PROC_NULL;")
        else:
            self.say(f"const int to = TO({shift}), from = FROM({shift});")
        self.fill("out", sent)
        self.fill("in", room)
        to, frm = self.retyped(f"out, {sent}, MPI_DOUBLE, to, {tag}, {comm}",
                               f"in, {room}, MPI_DOUBLE, from, {tag}, {comm}")
        self.say("MPI_Request r;")
        form = self.below(4 if sent == got == room else 3)
        if form == 0:
            self.say(f"MPI_Isend({to}, &r);")
            self.say(f"MPI_Recv({frm}, MPI_STATUS_IGNORE);")
            self.say("MPI_Wait(&r, MPI_STATUS_IGNORE);")
        elif form == 1:
            self.say(f"MPI_Irecv({frm}, &r);")
            self.say(f"MPI_{self.one('Send', 'Ssend')}({to});")
            self.say("MPI_Wait(&r, MPI_STATUS_IGNORE);")
        elif form == 2:
            self.say("(void)r;")
            out = to.removesuffix(f", {comm}")
            self.say(f"MPI_Sendrecv({out},")
            self.say(f"             {frm}, MPI_STATUS_IGNORE);")
        else:
            self.say("(void)r;")
            out = to.removesuffix(f", {comm}")
            self.say(f"MPI_Sendrecv_replace({out}, from, {tag},")
            self.say(f"                     {comm}, MPI_STATUS_IGNORE);")
            self.say(f"memcpy(in, out, {room} * sizeof *in);")
        self.use("in", room)
        self.closed()

    def typed(self):
        """From memory of one layout into that of another."""
        comm, shift, tag = self.opened(), 1 + self.below(2), self.tag()
        if self.below(3) == 0:
            self.say(f"struct record mine = {{{self.number()}, me, {self.number()}}}, theirs;")
            elements = self.one("1, record", "sizeof mine, MPI_BYTE")
            self.say(f"MPI_Sendrecv(&mine, {elements}, TO({shift}), {tag}, &theirs, {elements},")
            self.say(f"             FROM({shift}), {tag}, {comm}, MPI_STATUS_IGNORE);")
            self.say(f"s[{self.below(N)}] = sin(theirs.a * theirs.b + theirs.count);")
        else:
            self.fill("out", "2 * N")
            self.fill("in", "2 * N")
            sent, got = self.one("strided", "halves"), self.one("strided", "halves")
            self.say(f"MPI_Sendrecv(out, 1, {sent}, TO({shift}), {tag}, in, 1, {got},")
            self.say(f"             FROM({shift}), {tag}, {comm}, MPI_STATUS_IGNORE);")
            self.use("in", "2 * N")
        self.closed()

    def anyone(self):
        comm = self.opened()
        self.next_tag += 1
        tag, root = self.next_tag + 1, f"{self.below(3)} % all"
        self.fill("out", "2")
        self.say(f"if (me != {root})")
        self.say(f"  MPI_Send(out, 1 + me % 2, MPI_DOUBLE, {root}, {tag}, {comm});")
        if self.is_divided and self.below(2):
            tag = "MPI_ANY_TAG"  # nothing else is on its way there
        elif self.below(4) == 0:
            return self.anyone_started(root, tag, comm)
        self.say("else")
        self.say("  for (int k = 1; k < all; ++k) {")
        self.say(f"    MPI_Status status; double got[2] = {{0.3, x[{self.below(N)}]}};")
        self.say("    int n;")
        form = self.below(4)
        if form == 0:
            self.say(f"    MPI_Probe(MPI_ANY_SOURCE, {tag}, {comm}, &status);")
            self.say(f"    MPI_Recv(got, 2, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG, {comm}, "
                     "&status);")
        elif form == 1:
            self.say("    MPI_Message message;")
            self.say(f"    MPI_Mprobe(MPI_ANY_SOURCE, {tag}, {comm}, &message, &status);")
            self.say("    MPI_Mrecv(got, 2, MPI_DOUBLE, &message, &status);")
        else:
            self.say(f"    MPI_Recv(got, 2, MPI_DOUBLE, MPI_ANY_SOURCE, {tag}, {comm}, &status);")
        self.say("    MPI_Get_count(&status, MPI_DOUBLE, &n);")
        self.say(f"    s[{self.below(N)}] += 0.1 * sin(got[0] * (1 + status.MPI_SOURCE)) + "
                 "0.02 * got[1] * n;")
        self.say("  }")
        self.say(f"MPI_Barrier({comm});")
        self.closed()
        return None

    def anyone_started(self, root, tag, comm):
        """The receives do not wait, and end in another order."""
        self.say("else {")
        self.say("  double got[ROOM][2];")
        self.say("  MPI_Request r[ROOM];")
        self.say("  MPI_Status status;")
        self.say("  for (int k = 1; k < all; ++k) {")
        self.say(f"    got[k][0] = 0.3, got[k][1] = x[{self.below(N)}];")
        self.say(f"    MPI_Irecv(got[k], 2, MPI_DOUBLE, MPI_ANY_SOURCE, {tag}, {comm}, &r[k]);")
        self.say("  }")
        self.say("  for (int k = 1; k < all; ++k) {")
        self.say(f"    const int at = 1 + (k + {self.below(3)}) % (all - 1);")
        self.say("    MPI_Wait(&r[at], &status);")
        self.say(f"    s[{self.below(N)}] += 0.1 * sin(got[at][0] * (1 + status.MPI_SOURCE)) + "
                 "0.02 * got[at][1];")
        self.say("  }")
        self.say("}")
        self.say(f"MPI_Barrier({comm});")
        self.closed()

    # ---- Messages that are pending ----

    def free_slot(self):
        """Taken from now on; None if there is none."""
        free = [i for i in range(SLOTS) if i not in self.pending]
        if not free:
            return None
        slot = self.random.choice(free)
        self.pending.append(slot)
        return slot

    def start(self):
        slot = self.free_slot()
        if slot is None:  # in a loop, those of others would be waited for again
            return self.blocking() if self.depth else self.wait()
        self.halves[slot] = (0, 1)
        comm, tag, shift = self.opened(), self.tag(), self.below(3)
        size = self.one("1", "2", "N", "0")
        if self.below(8) == 0:
            size = "LARGE"
        self.say(f"struct slot *p = &slots[{slot}];")
        self.say(f"p->count = {size};")
        self.fill("p->in", "p->count")
        self.fill("p->out", "p->count")
        calls = [f"MPI_Irecv(p->in, p->count, MPI_DOUBLE, FROM({shift}), {tag}, {comm}, "
                 "&p->request[0]);",
                 f"MPI_I{self.one('send', 'send', 'ssend', 'bsend')}(p->out, p->count, MPI_DOUBLE, "
                 f"TO({shift}), {tag}, {comm}, &p->request[1]);"]
        calls = self.retyped(*calls)
        self.random.shuffle(calls)
        for call in calls:
            self.say(call)
        self.closed()
        return None

    def wait(self):
        """For some of what is pending, in one of several ways."""
        if not self.pending:
            return self.blocking()
        self.random.shuffle(self.pending)
        number = 1 + self.below(len(self.pending))
        slots, self.pending = self.pending[:number], self.pending[number:]
        self.say("{")
        self.indent += 1
        order = [f"slots[{slot}].request[{half}]" for slot in slots
                 for half in self.halves[slot]]
        self.say(f"MPI_Request r[{len(order)}];")
        self.say(f"const int n = {len(order)};")
        self.random.shuffle(order)
        for i, request in enumerate(order):
            self.say(f"r[{i}] = {request};")
        self.wait_for_all()
        for slot in slots:
            self.use(f"slots[{slot}].in", f"slots[{slot}].count")
        self.indent -= 1
        self.say("}")
        return None

    def wait_for_all(self):
        form = self.below(8)
        if form == 0:
            self.say("MPI_Waitall(n, r, MPI_STATUSES_IGNORE);")
        elif form == 1:  # each rank begins with another one
            self.say("for (int i = 0; i < n; ++i)")
            self.say("  MPI_Wait(&r[(i + rank) % n], MPI_STATUS_IGNORE);")
        elif form == 2:
            self.say("for (int i = 0, at; i < n; ++i)")
            self.say("  MPI_Waitany(n, r, &at, MPI_STATUS_IGNORE);")
        elif form == 3:
            self.say("int list[n];")
            self.say("MPI_Status statuses[n];")
            self.say("for (int some = 0; some != MPI_UNDEFINED;)")
            self.say("  MPI_Waitsome(n, r, &some, list, statuses);")
        elif form == 4:
            self.say("for (int done = 0; !done;)")
            self.say("  MPI_Testall(n, r, &done, MPI_STATUSES_IGNORE);")
        elif form == 5:
            self.say("int list[n];")
            self.say("MPI_Status statuses[n];")
            self.say("for (int some = 0; some != MPI_UNDEFINED;)")
            self.say("  MPI_Testsome(n, r, &some, list, statuses);")
        elif form == 6:
            self.say("for (int at = 0, done = 0; !done || at != MPI_UNDEFINED;)")
            self.say("  MPI_Testany(n, r, &at, &done, MPI_STATUS_IGNORE);")
        else:
            self.say("for (int i = 0; i < n; ++i)")
            self.say("  for (int done = 0; !done;)")
            self.say("    MPI_Test(&r[i], &done, MPI_STATUS_IGNORE);")

    # ---- What all ranks call ----

    def collective(self):
        comm = self.opened()
        n = self.one("0", "1", "2", "N", "N")
        if self.below(8) == 0 and self.depth == 0:
            n = "LARGE / all"
        self.fill("out", f"{n} * all")
        self.fill("in", f"{n} * all")
        self.say(f"const int n = {n}, root = {self.below(5)} % all;")
        self.say("(void)root;")
        getattr(self, self.one("reduction", "reduction", "copies", "vectors", "prefix"))(comm)
        self.closed()

    def plain_operation(self):
        return "MPI_" + self.one("SUM", "SUM", "MAX", "MIN", "PROD")

    def operation(self):
        return self.one(self.plain_operation(), self.plain_operation(), "mixed")

    def reduction(self, comm):
        op, form = self.operation(), self.below(5)
        if form == 4:
            self.say(f"MPI_Allreduce(out, in, n / 2, MPI_C_DOUBLE_COMPLEX, "
                     f"{self.one('MPI_PROD', 'MPI_PROD', 'MPI_SUM')}, {comm});")
        elif form == 0:
            self.say(f"MPI_Allreduce(out, in, n, MPI_DOUBLE, {op}, {comm});")
        elif form == 1:
            self.say(f"MPI_Allreduce(MPI_IN_PLACE, in, n, MPI_DOUBLE, {op}, {comm});")
        elif form == 2:
            self.say(f"MPI_Reduce(out, in, n, MPI_DOUBLE, {op}, root, {comm});")
        else:
            self.say(f"MPI_Reduce(me == root ? MPI_IN_PLACE : in, me == root ? in : 0, n, "
                     f"MPI_DOUBLE, {op}, root, {comm});")
        self.use("in", "n")

    def copies(self, comm):
        blocks = "in, n, MPI_DOUBLE"
        calls = [
            f"MPI_Bcast(in, n, MPI_DOUBLE, root, {comm});",
            f"MPI_Gather(out, n, MPI_DOUBLE, {blocks}, root, {comm});",
            f"MPI_Scatter(out, n, MPI_DOUBLE, {blocks}, root, {comm});",
            f"MPI_Allgather(out, n, MPI_DOUBLE, {blocks}, {comm});",
            f"MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE, {blocks}, {comm});",
            f"MPI_Alltoall(out, n, MPI_DOUBLE, {blocks}, {comm});",
            f"MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DOUBLE, {blocks}, {comm});",
        ]
        self.say(self.retyped(self.random.choice(calls))[0])
        self.use("in", "n * all")

    def vectors(self, comm):
        """Blocks of uneven sizes, the last one first."""
        modulus = 1 + self.below(3)
        self.say("int counts[all], starts[all], others[all], ends[all], from[all], to[all];")
        self.say("MPI_Datatype types[all];")
        self.say("for (int r = all - 1, at = 0; r >= 0; --r) {")
        self.say(f"  counts[r] = r % {modulus} < n ? r % {modulus} : n;")
        self.say("  starts[r] = at;")
        self.say("  at += counts[r];")
        self.say("}")
        # To r as many as it is counted, from r as many as this rank is.
        self.say("for (int r = 0; r < all; ++r) {")
        self.say("  others[r] = counts[me];")
        self.say("  ends[r] = r * counts[me];")
        self.say("  from[r] = 8 * starts[r];")
        self.say("  to[r] = 8 * ends[r];")
        self.say("  types[r] = MPI_DOUBLE;")
        self.say("}")
        lists = "counts, starts, MPI_DOUBLE"
        calls = [
            f"MPI_Gatherv(out, counts[me], MPI_DOUBLE, in, {lists}, root, {comm});",
            f"MPI_Scatterv(out, {lists}, in, counts[me], MPI_DOUBLE, root, {comm});",
            f"MPI_Allgatherv(out, counts[me], MPI_DOUBLE, in, {lists}, {comm});",
            f"MPI_Alltoallv(out, {lists}, in, others, ends, MPI_DOUBLE, {comm});",
            f"MPI_Alltoallw(out, counts, from, types, in, others, to, types, {comm});",
            f"MPI_Reduce_scatter(out, in, counts, MPI_DOUBLE, "
            f"{self.operation()}, {comm});",
        ]
        self.say("(void)others, (void)ends, (void)from, (void)to, (void)types;")
        self.say(self.random.choice(calls))
        self.use("in", "n * all")

    def prefix(self, comm):
        op = self.operation()
        calls = [
            f"MPI_Scan(out, in, n, MPI_DOUBLE, {op}, {comm});",
            f"MPI_Scan(MPI_IN_PLACE, in, n, MPI_DOUBLE, {op}, {comm});",
            f"MPI_Exscan(out, in, n, MPI_DOUBLE, {op}, {comm});",
            f"MPI_Scan(out, in, n / 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, {comm});",
            f"MPI_Reduce_scatter_block(out, in, n, MPI_DOUBLE, "
            f"{self.operation()}, {comm});",
        ]
        call = self.random.choice(calls)
        self.say(call)
        if "Exscan" in call:
            self.say("if (me > 0)")
        self.use("in", "n")

    # ---- Control ----

    def compute(self):
        at = self.below(N)
        self.say("{")
        self.say("  const int me = rank;")
        self.say(f"  if ((me + {self.below(3)}) % {1 + self.below(3)} == 0)")
        self.say(f"    s[{at}] = sin({self.number()} + {self.number()});")
        self.say("}")

    def loop(self):
        if self.depth:
            return self.blocking()
        open_before, self.pending = self.pending, list(range(SLOTS))
        self.depth += 1
        self.pending = open_before[:]
        self.say(f"for (int step = 0; step < {2 + self.below(3)}; ++step) {{")
        self.indent += 1
        for _ in range(1 + self.below(3)):
            self.statement(self.one(self.blocking, self.typed, self.anyone, self.collective,
                                    self.compute, self.start, self.start_collective,
                                    self.neighbors, self.buffered, self.packed, self.divided,
                                    self.persistent, self.window))
        # What the body has started ends in it, and nothing else.
        mine = [slot for slot in self.pending if slot not in open_before]
        self.pending = mine
        while self.pending:
            self.wait()
        self.indent -= 1
        self.say("}")
        self.pending = open_before
        self.depth -= 1
        return None

    def helper(self):
        """A statement in a function of its own."""
        outer, self.lines, indent, self.indent = self.lines, [], self.indent, 1
        self.statement(self.one(self.blocking, self.typed, self.collective, self.start,
                                self.start_collective, self.neighbors, self.packed,
                                self.persistent, self.window))
        name = f"{self.name}_{len(self.helpers)}"
        attribute = self.one("", "__attribute__((noinline)) ")
        self.helpers.append("\n".join(
            [f"static {attribute}void {name}(const double *x, double *s, double *in, "
             "double *out, struct slot *slots) {",
             "  (void)x, (void)s, (void)in, (void)out, (void)slots;", *self.lines, "}"]))
        self.lines, self.indent = outer, indent
        self.say(f"{name}(x, s, in, out, slots);")

    def statement(self, make):
        make()

    def text(self):
        for _ in range(4 + self.below(8)):
            self.statement(self.one(
                self.blocking, self.start, self.start, self.wait, self.typed, self.anyone,
                self.collective, self.collective, self.compute, self.loop, self.helper,
                self.start_collective, self.start_collective, self.start_collective,
                self.neighbors, self.neighbors, self.early, self.early, self.buffered,
                self.divided, self.packed, self.persistent, self.window))
        while self.pending:
            self.wait()
        memory = self.one("  double *in = buffers, *out = buffers + LARGE + 64;",
                          "  double in[LARGE + 64], out[LARGE + 64];")
        return "\n".join([
            "", *self.helpers, "",
            f"static void {self.name}(const double *x, double *y) {{",
            "  double s[N];", "  double *buffers = (double *)calloc(2 * (LARGE + 64), 8);",
            memory,
            "  struct slot *slots = (struct slot *)calloc(SLOTS, sizeof *slots);",
            "  memcpy(s, x, sizeof s);",
            *self.lines,
            "  for (int i = 0; i < N; ++i)", "    y[i] = s[i] + 0.1 * x[i] * x[i];",
            "  free(buffers), free(slots);", "}",
            f"MPI_TEST_({self.name}, N, N, 1e-5, 0)", ""])


SLOT = """
struct slot {
  double in[LARGE], out[LARGE];
  MPI_Request request[2];
  int count;
""" + LISTS + """\
};
"""


def unit(seeds):
    """A program with the functions of these seeds."""
    functions = [Generator(seed) for seed in seeds]
    texts = [function.text() for function in functions]
    tests = ", ".join(f"&{function.name}_test" for function in functions)
    return HEADER + SLOT + "".join(texts) + f"\nMPI_MAIN_(begin, {tests})\n"
