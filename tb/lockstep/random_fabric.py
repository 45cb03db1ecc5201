#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_fabric.py NUMBER MOST_NODES: the arguments of run.sh for a random fabric, one a line.

The kinds follow each other: any topology, wide nodes or narrow; narrow nodes that may share programs; packets of
several tokens and one-port schedules, with gaps; paths of several links; tokens cut in parts; collectives.
"""
import math
import random
import sys

MOST_BITS = 4096  # of a token, for gossipfab
LINTED_BITS = 512  # of a token: Icarus takes minutes to elaborate a host's registers for more
MOST_TALKERS = 16  # nodes of an all-to-all, whose blocks are the square of them
BITWISE = ['and', 'or', 'xor']
ORDERS = ['min', 'max', 'umin', 'umax']


def sides_of(draw, most, dimensions, least=2):
    """Sides of a grid of at most that many nodes, and at least four."""
    while True:
        sides = [draw.randint(least, 9) for _ in range(dimensions)]
        if 4 <= math.prod(sides) <= most:
            return 'x'.join(map(str, sides))


def topology_of(draw, most, families):
    family = draw.choice(families)
    if family in ('torus', 'mesh'):
        return f'{family}:{sides_of(draw, most, draw.choice([2, 2, 2, 3]))}'
    if family == 'hypercube':
        return f'hypercube:{draw.randint(2, most.bit_length() - 1)}'
    if family == 'random':  # a graph file would do for sparse ones: these are connected with near certainty
        nodes = draw.randint(8, min(most, 32))
        return f'random:n={nodes},m={min(nodes * (nodes - 1) // 2, 3 * nodes)},seed={draw.randint(1, 1000)}'
    return f'{family}:{draw.randint(4, most)}'


def collective_of(draw, most):
    """Arguments of run.sh for a collective, or for several in one fabric, and the topology."""
    families = ['torus', 'torus', 'mesh', 'mesh', 'path', 'cycle']
    store = draw.choice(['narrow', 'narrow', 'wide'])
    mode = draw.choice(['half', 'full'])
    collective = draw.choice(['reduce-scatter', 'all-reduce', 'all-reduce', 'reduce', 'barrier', 'broadcast',
                              'all-to-all', 'random', 'several'])
    operators = ['sum'] + BITWISE + (ORDERS + ['all'] if store == 'narrow' else [])
    if collective == 'barrier':  # its schedule may count a contribution twice
        operators = [operator for operator in operators if operator not in ('sum', 'xor', 'all')]
    operator = 'none' if collective in ('broadcast', 'all-to-all') else draw.choice(operators)
    if collective in ('random', 'several'):
        store = 'narrow'
    else:
        families += ['hypercube', 'random']
    topology = topology_of(draw, min(most, MOST_TALKERS) if collective == 'all-to-all' else most, families)
    if collective == 'several':
        some = draw.sample(['all-gather', 'all-reduce', 'reduce-scatter', 'reduce', 'broadcast', 'barrier'], 3)
        collective = ','.join(some)
        operator = draw.choice(['sum'] + BITWISE + ORDERS + ['all'])
    options = []
    if collective in ('all-reduce', 'reduce', 'broadcast') and draw.randint(0, 1):
        options += ['--blocks', draw.randint(1, 12)]
    elif {'reduce', 'broadcast'}.intersection(collective.split(',')):
        options += ['--root', draw.randint(0, 3)]
    if store == 'wide':
        options += ['--port-mode all --store wide --collective', collective]
        options += ['--operator', operator] if operator != 'none' else []
        return ['--auto', f'{mode} 0', ' '.join(map(str, options)), 'auto'], topology
    if collective == 'random':
        return ['--collective', f'all-reduce {operator}', f'random {draw.randint(1, 1000)} {mode}'], topology
    if collective != 'all-to-all' and draw.randint(0, 2) == 0:
        options += ['--protect', 'detect']
    options += ['--link-mode', mode]
    return ['--collective', f'{collective} {operator}', ' '.join(map(str, options))], topology


def fabric_of(draw, kind, most):
    """Arguments of run.sh, the topology, and what a token's flits must be a multiple of."""
    mode = draw.choice(['half', 'full'])
    latency = draw.choice([0, 0, 0, draw.randint(1, 4)])
    gap = draw.choice([0, 0, draw.randint(1, 9)])
    if kind == 0:
        families = ['torus', 'torus', 'torus', 'mesh', 'mesh', 'path', 'cycle', 'hypercube', 'random']
        solver = draw.choice(['auto', 'greedy'])
        return ['--auto', f'{mode} {latency}', '', solver], topology_of(draw, most, families), 1
    if kind == 1:
        options = f'--store narrow --gap {gap}'
        if draw.randint(0, 2) == 0:  # a quarter turn takes a square mesh to itself
            side = draw.randint(2, math.isqrt(most))
            return ['--auto', f'half {latency}', options, 'symmetric'], f'mesh:{side}x{side}', 1
        return ['--auto', f'{mode} {latency}', options, 'auto'], topology_of(draw, most, ['torus', 'torus', 'cycle']), 1
    if kind == 2:
        packet, ports = draw.randint(1, 6), draw.choice(['one', 'all'])
        options = f'--port-mode {ports} --packet-tokens {packet} --gap {gap}'
        families = ['torus', 'mesh', 'path', 'cycle', 'hypercube', 'random']
        return ['--auto', f'{mode} {latency}', options, 'greedy'], topology_of(draw, most, families), 1
    if kind == 3:
        packets = f'{draw.randint(1, 6)} {draw.randint(2, 8)} {draw.randint(1, 1000)}'
        return (['--paths', f'{latency} {gap}', packets],
                topology_of(draw, most, ['torus', 'torus', 'mesh', 'path', 'cycle']), 1)
    if kind == 5:
        return *collective_of(draw, most), 1
    if draw.randint(0, 1):
        parts = draw.randint(2, 4)
        solver = draw.choice(['circgo', 'approach1'])
        return (['--startup', f'{latency} {gap}', f'{solver} parts={parts}'], f'cycle:{draw.randint(4, most)}', parts)
    topology = f'torus:{sides_of(draw, most, 2, 3)}'
    return ['--startup', f'{latency} {gap}', 'highdimgo shares=colours'], topology, 4


def main():
    number, most = map(int, sys.argv[1:])
    draw = random.Random(number)
    arguments, topology, parts = fabric_of(draw, number % 6, most)
    link_bits = draw.randint(1, 64)
    flits = draw.choice([1, 1, 2, draw.randint(1, 8), draw.randint(1, 64)])
    token_bits = link_bits * parts * min(flits, MOST_BITS // (link_bits * parts))
    print(*arguments, topology, token_bits, link_bits, *(['--lint'] if token_bits <= LINTED_BITS else []), sep='\n')


main()
