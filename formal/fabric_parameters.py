#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The parameters of a generated fabric, read off its Verilog and its ROMs: NAME VALUE, one a line."""
import glob
import re
import sys

folder = sys.argv[1]
with open(f'{folder}/gossip_fabric.v') as file:
    text = file.read()
values = {}
for name in ('NODES', 'LINKS', 'LANES', 'LINK_BITS', 'WORDS', 'ROUND_BITS'):
    values[name] = int(re.search(rf'\.{name}\((\d+)\)', text).group(1))
values['SKEWED'] = int('.SKEWED(1)' in text)
values['REGISTERED'] = int('.REGISTERED(1)' in text)

stride = 1 << (values['LANES'] - 1).bit_length()
# Rows of NODE: number, ROM, whether it is a member, slots of the store, own slot, the other end's lane where lane 0 is
# skewed, lanes.
ROW = re.compile(r'^ +"(\d+)", (?:\d+\'[db]\d+, ){4}\d+\'d(\d+), \d+\'b', re.M)
skews = {int(node): int(skew) for node, skew in ROW.findall(text)}
# The halt is in the round after the last.
with open(f'{folder}/rom/sequence.hex') as file:
    halts = [int(line, 16) & 1 for line in file.read().split()]
if sum(halts) != 1:
    sys.exit(f'{folder}: not one halt')
values['ROUNDS'] = halts.index(1)
received = {}  # (node, slot): (late, round, lane)
for node, path in enumerate(sorted(glob.glob(f'{folder}/rom/program_*.hex'))):
    with open(path) as file:
        words = [int(line, 16) for line in file.read().split()]
    for i, word in enumerate(words):
        lane = i % stride
        if word & 3 == 2:
            received.setdefault((node, word >> 2), (int(lane == 0 and skews[node] != 0), i // stride, lane))

# For each node and slot when the ROM first has it received, if ever, last entry first: a claim, which the proof checks.
never = (0, (1 << values['ROUND_BITS']) - 1, 0)
lane_bits = max(1, (values['LANES'] - 1).bit_length())
bits = []
for node in reversed(range(values['NODES'])):
    for slot in reversed(range(values['NODES'])):
        late, round_, lane = received.get((node, slot), never)
        bits.append(f'{late}{round_:0{values["ROUND_BITS"]}b}{lane:0{lane_bits}b}')
table = ''.join(bits)
values['RECEIVED'] = f"{len(table)}'b{table}"
for name, value in values.items():
    print(name, value)
