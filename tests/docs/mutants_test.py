#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants_test.py BUILD: pages.py takes a page that is right, and refuses each that is wrong in one way; with MUTANTS=N
in the environment the first N of them are tried."""
import os
import pathlib
import sys

import pages

PAGE = """# A page

    gossipfab schedule --topology mesh:3x3 -o s.gfs

```
$ gossipfab verify s.gfs | head -n 2
topology     mesh:3x3: 9 nodes, 12 links
...          H*: half-duplex links, all ports of a node at once, 1 token a packet, 1 round a hop
```

<!-- docs: text -->
    R x F + c

Also `gossipfab bound --topology mesh:3x3` and, in an item:

1. First

       cd docs
       cat glossary.md

<!-- docs: skip /ttyUSB1/ no board -->
    cat README.md
    make -C /dev/ttyUSB1

<!-- docs: large -->
    make no-such-target

<!-- docs: fails 2 -->
```
$ gossipfab generate --topology mesh:3x3 --store wide --frame rotated -o out
gossipfab: generate: wide nodes: not with slots turned with the node, ...
```

<!-- docs: run echo hidden > said -->
<!-- docs: output cat said -->
```
hidden
```

<!-- docs: figures for n in 2 3; do gossipfab schedule -t mesh:${n}x$n --json | fill.py "| $n | {rounds} | ... |"; done -->
| n | rounds | |
| --- | --- | --- |
| 2 | **3** | two |
| 3 | 6 | three |

<!-- docs: figures gossipfab schedule -t mesh:4x4 --json | fill.py '{rounds} rounds of {topology.links} moves' -->
It takes [10 rounds](x.md) of
24 moves.
"""

# What is replaced, by what, and what is said of it.
MUTANTS = [
    ("mesh:3x3 -o s.gfs", "mesh:3y3 -o s.gfs", "line 3: gossipfab schedule --topology mesh:3y3"),
    ("mesh:3x3 -o s.gfs", "mesh:3x3 -o t.gfs", "gossipfab verify s.gfs | head"),
    ("9 nodes, 12 links\n", "9 nodes, 13 links\n", "the page shows a line that is not printed there: topology"),
    ("<!-- docs: text -->", "", "line 12: no command that is known, and no mark that says what it is: R x F + c"),
    ("`gossipfab bound --topology mesh:3x3`", "`gossipfab bound --topologies mesh:3x3`", "line 14: gossipfab bound"),
    ("       cd docs", "       cd dogs", "cd dogs"),
    ("skip /ttyUSB1/ no board", "skip /ttyUSB1/", "skip without a reason"),
    ("skip /ttyUSB1/", "skip /ttyUSB2/", "make -C /dev/ttyUSB1"),
    ("docs: large", "docs: slow", "no such mark: docs: slow"),
    ("<!-- docs: large -->", "", "make no-such-target"),
    ("docs: fails 2", "docs: fails 1", "exit status 2, not 1"),
    ("--frame rotated", "--frame auto", "exit status 0, not 2"),
    ("not with slots turned with the node, ...", "not with paths, ...", "the page shows a line that is not printed there: gossipfab: gen"),
    ("```\nhidden", "```\nHidden", "the page shows a line that is not printed there: Hidden"),
    ("| 3 | 6 |", "| 3 | 7 |", "the page has | 3 | 7 | three |\n  and printed is | 3 | 6 | ... |"),
    ("| 3 | 6 | three |\n", "", "the table has 1 rows, and 2 are printed"),
    ("[10 rounds](x.md)", "[11 rounds](x.md)", "printed, and not on the page: 10 rounds of 24 moves"),
    ("for n in 2 3;", "for n in;", "the command prints no figure"),
    ("24 moves.\n", "24 moves.\n\n<!-- docs: output -->\n", "a mark with nothing behind it"),
]


# Figures that only the large form compares, two tables of them: both that differ are said, and neither is without it.
SLOW = """<!-- docs: slow-figures echo "| 1 | 2 |" -->
| a | b |
| --- | --- |
| 1 | 3 |

<!-- docs: slow-figures echo "| 4 | 5 |" -->
| a | b |
| --- | --- |
| 4 | 6 |
"""


def check(text, build, large=False):
    return pages.check_page(pathlib.Path("README.md"), text, build, large)


def check_slow(build):
    """What is wrong with how slow figures are compared."""
    page = check(SLOW, build)
    if (page.held, len(page.later)) != (0, 2):
        return f"without --large {page.held} slow figures are compared, {len(page.later)} put off"
    if check(SLOW.replace("| 3 |", "| 2 |").replace("| 6 |", "| 5 |"), build, True).held != 2:
        return "slow figures that are right are not compared"
    try:
        check(SLOW, build, True)
    except pages.Fault as fault:
        return "" if "| 1 | 3 |" in str(fault) and "| 4 | 6 |" in str(fault) else f"not both figures are said: {fault}"
    return "slow figures that differ are taken"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    page = check(PAGE, build)
    counts = page.ran, page.held, len(page.later), len(page.left)
    if counts != (7, 6, 1, 1):
        print(f"the page that is right: {counts} commands run, lines compared, for later, not run")
        return 1
    wrong = check_slow(build)
    if wrong:
        print(wrong)
        return 1
    assert all(PAGE.count(sound) == 1 for sound, _, _ in MUTANTS)
    tried = MUTANTS[:int(os.environ.get("MUTANTS", "99"))]
    for sound, faulty, wanted in tried:
        try:
            check(PAGE.replace(sound, faulty), build)
        except pages.Fault as fault:
            if wanted in str(fault):
                continue
            print(f"{sound!r} -> {faulty!r}: said is\n{fault}\n  and not {wanted}")
            return 1
        print(f"{sound!r} -> {faulty!r} is taken")
        return 1
    print(f"{len(tried)} wrong pages are refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
