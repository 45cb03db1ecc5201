# SPDX-License-Identifier: MIT
"""notebook.py FILE: runs the cells of a notebook in their order, in one namespace, without Jupyter. Whatever a cell raises
ends it. A notebook whose assertion is turned round must fail: the mutant."""
import ast
import json
import pathlib
import sys


def run(cells):
    names = {}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile(ast.parse("".join(cell["source"])), f"cell {number}", "exec"), names)


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    run(json.loads(text)["cells"])
    mutant = text.replace("best.rounds == 10", "best.rounds == 9")
    assert mutant != text
    try:
        run(json.loads(mutant)["cells"])
    except AssertionError:
        return
    sys.exit("a notebook whose figure is wrong passes")


if __name__ == "__main__":
    main()
