# SPDX-License-Identifier: MIT
"""The shared library, and what all calls of it share."""
from __future__ import annotations

import pathlib
from typing import Callable, Optional

from ._declarations import ffi
from .errors import Error

# A wheel has it beside this file; a distribution where its libraries are, under the name of the versions that agree.
_own = pathlib.Path(__file__).with_name("libgossipfab.so")
lib = ffi.dlopen(str(_own) if _own.exists() else "libgossipfab.so.0.1")
libc = ffi.dlopen(None)

Progress = Callable[[str, int, int], bool]


def text(pointer) -> str:
    """A string that C borrows us; "" for NULL."""
    return ffi.string(pointer).decode() if pointer != ffi.NULL else ""


class Call:
    """One call of the library: its diagnostic, and a progress function that lets Ctrl-C through.

    with Call(progress) as call:
        call.check(lib.gfab_...(..., call.progress, ..., call.diag))
    """

    def __init__(self, progress: Optional[Progress] = None):
        self._report, self._raised = progress, None
        self.diag = ffi.new("gfab_diag *")
        self._callback = ffi.callback("int(void *, const char *, unsigned long long, unsigned long long)",
                                      self._step, error=0, onerror=self._catch)
        self.progress = ffi.new("gfab_progress *", {"report": self._callback, "context": ffi.NULL})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def _step(self, _, what, done, total):
        return 1 if self._report is None or self._report(text(what), done, total) is not False else 0

    def _catch(self, _, raised, __):
        self._raised = raised

    def check(self, status, where: str = "") -> None:
        """Raises what a status other than OK says."""
        if status == lib.GFAB_OK:
            return
        if self._raised is not None:
            raise self._raised
        raise Error.of(int(status), text(lib.gfab_status_string(status)), text(self.diag.message), int(self.diag.line),
                       where)


def enum_parse(parse, value: str):
    """A value of an enum by its name, as the command line spells it."""
    out = ffi.new(ffi.typeof(parse).args[1].item.cname + " *")
    with Call() as call:
        call.check(parse(value.encode(), out, call.diag))
    return out[0]


class TextIn:
    """A file that C reads from a string."""

    def __init__(self, content: str):
        data = content.encode()
        self._buffer = ffi.new("char[]", data)
        self.file = libc.fmemopen(self._buffer, max(len(data), 1), b"r")
        if self.file == ffi.NULL:
            raise MemoryError

    def __enter__(self):
        return self.file

    def __exit__(self, *_):
        libc.fclose(self.file)


def text_out(write: Callable) -> str:
    """What write(file) prints."""
    buffer, size = ffi.new("char **"), ffi.new("size_t *")
    file = libc.open_memstream(buffer, size)
    if file == ffi.NULL:
        raise MemoryError
    try:
        write(file)
    finally:
        libc.fclose(file)
        content = ffi.unpack(buffer[0], size[0]).decode()
        libc.free(buffer[0])
    return content
