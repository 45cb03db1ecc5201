# SPDX-License-Identifier: MIT
# What a user writes, as mypy --strict reads it.
from fractions import Fraction

import numpy as np
import gossipfab

topology = gossipfab.Topology("mesh:4x4")
model = gossipfab.Model(link_mode="full")
schedule: gossipfab.Schedule = gossipfab.solve(topology, model, "all-reduce")
report: gossipfab.Report = gossipfab.verify(schedule)
rounds: int = report.rounds
moves = schedule.moves
bound: str = gossipfab.bounds(topology, model)[0].name
text: str = schedule.expression(0)
machine = gossipfab.compile(schedule, token_bits=32)
data = np.arange(256, dtype=np.uint64).reshape(16, 16)
totals, cycles = gossipfab.simulate(machine, data)
print(rounds, bound, text, cycles, int(moves["round"].max()), totals.shape)
advice: gossipfab.Advice = gossipfab.advise("mesh:4x4", Fraction(1, 2))[0]
xml: str = gossipfab.convert(schedule, "gfs")
again: gossipfab.Schedule = gossipfab.read_format(xml, "gfs")
total = machine.cycles[0] + schedule.rounds + int(topology.links.sum()) + len(schedule.topology.members)
html: str = schedule._repr_html_()
made: gossipfab.Schedule = gossipfab.Schedule.from_moves("path:2", [(1, 0, 1, 0), (1, 1, 0, 1)])
nodes: int = gossipfab.Topology.from_links(3, [(0, 1), (1, 2)]).nodes
try:
    gossipfab.solve("mesh:0x4")
except gossipfab.Error as error:
    message: str = str(error)
