# SPDX-License-Identifier: MIT
"""run_cocotb.py TESTS TOP SOURCE..: builds TOP in Icarus and runs the tests of the module TESTS on it, which is in tb/ or
on PYTHONPATH. It runs in the generated folder, and works in cocotb/ of $BUILD, or of build/. Exit status: 0 where all
tests pass, 1 where one does not, 2 without cocotb."""

import os
import pathlib
import sys

try:
    import cocotbext.axi  # noqa: F401
    from cocotb_tools.runner import get_results, get_runner
except ImportError as error:
    print(f"make sim-cocotb: {sys.executable} has no module {error.name}; install cocotb 2 and cocotbext-axi, or give "
          "PYTHON=<another>", file=sys.stderr)
    sys.exit(2)


def main():
    module, top, *names = sys.argv[1:]
    sources = [pathlib.Path(name).resolve() for name in names]
    build, folder = pathlib.Path(os.environ.get("BUILD", "build"), "cocotb").resolve(), pathlib.Path.cwd()
    sys.path.insert(0, str(folder / "tb"))
    runner = get_runner("icarus")
    runner.build(sources=sources, includes=["rtl"], hdl_toplevel=top, build_dir=build, build_args=["-g2005"],
                 timescale=("1ns", "1ps"), always=True)
    results = runner.test(hdl_toplevel=top, test_module=module, build_dir=build, test_dir=folder,
                          results_xml=str(build / "results.xml"))
    tests, failed = get_results(results)
    print(f"{'FAIL' if failed or not tests else 'PASS'}: {tests - failed} of {tests} tests of {module} on {top}")
    return 1 if failed or not tests else 0


if __name__ == "__main__":
    sys.exit(main())
