# SPDX-License-Identifier: MIT
"""A GPU plan carried out thread by thread, launch after launch, in an order that is drawn: does it hang, does something
else come out, do two accesses to one place meet in no order? Nothing is taken for granted of launches, counters or phases:
counters count, a thread goes on when it can. Who is ordered behind whom is kept as a set of accesses, handed on by what
a thread had to wait for. Of explore.py it takes where operations read and write, and nothing else."""
import explore


class Wrong(Exception):
    pass


class Actor:
    """A user, a thread or a channel of a port: a generator that gives what it waits for, or None after a step. Its place:
    ("user", rank), ("thread", rank, block, thread) or ("port", rank, channel)."""

    def __init__(self, place, steps):
        self.place, self.steps, self.pending = place, steps, None


class Counter:
    """What has been added, and what lay behind each of it; who waits needs the first so many."""

    def __init__(self, first=0):
        self.first, self.behind, self.waits = first, [0], 0

    def add(self, clock):
        self.behind.append(self.behind[-1] | clock)

    def target(self):
        self.waits += 1
        return max(self.waits - self.first, 0)


class Run:
    def __init__(self, plan, rng, launches=16, chunk=None):
        self.places, self.rng, self.launches = explore.Places(plan, chunk), rng, launches
        self.plan, self.gpus = plan, plan["gpus"]
        self.memory, self.written, self.read, self.accesses = {}, {}, {}, 0
        self.counters, self.queues, self.actors, self.numbers, self.uses, self.sent = {}, {}, [], {}, {}, {}
        self.now = {rank: 0 for rank in range(len(self.gpus))}  # the launch that a GPU is in
        for rank, gpu in enumerate(self.gpus):
            for index, semaphore in enumerate(gpu.get("semaphores", [])):
                self.counters["semaphore", rank, index] = Counter(semaphore["init_value"])
            self.actors.append(Actor(("user", rank), self.user(rank)))

    def counter(self, name):
        return self.counters.setdefault(name, Counter())

    # ---- memory ----

    def access(self, clock, reads, writes):
        """One access, behind those of its clock, which it is added to."""
        self.accesses += 1
        bit = 1 << self.accesses
        for cell in [c for cells in reads for c in cells]:
            if self.written.get(cell, 0) & ~clock:
                raise Wrong("race")
            self.read[cell] = self.read.get(cell, 0) | bit
        for cell in [c for cells in writes for c in cells]:
            if (self.written.get(cell, 0) | self.read.get(cell, 0)) & ~clock & ~bit:
                raise Wrong("race")
            self.written[cell], self.read[cell] = bit, 0
        return clock | bit

    def number(self, launch, rank, i):
        """An input."""
        return self.numbers.setdefault((launch, rank, i), self.rng.getrandbits(60))

    def move(self, clock, reads, writes, launch):
        flag, total = launch + 1, 0
        for cells in reads:
            found = [self.memory.get(cell, (0, self.rng.getrandbits(60))) for cell in cells]
            if any(f[0] != (flag if len(cells) == 2 else 0) for f in found):
                raise Wrong("data")
            total += found[0][1]
        clock = self.access(clock, reads, writes)
        for cells in writes:
            for cell in cells:
                self.memory[cell] = (flag if len(cells) == 2 else 0, total)
                if len(cells) == 2:
                    self.sent[cell, launch] = clock
        return clock

    # ---- the user, threads, ports ----

    def user(self, rank):
        """Launch after launch: writes its buffers, waits for all threads, reads the output."""
        gpu, clock = self.gpus[rank], 0
        cells = {b: gpu[f"{word}_chunks"] * self.places.chunk // explore.CELL for b, word in (("i", "input"), ("o", "output"))}
        if self.plan["inplace"]:
            whole = [(((rank, "u"), i),) for i in range(max(cells.values()))]
        else:
            whole = [(((rank, b), i),) for b in cells for i in range(cells[b])]
        (key_in, first_in), (key_out, first_out) = (self.places.user(rank, b) for b in "io")
        for launch in range(self.launches):
            self.now[rank] = launch
            for (cell,) in whole:
                self.memory[cell] = (0, self.rng.getrandbits(60))
            for i in range(cells["i"]):
                self.memory[key_in, first_in + i] = (0, self.number(launch, rank, i))
            clock = self.access(clock, [], whole)
            blocks = [Block(self, rank, block, launch, clock) for block in range(len(gpu["threadblocks"]))]
            yield lambda blocks=blocks: all(b.ended == b.count for b in blocks)
            for block in blocks:
                clock |= block.clock
            output = [(key_out, first_out + i) for i in range(cells["o"])]
            clock = self.access(clock, [(cell,) for cell in output], [])
            for i, cell in enumerate(output):
                wanted = self.places.wanted(rank, i)
                if wanted and self.memory[cell] != (0, sum(self.number(launch, r, c) for r, c in wanted)):
                    raise Wrong("data")
            yield None

    def port(self, queue):
        """What a port's channel is given, one after the other; what has been done is said in a list of its own."""
        clock = 0
        while True:
            yield lambda: queue
            behind, moves, counter, done, launch = queue.pop(0)
            clock |= behind
            for reads, writes in moves:
                clock = self.move(clock, reads, writes, launch)
            if counter:
                self.counter(counter).add(clock)
            done.append(clock)

    def give_port(self, own, clock, moves, counter, launch):
        if own not in self.queues:
            self.queues[own] = []
            self.actors.append(Actor(("port",) + own[1:], self.port(self.queues[own])))
        done = []
        self.queues[own].append((clock, moves, counter, done, launch))
        return done

    # ---- orders ----

    def run(self):
        """None where all is right; or what is wrong, "hang", "race" or "data", and in which launch, from 1 on."""
        depth = self.rng.randrange(4)  # as it comes; or a GPU, a thread block, a thread as far as it can, then the next
        ranks = {}

        def rank(actor):
            if id(actor) not in ranks:
                key = actor.place[1:1 + depth]
                ranks[id(actor)] = (ranks.setdefault(key, self.rng.random()), self.rng.random(), actor)
            return ranks[id(actor)][:2]
        while True:
            able = [a for a in self.actors if not a.pending or a.pending()]
            if not able:
                hangs = any(a.place[0] != "port" for a in self.actors)
                return ("hang", 1 + min(self.now.values())) if hangs else None
            actor = max(able, key=rank) if depth else self.rng.choice(able)
            try:
                actor.pending = next(actor.steps)
            except StopIteration:
                self.actors.remove(actor)
            except Wrong as wrong:
                return str(wrong), 1 + max(self.now.values())


class Block:
    """A thread block of a launch: its threads, of which the first ones do the signals and waits of an operation."""

    def __init__(self, run, rank, block, launch, clock):
        self.run, self.places, self.rank, self.block, self.launch = run, run.places, rank, block, launch
        ops = run.gpus[rank]["threadblocks"][block]["ops"]
        self.steps = list(self.in_order(ops))
        lanes = max([len(op.get(key, [])) for op, _, _ in self.steps for key in ("channel_ids", "semaphore_ids", "dst_buff")],
                    default=1)
        self.count = min(self.places.threads, lanes + run.rng.randrange(1, 3))
        self.ended, self.clock, self.met, self.meeting, self.uses = 0, clock, [0, 0], 0, {}
        for thread in range(self.count):
            run.actors.append(Actor(("thread", rank, block, thread), self.thread(thread, clock)))

    def in_order(self, ops):
        for op in ops:
            if op["name"] != "pipeline":
                yield op, 0, 1 << 40
                continue
            unit = op["iter_context"]["unit_size"]
            for i in range(-(-op["iter_context"]["num_chunks"] * self.places.chunk // unit)):
                for inner in op["ops"]:
                    yield inner, i * unit, unit

    def thread(self, thread, clock):
        for number, (op, offset, unit) in enumerate(self.steps):
            here = (self.rank, self.block, offset, unit, self.launch)
            name, kind = op["name"].removeprefix("rlx"), op.get("channel_type")
            if op.get("src_buff"):
                clock = yield from self.moves(here, op, number, thread, clock)
            elif name in ("nop", "barrier"):
                clock = yield from self.meet(clock)
                if name == "barrier" and op["num_threadblocks"] > 1:
                    clock = yield from self.barrier(op, thread, clock)
            elif name in ("signal", "wait") and thread < len(op["channel_ids"]):
                own, other = self.places.channel(self.rank, self.block, kind, op["channel_ids"][thread])
                if name == "wait":
                    clock = yield from self.wait(own, clock)
                elif kind == "port":
                    self.run.give_port(own, clock, [], other, self.launch)
                elif other:
                    self.run.counter(other).add(clock)
            elif name.startswith("sem_") and thread < len(op["semaphore_ids"]):
                counter = ("semaphore", self.rank, op["semaphore_ids"][thread])
                if name == "sem_release":
                    self.run.counter(counter).add(clock)
                else:
                    clock = yield from self.wait(counter, clock)
            yield None
        self.clock |= clock
        self.ended += 1

    def wait(self, name, clock):
        counter = self.run.counter(name)
        target = counter.target()
        yield lambda: len(counter.behind) > target
        return clock | counter.behind[target]

    def meet(self, clock):
        """All threads of the thread block; the last one opens the next meeting."""
        self.met[0] += 1
        self.met[1] |= clock
        meeting = self.meeting
        if self.met[0] == self.count:
            self.clocks = self.met[1]
            self.met, self.meeting = [0, 0], meeting + 1
        yield lambda: self.meeting > meeting
        return clock | self.clocks

    def barrier(self, op, thread, clock):
        counter = self.run.counter(("barrier", self.rank, op["barrier_id"]))
        if thread == 0:
            mine = ("barrier", self.rank, op["barrier_id"], self.block)
            uses = self.run.uses[mine] = self.run.uses.get(mine, 0) + 1
            counter.add(clock)
            yield lambda: len(counter.behind) > uses * op["num_threadblocks"]
            clock |= counter.behind[uses * op["num_threadblocks"]]
        return (yield from self.meet(clock))

    def moves(self, here, op, number, thread, clock):
        by_port = op.get("channel_type") == "port"
        pairs = op["name"] in explore.PAIRS
        parts = list(self.places.parts(here, op))
        for nth, (reads, writes) in enumerate(parts if not (by_port and pairs) else ()):
            for i in range(len(reads[0])):
                if self.owner(number, nth, i) != thread:
                    continue
                packets = [cells[i] for cells in reads if len(cells[i]) == 2]
                memory, flag = self.run.memory, self.launch + 1
                yield lambda: all(memory.get(c, (0,))[0] == flag for cells in packets for c in cells)
                for cells in packets:
                    clock |= self.run.sent.get((cells[0], self.launch), 0)
                targets = [] if by_port else [cells[i] for cells in writes]
                clock = self.run.move(clock, [cells[i] for cells in reads], targets, self.launch)
        if by_port:
            if not pairs:
                clock = yield from self.meet(clock)
            given = [(reads, target) for reads, writes in parts for target in (writes if not pairs else writes[:1])]
            if thread < len(given):
                reads, target = given[thread]
                own, other = self.places.channel(self.rank, self.block, "port", op["channel_ids"][thread])
                moves = [([cells[i] for cells in reads], [target[i]]) for i in range(len(target))]
                signals = op["name"] in ("pws", "pwsf")
                done = self.run.give_port(own, clock, moves, other if signals else None, self.launch)
                if op["name"] == "pwsf":
                    yield lambda: done
                    clock |= done[0]
        return clock

    def owner(self, number, part, i):
        """Which thread has a piece of an operation: the plan does not say."""
        key = (number, part, i)
        if key not in self.uses:
            self.uses[key] = self.run.rng.randrange(self.count)
        return self.uses[key]
