# SPDX-License-Identifier: MIT
"""Waivers, what is required, and the figures as Markdown."""
import collections
import fnmatch
import json
import re
import textwrap

from process import Fault

REQUIRED = 98  # percent killed of those not proved equivalent
REQUIRED_OWN = 95  # of those that a generated folder's own benches play, with the one seed that they have
REQUIRED_FEW = 90  # of few of them: of 40 some more or fewer are drawn that nobody outside can see
COUNTS = ["mutants", "equivalent", "killed", "late", "waived", "survivors"]  # late ones are among the killed

# Of a class: how many there are of each of COUNTS, and fabrics; (module, source, where) of each survivor; (module,
# source, reason) of each that is waived.
Result = collections.namedtuple("Result", "counts survivors waived")


class Waivers:
    """Lines MODULE -- LINE OF ITS SOURCE -- WHAT IS CHANGED -- REASON, as a survivor is printed; LINE and WHAT may have
    a * for anything. What begins with a blank goes on with the line before."""

    def __init__(self, path):
        self.rows, self.known = [], set()
        for line in path.read_text(encoding="utf-8").replace("\n ", " ").splitlines():
            if line and not line.startswith("#"):
                fields = tuple(" ".join(field.split()) for field in line.split(" -- "))
                if len(fields) != 4 or not all(fields):
                    raise Fault(f"{path.name}: '{line[:60]}' is not MODULE -- LINE -- CHANGE -- REASON")
                self.rows.append(fields)

    @staticmethod
    def like(text, pattern):
        return fnmatch.fnmatchcase(" ".join(text.split()), pattern.replace("[", "[[]").replace("?", "[?]"))

    def fits(self, row, mutation):
        return row[0] == mutation.module and self.like(mutation.source, row[1]) and self.like(mutation.where, row[2])

    def match(self, mutation):
        """The row that a survivor is waived by; None."""
        return next((row for row in self.rows if self.fits(row, mutation)), None)

    def see(self, possible):
        """Takes note of all mutations that a design has, drawn or not."""
        for row in self.rows:
            if row not in self.known and any(self.fits(row, mutation) for mutation in possible):
                self.known.add(row)

    def stale(self):
        return [f"waivers: '{' -- '.join(row[:3])}' stands for no mutant" for row in self.rows if row not in self.known]


def killed_percent(counts):
    """Of those not proved equivalent; rounded down to tenths, so that 98.0 is not said of less."""
    of = counts["mutants"] - counts["equivalent"]
    return f"{counts['killed'] * 1000 // of / 10:.1f} %" if of else "none of none"


def summary(result):
    counts = result.counts
    return (f"{counts['mutants']} mutants, {counts['equivalent']} equivalent,"
            f" {counts['killed']} of {counts['mutants'] - counts['equivalent']} killed ({killed_percent(counts)}),"
            f" {counts['waived']} waived, {counts['survivors']} survive")


def faults(row, result, wanted, few):
    """What is not as it must be; of few mutants the part that is killed says little: where none may
    survive nothing is asked of it, else less."""
    counts, found, own = result.counts, [], row.bench == "own"
    required = REQUIRED if not own or row.modules else REQUIRED_FEW if few else REQUIRED_OWN
    if counts["mutants"] < wanted:
        found.append(f"{row.name}: {counts['mutants']} mutants, {wanted} are wanted: more fabrics")
    if counts["survivors"] and not own:
        found.append(f"{row.name}: {counts['survivors']} survive: a better bench, or a waiver with its reason")
    if (own or not few) and counts["killed"] * 100 < required * (counts["mutants"] - counts["equivalent"]):
        found.append(f"{row.name}: {killed_percent(counts)} killed, {required} are required")
    return found


HEAD = f"""## Mutants of the netlist

A *mutant* is a generated design with one fault, as Yosys makes them (`mutate`: a pin inverted, stuck, or mixed with
another). The fault is anywhere in the flattened netlist, except in clocks and in the words of ROMs and texts. Mutants
are played by benches that the design itself passes.

<!-- docs: skip minutes to hours: tests run their short forms -->
    make mutate

*Equivalent* is proved: from a power-up of zeros and a cycle of reset on, no output ever differs where somebody may
look, and nothing that is written to a RAM differs. (A read gives the same word in both where both ask for the same, and
otherwise anything.) *Late*, among the killed, took a million cycles. *Waived* mutants pass a million cycles; below is
why nobody outside can see them. *%* is the share that is killed of those not proved equivalent; {REQUIRED} are required in
each class. Classes that are named after a target of a generated folder's Makefile are what its user plays: the folder's
own benches, with the one seed that they have. There {REQUIRED_OWN} are required where all that is played is mutated,
and survivors are named below.

| class | modules | designs | mutants | equivalent | killed | late | waived | survive | % |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


def write(trust, classes, apart, results):
    """Keeps the results, by class, beside those of earlier runs, and writes the Markdown of all that are there."""
    path = trust / "mutate.json"
    kept = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
    kept.update(results)
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="ascii")
    rows = [(row, Result(collections.Counter(kept[row.name][0]), *kept[row.name][1:]))
            for row in classes if row.name in kept]
    short = [row.title for row in classes if row.name not in kept or kept[row.name][0]["fabrics"] < len(row.fabrics)]
    (trust / "mutate.md").write_text(fragment(rows, short, apart), encoding="utf-8")


def fragment(results, short, apart):
    lines = []
    for row, (counts, _, _) in results:
        modules = ", ".join(module.removeprefix("gfab_") for module in row.modules) or "all that is played"
        modules = textwrap.shorten(modules, 44, placeholder=" ..")
        figures = " | ".join(str(counts[name]) for name in ["fabrics"] + COUNTS)
        lines.append(f"| {row.title} | {modules} | {figures} | {killed_percent(counts).removesuffix(' %')} |")
    if short:
        lines += ["", *wrapped(f"Not run to the end for this page: {'; '.join(short)}.")]
    lines += ["", "Modules in no class:", ""]
    for module, reason in sorted(apart.items()):
        lines += wrapped(f"- `{module}`: {reason}")
    waived = collections.Counter(tuple(mutation) for _, result in results for mutation in result.waived)
    if waived:
        lines += ["", "Waived, by the line that is changed:", ""]
        for (module, source, reason), count in sorted(waived.items()):
            lines += wrapped(f"- {count} in `{module}`, `{source}`: {reason}")
    survivors = [mutation for _, result in results for mutation in result.survivors]
    if survivors:
        lines += ["", "Survivors:", ""]
        for module, source, where in survivors:
            lines += wrapped(f"- `{module}`, `{source}`: {where}")
    return HEAD + "\n".join(lines) + "\n"


def wrapped(text, columns=120):
    """Lines of so many columns, all but the first indented; a name that is longer is cut behind a dot."""
    lines = [""]
    for word in re.sub(r"(\S{60,100}\.)(?=\S{20})", r"\1 ", text).split(" "):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(word) > columns:
            lines.append(" ")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines
