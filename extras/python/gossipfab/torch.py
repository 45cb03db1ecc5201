# SPDX-License-Identifier: MIT
"""Collectives over torch.distributed, by schedules: rank v of a process group is node v.

    schedule = gossipfab.solve("torus:2x4", "full", gossipfab.Goal("all-reduce", blocks=8))
    total = gossipfab.torch.all_reduce(gradients, schedule)
    model.register_comm_hook(gossipfab.torch.Hook(schedule), gossipfab.torch.average)      # DistributedDataParallel

x is a tensor, or a tree of them, all of whose elements of one type and device go as one vector; results are new ones.
Rounds are batch_isend_irecv, so that any backend that has it does. A sum has the bits that schedule.expression() says.
Gradients do not flow through. docs/guide/jax.md."""
import collections
import dataclasses
import weakref
from typing import Any, Dict, List, Optional, Tuple

from ._library import of_kind
from ._plan import Message, Plan
from .errors import InvalidError
from .schedule import COMBINE, Goal, Schedule

try:
    import torch
    import torch.distributed as dist
    from torch.utils._pytree import tree_flatten, tree_unflatten
except ImportError as missing:
    raise ImportError("gossipfab.torch needs PyTorch: pip install 'gossipfab[torch]'") from missing

__all__ = ["Hook", "all_gather", "all_reduce", "all_to_all", "average", "barrier", "broadcast", "reduce", "reduce_scatter"]

Group = Any  # torch.distributed.ProcessGroup; None is the one of all processes


@dataclasses.dataclass
class _Share:
    """What a rank does of a schedule, in each round."""

    goal: Goal
    nodes: int
    rounds: List[Tuple[List[Message], List[Message]]]


_shares: "weakref.WeakKeyDictionary[Schedule, Dict[int, _Share]]" = weakref.WeakKeyDictionary()


def _share(schedule: Schedule, collective: str, group: Group) -> Tuple[_Share, int]:
    """A rank's part, made once, and the rank."""
    rank, size = dist.get_rank(group), dist.get_world_size(group)
    if rank < 0:
        raise InvalidError("this process is not in the group")
    known = _shares.setdefault(of_kind(Schedule, schedule, "a schedule"), {})
    if rank not in known or known[rank].goal.collective != collective:
        plan = Plan(schedule, collective, collective != "barrier")
        known[rank] = _Share(plan.goal, plan.nodes, plan.share(rank))
    if known[rank].nodes != size:
        raise InvalidError(f"the schedule has {known[rank].nodes} nodes, but there are {size} ranks")
    return known[rank], rank


def _together(blocks: Dict[int, torch.Tensor], tokens: List[int]) -> torch.Tensor:
    return torch.cat([blocks[token & ~COMBINE] for token in tokens])


def _between(messages: List[Message], peer_of: str) -> Dict[int, List[Message]]:
    by_peer: Dict[int, List[Message]] = collections.defaultdict(list)
    for message in messages:
        by_peer[getattr(message, peer_of)].append(message)
    return by_peer


def _carry(share: _Share, blocks: Dict[int, torch.Tensor], lengths: List[int], group: Group, like: torch.Tensor,
           greatest: bool = False) -> None:
    """blocks[b]: what this rank has of block b, and gets. Between two ranks there is one message a round each way, so that
    no backend has to tell messages apart."""
    def rank_of(node: int) -> int:
        return node if group is None else int(dist.get_global_rank(group, node))

    for sends, receives in share.rounds:
        work, rooms = [], {}
        for peer, messages in _between(sends, "target").items():
            tokens = [token for message in messages for token in message.tokens if lengths[token & ~COMBINE]]
            if tokens:
                work.append(dist.P2POp(dist.isend, _together(blocks, tokens), rank_of(peer), group))
        for peer, messages in _between(receives, "source").items():
            sizes = [lengths[token & ~COMBINE] for message in messages for token in message.tokens]
            if sum(sizes):
                room = torch.empty(sum(sizes), dtype=like.dtype, device=like.device)
                work.append(dist.P2POp(dist.irecv, room, rank_of(peer), group))
                rooms[peer] = list(torch.split(room, sizes))
        for request in dist.batch_isend_irecv(work) if work else []:
            request.wait()
        for message in receives:
            for token in message.tokens if message.source in rooms else ():
                _take(blocks, token, rooms[message.source].pop(0), greatest)


def _take(blocks: Dict[int, torch.Tensor], token: int, part: torch.Tensor, greatest: bool) -> None:
    block = token & ~COMBINE
    if not token & COMBINE:
        blocks[block] = part
    elif greatest:
        blocks[block] = torch.maximum(blocks[block], part)
    else:
        blocks[block] = blocks[block] + part


