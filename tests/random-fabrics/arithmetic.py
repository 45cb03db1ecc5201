# SPDX-License-Identifier: MIT
"""What collectives promise, and what operators give: arithmetic on whole numbers, from docs/guide/collectives.md and
include/gossipfab/schedule/goal.h, without schedules, programs or flits."""
import struct
from dataclasses import dataclass

COLLECTIVES = ["all-gather", "reduce-scatter", "all-reduce", "broadcast", "reduce", "barrier", "all-to-all"]
COMBINING = {"reduce-scatter", "all-reduce", "reduce", "barrier"}
ROOTED = {"broadcast", "reduce"}
CHOICES = ["sum", "and", "or", "xor", "min", "max", "umin", "umax"]  # i_operator's numbers
IDEMPOTENT = {"and", "or", "min", "max", "umin", "umax"}
BITWISE = ["and", "or", "xor"]
CHAINED = {"bfloat16", "user"}  # the user's adds whole numbers of 16 bits


@dataclass(frozen=True)
class Goal:
    """A collective of blocks among nodes, these numbered by their rank."""
    collective: str
    nodes: int
    blocks: int
    root: int = 0
    idempotent: bool = False

    def owner(self, block):
        if self.collective == "all-to-all":
            return block % self.nodes
        if self.collective in ROOTED | {"barrier"}:
            return self.root
        return block * self.nodes // self.blocks

    def holders(self, block):
        """Of the block, or of a contribution to it."""
        if self.collective == "all-to-all":
            return [block // self.nodes]
        return list(range(self.nodes)) if self.collective in COMBINING else [self.owner(block)]

    def wants(self, node, block):
        if self.collective in ("reduce-scatter", "reduce", "all-to-all"):
            return self.owner(block) == node
        return True

    def held(self, node):
        return [block for block in range(self.blocks) if node in self.holders(block)]

    def wanted(self, node):
        return [block for block in range(self.blocks) if self.wants(node, block)]


def default_blocks(collective, nodes):
    return {"broadcast": 1, "reduce": 1, "barrier": 1, "all-to-all": nodes * nodes}.get(collective, nodes)


def signed(value, bits):
    return value - (value >> (bits - 1) << bits)


def bfloat16(number):
    """Its 16 bits; whole numbers of up to 256 have no rounding."""
    return struct.unpack(">H", struct.pack(">f", number)[:2])[0]


def number_of(half):
    return int(struct.unpack(">f", struct.pack(">HH", half, 0))[0])


def add_halves(a, b, bits):
    total = 0
    for at in range(0, bits, 16):
        total |= bfloat16(number_of(a >> at & 0xffff) + number_of(b >> at & 0xffff)) << at
    return total


def combine(operator, bits, a, b):
    if operator == "sum":
        return (a + b) & ((1 << bits) - 1)
    if operator == "bfloat16":
        return add_halves(a, b, bits)
    if operator == "user":
        return sum(((a >> at) + (b >> at) & 0xffff) << at for at in range(0, bits, 16))
    return {"and": lambda: a & b, "or": lambda: a | b, "xor": lambda: a ^ b,
            "min": lambda: min(a, b, key=lambda v: signed(v, bits)),
            "max": lambda: max(a, b, key=lambda v: signed(v, bits)),
            "umin": lambda: min(a, b), "umax": lambda: max(a, b)}[operator]()


def block_for(draw, operator, bits, nodes):
    """A random one: of bfloat16 numbers such that no sum of those of all nodes is rounded; else all bits, few, or one
    that is all but another's, so that minima are found late."""
    if operator == "bfloat16":
        most = 256 // nodes
        return sum(bfloat16(draw.randint(-most, most)) << at for at in range(0, bits, 16))
    value = draw.getrandbits(bits)
    return draw.choice([value, value, value & 0x3f & ((1 << bits) - 1), (1 << bits) - 1 - (value & 3 % (1 << bits))])
