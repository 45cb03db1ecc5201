# SPDX-License-Identifier: MIT
"""Small GPU plans, by hand: each right under all orders, together of every kind of operation."""


def op(name, source=(), target=(), **more):
    made = {"name": name}
    if source or target:
        made.update(src_buff=list(source), dst_buff=list(target))
    made.update(more)
    return made


def at(buffer, index, size=1):
    key = "type" if isinstance(buffer, str) else "buffer_id"
    return {key: buffer, "index": index, "size": size}


def group(index, size=1):
    return {"switch_channel_id": 0, "index": index, "size": size}


NOP = op("nop")


def signal(*ids, kind="memory"):
    return [NOP, op("signal", channel_ids=list(ids), channel_type=kind)]


def wait(*ids, kind="memory"):
    return [op("wait", channel_ids=list(ids), channel_type=kind), NOP]


def meet(*ids):
    return signal(*ids) + wait(*ids)


def plan(name, collective, blocks, chunks, remotes=("s",), protocol="Simple", in_place=True, double=False, kinds=("memory",),
         semaphores=(), switch=None, channels=1):
    """Of two GPUs; blocks(rank) gives the operations of each thread block. Channel c of all thread blocks is the GPU's
    c-th; buffers 0, 1, .. are the other GPU's, as `remotes` has them."""
    gpus = []
    for rank in range(2):
        listed = [{"channel_type": kind, "connected_to": [1 - rank] * channels} for kind in kinds]
        if switch:
            listed.append({"channel_type": "switch", "buffer_type": switch, "rank_groups": [{"size": chunks[0],
                                                                                           "ranks": [0, 1]}]})
        tbs = [{"id": i, "ops": ops,
                "channels": [{"channel_type": kind, "channel_ids": list(range(channels))} for kind in kinds] +
                            ([{"channel_type": "switch", "channel_ids": [0]}] if switch else []),
                "remote_buffer_refs": [{"access_channel_type": kind, "remote_buffer_ids": list(range(len(remotes)))}
                                       for kind in kinds]} for i, ops in enumerate(blocks(rank))]
        gpus.append({"id": rank, "input_chunks": chunks[0], "output_chunks": chunks[1], "scratch_chunks": chunks[2],
                     "threadblocks": tbs, "channels": listed,
                     "remote_buffers": [{"rank": 1 - rank, "type": r, "access_channel_types": list(kinds)}
                                        for r in remotes],
                     "semaphores": [{"init_value": s} for s in semaphores]})
    return {"name": name, "collective": collective, "protocol": protocol, "inplace": in_place, "reuse_resources": False,
            "gpus": gpus, "num_threads_per_block": 1024, "use_double_scratch_buffer": double, "buffer_alignment": 16,
            "min_message_size": 0, "max_message_size": 2**64 - 1}


def mem(**more):
    return dict(channel_type="memory", **more)


