# SPDX-License-Identifier: MIT
"""Graphs: whose nodes, numbered from 0, are joined by links, numbered from 0."""
from __future__ import annotations

from typing import Any, Dict, List, Tuple, Union

import numpy as np

from ._library import Call, Held, ffi, lib, own, place, shown, text, text_in, whole, wholes
from .errors import InvalidError


class Topology(Held):
    """A connected graph, from the words that the command takes: "mesh:4x4", "torus:3x3x3", "hypercube:5",
    "file:graph.dot", "mesh:4x4+drop-link=5-6" (families() lists all).

    Raises ParseError, InvalidError, LimitError, FileError."""

    __slots__ = ()

    def __init__(self, spec: str):
        out = ffi.new("gfab_topology **")
        with Call() as call:
            call.check(lib.gfab_topology_parse(text_in(spec, "a topology"), out, call.diag))
        self._hold(_c=own(out[0], lib.gfab_topology_destroy))

    @classmethod
    def _of(cls, pointer) -> "Topology":
        self = cls.__new__(cls)
        self._hold(_c=own(pointer, lib.gfab_topology_destroy))
        return self

    @classmethod
    def from_links(cls, nodes: int, links) -> "Topology":
        """A graph of so many nodes. links: whole numbers, shape (links, 2). Raises InvalidError for others."""
        count, pairs = whole(nodes, "nodes"), wholes(links, "links")
        if pairs.size and (pairs.ndim != 2 or pairs.shape[1] != 2):
            raise InvalidError(f"links has the shape {pairs.shape}; two nodes for each link, (links, 2), are expected")
        return cls(f"graph:{count}:" + ",".join(f"{u}-{v}" for u, v in pairs))

    @classmethod
    def from_networkx(cls, graph: Any, weight: str = "weight", relay: str = "relay") -> "Topology":
        """A graph of networkx. Its nodes get their numbers in the order of graph.nodes, and those that are text keep
        their names. The attribute `weight` of a
        link, 1 where it has none, is how many packets it carries in a round; a link of a DiGraph goes one way. A node
        with the attribute `relay` holds nothing and passes on: True, or "copy", "combine" or "forward", which say that
        it does not do all, or "switch", which packets pass in their round; "switch:copy", "switch:combine" and
        "switch:copy-combine" also do so within it."""
        if not _is_networkx(graph):
            raise TypeError(f"a graph of networkx is expected, not {shown(graph)}")
        number = {node: index for index, node in enumerate(graph.nodes)}
        ways: Dict[Tuple[int, int], Tuple[int, int]] = {}
        for u, v, packets in graph.edges(data=weight, default=1):
            packets = whole(packets, f"the weight of the link {u!r} - {v!r}")
            a, b = sorted((number[u], number[v]))
            there, back = ways.get((a, b), (0, 0))
            forward = not graph.is_directed() or number[u] == a
            backward = not graph.is_directed() or number[u] == b
            ways[a, b] = there + packets * forward, back + packets * backward
        spec = f"graph:{len(number)}:" + ",".join(f"{a}-{b}" for a, b in ways)
        spec += "".join(f"+weight={a}-{b}:{w}/{x}" for (a, b), (w, x) in ways.items() if (w, x) != (1, 1))
        kinds = ("copy", "combine", "forward", "switch", "switch:copy", "switch:combine", "switch:copy-combine")
        for node, kind in graph.nodes(data=relay, default=False):
            if not isinstance(kind, (bool, str)) or kind not in (True, False, "true", "false", *kinds):
                raise InvalidError(f"the node {node!r} has {relay} {kind!r}; True, False, {', '.join(kinds[:-1])} or "
                                 f"{kinds[-1]} is expected")
            if kind not in (False, "false"):
                spec += f"+relay={number[node]}" + (f":{kind}" if kind not in (True, "true") else "")
        if any(isinstance(node, str) and node for node in number):
            spec += "+names=" + ",".join(_escaped(node) if isinstance(node, str) else "" for node in number)
        return cls(spec)

    @property
    def name(self) -> str:
        """What to call it in a message."""
        return text(lib.gfab_topology_name(self._c))

    @property
    def spec(self) -> str:
        """The words that make it again, without any file."""
        return text(lib.gfab_topology_spec(self._c))

    @property
    def nodes(self) -> int:
        """How many nodes it has."""
        return int(lib.gfab_topology_node_count(self._c))

    @property
    def names(self) -> List[str]:
        """What each node is called; "" of one that has no name."""
        called = (lib.gfab_topology_node_name(self._c, node) for node in range(self.nodes))
        return ["" if name == ffi.NULL else text(name) for name in called]

    def node(self, name: str) -> int:
        """The number of the node of this name. Raises InvalidError where no node has it."""
        out = ffi.new("uint32_t *")
        with Call() as call:
            call.check(lib.gfab_topology_find_node(self._c, text_in(name, "a node's name"), out, call.diag))
        return int(out[0])

    @property
    def members(self) -> np.ndarray:
        """The nodes that are no relays, by rank: uint32. A goal's root and the owners of its blocks are ranks."""
        count = lib.gfab_topology_member_count(self._c)
        return np.array([lib.gfab_topology_member(self._c, rank) for rank in range(count)], dtype=np.uint32)

    @property
    def weights(self) -> np.ndarray:
        """How many packets each link carries in a round: uint32. Of a directed link the greater of its two ways."""
        count = lib.gfab_topology_link_count(self._c)
        return np.array([lib.gfab_topology_weight(self._c, link) for link in range(count)], dtype=np.uint32)

    @property
    def arc_weights(self) -> np.ndarray:
        """How many packets each link carries from links[i, 0] to links[i, 1], and back: uint32, shape (links, 2)."""
        count = 2 * lib.gfab_topology_link_count(self._c)
        weights = [lib.gfab_topology_arc_weight(self._c, arc) for arc in range(count)]
        return np.array(weights, dtype=np.uint32).reshape(-1, 2)

    @property
    def links(self) -> np.ndarray:
        """The two nodes of each link: uint32, shape (links, 2)."""
        count = lib.gfab_topology_link_count(self._c)
        ends = [tuple(link.node) for link in (lib.gfab_topology_link(self._c, index) for index in range(count))]
        return np.array(ends, dtype=np.uint32).reshape(-1, 2)

    @property
    def degrees(self) -> np.ndarray:
        """Links of each node: int64, shape (nodes,)."""
        return np.bincount(self.links.ravel(), minlength=self.nodes)

    @property
    def diameter(self) -> int:
        """Links of the longest of all shortest paths."""
        out = ffi.new("uint32_t *")
        with Call() as call:
            call.check(lib.gfab_topology_diameter(self._c, call.progress, out))
        return int(out[0])

    def distances(self, node: int) -> np.ndarray:
        """Links from a node to each: uint32, shape (nodes,)."""
        node = place(node, "node", self.nodes, f"{self.name} has")
        out, work = np.empty(self.nodes, np.uint32), np.empty(self.nodes, np.uint32)
        lib.gfab_topology_distances(self._c, node, ffi.from_buffer("uint32_t[]", out), ffi.from_buffer("uint32_t[]", work))
        return out

    def split(self) -> "Topology":
        """The graph as hardware has it: a link of weight w is w links side by side."""
        out = ffi.new("gfab_topology **")
        with Call() as call:
            call.check(lib.gfab_topology_split(self._c, out, call.diag))
        return Topology._of(out[0])

    def __eq__(self, other: object) -> bool:
        """Equal as numbered graphs, whatever their names."""
        return isinstance(other, Topology) and bool(lib.gfab_topology_equal(self._c, other._c))

    def __hash__(self) -> int:
        return hash((self.nodes, self.links.tobytes()))

    def __reduce__(self):
        """By the words that make it again."""
        return type(self), (self.spec,)

    def __repr__(self) -> str:
        return f"Topology({self.name!r})"


def _escaped(name: str) -> str:
    """A name as +names= lists it; "" of one that is none there."""
    if len(name.encode()) > 255 or any(ord(c) < 32 or ord(c) == 127 for c in name):
        return ""
    plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/"
    return "".join(c if c in plain else "".join(f"={byte:02X}" for byte in c.encode()) for c in name)


def _is_networkx(graph: Any) -> bool:
    return all(hasattr(graph, name) for name in ("nodes", "edges", "is_directed"))


def topology_of(topology: Union[str, Topology, Any]) -> Topology:
    """A graph as functions take it: its words, a Topology, or a graph of networkx."""
    if isinstance(topology, Topology):
        return topology
    if not isinstance(topology, str) and _is_networkx(topology):
        return Topology.from_networkx(topology)
    if not isinstance(topology, str):
        raise TypeError(f'a topology is words such as "mesh:4x4", a Topology or a graph of networkx, not {shown(topology)}')
    return Topology(topology)


def families() -> List[Tuple[str, str]]:
    """The grammar and the meaning of each family of graphs."""
    found, index = [], 0
    while (family := lib.gfab_topology_family_at(index)) != ffi.NULL:
        found.append((text(family.grammar), text(family.summary)))
        index += 1
    return found
