# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of communication.py beyond messages and blocking collectives: collective
calls that are pending, neighbours, packed buffers, persistent requests, windows,
operations of the program.
"""

ROOM = 16  # ranks or neighbours that lists have room for
HEADER = f"""\
enum {{ ROOM = {ROOM} }};

static MPI_Comm grids[3]; // a circle, a cylinder, a graph of two edges
static MPI_Op mixed;

static void mix(void *in, void *inout, int *n, MPI_Datatype *type) {{
  const double *a = (const double *)in;
  double *b = (double *)inout;
  (void)type;
  for (int i = 0; i < *n; ++i)
    b[i] = a[i] + b[i] + 0.1 * a[i] * b[i];
}}

static MPI_Group only(MPI_Comm comm, int one) {{
  MPI_Group all, group;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, 1, &one, &group);
  MPI_Group_free(&all);
  return group;
}}

static void begin_exchanges(void) {{
  int sizes[2] = {{0, 0}}, periods[2] = {{1, 0}};
  const int from[2] = {{(rank + ranks - 1) % ranks, (rank + 2 * ranks - 2) % ranks}};
  const int to[2] = {{(rank + 1) % ranks, (rank + 2) % ranks}};
  const int weights[2] = {{1, 1}};
  MPI_Op_create(mix, 1, &mixed);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, periods, 0, &grids[0]);
  MPI_Dims_create(ranks, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grids[1]);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to, weights,
                                 MPI_INFO_NULL, 0, &grids[2]);
  MPI_Buffer_attach(malloc(1 << 24), 1 << 24);
}}
"""

# What a pending call has beside its buffers: they stay until it is complete.
LISTS = """\
  int counts[ROOM], starts[ROOM], others[ROOM], ends[ROOM], from[ROOM], to[ROOM];
  MPI_Aint bytes[2][ROOM];
  MPI_Datatype types[ROOM];
