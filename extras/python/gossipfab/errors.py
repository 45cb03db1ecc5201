# SPDX-License-Identifier: MIT
"""What the library says in a status, as exceptions."""
from __future__ import annotations


class Error(Exception):
    """Anything that the library refuses. line counts from 1 in a text, else 0."""

    line = 0

    @staticmethod
    def of(status: int, phrase: str, message: str, line: int, where: str) -> "Exception":
        """The exception for a status of gossipfab/base/status.h."""
        kind = {1: MemoryError, 2: InvalidError, 3: ParseError, 4: UnsupportedError, 5: LimitError, 6: FileError,
                7: FaultError, 8: InterruptedError}[status]
        place = f"{where}: line {line}: " if where and line else f"{where}: " if where else f"line {line}: " if line else ""
        raised = kind(place + (message or phrase))
        if isinstance(raised, Error):
            raised.line = line
        return raised


class InvalidError(Error, ValueError):
    """An argument is out of its range."""


class ParseError(Error, ValueError):
    """A text is malformed."""


class UnsupportedError(Error):
    """Legal, but not done by this solver or this hardware."""


class LimitError(Error):
    """Legal, but larger than the library takes."""


class FileError(Error, OSError):
    """The operating system refused a file."""


class FaultError(Error):
    """A check ran, and what it checked is faulty. report says where, of a schedule (Report)."""

    report = None
