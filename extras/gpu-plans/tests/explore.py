# SPDX-License-Identifier: MIT
"""All orders of a small GPU plan, one by one: is any of them wrong? An implementation of docs/theory/gpu-plans.md that
shares nothing with the checker: elements of one 16-byte cell, sets of what is done, and every set that can be reached.
Relaxed signals are taken as signals, and a plan with a port's flush or several waiters of one channel is not taken."""
import collections
import math

CELL = 16
PAIRS = {"put", "pws", "pwsf", "get", "ppkt"}
PLAIN = {"copy": (9, 9), "re": (9, 9), "res": (9, 9), "rre": (9, 9), "rres": (9, 9), "rppkt": (0, 0), "respkt": (1, 1),
         "cpkt": (9, 0), "upkt": (0, 9), "repkt": (1, 1), "recpkt": (1, 1), "recspkt": (1, 1), "glres": (9, 9),
         "gstore": (9, 9), "gstorepkt": (0, 0)}  # so many sources and targets are plain, the others packets


class TooMany(Exception):
    pass


class Element:
    def __init__(self, kind, rank):
        self.kind, self.rank, self.launch = kind, rank, 0
        self.before, self.maybe, self.needs, self.gives = set(), set(), [], []
        self.reads, self.writes = [], []  # [(cells)] that are read or written; a packet is two cells


