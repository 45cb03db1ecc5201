# SPDX-License-Identifier: MIT
"""Collectives in JAX, by schedules: for the body of a jax.shard_map, where device v of an axis is node v.

    schedule = gossipfab.solve("torus:2x4", "full", gossipfab.Goal("all-reduce", blocks=8))
    total = gossipfab.jax.all_reduce(gradients, schedule, "devices")

x is a tree of arrays, all of whose elements of one type go as one vector. axis_name: one axis of the mesh or several,
which number the devices as lax.axis_index does. A sum has the bits that schedule.expression() says. Under check_vma the
results of all_reduce and broadcast are the same everywhere for JAX as well, as those of lax.psum are, and gradients are
those that lax.psum gives. docs/guide/jax.md."""
# mypy: allow-untyped-calls
# JAX's own functions are not all typed.
from __future__ import annotations

import collections
import functools
import math
import weakref
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

from ._library import shown
from ._plan import Plan
from ._spmd import Program, Round, program
from .errors import InvalidError
from .schedule import Goal, Model, Schedule, goal_of
from .tools import advise_length
from .topology import Topology

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
    from jax import lax
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir
except ImportError as missing:
    raise ImportError("gossipfab.jax needs JAX 0.10 or later, and that Python 3.11 or later: "
                      "pip install 'gossipfab[jax]'") from missing

__all__ = ["all_gather", "all_reduce", "all_to_all", "barrier", "broadcast", "reduce", "reduce_scatter", "schedule_for",
           "topology_of_mesh"]

Combine = Callable[[Any, Any], Any]

# --- one array: rows of blocks ---


def _add(a: Any, b: Any) -> Any:
    """A sum that is rounded to its type, which XLA otherwise may put off for types shorter than 32 bits."""
    total = a + b
    if jnp.issubdtype(total.dtype, jnp.floating) and total.dtype.itemsize < 4:
        kind = jnp.finfo(total.dtype)
        total = lax.reduce_precision(total, kind.nexp, kind.nmant)
    return total


def _own(device: Any, *tables: "np.ndarray[Any, Any]") -> List[Any]:
    """A device's row of each of these tables, which are one constant."""
    row = lax.dynamic_index_in_dim(jnp.asarray(np.concatenate(tables, axis=1)), device, keepdims=False)
    ends = np.cumsum([table.shape[1] for table in tables]).tolist()
    return [lax.slice(row, (start,), (end,)) for start, end in zip([0, *ends], ends)]


def _places(axes: Tuple[str, ...]) -> List[int]:
    """As lax.ppermute numbers the devices: in the order of the mesh's axes, whichever order the names are given in, while
    lax.axis_index numbers them by the latter."""
    order = sorted(axes, key=list(jax.sharding.get_abstract_mesh().axis_names).index)
    places = np.arange(lax.axis_size(axes)).reshape([lax.axis_size(axis) for axis in order])
    return [int(place) for place in places.transpose([order.index(axis) for axis in axes]).ravel()]


def _play_round(one: Round, state: Any, device: Any, moved: Any, axes: Tuple[str, ...], combine: Combine) -> Any:
    """moved: by how many rows everything is further on than the tables say."""
    rows = [*one.sends, *(layer.rows for layer in one.layers)]
    rest = [table for layer in one.layers for table in (layer.came, layer.combine.astype(np.int32))]
    if not rest:
        return state
    own = _own(device, *rows, *rest)
    place = _places(axes)
    came = jnp.concatenate([lax.ppermute(state.at[row + moved].get(mode="promise_in_bounds"), axes,
                                         [(place[source], place[target]) for source, target in pairs])
                            for row, (_, pairs) in zip(own, one.permutations)])
    for at, layer in enumerate(one.layers):
        row, (which, combines) = own[len(one.sends) + at] + moved, own[len(rows) + 2 * at:][:2]
        new = came.at[which].get(mode="promise_in_bounds")
        if layer.combine.any():
            new = jnp.where(combines[:, None] != 0, combine(state.at[row].get(mode="clip"), new), new)
        state = state.at[row].set(new, mode="drop", unique_indices=True)
    return state