def samples():
    both = [at("i", 0), at("i", 1)]
    yield plan("put", "allgather", lambda r: [meet(0) + [op("put", [at("o", r)], [at(0, r)], **mem())] + meet(0)],
               (1, 2, 0), ("o",))
    yield plan("get", "allgather", lambda r: [meet(0) + [op("get", [at(0, 1 - r)], [at("o", 1 - r)],
                                                            **mem(channel_ids=[0]))] + meet(0)], (1, 2, 0), ("o",))
    yield plan("copy", "allgather", lambda r: [
        [op("copy", [at("i", 0)], [at("o", r)])] + meet(0) + [op("put", [at("i", 0)], [at(0, r)], **mem())] + meet(0)],
        (1, 2, 0), ("o",), in_place=False)
    yield plan("port", "allgather", lambda r: [
        meet(0) + [op("pws", [at("o", r)], [at(0, r)], channel_type="port", channel_ids=[0])] + wait(0, kind="port") +
        meet(0)], (1, 2, 0), ("o",), kinds=("memory", "port"))
    yield plan("flush", "allgather", lambda r: [
        meet(0) + [op("pwsf", [at("o", r)], [at(0, r)], channel_type="port", channel_ids=[0])] + wait(0, kind="port")],
        (1, 2, 0), ("o",), kinds=("memory", "port"))
    yield plan("put-port", "alltoall", lambda r: [
        [op("copy", [at("i", r)], [at("o", r)])] + meet(0) +
        [op("put", [at("i", 1 - r)], [at(0, r)], channel_type="port", channel_ids=[0])] + signal(0, kind="port") +
        wait(0, kind="port") + meet(0)], (2, 2, 0), ("o",), in_place=False, kinds=("memory", "port"))
    yield plan("reduce", "allreduce", lambda r: [
        meet(0) + [op("put", [at("i", 1 - r)], [at(0, 0)], **mem())] + meet(0) +
        [op("res", [at("i", r), at("s", 0)], [at("i", r), at(1, r)], **mem(reduce_op="sum"))] + meet(0)],
        (2, 2, 1), ("s", "i"))
    yield plan("read-reduce", "reducescatter", lambda r: [
        meet(0) + [op("rre", [at("i", r), at(0, r)], [at("o", 0)], **mem(reduce_op="sum"))] + meet(0)], (2, 1, 0), ("i",),
        in_place=False)
    yield plan("barrier", "allreduce", lambda r: [
        meet(0) + [op("rres", [at("i", r), at(0, r)], [at("o", r), at(1, r)], **mem(reduce_op="sum"))] + meet(0) +
        [op("barrier", barrier_id=0, num_threadblocks=2), op("re", [at("o", 0), at("o", 1)], [at("s", 0)])],
        [op("barrier", barrier_id=0, num_threadblocks=2), op("copy", [at("o", 1)], [at("s", 1)])]],
        (2, 2, 2), ("i", "o"), in_place=False)
    yield plan("semaphore", "allgather", lambda r: [
        meet(0) + [op("copy", [at("o", r)], [at("s", 0)]), NOP, op("sem_release", semaphore_ids=[0])],
        [op("sem_acquire", semaphore_ids=[0]), NOP, op("put", [at("s", 0)], [at(0, r)], **mem())] + meet(1)],
        (1, 2, 1), ("o",), semaphores=(0,), channels=2)
    yield plan("packets", "allgather", lambda r: [[op("ppkt", [at("o", r)], [at(0, r)], **mem())],
                                                  [op("upkt", [at("s", 1 - r)], [at("o", 1 - r)])]],
               (1, 2, 2), protocol="LL", double=True)
    yield plan("packet-reduce", "allreduce", lambda r: [
        [op("ppkt", [at("i", 1 - r)], [at(0, 0)], **mem())],
        [op("respkt", [at("i", r), at("s", 0)], [at("i", r), at(0, 1)], **mem(reduce_op="sum"))],
        [op("upkt", [at("s", 1)], [at("i", 1 - r)])]], (2, 2, 2), protocol="LL", double=True)
    yield plan("packet-copies", "allreduce", lambda r: [
        [op("cpkt", [at("i", 1 - r)], [at("s", 2)]), op("rppkt", [at("s", 2)], [at(0, 0)], **mem())],
        [op("recspkt", [at("i", r), at("s", 0)], [at("o", r), at("s", 3), at(0, 1)], **mem(reduce_op="sum")),
         op("upkt", [at("s", 1)], [at("o", 1 - r)])]], (2, 2, 4), protocol="LL", in_place=False, double=True)
    yield plan("packet-pair", "allreduce", lambda r: [
        [op("ppkt", both, [at(0, 0), at(0, 1)], **mem()),
         op("repkt", [at("i", r), at("s", r)], [at("o", r)], reduce_op="sum"),
         op("recpkt", [at("i", 1 - r), at("s", 1 - r)], [at("o", 1 - r), at("s", 2)], reduce_op="sum")]],
        (2, 2, 3), protocol="LL", in_place=False, double=True)
    yield plan("switch", "allreduce", lambda r: [
        meet(0) + [op("glres", [group(r)], [group(r)], channel_type="switch", reduce_op="sum")] + meet(0)], (2, 2, 0), (),
        switch="i")
    yield plan("switch-store", "allgather", lambda r: [
        meet(0) + [op("gstore", [at("o", r)], [group(r)], channel_type="switch")] + meet(0)], (1, 2, 0), (), switch="o")
    yield plan("switch-packets", "allgather", lambda r: [
        [op("cpkt", [at("i", 0)], [at("s", 2)]), op("gstorepkt", [at("s", 2)], [group(r)], channel_type="switch")],
        [op("upkt", [at("s", 1 - r)], [at("o", 1 - r)]), op("copy", [at("i", 0)], [at("o", r)])]],
        (1, 2, 3), (), protocol="LL", in_place=False, double=True, switch="s")
    yield plan("groups", "allgather", lambda r: [
        meet(t) + [op("put", [at("o", r)], [at(0, r)], **mem(tbg_info={"tb_id": t, "tbg_size": 2}))] + meet(t)
        for t in range(2)], (1, 2, 0), ("o",), channels=2)
    yield plan("pipeline", "allgather", lambda r: [
        meet(0) + [op("pipeline", iter_context={"unit_size": 16, "num_chunks": 1}, ops=[
            op("sem_acquire", semaphore_ids=[1]), NOP, op("copy", [at("o", r)], [at("s", 0)]), NOP,
            op("sem_release", semaphore_ids=[0])])],
        [op("pipeline", iter_context={"unit_size": 16, "num_chunks": 1}, ops=[
            op("sem_acquire", semaphore_ids=[0]), NOP, op("put", [at("s", 0)], [at(0, r)], **mem()), NOP,
            op("sem_release", semaphore_ids=[1])])] + meet(1)], (1, 2, 1), ("o",), semaphores=(0, 2), channels=2)


