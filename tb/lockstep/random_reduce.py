#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_reduce.py TOPOLOGY SEED LINK_MODE: a random all-reduce of a block a node, half or full duplex, as .gfs on
standard output.

TOPOLOGY is path:N, cycle:N, mesh:AxB.., torus:AxB.. or graph:N:U-V,... Each block goes up a random tree to its node, every
node sending once all below it have, and down again. What can move moves, so that contributions meet in every number and
in every order of lanes.
"""
import itertools
import random
import sys


def neighbours(spec):
    kind, shape = spec.split(':', 1)
    if kind == 'graph':
        count, links = shape.split(':')
        pairs = [tuple(map(int, link.split('-'))) for link in links.split(',')]
        return [sorted({v for u, v in pairs if u == node} | {u for u, v in pairs if v == node})
                for node in range(int(count))]
    sides = [int(side) for side in shape.split('x')]
    nodes = list(itertools.product(*(range(side) for side in sides)))
    number = {node: i for i, node in enumerate(nodes)}
    result = [set() for _ in nodes]
    for node in nodes:
        for axis, side in enumerate(sides):
            at = node[axis] + 1
            if at < side or kind in ('cycle', 'torus') and side > 2:
                peer = number[node[:axis] + (at % side,) + node[axis + 1:]]
                result[number[node]].add(peer)
                result[peer].add(number[node])
    return [sorted(peers) for peers in result]


def random_tree(rng, peers, root):
    """Each node's parent; short ways mostly."""
    parent, front = {root: None}, [root]
    while front:
        node = front.pop(0 if rng.random() < 0.8 else -1)
        for peer in rng.sample(peers[node], len(peers[node])):
            if peer not in parent:
                parent[peer] = node
                front.append(peer)
    return parent


def main():
    spec, seed, mode = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    rng = random.Random(seed)
    peers = neighbours(spec)
    nodes = range(len(peers))
    trees = [random_tree(rng, peers, root) for root in nodes]
    waits = [{node: sum(parent == node for parent in tree.values()) for node in nodes} for tree in trees]
    moves = {(block, node, tree[node], True) for block, tree in enumerate(trees) for node in nodes
             if tree[node] is not None and waits[block][node] == 0}
    rounds = []
    while moves:
        used, now = set(), []
        for block, source, target, up in rng.sample(sorted(moves), len(moves)):
            link = (source, target) if mode == 'full' else frozenset((source, target))
            if link not in used:
                used.add(link)
                now.append((block, source, target, up))
        for block, source, target, up in now:
            moves.remove((block, source, target, up))
            tree = trees[block]
            if up:
                waits[block][target] -= 1
            if up and waits[block][target] == 0 and tree[target] is not None:
                moves.add((block, target, tree[target], True))
            elif not up or waits[block][target] == 0:  # the total is there
                moves.update((block, target, child, False) for child in nodes if tree[child] == target)
        rounds.append(now)
    print('gossipfab-schedule 2', f'topology {spec}', f'link-mode {mode}', 'port-mode all', 'packet-tokens 1',
          'hop-rounds 1', 'solver -', 'collective all-reduce', f'blocks {len(peers)}', f'rounds {len(rounds)}',
          f'packets {sum(map(len, rounds))}', sep='\n')
    for number, now in enumerate(rounds):
        print('round', number + 1)
        for block, source, target, up in sorted(now):
            print(f'{source} {target}:{"+" if up else ""}{block}')
    print('end')


main()