def _all_in_order(table: "np.ndarray[Any, Any]", rows: int) -> bool:
    return table.shape[1] == rows and bool((table == np.arange(rows)).all())


def _play(made: Program, axes: Tuple[str, ...], x: Any, combine: Combine = _add) -> Any:
    """From the rows that a device starts with to those that it wants."""
    device = lax.axis_index(axes)
    state = x if _all_in_order(made.starts, made.rows) else jnp.zeros((made.rows, x.shape[1]), x.dtype).at[
        _own(device, made.starts)[0]].set(x, unique_indices=True)
    for one in made.before:
        state = _play_round(one, state, device, 0, axes, combine)

    def trip(carried: Any, number: Any) -> Tuple[Any, None]:
        for one in made.loop:
            carried = _play_round(one, carried, device, number * made.step, axes, combine)
        return carried, None

    if made.trips:
        state, _ = lax.scan(trip, state, jnp.arange(made.trips, dtype=jnp.int32))
    for one in made.after:
        state = _play_round(one, state, device, 0, axes, combine)
    found = state if _all_in_order(made.ends, made.rows) else state.at[_own(device, made.ends)[0]].get(
        mode="promise_in_bounds", unique_indices=True)
    return found if all(made.wants) else jnp.where(jnp.asarray(made.wants)[device], found, jnp.zeros_like(found))


# --- as an operation of JAX: linear, of a type and a transpose of its own ---

_collective = Primitive("gossipfab_collective")


def _lowered(x: Any, *, made: Program, axes: Tuple[str, ...], same: bool, back: bool) -> Any:
    """same: all devices get the same, and JAX is told so. back: the transpose, message by message the other way."""
    x = lax.optimization_barrier(x)  # what x is made by stays outside of the sums
    if not back:
        return _play(made, axes, x)
    like = jnp.broadcast_to(x[:1], (made.starts.shape[1], x.shape[1]))  # of its shape and type; no value of it is used
    return jax.linear_transpose(functools.partial(_play, made, axes), like)(x)[0]


def _abstract(x: Any, *, made: Program, axes: Tuple[str, ...], same: bool, back: bool) -> Any:
    rows = (made.starts if back else made.ends).shape[1]
    varying = x.mat.varying - set(axes) if same else x.mat.varying
    return x.update(shape=(rows, x.shape[1]), manual_axis_type=x.mat.update(varying=frozenset(varying)))


def _transposed(ct: Any, x: Any, *, made: Program, axes: Tuple[str, ...], same: bool, back: bool) -> List[Any]:
    if not same:
        return [_collective.bind(ct, made=made, axes=axes, same=False, back=not back)]
    # All devices have one result, and ct is what it counts, once. So each device's x counts that, of a broadcast the root's.
    ct = lax.pcast(ct, axes, to="varying")
    if made.root is None:
        return [ct]
    return [jnp.where(lax.axis_index(axes) == made.root, ct, jnp.zeros_like(ct))]


def _batched(args: Sequence[Any], dims: Sequence[int], **parameters: Any) -> Tuple[Any, int]:
    """A batch is longer rows."""
    x = jnp.moveaxis(args[0], dims[0], 2)
    out = _collective.bind(x.reshape(x.shape[0], -1), **parameters)
    return out.reshape(out.shape[0], *x.shape[1:]), 2


_collective.def_impl(_lowered)
_collective.def_abstract_eval(_abstract)
mlir.register_lowering(_collective, mlir.lower_fun(_lowered, multiple_results=False))
ad.deflinear2(_collective, _transposed)
batching.primitive_batchers[_collective] = _batched


def _axes(axis_name: Union[str, Sequence[str]]) -> Tuple[str, ...]:
    return (axis_name,) if isinstance(axis_name, str) else tuple(axis_name)


_programs: "weakref.WeakKeyDictionary[Schedule, Program]" = weakref.WeakKeyDictionary()


def _program(schedule: Schedule, collective: str, axes: Tuple[str, ...]) -> Program:
    """The tables of a schedule, made once."""
    made = _programs.get(schedule) if isinstance(schedule, Schedule) and schedule.goal.collective == collective else None
    if made is None:
        made = program(Plan(schedule, collective, collective != "barrier"))
        _programs[schedule] = made
    if lax.axis_size(axes) != made.nodes:
        raise InvalidError(f"the schedule has {made.nodes} nodes, but {' x '.join(axes)} has {lax.axis_size(axes)} devices")
    return made