def relaxed(steps):
    """Signals and waits that order no data, in the place of others."""
    return [dict(o, name="rlx" + o["name"]) if o["name"] in ("signal", "wait") else o for o in steps]


def changed(made, **more):
    return dict(made, **more)


def drifting():
    """Plans whose counters get more, or less, in a launch than is waited for, with their verdicts."""
    def gather(before, behind, more=(), semaphores=()):
        return plan("drift", "allgather", lambda r: [
            before + [op("put", [at("o", r)], [at(0, r)], **mem())] + behind, *([more] if more else [])], (1, 2, 0), ("o",),
            channels=2, semaphores=semaphores)
    yield gather(meet(0), meet(0) + signal(1)), "good", ""  # nobody waits for it
    yield gather(meet(0), meet(0), signal(1) * 2 + wait(1)), "good", ""  # the wait orders nothing that has to be
    yield gather(meet(0), meet(0) + signal(0)), "race", "launch 2, GPU 1, thread block 0"
    yield gather(signal(0) * 5 + wait(0) * 4, meet(1)), "race", \
        "in launch 9 at the latest: on memory channel 0 GPU 0 gets 5 signals of GPU 1 in each launch, and waits 4 times"
    yield gather(meet(0), meet(0) + wait(0)), "deadlock", "waits for ever"
    yield gather([op("sem_acquire", semaphore_ids=[0])] + meet(0), meet(0), semaphores=(10,)), "deadlock", \
        "in launch 11 at the latest it hangs: semaphore 0 of GPU 0, which begins with 10, is released 0 times"
    yield gather([op("sem_acquire", semaphore_ids=[0])] * 3 + meet(0), meet(0) + [op("sem_release", semaphore_ids=[0])] * 2,
                 semaphores=(40,)), "deadlock", "in launch 41 at the latest"
    yield plan("drift-semaphore", "allgather", lambda r: [
        meet(0) + [op("copy", [at("o", r)], [at("s", 0)]), NOP] + [op("sem_release", semaphore_ids=[0])] * 5,
        [op("sem_acquire", semaphore_ids=[0])] * 4 + [NOP, op("put", [at("s", 0)], [at(0, r)], **mem())] + meet(1)],
        (1, 2, 1), ("o",), semaphores=(0,), channels=2), "race", "semaphore 0 of GPU 0, which begins with 0"
    # Beyond the launches that explore.py goes through.
    yield gather(signal(0) * 9 + wait(0) * 8, meet(1)), "race", "in launch 17 at the latest"
    # Halves of a scratch buffer that are not of one size: only launches 2 and 4 meet.
    halves = plan("halves", "custom", lambda r: [[op("ppkt", [at("i", 0)], [at(0, 1)], **mem())] + signal(0)] if r == 0 else [
        wait(0) + [op("copy", [at("i", 0)], [at("s", 0)])]], (1, 1, 2), protocol="LL", in_place=False, double=True)
    halves["gpus"][0]["scratch_chunks"] = 1
    yield halves, "race", "nothing orders"


def threads():
    """Of how many threads a thread block has."""
    def gather(threads, *steps):
        return changed(plan("threads", "allgather", lambda r: [
            list(steps[0]) + [op("put", [at("o", r)], [at(0, r)], **mem())] + list(steps[1])], (1, 2, 0), ("o",), channels=2),
            num_threads_per_block=threads)
    both = signal(0, 1) + wait(0, 1)
    yield gather(2, both, both), "good", ""
    yield gather(1, both, both), "good", ""  # the second channel is neither signalled nor waited for
    yield gather(1, signal(1, 0) + wait(0), meet(0)), "deadlock", "waits for ever"
    bare = [o for o in meet(0) if o != NOP]
    yield gather(1, bare, bare), "good", ""  # one thread does one operation behind the other
    yield gather(2, bare, bare), "race", "nothing orders"
    yield gather(0, both, both), "refused", "a whole number from 1 to 1024 is expected"
    # A thread that has both pieces waits for the first, which the second would bring.
    yield plan("pieces", "custom", lambda r: [
        [op("rppkt", [at("s", 0, 2)], [at(0, 0, 2)], **mem())]] if r == 0 else [
        [op("ppkt", [at("i", 0)], [at(0, 1)], **mem())], [op("rppkt", [at("s", 1)], [at(0, 0)], **mem())]], (1, 1, 2),
        protocol="LL", in_place=False, double=True), "deadlock", "waits for ever"


