# SPDX-License-Identifier: MIT
"""What is played on a fabric, and what must come of it: the script of flat.v, and the packets of streams.v. How words
are addressed is docs/reference/host-interface.md; widths come from the fabric's manifest, values from arithmetic.py."""
from functools import reduce

from arithmetic import CHOICES, COMBINING, IDEMPOTENT, Goal, block_for, combine


class Plan:
    """The programs of a fabric: their goals, what may combine in each, who takes part."""

    def __init__(self, asked, manifest):
        self.m = manifest
        self.members = [node for node in range(asked.nodes) if node not in asked.relays]
        self.tokens = manifest["blocks"] == 0
        gossip = Goal("all-gather", len(self.members), len(self.members))
        self.goals = asked.goals or [gossip]
        self.idempotent = [program["idempotent"] for program in manifest["programs"]]
        self.operator = asked.operator
        self.counted = bool(manifest["counted"])
        parts = manifest["parts"]  # blocks are parts there
        said = [(program["collective"], program["blocks"] // parts, program["root"]) for program in manifest["programs"]]
        wanted = [(goal.collective, goal.blocks, goal.root) for goal in self.goals]
        if said != wanted or manifest["nodes"] != asked.nodes or (self.tokens and self.goals != [gossip]):
            raise AssertionError(f"the manifest says {said} on {manifest['nodes']} nodes, asked was {wanted}")

    @property
    def bits(self):
        return self.m["token_bits"]

    def choose(self, draw, program):
        """An operator that the program may be played with: its name, and i_operator."""
        if self.goals[program].collective not in COMBINING:
            return "", draw.randrange(8)
        if self.operator == "all":
            name = draw.choice([n for n in CHOICES if n in IDEMPOTENT or not self.idempotent[program]])
            return name, CHOICES.index(name)
        return self.operator or ("and" if any(self.idempotent) and not self.sums() else "sum"), 0

    def sums(self):
        """Without --operator: what a program needs that is not idempotent."""
        return any(goal.collective in COMBINING and not may for goal, may in zip(self.goals, self.idempotent))

    def results(self, program, operator, held):
        """Of each block the word that the collective promises, by what its holders hold of it: held[rank][block]."""
        goal = self.goals[program]
        return [reduce(lambda a, b: combine(operator, self.bits, a, b),
                       [held[rank][block] for rank in goal.holders(block)]) for block in range(goal.blocks)]


class Flat:
    """The script, line by line, and what the stores hold, as far as it is promised."""

    def __init__(self, draw, plan):
        self.draw, self.plan, self.m = draw, plan, plan.m
        self.lines, self.checked, self.wrong = [], 0, None
        self.held = [{} for _ in plan.members]  # by block, or origin
        self.last = None  # program, and its results

    def say(self, op, a=0, b=0, c=0, d=0, data=0):
        self.lines.append(f"{op} {a:x} {b:x} {c:x} {d:x} {data:x}")

    def words_of(self, value):
        """Of a token: {part, word} as an address, its bits that count, the word."""
        m = self.m
        for part in range(m["parts"]):
            here = value >> part * m["part_bits"] & (1 << m["part_bits"]) - 1
            for word in range(m["words"]):
                at = word * m["word_bits"]
                bits = max(0, min(m["word_bits"], m["part_bits"] - at))
                yield part, word, bits, here >> at & (1 << m["word_bits"]) - 1

    def load(self, program, all_anew):
        """Blocks that the program needs, those of each node in their order, nodes at their own pace. The last go in with
        the start."""
        goal, waiting = self.plan.goals[program], []
        for rank, node in enumerate(self.plan.members):
            words = []
            for index, block in enumerate(goal.held(rank)):
                if not (all_anew or block not in self.held[rank] or self.draw.random() < 0.5):
                    continue
                value = block_for(self.draw, self.plan.operator or "sum", self.plan.bits, len(self.plan.members))
                self.held[rank][block] = value
                number = index if self.plan.counted else block
                if self.plan.counted:
                    number += program * self.m["loads"] // len(self.plan.goals)
                for part, word, _, data in self.words_of(value):
                    slot = part if self.plan.tokens else number
                    words.append((node, slot << self.m["index_bits"] | word, data))
            if words:
                waiting.append(words)
        staged = False
        while waiting:
            if staged:
                self.say(3)
            staged = True
            for words in [words for words in waiting if self.draw.random() < 0.8 or len(waiting) == 1]:
                node, address, data = words.pop(0)
                self.say(1, node, address, data=data)
            waiting = [words for words in waiting if words]

    def check(self):
        """All that the last collective promised, from all nodes at once, each its own blocks in an order of its own."""
        program, results = self.last
        goal, m = self.plan.goals[program], self.m
        asked = []
        for rank, node in enumerate(self.plan.members):
            numbers = []
            for index, block in enumerate(goal.wanted(rank)):
                number = index if self.plan.counted else block
                if self.plan.counted:
                    number += program * m["reads"] // len(self.plan.goals)
                for part, word, bits, data in self.words_of(results[block]):
                    slot = m["parts"] * self.plan.members[block] + part if self.plan.tokens else number
                    if bits:
                        numbers.append((node, slot, word, bits, data))
            self.draw.shuffle(numbers)
            asked.append(numbers)
        while any(asked):
            now = [numbers.pop() for numbers in asked if numbers]
            for node, slot, word, _, _ in now:
                self.say(2, node, slot, word)
            self.say(3)
            for node, _, _, bits, data in now:
                self.say(4, node, bits, data=data)
                self.checked += 1

    def settle(self, program, operator):
        """What the stores have by then of what a next start may begin with."""
        goal = self.plan.goals[program]
        results = self.plan.results(program, operator, self.held)
        self.last = program, results
        if self.plan.tokens:
            return  # what a node started with is its own
        for rank in range(len(self.plan.members)):
            for block in range(goal.blocks):
                self.held[rank].pop(block, None)
                if goal.wants(rank, block) and not self.plan.counted:
                    self.held[rank][block] = results[block]

    def rest(self, program):
        """Where nothing is read from: at something that there will be, for a protected fabric tells of what nobody wrote."""
        for node in self.plan.members:
            self.say(9, node, program * self.m["reads"] // len(self.plan.goals))

    def can_follow(self, program):
        """Is all there that it begins with?"""
        goal = self.plan.goals[program]
        return all(block in self.held[rank] for rank in range(len(self.plan.members)) for block in goal.held(rank))

    def run(self, runs, cut):
        """runs: starts. cut: some of them are cut off by a reset."""
        draw, plan, own_clocks = self.draw, self.plan, bool(self.m.get("own_clocks"))
        program, at_once = draw.randrange(len(plan.goals)), False
        self.say(5, program)
        self.say(3)
        for left in reversed(range(runs)):
            cycles = 0 if own_clocks else self.m["programs"][program]["cycles"]
            operator, choice = plan.choose(draw, program)
            if not at_once:
                self.load(program, draw.random() < 0.3)
            if cut and left and not at_once and draw.random() < 0.15:
                self.say(8, choice, draw.randint(1, cycles - 1))
                self.say(6, draw.randint(1, 3))
                self.say(5, program)
                self.say(3)
                if not plan.tokens:
                    self.held = [{} for _ in plan.members]
                continue
            self.settle(program, operator)
            if self.m["protect"] and self.m["wide"] and not plan.tokens:
                self.rest(program)
            following = draw.randrange(len(plan.goals))
            at_once = left and not own_clocks and draw.random() < 0.3 and self.can_follow(following)
            disturbed = not own_clocks and draw.random() < 0.5  # there a chip that has not begun takes loads
            self.say(7, choice, following, cycles, disturbed | 2 * bool(at_once))
            program = following
            if not left or (not at_once and draw.random() < 0.9):
                self.check()

    def pairs(self):
        """Every operator after every other, on what is there by then or, block by block, something else."""
        cycles = self.m["programs"][0]["cycles"]
        for pair in range(2 * len(CHOICES) ** 2):
            number = pair // 2 % len(CHOICES) if pair % 2 else pair // 2 // len(CHOICES)
            self.load(0, pair == 0)
            self.settle(0, CHOICES[number])
            self.say(7, number, 0, cycles, 0)
            self.check()


def packets(draw, plan, runs):
    """For streams.v: of each node the beats in and out, and the commands; the cycles of the last one."""
    beats_in = {node: [] for node in range(plan.m["nodes"])}
    beats_out = {node: [] for node in range(plan.m["nodes"])}
    commands, program = [], 0
    for _ in range(runs):
        program = draw.randrange(len(plan.goals))
        goal = plan.goals[program]
        operator, choice = plan.choose(draw, program)
        if plan.operator != "all":
            choice = 0
        commands.append(choice << plan.m["program_bits"] | program)
        held = [{block: block_for(draw, plan.operator or "sum", plan.bits, len(plan.members))
                 for block in goal.held(rank)} for rank in range(len(plan.members))]
        results = plan.results(program, operator, held)
        for rank, node in enumerate(plan.members):
            for beats, blocks, values in ((beats_in[node], goal.held(rank), held[rank]),
                                          (beats_out[node], goal.wanted(rank), results)):
                beats += [(block == blocks[-1]) << plan.bits | values[block] for block in blocks]
    return beats_in, beats_out, commands, plan.m["programs"][program]["cycles"]
