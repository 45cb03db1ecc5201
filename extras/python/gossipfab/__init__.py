# SPDX-License-Identifier: MIT
"""Schedules of collectives, and the network fabrics that play them.

    >>> import gossipfab
    >>> schedule = gossipfab.solve("mesh:4x4")
    >>> gossipfab.verify(schedule).rounds, gossipfab.bounds("mesh:4x4")[0].rounds
    (10, 10)

A topology and a solver give a Schedule; compile() makes a Machine of it; simulate() plays that on the C model, which
is equal to the Verilog in every cycle, and generate() writes the Verilog."""
from ._library import lib as _lib, text as _text
from .errors import Error, FaultError, FileError, InvalidError, LimitError, ParseError, UnsupportedError
from .fabric import Machine, boards, compile, generate, plan, simulate
from .schedule import MOVE, Bound, Goal, Model, Report, Schedule, bounds, solve, solvers, verify
from .tools import (Advice, LengthAdvice, Proof, Rate, Replanned, advise, advise_length, convert, formats, prove, rate,
                    read_format, replan)
from .topology import Topology, families

__version__ = _text(_lib.gfab_version())
__all__ = ["Advice", "Bound", "Error", "FaultError", "FileError", "Goal", "InvalidError", "LengthAdvice",
           "LimitError", "MOVE", "Machine", "Model", "ParseError", "Proof", "Rate", "Replanned", "Report", "Schedule",
           "Topology", "UnsupportedError", "advise", "advise_length", "boards", "bounds", "compile", "convert", "families",
           "formats", "generate", "plan", "prove", "rate", "read_format", "replan", "simulate", "solve", "solvers", "verify"]


def __getattr__(name: str):
    former = {"lower": "compile"}
    raise AttributeError(f"module 'gossipfab' has no {name!r}" +
                         (f"; it is called {former[name]!r} now" if name in former else ""))