def _cut(vector: torch.Tensor, count: int, first: int = 0) -> Dict[int, torch.Tensor]:
    """A vector's blocks, as gossipfab.mpi cuts it."""
    length = vector.numel()
    return {first + b: vector[length * b // count:length * (b + 1) // count] for b in range(count)}


def _run(share: _Share, rank: int, rows: torch.Tensor, group: Group) -> torch.Tensor:
    """rows: a row, or a row for each rank. The same of what this rank wants."""
    goal, nodes, length = share.goal, share.nodes, rows.shape[1]
    count = goal.blocks or 1
    a_row = {"all-gather": count // nodes, "reduce-scatter": count // nodes, "all-to-all": 1}.get(goal.collective, count)
    parts = [length * (b + 1) // a_row - length * b // a_row for b in range(a_row)]
    first = rank * {"all-gather": a_row, "all-to-all": nodes}.get(goal.collective, 0)
    blocks: Dict[int, torch.Tensor] = {}
    for number, row in enumerate(rows):
        blocks.update(_cut(row, a_row, first + number * a_row))
    lengths = parts * (count // a_row)
    _carry(share, blocks, lengths, group, rows)
    if goal.collective == "reduce" and rank != goal.root:
        return torch.zeros_like(rows)
    wanted = {"reduce-scatter": range(rank * a_row, (rank + 1) * a_row),
              "all-to-all": range(rank, count, nodes)}.get(goal.collective, range(count))
    return torch.cat([blocks[block] for block in wanted if lengths[block]]).reshape(-1, length)


def _call(collective: str, x: Any, schedule: Schedule, group: Group, rows_in: bool = False, rows_out: bool = False,
          adds: bool = False) -> Any:
    """rows_in, rows_out: tensors with a row for each rank come, or go."""
    share, rank = _share(schedule, collective, group)
    leaves, tree = tree_flatten(x)
    by_kind: Dict[Any, List[int]] = collections.defaultdict(list)
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor):
            raise TypeError(f"{collective}: tensors are expected, not {type(leaf).__name__}")
        if leaf.requires_grad and torch.is_grad_enabled():
            raise InvalidError(f"{collective}: gradients do not flow through; give x.detach(), or call it under torch.no_grad()")
        if adds and leaf.dtype == torch.bool:  # as dist.all_reduce refuses it
            raise TypeError(f"{collective}: bools have no sum; give x.int()")
        if rows_in and (not leaf.dim() or leaf.shape[0] != share.nodes):
            raise InvalidError(f"{collective}: a tensor with a row for each of {share.nodes} ranks is expected, not one of "
                             f"shape {tuple(leaf.shape)}")
        by_kind[leaf.dtype, leaf.device].append(index)
    with torch.no_grad():
        for indices in by_kind.values():
            shapes = [leaves[at].shape[1:] if rows_in else leaves[at].shape for at in indices]
            sizes = [shape.numel() for shape in shapes]
            rows = torch.cat([leaves[at].reshape(share.nodes if rows_in else 1, size) for at, size in zip(indices, sizes)], 1)
            found = _run(share, rank, rows, group) if rows.numel() else rows.new_empty(share.nodes if rows_out else 1, 0)
            for at, shape, part in zip(indices, shapes, torch.split(found, sizes, 1)):
                leaves[at] = part.reshape(((share.nodes,) if rows_out else ()) + tuple(shape))
    return tree_unflatten(leaves, tree)


def all_reduce(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """The sum of all ranks' x, at all of them."""
    return _call("all-reduce", x, schedule, group, adds=True)


def all_gather(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """All ranks' x, at all of them: tensors of shape (ranks, ..)."""
    return _call("all-gather", x, schedule, group, rows_out=True)


def reduce_scatter(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """Of tensors of shape (ranks, ..) row v of the sum of all ranks' x, at rank v."""
    return _call("reduce-scatter", x, schedule, group, rows_in=True, adds=True)


def all_to_all(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """Of tensors of shape (ranks, ..) row v goes to rank v, where row u is what came from rank u."""
    return _call("all-to-all", x, schedule, group, rows_in=True, rows_out=True)


def broadcast(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """The x of the schedule's root, at all ranks."""
    return _call("broadcast", x, schedule, group)


def reduce(x: Any, schedule: Schedule, group: Group = None) -> Any:
    """The sum of all ranks' x at the schedule's root; zeros elsewhere."""
    return _call("reduce", x, schedule, group, adds=True)


def barrier(schedule: Schedule, group: Group = None, device: Optional[torch.device] = None) -> None:
    """Returns once all ranks have called it. device: where the backend's messages are, such as "cuda"."""
    share, _ = _share(schedule, "barrier", group)
    here = torch.zeros(1, dtype=torch.int32, device=device)
    _carry(share, {0: here}, [1], group, here, greatest=True)


@dataclasses.dataclass
class Hook:
    """What average() does it by: a schedule of an all-reduce."""

    schedule: Schedule
    group: Group = None


def average(state: Hook, bucket: dist.GradBucket) -> torch.futures.Future[torch.Tensor]:  # type: ignore[name-defined]
    """A communication hook of DistributedDataParallel: the mean of all ranks' gradients, as it computes it itself, added up
    in the schedule's order. With one bracketing the bits do not depend on how gradients are put in buckets."""
    gradients = bucket.buffer()
    mean = gradients / dist.get_world_size(state.group)
    done: torch.futures.Future[torch.Tensor] = torch.futures.Future()
    done.set_result(all_reduce(mean, state.schedule, state.group))
    return done
