# SPDX-License-Identifier: MIT
"""A random fabric: what `gossipfab generate` is asked for. Much of what it takes goes with little of the rest, so each
is drawn among what may go with it; what it refuses all the same is counted as refused."""
import math
from dataclasses import dataclass, field

from arithmetic import BITWISE, CHAINED, COLLECTIVES, COMBINING, IDEMPOTENT, ROOTED, Goal, default_blocks

MOST_NODES = 12
MOST_TALKERS = 6  # nodes of an all-to-all, whose blocks are the square of them


@dataclass
class Asked:
    """Of a fabric: the command's options, what is in its file for the topology, and what these mean."""
    options: list
    file: str = ""
    relays: tuple = ()
    nodes: int = 0
    goals: list = field(default_factory=list)  # none: an all-gather of a token a node
    operator: str = ""  # none: what is needed
    top: str = "flat"  # or nodes, chips, clocks; axis, axis-nodes, registers


def shape(draw, most):
    """Sides of a small grid."""
    while True:
        sides = [draw.randint(2, 5) for _ in range(draw.choice([2, 2, 2, 3]))]
        if math.prod(sides) <= most:
            return sides


def tree_and_more(draw, nodes):
    """Links of a random connected graph."""
    links = {(draw.randrange(node), node) for node in range(1, nodes)}
    for _ in range(draw.randint(0, nodes)):
        a, b = sorted(draw.sample(range(nodes), 2))
        links.add((a, b))
    return sorted(links)


