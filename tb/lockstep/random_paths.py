#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_paths.py TOPOLOGY TOKENS LINKS SEED [BLOCKS]: a random legal circuit gossip, as .gfs on standard output; with
BLOCKS a broadcast of so many from node 0.

TOPOLOGY is path:N, cycle:N, mesh:AxB.. or torus:AxB..; a packet has up to TOKENS tokens and follows a path of up to LINKS links,
and no two of a round use the same direction of a link. Meant to meet every combination of lanes, lengths and loads,
not to be fast.
"""
import itertools
import random
import sys


def neighbours(spec):
    kind, sides = spec.split(':')
    sides = [int(side) for side in sides.split('x')]
    closed = kind in ('cycle', 'torus')
    nodes = list(itertools.product(*(range(side) for side in sides)))
    number = {node: i for i, node in enumerate(nodes)}
    result = [set() for _ in nodes]
    for node in nodes:
        for axis, side in enumerate(sides):
            at = node[axis] + 1
            if at < side or closed and side > 2:
                peer = number[node[:axis] + (at % side,) + node[axis + 1:]]
                result[number[node]].add(peer)
                result[peer].add(number[node])
    return [sorted(peers) for peers in result]


def main():
    spec, most_tokens, most_links, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    peers = neighbours(spec)
    nodes = range(len(peers))
    blocks = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    held = [set(range(blocks)) if node == 0 else set() for node in nodes] if blocks else [{node} for node in nodes]
    total = blocks or len(peers)
    rounds = []
    while any(len(tokens) < total for tokens in held):
        used, packets, coming = set(), [], [set(tokens) for tokens in held]
        for source in rng.sample(nodes, len(peers)) * 2:
            path = [source]
            for _ in range(rng.randint(1, most_links)):
                ways = [peer for peer in peers[path[-1]] if peer not in path and (path[-1], peer) not in used]
                if not ways:
                    break
                path.append(rng.choice(ways))
            while len(path) > 1 and held[source] <= coming[path[-1]]:
                path.pop()  # an end that lacks something, or none
            if len(path) == 1:
                continue
            lacking = sorted(held[source] - coming[path[-1]])
            tokens = rng.sample(lacking, rng.randint(1, min(most_tokens, len(lacking))))
            used.update(zip(path, path[1:]))
            coming[path[-1]].update(tokens)
            packets.append((path, tokens))
        held = coming
        rounds.append(packets)
    print(f'gossipfab-schedule {2 if blocks else 1}', f'topology {spec}', 'link-mode full', 'port-mode all', f'packet-tokens {most_tokens}',
          'hop-rounds 1', 'routing circuit', 'solver -',
          *(['collective broadcast', f'blocks {blocks}', 'root 0'] if blocks else []),
          f'rounds {len(rounds)}',
          f'packets {sum(map(len, rounds))}', sep='\n')
    for i, packets in enumerate(rounds):
        print('round', i + 1)
        for path, tokens in packets:
            print(*path, end=':')
            print(*tokens)
    print('end')


main()
