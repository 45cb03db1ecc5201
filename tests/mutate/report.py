# SPDX-License-Identifier: MIT
"""Waivers, and the figures as Markdown."""
import collections
import fnmatch

from process import Fault

REQUIRED = 98  # percent killed of those not proved equivalent


class Waivers:
    """Lines MODULE -- LINE OF ITS SOURCE -- WHAT IS CHANGED -- REASON; LINE and WHAT with * as in file names. A line
    that begins with a blank goes on with the one before it."""

    def __init__(self, path):
        self.path, self.rows, self.used = path, [], collections.Counter()
        text = path.read_text(encoding="utf-8").replace("\n ", " ") if path.exists() else ""
        for number, line in enumerate(text.splitlines(), 1):
            if line and not line.startswith("#"):
                fields = [" ".join(field.split()) for field in line.split(" -- ")]
                if len(fields) != 4 or not all(fields):
                    raise Fault(f"{path.name}: '{line[:60]}': not MODULE -- LINE -- CHANGE -- REASON")
                self.rows.append(tuple(fields))

    def match(self, mutation):
        for row in self.rows:
            if (row[0] == mutation.module and fnmatch.fnmatchcase(" ".join(mutation.source.split()), row[1].replace("[", "[[]"))
                    and fnmatch.fnmatchcase(mutation.where, row[2].replace("[", "[[]"))):
                self.used[row] += 1
                return row
        return None


def percent(killed, of):
    """Rounded down to tenths, so that 98.0 is not said of less."""
    return f"{killed * 1000 // of / 10:.1f}" if of else "-"


def fragment(rows, waivers):
    """The figures as Markdown."""
    lines = ["## Mutants of the netlist", "",
             "Every kind of fault that Yosys knows (`mutate`: a pin inverted, stuck, or joined to another), one at a time in",
             "the flattened netlist of a generated fabric, played by the benches that the fabric itself has to pass.", "",
             "    make mutate", "",
             "*Equivalent* is proved: from a power-up of zeros and one cycle of reset no output ever differs (ABC). *Late*",
             "are killed by a run of a million cycles alone. *Waived* are told by no run of a million cycles either; why",
             f"nobody outside can see them is below. *Killed* is the part of those not proved equivalent, at least {REQUIRED} %.", "",
             "| class | modules | fabrics | mutants | equivalent | killed | late | waived | survive | killed, % |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row, results in rows:
        total = [sum(values) for values in zip(*((r.mutations, r.equivalent, r.killed, r.late, sum(r.waived.values()),
                                                  len(r.survivors)) for r in results))]
        modules = ", ".join(module.removeprefix("gfab_") for module in row.modules)
        lines.append(f"| {row.title} | {modules} | {len(results)} | " + " | ".join(map(str, total)) +
                     f" | {percent(total[2], total[0] - total[1])} |")
    lines += ["", "Waived, by the line of the source that is changed:", ""]
    for row in waivers.rows:
        if waivers.used[row]:
            lines += wrapped(f"- {waivers.used[row]} in `{row[0]}`, `{row[1]}`: {row[3]}")
    survivors = [(row, mutation) for row, results in rows for result in results for mutation in result.survivors]
    if survivors:
        lines += ["", "Survivors:", ""]
        for row, mutation in survivors:
            lines += wrapped(f"- {row.name}: {mutation.module}, `{mutation.source}`, {mutation.where}")
    return "\n".join(lines) + "\n"


def wrapped(text, columns=120):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + 1 + len(word) > columns and lines[-1].strip():
            lines.append(" ")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