def topology(draw, most):
    """Its text, its file, its number of nodes."""
    family = draw.choice(["mesh", "mesh", "torus", "torus", "path", "cycle", "complete", "hypercube", "knoedel",
                          "debruijn", "shuffle-exchange", "star", "pancake", "random", "graph", "graph", "file"])
    if family in ("mesh", "torus"):
        sides = shape(draw, most)
        return f"{family}:{'x'.join(map(str, sides))}", "", math.prod(sides)
    if family in ("hypercube", "debruijn", "shuffle-exchange"):
        size = draw.randint(2, min(3, int(math.log2(most))))
        return f"{family}:{size}", "", 1 << size
    if family in ("star", "pancake"):
        return f"{family}:3", "", 6
    if family == "knoedel":
        nodes = 2 * draw.randint(2, most // 2)
        return f"knoedel:{draw.randint(1 if nodes == 2 else 2, int(math.log2(nodes)))},{nodes}", "", nodes
    nodes = draw.randint(3, most)
    if family == "path":
        nodes = draw.randint(2, most)
    if family == "complete":
        nodes = draw.randint(3, min(6, most))
    if family == "random":
        links = draw.randint(nodes - 1, nodes * (nodes - 1) // 2)
        return f"random:n={nodes},m={links},seed={draw.randint(1, 99)}", "", nodes
    links = tree_and_more(draw, nodes)
    if family == "graph":
        return f"graph:{nodes}:{','.join(f'{a}-{b}' for a, b in links)}", "", nodes
    if family == "file":
        return "file:graph.txt", "".join(f"{a} {b}\n" for a, b in links), nodes
    return f"{family}:{nodes}", "", nodes


def changes(draw, text, nodes):
    """What is dropped, and relays: behind the topology, with the nodes that are left and the relays."""
    kind = draw.choice(["drop-link", "drop-node", "relay", "members"]) if draw.random() < 0.3 else ""
    if kind == "drop-node" and nodes > 3:
        return f"{text}+drop-node={draw.randrange(nodes)}", nodes - 1, ()
    if kind == "drop-link" and nodes > 3:
        a = draw.randrange(nodes - 1)
        return f"{text}+drop-link={a}-{a + 1}", nodes, ()
    if kind in ("relay", "members") and nodes > 3:
        relays = sorted(draw.sample(range(nodes), draw.randint(1, nodes // 2)))
        named = relays if kind == "relay" else [node for node in range(nodes) if node not in relays]
        return f"{text}+{kind}={','.join(map(str, named))}", nodes, tuple(relays)
    return text, nodes, ()


def widths(draw, chained, divisor=1):
    """--token-bits and --link-bits; at one time in ten L does not divide W."""
    link = 16 * draw.randint(1, 2) if chained else draw.choice([1, 1, 1, 2, 2, 3, 4, 5, 8, draw.randint(1, 40)])
    flits = draw.choice([draw.randint(1, 6), draw.randint(1, 20)]) * divisor
    token = min(link * flits, 600 // link * link or link)
    if draw.random() < 0.1:
        token = draw.randint(1, 100)
    return ["--token-bits", token, "--link-bits", link]


def set_topology(asked, text, nodes):
    """Another one, without changes."""
    asked.options[1], asked.nodes, asked.relays, asked.file = text, nodes, (), ""


def all_gather(draw, asked):
    """Options of a gossip of a token a node."""
    options = asked.options
    kind = draw.choice(["plain"] * 4 + ["parts", "paths", "ports", "frames", "wide"])
    divisor = 1
    if kind in ("parts", "paths"):
        solver = draw.choice(["circgo", "approach1", "highdimgo", "bruck", "ring", "recursive-doubling"])
        size = draw.choice([4, 6, 8])
        if solver in ("circgo", "approach1"):
            size = draw.randint(3, 9)
            set_topology(asked, f"{draw.choice(['cycle', 'path'])}:{size}", size)
        elif solver == "highdimgo":
            size = draw.randint(3, 4)
            set_topology(asked, f"torus:{size}x3", 3 * size)
        else:
            set_topology(asked, f"cycle:{size}", size)
        options += ["--solver", solver, "--link-mode", "full", "--startup", draw.choice([0, 3, 50])]
        if kind == "parts" and solver in ("circgo", "approach1"):
            divisor = draw.randint(2, 4)
            options += ["--solver-options", f"parts={divisor}"]
        elif solver == "highdimgo":
            divisor = 4
        options += ["--routing", "circuit", "--packet-tokens", draw.choice([9, 100])]
    elif kind == "frames":
        frame, side = draw.choice(["relative", "rotated"]), draw.randint(2, 3)
        text = f"mesh:{side}x{side}" if frame == "rotated" else f"torus:{side}x3"
        set_topology(asked, text, side * (side if frame == "rotated" else 3))
        options += ["--frame", frame, "--link-mode", "half" if frame == "rotated" else draw.choice(["half", "full"])]
        options += ["--solver", "symmetric"] if frame == "rotated" else []
    elif kind == "ports":
        options += ["--port-mode", "one", "--packet-tokens", draw.choice([1, 2, 20])]
        options += draw.choice([[], ["--solver", draw.choice(["greedy", "matching", "colouring"])]])
    else:
        options += draw.choice([[], [], ["--solver", draw.choice(["greedy", "search", "auto"])]])
        options += draw.choice([[], [], [], ["--packet-tokens", draw.randint(2, 4)]])
        options += draw.choice([[], [], [], ["--hop-rounds", draw.randint(1, 3)]])
        if kind == "wide":
            options += ["--store", "wide"]
    if kind not in ("parts", "paths", "frames"):
        options += ["--link-mode", draw.choice(["half", "full"])]
    options += draw.choice([[], [], ["--link-latency", draw.randint(1, 5)]])
    options += ["--gap", draw.randint(1, 9)] if draw.random() < (0.05 if kind == "wide" else 0.33) else []
    options += draw.choice([[], [], [], ["--protect", "detect"]])
    options += draw.choice([[], [], [], ["--frame", "absolute"]]) if kind != "frames" else []
    options += draw.choice([[], [], ["--store", "narrow"]]) if kind != "wide" else []
    options += widths(draw, False, divisor)


def blocks_of(draw, collective, nodes):
    """None: what it needs."""
    if draw.random() < 0.5 or collective in ("barrier", "all-to-all"):
        return None
    if collective in ("all-gather", "reduce-scatter"):
        return nodes * draw.randint(1, 2)
    return draw.randint(1, 2 * nodes)


def collectives(draw, asked):
    """Options of one collective of blocks, or of several."""
    options, members = asked.options, asked.nodes - len(asked.relays)
    several = draw.random() < 0.4
    names = draw.sample(COLLECTIVES, draw.randint(2, 4)) if several else [
        draw.choice(COLLECTIVES + 2 * sorted(COMBINING))]
    if members > MOST_TALKERS and "all-to-all" in names:
        names = ["all-reduce"]
    root = draw.randrange(members) if ROOTED & set(names) and draw.random() < 0.7 else 0
    combines = COMBINING & set(names)
    idempotent = bool(combines) and draw.random() < 0.2
    store = draw.choice(["narrow", "narrow", "narrow", "wide", "auto"])
    # A barrier may count contributions twice, but where it is combined by sums.
    mays = ["sum", "xor"] + 6 * ["all"] + sorted(IDEMPOTENT) + (BITWISE if store == "wide" else [])
    if store != "narrow" and not idempotent and not several and "barrier" not in names:
        mays += 4 * sorted(CHAINED)
    if idempotent:
        mays = sorted(IDEMPOTENT) + ["all", "all"]
    if store == "wide":
        mays = [operator for operator in mays if operator != "all"]
    operator = draw.choice(mays + [""]) if combines or draw.random() < 0.05 else ""
    counts = [blocks_of(draw, name, members) for name in names]
    if several:
        options += ["--collective", ",".join(f"{name}:{count}" if count else name
                                             for name, count in zip(names, counts))]
    else:
        options += ["--collective", names[0], *(["--blocks", counts[0]] if counts[0] else [])]
    options += ["--root", root] if root else []
    options += ["--idempotent"] if idempotent else []
    options += ["--operator", operator] if operator else []
    options += ["--store", store] if store != "auto" else []
    options += ["--operator-latency", draw.randint(0, 4)] if operator in CHAINED and draw.random() < 0.7 else []
    options += ["--link-mode", draw.choice(["half", "full"])]
    options += ["--link-latency", draw.randint(1, 4)] if draw.random() < (0.3 if store == "wide" else 0.2) else []
    gaps = 0.03 if store == "wide" else 0.2
    options += ["--gap", draw.randint(1, 9)] if draw.random() < gaps else []
    options += ["--protect", "detect"] if draw.random() < 0.25 else []
    options += widths(draw, operator in CHAINED)
    asked.operator = operator
    asked.goals = [Goal(name, members, count or default_blocks(name, members), root if name in ROOTED else 0)
                   for name, count in zip(names, counts)]


def chips(draw, asked):
    """Options of a fabric on several chips; own: with clocks of their own."""
    options, own = asked.options, asked.top == "clocks"
    sides = [draw.randint(1, 2), draw.randint(2, 3)] if draw.random() < 0.6 else None
    if sides:
        grid = [sides[0] * draw.randint(1, 2), sides[1] * 2]
        set_topology(asked, f"{draw.choice(['mesh', 'mesh', 'torus'])}:{grid[0]}x{grid[1]}", grid[0] * grid[1])
    elif "+" in options[1] or asked.file:
        nodes = draw.randint(4, 9)
        set_topology(asked, f"cycle:{nodes}", nodes)
    options += ["--chips", f"{sides[0]}x{sides[1]}" if sides else draw.randint(1, max(1, asked.nodes // 2))]
    full = own or draw.random() < 0.5
    latency = draw.randint(9, 15) if own else draw.randint(2, 5)
    options += ["--link-mode", "full" if full else "half", "--link-latency", latency]
    options += ["--clocks", "own"] if own else []
    protect = full and draw.random() < 0.4
    options += ["--protect", "detect"] if protect else []
    gap = draw.choice([[], ["--gap", 3]]) if full else ["--gap", 2 * latency + draw.randint(0, 2)]
    options += gap
    if draw.random() < 0.5:
        names = ["broadcast", "all-gather"] + (["all-to-all"] if asked.nodes <= MOST_TALKERS else [])
        names += ["all-reduce", "reduce-scatter"]
        names = draw.sample(names, 1 if own or gap else draw.randint(1, 2))
        options += ["--collective", ",".join(names)]
        asked.operator = draw.choice(["sum", "xor", "max"]) if COMBINING & set(names) else ""
        options += ["--operator", asked.operator] if asked.operator else []
        asked.goals = [Goal(name, asked.nodes, default_blocks(name, asked.nodes), 0) for name in names]
    options += widths(draw, False)


def fabric(draw):
    """An Asked."""
    blocks = draw.random() < 0.5
    text, file, nodes = topology(draw, MOST_NODES)
    text, nodes, relays = changes(draw, text, nodes)
    asked = Asked(["--topology", text], file, relays, nodes)
    tops = ["flat"] * 4 + ["nodes", "axis", "axis", "axis-nodes", "overlap", "registers"]
    asked.top = draw.choice(tops if blocks else tops + ["chips", "clocks"])
    if asked.top in ("chips", "clocks"):
        chips(draw, asked)
    elif blocks:
        collectives(draw, asked)
    else:
        all_gather(draw, asked)
    options = asked.options
    if asked.top in ("nodes", "axis-nodes"):
        options += ["--ports", draw.choice(["node", "node-tkeep"])]
    if asked.top == "overlap":
        options += ["--axi", "overlap"]
        asked.top = "axis"
    if asked.top == "registers":
        options += ["--registers", draw.choice(["axi-lite", "wishbone"])]
    options += draw.choice([[], [], [], ["--name", draw.choice(["rows", "a", "Ring_2"])]])
    options += draw.choice([[], [], [], ["--rom-rounds", draw.randint(2, 200)]])
    options += draw.choice([[], [], [], ["--solver-seed", draw.randint(2, 99)]])
    options += draw.choice([[]] * 5 + [["--recognise", "no"]])
    options += ["--rom", "block"] if draw.random() < 0.1 else []
    if draw.random() < 0.08:
        options += ["--board", draw.choice(["hx8k", "icebreaker", "ulx3s", "tangnano9k", "arty"])]
        options += draw.choice([["--host", "uart"], ["--host", "uart"], [], []])
    asked.options = [str(option) for option in options]
    return asked