class Places:
    """Where the operations of a plan read and write, and which counter a channel's signals go to."""

    def __init__(self, plan, chunk=None):
        self.plan, self.gpus = plan, plan["gpus"]
        self.packets = plan["protocol"] == "LL"
        self.double = plan.get("use_double_scratch_buffer", False)
        self.threads = plan.get("num_threads_per_block", 1024)
        ops = [o for g in self.gpus for t in g["threadblocks"] for o in t["ops"]]
        ops += [o for p in ops for o in p.get("ops", [])]
        slices = math.lcm(*[o["tbg_info"]["tbg_size"] for o in ops if "tbg_info" in o], 1)
        unit = max([o["iter_context"]["unit_size"] for o in ops if "iter_context" in o], default=0)
        self.chunk = chunk or -(-max(3 * unit, 1) // (CELL * slices)) * CELL * slices

    def user(self, rank, buffer):
        """Key and first cell of a buffer of the user's."""
        if not self.plan["inplace"]:
            return (rank, buffer), 0
        gpu, collective = self.gpus[rank], self.plan["collective"]
        at = 0
        if (collective, buffer) == ("allgather", "i"):
            at = rank * gpu["input_chunks"]
        if (collective, buffer) == ("reducescatter", "o"):
            at = rank * gpu["output_chunks"]
        return (rank, "u"), at * self.chunk // CELL

    def cells(self, rank, buffer, at, size, packets, half):
        """Cells of `size` bytes from byte `at` on, two for each where they are packets; half: that many before them."""
        if buffer == "s":
            key, first = (rank, "s"), half
        else:
            key, first = self.user(rank, buffer)
        at //= CELL
        if packets:
            return [((key, first + 2 * (at + i)), (key, first + 2 * (at + i) + 1)) for i in range(size // CELL)]
        return [((key, first + at + i),) for i in range(size // CELL)]

    def slice(self, size, op):
        info = op.get("tbg_info", {"tb_id": 0, "tbg_size": 1})
        each, rest = divmod(size // CELL, info["tbg_size"])
        begin = [k * each + min(k, rest) for k in (info["tb_id"], info["tb_id"] + 1)]
        return begin[0] * CELL, (begin[1] - begin[0]) * CELL

    def place(self, here, op, place, index, packets, half, size):
        """One list of cells, or of a switch one for each GPU."""
        rank, block, offset, _, launch = here
        tb = self.gpus[rank]["threadblocks"][block]
        at = index * self.chunk + self.slice(place["size"] * self.chunk, op)[0] + (0 if packets else offset)
        second = self.gpus[rank]["scratch_chunks"] * self.chunk // CELL * (1 + self.packets)  # of who goes there
        half = second if half and self.double and launch % 2 else 0
        if "buffer_id" in place:
            refs = [i for r in tb["remote_buffer_refs"] if r["access_channel_type"] == op["channel_type"]
                    for i in r["remote_buffer_ids"]]
            remote = self.gpus[rank]["remote_buffers"][refs[place["buffer_id"]]]
            return [self.cells(remote["rank"], remote["type"], at, size, packets, half if packets else 0)]
        if "switch_channel_id" in place:
            ids = [i for c in tb["channels"] if c["channel_type"] == "switch" for i in c["channel_ids"]]
            groups = [(c["buffer_type"], g) for c in self.gpus[rank]["channels"] if c["channel_type"] == "switch"
                      for g in c["rank_groups"]]
            kind, group = groups[ids[place["switch_channel_id"]]]
            return [self.cells(r, kind, at, size, packets, half if packets else 0) for r in group["ranks"]]
        return [self.cells(rank, place["type"], at, size, packets, half)]

    def size(self, here, op, place, packets):
        size = self.slice(place["size"] * self.chunk, op)[1]
        return size if packets else min(size - here[2], here[3])

    def parts(self, here, op):
        """[(sources, targets)], each a list of lists of cells."""
        sources, targets = op.get("src_buff", []), op.get("dst_buff", [])
        if op["name"] in PAIRS:
            port, packets = op.get("channel_type") == "port", op["name"] == "ppkt"
            for source, target in zip(sources, targets):
                if op["name"] == "get":
                    size = self.size(here, op, source, False)
                    yield (self.place(here, op, source, target["index"], False, False, size),
                           self.place(here, op, target, source["index"], False, True, size))
                    continue
                size = self.size(here, op, source if packets else target, packets)
                if not port:
                    source = dict(source, type=sources[0]["type"])
                yield (self.place(here, op, source, source["index"], packets and port, packets or not port, size),
                       self.place(here, op, target, target["index"], packets, packets, size))
        elif sources:
            plain = PLAIN[op["name"]]
            size = self.size(here, op, sources[0], plain[0] < len(sources) or plain[1] < len(targets))
            reads, writes = [], []
            for i, source in enumerate(sources):
                if i >= plain[0] and op["name"] != "gstorepkt":
                    source = dict(source, type="s")
                reads += self.place(here, op, source, source["index"], i >= plain[0], True, size)
            for i, target in enumerate(targets):
                writes += self.place(here, op, target, target["index"], i >= plain[1], True, size)
            yield reads, writes

    def channel(self, rank, block, kind, index):
        """A channel's own counter, and the one that its signals count on."""
        gpus, tb = self.gpus, self.gpus[rank]["threadblocks"][block]
        ids = [i for c in tb["channels"] if c["channel_type"] == kind for i in c["channel_ids"]]
        peers = [[p for c in g["channels"] if c["channel_type"] == kind for p in c["connected_to"]] for g in gpus]
        own = ids[index]
        peer = peers[rank][own]
        nth = peers[rank][:own].count(peer)
        there = [i for i, p in enumerate(peers[peer]) if p == rank]
        return (kind, rank, own), (kind, peer, there[nth]) if nth < len(there) else None

    def wanted(self, rank, i):
        """The (GPU, cell of its input) whose sum cell i of a rank's output is to be; None: anything."""
        gpu, n, c = self.gpus[rank], len(self.gpus), self.chunk // CELL
        size, out = gpu["input_chunks"] * c, gpu["output_chunks"] * c
        every = range(n)
        root = self.plan.get("root", 0)
        return {"allgather": lambda: [(i // size, i % size)], "allreduce": lambda: [(r, i) for r in every],
                "reducescatter": lambda: [(r, rank * out + i) for r in every],
                "alltoall": lambda: [(i // (out // n), rank * (out // n) + i % (out // n))],
                "broadcast": lambda: [(root, i)], "sendrecv": lambda: [((rank - 1) % n, i)],
                "reduce": lambda: [(r, i) for r in every] if rank == root else None,
                }.get(self.plan["collective"], lambda: None)()


class Explorer(Places):
    def __init__(self, plan, launches, chunk=None):
        super().__init__(plan, chunk)
        self.elements, self.givers, self.waited, self.uses, end = [], {}, {}, {}, {}
        for launch in range(launches):
            self.now = launch
            for rank in range(len(self.gpus)):
                end[rank] = self.launch_rank(launch, rank, end.get(rank))

    def add(self, kind, rank, before=(), maybe=()):
        self.elements.append(Element(kind, rank))
        self.elements[-1].launch = self.now
        self.elements[-1].before |= set(before)
        self.elements[-1].maybe |= set(maybe)
        return len(self.elements) - 1

    def give(self, element, counter):
        self.elements[element].gives.append(counter)
        self.givers.setdefault(counter, []).append(element)

    def moves(self, launch, element, reads, writes, i, waits):
        e = self.elements[element]
        e.reads = [cells[i] for cells in reads]
        e.writes = [cells[i] for cells in writes]
        if waits:
            e.needs += [(("packet", cells[0], launch), 1) for cells in e.reads if len(cells) == 2]
        for cells in e.writes:
            if len(cells) == 2:
                self.give(element, ("packet", cells[0], launch))

    def launch_rank(self, launch, rank, before):
        begin = self.add("begin", rank, [] if before is None else [before])
        for buffer in "io":
            key, first = self.user(rank, buffer)
            chunks = self.gpus[rank]["input_chunks" if buffer == "i" else "output_chunks"]
            self.elements[begin].writes += [((key, first + i),) for i in range(chunks * self.chunk // CELL)]
        if self.plan["inplace"]:
            chunks = max(self.gpus[rank]["input_chunks"], self.gpus[rank]["output_chunks"])
            self.elements[begin].writes = [(((rank, "u"), i),) for i in range(chunks * self.chunk // CELL)]
        ends = [self.run_block(launch, rank, block, begin) for block in range(len(self.gpus[rank]["threadblocks"]))]
        end = self.add("end", rank, ends + [begin])
        key, first = self.user(rank, "o")
        self.elements[end].reads = [((key, first + i),)
                                    for i in range(self.gpus[rank]["output_chunks"] * self.chunk // CELL)]
        return end

    def run_block(self, launch, rank, block, begin):
        return Block(self, launch, rank, block, begin).run_all()

    # ---- all orders ----

    def do(self, index, memory):
        """Memory behind an element; a reason where the element finds what it should not."""
        e = self.elements[index]
        if e.kind == "begin":
            memory = dict(memory)
            for (cell,) in e.writes:
                memory[cell] = ("data", None, 0)
            key, first = self.user(e.rank, "i")
            for i in range(self.gpus[e.rank]["input_chunks"] * self.chunk // CELL):
                memory[key, first + i] = ("data", ((e.launch, e.rank, i),), 0)
        elif e.kind == "end":
            for i, (cell,) in enumerate(e.reads):
                wanted = self.wanted(e.rank, i)
                terms = wanted and tuple(sorted((e.launch, r, c) for r, c in wanted))
                if terms and memory.get(cell) != ("data", terms, 0):
                    return memory, "data"
        elif e.reads or e.writes:
            memory = dict(memory)
            terms = ()
            for pieces in e.reads:
                kind = ("packet", e.launch + 1) if len(pieces) == 2 else ("data", 0)
                found = [memory.get(cell, ("data", None, 0)) for cell in pieces]
                if any((f[0], f[2]) != kind for f in found):
                    return memory, "data"
                terms = None if terms is None or found[0][1] is None else tuple(sorted(terms + found[0][1]))
            for pieces in e.writes:
                for cell in pieces:
                    memory[cell] = ("packet", terms, e.launch + 1) if len(pieces) == 2 else ("data", terms, 0)
        return memory, None

    def explore(self, most=20000):
        """"good", "race", "deadlock", "data"; TooMany where there are more sets of elements than that."""
        hard = [sum(1 << b for b in e.before) for e in self.elements]
        soft = [h | sum(1 << b for b in e.maybe) for h, e in zip(hard, self.elements)]
        # Whether it ends: the choices of what waits do not matter to what can be done, but all are tried.
        verdict = self.explore_sets(soft, most, False)
        if verdict == "good" and any(w != p and set(w) & set(p) for e in self.elements if e.kind == "data"
                                     for w in e.writes for p in e.reads + e.writes):
            return "race"  # packets and plain data at one place: threads of one operation meet
        return self.explore_sets(hard, most, True) if verdict == "good" else verdict

    def explore_sets(self, preds, most, data):
        n, behind, waiting = len(self.elements), collections.defaultdict(list), collections.defaultdict(list)
        givers = {c: sum(1 << g for g in who) for c, who in self.givers.items()}
        cells = [({c for p in e.reads for c in p}, {c for p in e.writes for c in p}) for e in self.elements]
        for i, e in enumerate(self.elements):
            for b in (e.before if data else e.before | e.maybe):
                behind[b].append(i)
            for counter, _ in e.needs:
                waiting[counter].append(i)

        def ready(done, who):
            return {i for i in who if not done >> i & 1 and preds[i] & ~done == 0 and
                    all((done & givers.get(c, 0)).bit_count() >= t for c, t in self.elements[i].needs)}

        def meet(i, j):
            return cells[i][1] & (cells[j][0] | cells[j][1]) or cells[j][1] & cells[i][0]

        able = ready(0, range(n))
        verdict, full, seen, stack = "good", (1 << n) - 1, {0: {}}, [(0, able, able)]
        while stack:
            done, able, new = stack.pop()
            if not able and done != full:
                return "deadlock"
            if data and any(i != j and meet(i, j) for i in new for j in able):
                return "race"
            joins = [i for i in sorted(able) if self.elements[i].kind == "join"]
            for i in joins[:1] or sorted(able):
                memory, fault = self.do(i, seen[done]) if data else ({}, None)
                verdict = fault or verdict
                after = done | 1 << i
                if after in seen:
                    assert verdict != "good" or seen[after] == memory, "two orders, two results"
                    continue
                seen[after] = memory
                if len(seen) > most:
                    raise TooMany("sets of elements")
                more = ready(after, behind[i] + [j for c in self.elements[i].gives for j in waiting[c]])
                stack.append((after, able - {i} | more, more - able))
        return verdict


class Block:
    """A thread block of a launch, from phase to phase."""

    def __init__(self, explorer, launch, rank, block, begin):
        self.x, self.launch, self.rank, self.block = explorer, launch, rank, block
        self.phase(begin)

    def phase(self, start):
        self.start, self.open, self.lanes, self.blocks, self.waits = start, [], {}, [], []
        return start

    def join(self):
        return self.phase(self.x.add("join", self.rank, self.open + [self.start]))

    def step(self, lane):
        event = self.x.add("step", self.rank, [self.start] + self.lanes.get(lane, []), self.blocks)
        self.lanes[lane] = [event]
        self.open.append(event)
        return event

    def wait(self, counter, first, lane):
        count, who = self.x.waited.get(counter, (0, None))
        if who and (who[0] != self.block or (who[1] == self.start and who[2] != lane)):
            raise TooMany("several waiters")
        self.x.waited[counter] = (count + 1, (self.block, self.start, lane))
        event = self.step(lane)
        self.x.elements[event].needs.append((counter, count + 1 - first))
        self.waits.append(event)

    def queue(self, own, issue, count, kind):
        """Elements of a port, behind all that it has on the channel."""
        before = self.x.waited.get(("tail",) + own, [])
        self.x.waited[("tail",) + own] = [self.x.add(kind, self.rank, [issue] + before) for _ in range(count)]
        return self.x.waited[("tail",) + own]

    def move(self, here, op):
        by_port, new = op.get("channel_type") == "port", []
        for reads, writes in self.x.parts(here, op) if not by_port or op["name"] not in PAIRS else ():
            for i in range(len(reads[0])):
                event = self.x.add("data", self.rank, [self.start], self.blocks + self.waits + new)
                self.x.moves(self.launch, event, reads, [] if by_port else writes, i, True)
                if any(len(cells) == 2 for cells in self.x.elements[event].reads):
                    new.append(event)
                self.open.append(event)
        self.blocks = self.blocks + new
        if by_port:
            self.give_port(here, op)

    def give_port(self, here, op):
        again = op["name"] == "rppkt"
        if again:
            self.join()
        for nth, (reads, writes) in enumerate(self.x.parts(here, op)):
            for lane, target in enumerate(writes) if again else [(nth, writes[0])]:
                if lane >= self.x.threads:
                    continue
                own, other = self.x.channel(self.rank, self.block, "port", op["channel_ids"][lane])
                issue = self.step(lane)
                for i, event in enumerate(self.queue(own, issue, len(reads[0]), "data")):
                    self.x.moves(self.launch, event, reads, [target], i, False)
                if op["name"] in ("pws", "pwsf"):
                    done = self.queue(own, issue, 1, "step")[0]
                    self.x.give(done, other)
                    if op["name"] == "pwsf":
                        self.x.elements[self.step(lane)].before.add(done)

    def barrier(self, op):
        event, count = self.join(), op["num_threadblocks"]
        if count > 1:
            counter, uses = ("barrier", self.rank, op["barrier_id"]), self.x.uses
            self.x.give(event, counter)
            uses[counter, self.block] = uses.get((counter, self.block), 0) + 1
            if len([k for k in uses if k[0] == counter]) > count:
                raise TooMany("several meet")
            self.phase(self.x.add("join", self.rank, [event]))
            self.x.elements[self.start].needs.append((counter, uses[counter, self.block] * count))

    def signal(self, kind, lane, index):
        own, other = self.x.channel(self.rank, self.block, kind, index)
        event = self.step(lane)
        if kind == "port":
            event = self.queue(own, event, 1, "step")[0]
        if other:
            self.x.give(event, other)

    def run(self, op, iteration, unit):
        here = (self.rank, self.block, iteration * unit if unit else 0, unit or 1 << 40, self.launch)
        name, kind = op["name"].removeprefix("rlx"), op.get("channel_type")
        if op.get("src_buff"):
            self.move(here, op)
        elif name == "nop":
            self.join()
        elif name == "barrier":
            self.barrier(op)
        for lane, index in enumerate(op.get("channel_ids", [])[:self.x.threads] if name in ("signal", "wait") else ()):
            if name == "signal":
                self.signal(kind, lane, index)
            else:
                self.wait(self.x.channel(self.rank, self.block, kind, index)[0], 0, lane)
        for lane, index in enumerate(op.get("semaphore_ids", [])[:self.x.threads]):
            if name == "sem_release":
                self.x.give(self.step(lane), ("semaphore", self.rank, index))
            elif name == "sem_acquire":
                value = self.x.gpus[self.rank]["semaphores"][index]["init_value"]
                self.wait(("semaphore", self.rank, index), value, lane)
        if self.x.threads == 1:
            self.join()

    def run_all(self):
        for op in self.x.gpus[self.rank]["threadblocks"][self.block]["ops"]:
            if op["name"] != "pipeline":
                self.run(op, 0, None)
                continue
            context = op["iter_context"]
            for i in range(-(-context["num_chunks"] * self.x.chunk // context["unit_size"])):
                for inner in op["ops"]:
                    self.run(inner, i, context["unit_size"])
        return self.join()