def verdicts():
    """What the orders that explore.py goes through do not show: plans with their verdicts, and a piece of the line."""
    def gather(before, behind):
        return plan("relaxed", "allgather", lambda r: [
            before + [op("put", [at("o", r)], [at(0, r)], **mem())] + behind], (1, 2, 0), ("o",))
    yield gather(relaxed(meet(0)), meet(0)), "good", ""
    yield gather(relaxed(meet(0)), relaxed(meet(0))), "race", "relaxed signals order no data"
    yield gather(relaxed(meet(0)), meet(0)[:2] + relaxed(wait(0))), "race", "relaxed signals order no data"
    yield gather(relaxed(meet(0)), relaxed(signal(0)) + wait(0)), "race", "relaxed signals order no data"
    yield gather(relaxed(meet(0)), relaxed(meet(0)) + meet(0)), "good", ""
    yield gather(relaxed(meet(0)), meet(0) + relaxed(meet(0))), "good", ""
    # Relaxed signals of one launch are counted behind all that another thread block has sent in the one before.
    yield plan("relaxed-beside", "allgather", lambda r: [
        relaxed(signal(0)), meet(1) + [op("put", [at("o", r)], [at(0, r)], **mem())] + signal(0) + wait(0) + wait(0)],
        (1, 2, 0), ("o",), channels=2), "good", ""
    # What is read before a relaxed signal is read.
    yield plan("relaxed-read", "allgather", lambda r: [
        meet(0) + [op("get", [at(0, 1 - r)], [at("o", 1 - r)], **mem(channel_ids=[0]))] + relaxed(meet(0))],
        (1, 2, 0), ("o",)), "good", ""
    # A wide copy onto itself, a piece further on: its own threads meet.
    yield plan("shifted", "custom", lambda r: [[op("copy", [at("i", 0, 2)], [at("i", 1, 2)])]], (3, 3, 0), ()), "race", \
        "threads of one operation meet"
    # What the executor has no room for, or does not carry out.
    nops = [NOP] * 65
    for blocks, said in (([nops], "65 operations; the executor has room for 64"),
                         ([[op("glre")]], "no operation of MSCCL++'s executor"),
                         ([[op("re", [at("i", 0), at("o", 0)], [at("o", 0)], reduce_op="max")]], "the executor adds up"),
                         ([[op("copy", [at("i", 0)], [at("o", 2)])]], "goes to byte 48 of buffer o"),
                         ([[op("copy", [at("i", 0)], [at(0, 0)])]], "other sources or targets"),
                         ([[op("wait", channel_ids=[3], channel_type="memory")]], "has no memory channel 3"),
                         ([[op("sem_acquire", semaphore_ids=[0])]], "has no semaphore 0"),
                         ([wait(0), wait(0)], "which of them goes on"),
                         ([[op("get", [at(0, 0)], [at("o", 0)], channel_type="port")]], "does not carry it out"),
                         ([[op("barrier", barrier_id=0, num_threadblocks=2)]] * 3, "which of them go on"),
                         ([[op("pipeline", iter_context={"unit_size": 16, "num_chunks": 21846}, ops=[NOP])]],
                          "a pipeline of 65538 rounds; the executor counts up to 65535"),
                         ([[op("pipeline", iter_context={"unit_size": 16, "num_chunks": 1}, ops=[
                             op("pipeline", iter_context={"unit_size": 16, "num_chunks": 1}, ops=[])])]],
                          "a pipeline in a pipeline")):
        yield plan("limits", "allgather", lambda r, blocks=blocks: blocks, (1, 2, 0), ("o",)), "refused", said
    for key, value, said in (("protocol", "LL128", "neither Simple nor LL"), ("buffer_alignment", 24, "no multiple of 16"),
                             ("inplace", 1, "true or false"), ("gpus", [], "there is none"),
                             ("collective", "allreduce", "no allreduce has 1 chunks of input and 2 of output")):
        broken = plan("broken", "allgather", lambda r: [[]], (1, 2, 0), ())
        broken[key] = value
        yield broken, "refused", said