def _typed(axes: Tuple[str, ...]) -> bool:
    """Does JAX mind which values are the same everywhere (check_vma)?"""
    return bool(jax.typeof(lax.axis_index(axes)).mat.varying)


def _varying(x: Any, axes: Tuple[str, ...]) -> Any:
    missing = tuple(axis for axis in axes if axis not in jax.typeof(x).mat.varying) if _typed(axes) else ()
    return lax.pcast(x, missing, to="varying") if missing else x


def _call(collective: str, x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]], *, rows_in: bool = False,
          rows_out: bool = False, adds: bool = False) -> Any:
    """rows_in, rows_out: arrays with a row for each device come, or go."""
    axes = _axes(axis_name)
    made = _program(schedule, collective, axes)
    leaves, tree = jax.tree.flatten(x)
    leaves = [jnp.asarray(leaf) for leaf in leaves]
    if adds:  # as lax.psum counts
        leaves = [leaf.astype(jnp.int32) if leaf.dtype == jnp.bool_ else leaf for leaf in leaves]
    for leaf in leaves:
        if rows_in and (not leaf.ndim or leaf.shape[0] != made.nodes):
            raise InvalidError(f"{collective}: an array with a row for each of {made.nodes} devices is expected, not one of "
                             f"shape {leaf.shape}")
    shapes = [leaf.shape[1:] if rows_in else leaf.shape for leaf in leaves]
    by_type: Dict[Any, List[int]] = collections.defaultdict(list)
    for index, leaf in enumerate(leaves):
        by_type[leaf.dtype].append(index)
    for indices in by_type.values():
        vector = jnp.concatenate([leaves[at].reshape(made.nodes if rows_in else 1, -1) if leaves[at].size else
                                  jnp.zeros((made.nodes if rows_in else 1, 0), leaves[at].dtype) for at in indices], axis=1)
        found = _vectors(made, vector, axes, made.nodes if rows_out else 1, collective in ("all-reduce", "broadcast"))
        ends = np.cumsum([math.prod(shapes[at]) for at in indices])
        for at, part in zip(indices, jnp.split(found, ends[:-1].tolist(), axis=1)):
            leaves[at] = part.reshape((made.nodes,) * rows_out + shapes[at])
    return jax.tree.unflatten(tree, leaves)


