#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cost.py GAP FOLDER... < LINES: the cycles that fabrics took against the cost of their schedules.

FOLDER.json is what `gossipfab generate --gap GAP --json -o FOLDER` said: it has the sums that the checker makes of the schedule, startups,
tokens (or parts) of each round's longest packet, links of each round's longest path. From these, the widths and the graph's degree
follows what docs/reference/fabric-timing.md promises, the sum over the rounds of (s F + G + drain(h)), and c; nothing is taken from the
programs. LINES are the bench's, with "a gossip takes N" for each folder and seed. Exit status 1 where an N is another number or a folder
has none.
"""
import json
import re
import sys


def cost(report, manifest, gap):
    """Cycles by the cost of the schedule, and how they come about."""
    timing, degree, latency = report['timing'], report['topology']['max_degree'], report['timing']['latency_cycles']
    flits = timing['token_bits'] // report['parts'] // timing['link_bits'] # of what moves in a round, a token or a part of one
    skewed, paths = manifest['skewed'], manifest['paths']
    least = 2 * degree + (1 + latency + skewed if latency else 0)
    token = -(-max(flits, least) // degree) * degree
    late = token != 2 * degree
    waits = not paths and token >= 2 * degree + 2 + latency + skewed # before the store
    overhead = max(2, degree + late + skewed + latency + waits)
    if manifest['wide']:
        token = flits
        registered = timing['hop_rounds'] * flits >= 3 + latency
        overhead = max(2, 1 + registered + latency)
    startup = gap + (2 * degree - 3 + late if paths else 0)
    hop = 1 + latency if paths else 0
    startups, tokens, links = (report[key] for key in ('startups', 'transfers', 'path_links'))
    if manifest['wide']: # rounds in which nothing is sent are played, too
        startups = tokens = report['rounds']
    cycles = startups * startup + links * hop + tokens * token + overhead
    return cycles, f'{startups} x {startup} + {links} x {hop} + {tokens} x {token} + {overhead} = {cycles} cycles'


def main():
    gap, folders, lines = int(sys.argv[1]), sys.argv[2:], sys.stdin.read()
    for folder in folders:
        report, manifest = (json.load(open(name, encoding='utf-8')) for name in (f'{folder}.json', f'{folder}/manifest.json'))
        cycles, text = cost(report, manifest, gap)
        took = [int(n) for n in re.findall(rf' {folder} seed \d+: equal in \d+ cycles; a gossip takes (\d+) = ', lines)]
        if not took or any(n != cycles for n in took):
            sys.exit(f'cost: {folder}: {text}, but a gossip took {took}')
        print(f'cost: {report["topology"]["name"]} {report["solver"] or "of a file"}, {folder}: {text}, as measured')


main()
