# SPDX-License-Identifier: MIT
"""Graphs: whose nodes, numbered from 0, are joined by links, numbered from 0."""
from __future__ import annotations

from typing import Any, Dict, List, Tuple, Union

import numpy as np

from ._library import Call, ffi, lib, text


class Topology:
    """A connected graph, from the words that the command takes: "mesh:4x4", "torus:3x3x3", "hypercube:5",
    "file:graph.dot", "mesh:4x4+drop-link=5-6" (families() lists all).

    Raises ParseError, InvalidError, LimitError, FileError."""

    def __init__(self, spec: str):
        out = ffi.new("gfab_topology **")
        with Call() as call:
            call.check(lib.gfab_topology_parse(spec.encode(), out, call.diag))
        self._own(out[0])

    @classmethod
    def _of(cls, pointer) -> "Topology":
        self = cls.__new__(cls)
        self._own(pointer)
        return self

    def _own(self, pointer) -> None:
        self._c = ffi.gc(pointer, lib.gfab_topology_destroy)

    @classmethod
    def from_links(cls, nodes: int, links) -> "Topology":
        """A graph of so many nodes. links: integers, shape (links, 2)."""
        pairs = np.asarray(links, dtype=np.uint32).reshape(-1, 2)
        return cls(f"graph:{nodes}:" + ",".join(f"{u}-{v}" for u, v in pairs))

    @classmethod
    def from_networkx(cls, graph: Any, weight: str = "weight", relay: str = "relay") -> "Topology":
        """A graph of networkx. Its nodes get their numbers in the order of graph.nodes. The attribute `weight` of a
        link, 1 where it has none, is how many packets it carries in a round; a link of a DiGraph goes one way. A node
        with the attribute `relay` holds nothing and passes on: True, or "copy", "combine" or "forward", which say that
        it does not do all."""
        number = {node: index for index, node in enumerate(graph.nodes)}
        ways: Dict[Tuple[int, int], Tuple[int, int]] = {}
        for u, v, packets in graph.edges(data=weight, default=1):
            if int(packets) != packets:
                raise ValueError(f"the link {u!r} - {v!r} has the weight {packets!r}; weights are whole numbers")
            a, b = sorted((number[u], number[v]))
            there, back = ways.get((a, b), (0, 0))
            forward = not graph.is_directed() or number[u] == a
            backward = not graph.is_directed() or number[u] == b
            ways[a, b] = there + int(packets) * forward, back + int(packets) * backward
        spec = f"graph:{len(number)}:" + ",".join(f"{a}-{b}" for a, b in ways)
        spec += "".join(f"+weight={a}-{b}:{w}/{x}" for (a, b), (w, x) in ways.items() if (w, x) != (1, 1))
        for node, kind in graph.nodes(data=relay, default=False):
            if kind not in (True, False, "true", "false", "copy", "combine", "forward"):
                raise ValueError(f"the node {node!r} has {relay} {kind!r}; True, False, copy, combine or forward is expected")
            if kind not in (False, "false"):
                spec += f"+relay={number[node]}" + (f":{kind}" if kind not in (True, "true") else "")
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
        if not 0 <= node < self.nodes:
            raise IndexError(f"node {node} does not exist; {self.name} has 0 to {self.nodes - 1}")
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

    def __repr__(self) -> str:
        return f"Topology({self.name!r})"


def topology_of(topology: Union[str, Topology]) -> Topology:
    return topology if isinstance(topology, Topology) else Topology(topology)


def families() -> List[Tuple[str, str]]:
    """The grammar and the meaning of each family of graphs."""
    found, index = [], 0
    while (family := lib.gfab_topology_family_at(index)) != ffi.NULL:
        found.append((text(family.grammar), text(family.summary)))
        index += 1
    return found