"""


class Exchanges:
    """Part of communication.Generator."""

    # ---- Collective calls that are pending ----

    def into_slot(self, slot, size, used):
        """Fills the buffers of a slot with \\p size numbers; \\p used count in the end."""
        self.halves[slot] = (0,)
        self.say(f"struct slot *p = &slots[{slot}];")
        self.say(f"const int n = {size};")
        self.say("p->count = LARGE;")
        self.say(f"const int room = {used};")
        self.fill("p->in", "room")
        self.fill("p->out", "room")
        self.say("p->count = room;")

    def start_collective(self):
        slot = self.free_slot()
        if slot is None:
            return self.collective()
        comm = self.opened()
        size = self.one("1", "2", "N", "0")
        if self.below(8) == 0:
            size = "LARGE / all"
        self.into_slot(slot, size, "n * all")
        self.say(f"const int root = {self.below(5)} % all;")
        self.say("(void)root;")
        getattr(self, self.one("pending_reduction", "pending_copy", "pending_vectors",
                               "pending_prefix"))(f"{comm}, &p->request[0]")
        self.closed()
        return None

    def pending_reduction(self, comm):
        op = self.operation()
        self.say(self.one(
            f"MPI_Iallreduce(p->out, p->in, n / 2, MPI_C_DOUBLE_COMPLEX, MPI_PROD, {comm});",
            f"MPI_Iallreduce(p->out, p->in, n, MPI_DOUBLE, {op}, {comm});",
            f"MPI_Iallreduce(MPI_IN_PLACE, p->in, n, MPI_DOUBLE, {op}, {comm});",
            f"MPI_Ireduce(p->out, p->in, n, MPI_DOUBLE, {op}, root, {comm});",
            f"MPI_Ireduce(me == root ? MPI_IN_PLACE : p->in, me == root ? p->in : 0, n, "
            f"MPI_DOUBLE, {op}, root, {comm});"))

    def pending_copy(self, comm):
        blocks = "p->in, n, MPI_DOUBLE"
        self.say(self.one(
            f"p->count = 0, MPI_Ibarrier({comm});",
            f"MPI_Ibcast({blocks}, root, {comm});",
            f"MPI_Igather(p->out, n, MPI_DOUBLE, {blocks}, root, {comm});",
            f"MPI_Iscatter(p->out, n, MPI_DOUBLE, {blocks}, root, {comm});",
            f"MPI_Iallgather(p->out, n, MPI_DOUBLE, {blocks}, {comm});",
            f"MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DOUBLE, {blocks}, {comm});",
            f"MPI_Ialltoall(p->out, n, MPI_DOUBLE, {blocks}, {comm});"))

    def lists(self, modulus):
        """Of blocks for all ranks, in the slot: those of uneven sizes, the last one first."""
        self.say("for (int r = all - 1, at = 0; r >= 0; --r) {")
        self.say(f"  p->counts[r] = r % {modulus} < n ? r % {modulus} : n;")
        self.say("  p->starts[r] = at;")
        self.say("  at += p->counts[r];")
        self.say("}")
        self.say("for (int r = 0; r < all; ++r) {")
        self.say("  p->others[r] = p->counts[me];")
        self.say("  p->ends[r] = r * p->counts[me];")
        self.say("  p->from[r] = 8 * p->starts[r];")
        self.say("  p->to[r] = 8 * p->ends[r];")
        self.say("  p->types[r] = MPI_DOUBLE;")
        self.say("}")

    def pending_vectors(self, comm):
        self.lists(1 + self.below(3))
        own, blocks = "p->counts[me], MPI_DOUBLE", "p->counts, p->starts, MPI_DOUBLE"
        self.say(self.one(
            f"MPI_Igatherv(p->out, {own}, p->in, {blocks}, root, {comm});",
            f"MPI_Iscatterv(p->out, {blocks}, p->in, {own}, root, {comm});",
            f"MPI_Iallgatherv(p->out, {own}, p->in, {blocks}, {comm});",
            f"MPI_Ialltoallv(p->out, {blocks}, p->in, p->others, p->ends, MPI_DOUBLE, {comm});",
            f"MPI_Ialltoallw(p->out, p->counts, p->from, p->types, p->in, p->others, p->to, "
            f"p->types, {comm});",
            f"MPI_Ireduce_scatter(p->out, p->in, p->counts, MPI_DOUBLE, "
            f"{self.operation()}, {comm});"))

    def pending_prefix(self, comm):
        call = self.one("Iscan", "Iexscan", "Ireduce_scatter_block")
        op = self.operation()
        if call == "Iexscan":  # the first rank gets nothing
            self.say("p->count = me > 0 ? n : 0;")
        self.say(f"MPI_{call}(p->out, p->in, n, MPI_DOUBLE, {op}, {comm});")

    def early(self):
        """Some of the ranks wait earlier than the others."""
        if not self.pending or self.depth:
            return self.compute()
        slot = self.random.choice(self.pending)
        half = self.random.choice(self.halves[slot])
        self.say(f"if ((rank + {self.below(3)}) % {2 + self.below(2)} == 0) {{")
        self.indent += 1
        self.say(f"MPI_Wait(&slots[{slot}].request[{half}], MPI_STATUS_IGNORE);")
        if half == 0:
            self.use(f"slots[{slot}].in", f"slots[{slot}].count")
        self.indent -= 1
        self.say("}")
        return None

    def divided(self):
        """Among some, by a communicator that the function makes and frees."""
        if self.is_divided:
            return self.collective()
        comm = self.opened()
        self.say("MPI_Comm own;")
        self.say(self.one(f"MPI_Comm_split({comm}, me % 2, -me, &own);",
                          f"MPI_Comm_dup({comm}, &own);"))
        self.is_divided = True
        for _ in range(1 + self.below(2)):
            self.one(self.collective, self.blocking, self.buffered, self.anyone)()
        self.is_divided = False
        self.say("MPI_Comm_free(&own);")
        self.closed()
        return None

    # ---- Neighbours ----

    def neighbors(self):
        """All functions; blocking, or pending in a slot."""
        slot = self.free_slot() if self.below(2) else None
        which = self.below(3)
        comm, degree = f"grids[{which}]", (2, 4, 2)[which]
        self.say("{")
        self.indent += 1
        self.say(f"WHERE({comm});")
        if slot is None:
            self.say("struct slot *p = calloc(1, sizeof *p);")
            self.say("const int n = 1, room = 4 * N;")
            self.fill("p->in", "room")
            self.fill("p->out", "room")
        else:
            self.into_slot(slot, "1", "4 * N")
        self.neighbor_call(comm, which == 2, degree, slot is not None)
        if slot is None:
            self.use("p->in", "room")
            self.say("free(p);")
        self.closed()

    def neighbor_call(self, comm, is_graph, degree, is_pending):
        uneven = is_graph and self.below(2) == 0
        self.say("(void)n;")
        self.say(f"for (int k = 0; k < {degree}; ++k) {{")
        self.say(f"  p->counts[k] = {'1 + me % 2' if uneven else '2'};")
        self.say(f"  p->others[k] = {'1 + FROM(k + 1) % 2' if uneven else '2'};")
        self.say(f"  p->starts[k] = 3 * ({degree} - 1 - k);")
        self.say("  p->ends[k] = 3 * k + 1;")
        self.say("  p->bytes[0][k] = 8 * p->starts[k];")
        self.say("  p->bytes[1][k] = 8 * p->ends[k];")
        self.say("  p->types[k] = MPI_DOUBLE;")
        self.say("}")
        name = "MPI_Ineighbor" if is_pending else "MPI_Neighbor"
        end = f"{comm}, &p->request[0]" if is_pending else comm
        self.say(self.one(
            f"{name}_allgather(p->out, 2, MPI_DOUBLE, p->in, 2, MPI_DOUBLE, {end});",
            f"{name}_alltoall(p->out, 3, MPI_DOUBLE, p->in, 3, MPI_DOUBLE, {end});",
            f"{name}_allgatherv(p->out, p->counts[0], MPI_DOUBLE, p->in, p->others, p->ends, "
            f"MPI_DOUBLE, {end});",
            f"{name}_alltoallv(p->out, p->counts, p->starts, MPI_DOUBLE, p->in, p->others, "
            f"p->ends, MPI_DOUBLE, {end});",
            f"{name}_alltoallw(p->out, p->counts, p->bytes[0], p->types, p->in, p->others, "
            f"p->bytes[1], p->types, {end});"))

    # ---- Others ----

    def buffered(self):
        comm, tag, shift = self.opened(), self.tag(), self.below(3)
        sent, got, room = self.count()
        self.say(f"const int to = TO({shift}), from = FROM({shift});")
        self.say("(void)from;")
        self.fill("out", sent)
        self.fill("in", room)
        self.say(f"MPI_Bsend(out, {sent}, MPI_DOUBLE, to, {tag}, {comm});")
        self.say(f"MPI_Recv(in, {room}, MPI_DOUBLE, from, {tag}, {comm}, MPI_STATUS_IGNORE);")
        self.use("in", room)
        self.closed()

    def packed(self):
        comm, tag, shift = self.opened(), self.tag(), self.below(3)
        self.fill("out", "2 * N")
        self.fill("in", "2 * N")
        self.say("char *bytes = calloc(2, 1024), *got = bytes + 1024;")
        self.say("int end = 0, at = 0, number = me;")
        self.say(f"const int n = {1 + self.below(N_PACKED)};")
        parts = [("&number, 1, MPI_INT", "&number, 1, MPI_INT"),
                 ("out, n, MPI_DOUBLE", "in, n, MPI_DOUBLE"),
                 ("out, 1, strided", f"in, 1, {self.one('strided', 'halves')}")]
        self.random.shuffle(parts)
        for part, _ in parts:
            self.say(f"MPI_Pack({part}, bytes, 1024, &end, {comm});")
        if self.below(3):
            self.say(f"MPI_Sendrecv(bytes, end, MPI_PACKED, TO({shift}), {tag}, got, 1024,")
            self.say(f"             MPI_PACKED, FROM({shift}), {tag}, {comm}, MPI_STATUS_IGNORE);")
        else:
            self.say("got = bytes;")
            self.say(f"MPI_Bcast(got, end, MPI_PACKED, {self.below(3)} % all, {comm});")
        for _, part in parts:
            self.say(f"MPI_Unpack(got, 1024, &at, {part}, {comm});")
        self.say("in[0] *= 1 + 0.1 * number;")
        self.use("in", "2 * N")
        self.say("free(bytes);")
        self.closed()

    def persistent(self):
        comm, tag, shift = self.opened(), self.tag(), self.below(3)
        self.say("MPI_Request r[2];")
        self.say("double *there = calloc(N, 8), *here = calloc(N, 8);")
        self.say(f"MPI_{self.one('Send', 'Ssend')}_init(here, N, MPI_DOUBLE, TO({shift}), {tag}, "
                 f"{comm}, &r[0]);")
        self.say(f"MPI_Recv_init(there, N, MPI_DOUBLE, FROM({shift}), {tag}, {comm}, &r[1]);")
        self.say(f"for (int turn = 0; turn < {1 + self.below(3)}; ++turn) {{")
        self.indent += 1
        self.fill("here", "N")
        self.say(self.one("MPI_Startall(2, r);", "MPI_Start(&r[1]), MPI_Start(&r[0]);"))
        self.say(self.one("MPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
                          "for (int i = 0; i < 2; ++i) MPI_Wait(&r[(i + rank) % 2], "
                          "MPI_STATUS_IGNORE);"))
        self.use("there", "N")
        self.closed()
        self.say("MPI_Request_free(&r[0]), MPI_Request_free(&r[1]);")
        self.say("free(there), free(here);")
        self.closed()

    def window(self):
        """Accesses of one kind in each epoch: between fences, with locks, or posted."""
        comm = self.opened()
        self.say("double *memory = calloc(2 * N, 8), *mine = calloc(N, 8);")
        self.say("MPI_Win window;")
        self.fill("memory", "2 * N")
        self.say(f"MPI_Win_create(memory, 2 * N * 8, 8, MPI_INFO_NULL, {comm}, &window);")
        form = self.one(self.fenced, self.fenced, self.locked, self.locked_all, self.posted)
        if form == self.fenced:
            self.say("MPI_Win_fence(0, window);")
        for _ in range(1 + self.below(3)):
            self.fill("mine", "N")
            shift, n, at = self.below(3), 1 + self.below(4), self.below(4)
            place = f"{at}, {n}, MPI_DOUBLE"
            form(comm, shift, self.one(
                f"MPI_Put(mine, {n}, MPI_DOUBLE, to, {place}, window);",
                f"MPI_Get(mine, {n}, MPI_DOUBLE, to, {place}, window);",
                "MPI_Put(mine, N, MPI_DOUBLE, to, 1, 1, strided, window);",
                "MPI_Get(mine, N, MPI_DOUBLE, to, 0, 1, halves, window);",
                f"MPI_Accumulate(mine, {n}, MPI_DOUBLE, to, {place}, MPI_SUM, window);"))
            self.use("mine", "N")
            if self.below(2):  # by the owner, which others wait for
                self.use("memory", "2 * N")
                self.say(f"memory[{self.below(8)}] *= {self.factor()};")
        self.use("memory", "2 * N")
        self.say("MPI_Win_free(&window);")
        self.say("free(memory), free(mine);")
        self.closed()

    def access(self, to, call, *behind):
        self.say(f"{{ const int to = {to}; {call} {' '.join(behind)} }}")

    def target(self, shift, call):
        return "0" if "Accumulate" in call and self.below(2) else f"TO({shift})"

    def fenced(self, _, shift, call):
        self.say("MPI_Win_fence(0, window);")
        self.access(self.target(shift, call), call)
        self.say("MPI_Win_fence(0, window);")

    def meet(self, comm):
        """All have done. A message of no floats, or a call, says so."""
        ints = "int a[16] = {0}, b[16]; a[0] = me;"
        self.say(self.one(
            f"MPI_Barrier({comm});",
            f"{{ {ints} MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, {comm}); }}",
            f"{{ {ints} MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, {comm}); }}"))

    def locked(self, comm, shift, call):
        self.meet(comm)
        self.say(f"MPI_Win_lock(MPI_LOCK_{self.one('SHARED', 'EXCLUSIVE')}, "
                 f"{(to := self.target(shift, call))}, 0, window);")
        self.access(to, call, *self.one((), ("MPI_Win_flush(to, window);",)),
                    "MPI_Win_unlock(to, window);")
        self.meet(comm)

    def locked_all(self, comm, shift, call):
        self.say("MPI_Win_lock_all(0, window);")
        self.meet(comm)
        self.access(self.target(shift, call), call)
        self.say(self.one("MPI_Win_flush_all(window);", "MPI_Win_flush_local_all(window);", ""))
        self.say("MPI_Win_unlock_all(window);")
        self.meet(comm)

    def posted(self, comm, shift, call):
        self.say("{")
        self.indent += 1
        self.say(f"MPI_Group before = only({comm}, FROM({shift})), "
                 f"behind = only({comm}, TO({shift}));")
        self.say("MPI_Win_post(before, 0, window);")
        self.say("MPI_Win_start(behind, 0, window);")
        self.access(f"TO({shift})", call)
        self.say("MPI_Win_complete(window);")
        self.say(self.one("MPI_Win_wait(window);",
                          "for (int done = 0; !done;) MPI_Win_test(window, &done);"))
        self.say("MPI_Group_free(&before), MPI_Group_free(&behind);")
        self.indent -= 1
        self.say("}")


N_PACKED = 8  # numbers, at most