def _vectors(made: Program, vector: Any, axes: Tuple[str, ...], rows_out: int, same: bool) -> Any:
    """vector: a row, or a row for each device, which is cut in blocks as long as each other; the last are filled up."""
    rows, length = vector.shape
    parts = made.starts.shape[1] // rows
    block = max(1, -(-length // parts))
    vector = jnp.pad(vector, ((0, 0), (0, parts * block - length)))
    found = _collective.bind(_varying(vector.reshape(rows * parts, block), axes), made=made, axes=axes,
                             same=same and _typed(axes), back=False)
    return found.reshape(rows_out, -1)[:, :length]


def all_reduce(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """The sum of all devices' x, at all of them, as lax.psum."""
    return _call("all-reduce", x, schedule, axis_name, adds=True)


def all_gather(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """All devices' x, at all of them: arrays of shape (devices, ..), as lax.all_gather."""
    return _call("all-gather", x, schedule, axis_name, rows_out=True)


def reduce_scatter(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """Of arrays of shape (devices, ..) row v of the sum of all devices' x, at device v, as lax.psum_scatter."""
    return _call("reduce-scatter", x, schedule, axis_name, rows_in=True, adds=True)


def all_to_all(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """Of arrays of shape (devices, ..) row v goes to device v, where row u is what came from device u, as
    lax.all_to_all(x, axis_name, 0, 0)."""
    return _call("all-to-all", x, schedule, axis_name, rows_in=True, rows_out=True)


def broadcast(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """The x of the schedule's root, at all devices."""
    return _call("broadcast", x, schedule, axis_name)


def reduce(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """The sum of all devices' x at the schedule's root; zeros elsewhere."""
    return _call("reduce", x, schedule, axis_name, adds=True)


def barrier(x: Any, schedule: Schedule, axis_name: Union[str, Sequence[str]]) -> Any:
    """x, once all devices have theirs."""
    axes = _axes(axis_name)
    made = _program(schedule, "barrier", axes)
    x, here = lax.optimization_barrier((x, jnp.zeros((1, 1), jnp.int32)))
    x, _ = lax.optimization_barrier((x, _play(made, axes, _varying(here, axes), jnp.maximum)))
    return x


# --- a schedule for a mesh ---


def topology_of_mesh(mesh: Any, axis_name: Union[str, Sequence[str], None] = None, *,
                     wrap: Union[bool, Sequence[bool]] = False, dead: Sequence[Tuple[int, int]] = ()) -> Topology:
    """The graph of a jax.sharding.Mesh, or of these axes of it: node v is the device of axis index v. Two devices have a
    link where their coordinates, device.coords, are neighbours; where devices have none the place in the mesh stands for
    them. wrap: do links join both ends of a coordinate (of each one, or of all)? JAX does not tell. dead: links that are
    left out, by their devices' indices."""
    axes = _axes(axis_name) if axis_name is not None else tuple(mesh.axis_names)
    for axis in axes:
        if axis not in mesh.axis_names:
            raise InvalidError(f"the mesh has no axis {axis!r}; it has {', '.join(map(str, mesh.axis_names))}")
    others = tuple(axis for axis in mesh.axis_names if axis not in axes)
    devices = mesh.devices.transpose([mesh.axis_names.index(axis) for axis in axes + others])
    devices = devices.reshape(*devices.shape[:len(axes)], -1)[..., 0]
    # Behind the coordinates a number that tells apart the cores of one chip, which have a link, too.
    node_at = {(*(getattr(device, "coords", None) or where), getattr(device, "core_on_chip", 0)): node
               for node, (where, device) in enumerate(np.ndenumerate(devices))}
    least, most = np.min(list(node_at), axis=0).tolist(), np.max(list(node_at), axis=0).tolist()
    wraps = [*([wrap] * (len(least) - 1) if isinstance(wrap, bool) else wrap), False]
    if len(wraps) != len(least):
        raise InvalidError(f"wrap: a bool for each of {len(least) - 1} coordinates is expected, not {shown(wrap)}")
    links = set()
    for place, node in node_at.items():
        for at, value in enumerate(place):
            behind = least[at] if value == most[at] and wraps[at] else value + 1
            other = node_at.get((*place[:at], behind, *place[at + 1:]))
            if other is not None and other != node:
                links.add((min(node, other), max(node, other)))
    for u, v in dead:
        if (min(u, v), max(u, v)) not in links:
            raise InvalidError(f"dead: there is no link between the devices {u} and {v}")
        links.discard((min(u, v), max(u, v)))
    return Topology.from_links(devices.size, sorted(links))


def schedule_for(mesh: Any, collective: Union[str, Goal], nbytes: int, axis_name: Union[str, Sequence[str], None] = None, *,
                 wrap: Union[bool, Sequence[bool]] = False, dead: Sequence[Tuple[int, int]] = (),
                 one_bracket: bool = False, latency: Union[int, float] = 1, bandwidth: Union[int, float] = 50,
                 model: Optional[Model] = None) -> Schedule:
    """The fastest schedule for a mesh, as advise_length() ranks them. nbytes: of each device's x. latency: microseconds of
    a message; bandwidth: GB/s of a link, each way. one_bracket: every element is added up in one order, whatever the
    length."""
    topology = topology_of_mesh(mesh, axis_name, wrap=wrap, dead=dead)
    goal = goal_of(collective)
    shared = topology.nodes if goal.collective in ("all-gather", "all-to-all") else 1
    advice = advise_length(topology, goal, nbytes * shared, latency=latency, bandwidth=bandwidth,
                           models=model or Model("full"), solvers=["bracket"] if one_bracket else [])
    if not advice:
        raise InvalidError(f"{nbytes} bytes are fewer than the blocks of any schedule; give more")
    return advice[0].make()
