# SPDX-License-Identifier: MIT
"""The shared library, and what all calls of it share."""
from __future__ import annotations

import operator
import os
import pathlib
from typing import Any, Callable, NoReturn, Optional

import numpy as np

from ._declarations import ffi
from .errors import Error, InvalidError

# A wheel has it beside this file; a distribution where its libraries are, under the name of the versions that agree.
_own = pathlib.Path(__file__).with_name("libgossipfab.so")
lib = ffi.dlopen(str(_own) if _own.exists() else "libgossipfab.so.0.1")
libc = ffi.dlopen(None)

Progress = Callable[[str, int, int], bool]


def text(pointer) -> str:
    """A string that C borrows us; "" for NULL. Bytes that are not UTF-8, of a file's name or its content, are \\x.. in it."""
    return ffi.string(pointer).decode(errors="backslashreplace") if pointer != ffi.NULL else ""


def own(pointer, destroy: Callable, *borrowed):
    """A pointer that is destroyed when nobody has it any more, and not before what C borrows for it is let go."""
    def end(mine, _=borrowed):
        destroy(mine)
    return ffi.gc(pointer, end)


class Held:
    """Something of C's: what it borrows is as it was made, so nothing of it is assigned or deleted, and a copy of it is
    itself."""

    __slots__ = ("_c", "__weakref__")
    _c: Any

    def _hold(self, **attributes) -> None:
        if hasattr(self, "_c"):
            raise TypeError(f"this {type(self).__name__} is made; make another one")
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def _refuse(self, name: str, *_) -> NoReturn:
        raise AttributeError(f"{name!r} of a {type(self).__name__} cannot be assigned or deleted: nothing of it changes "
                             "once it is made")

    __setattr__ = __delattr__ = _refuse

    def __copy__(self):
        return self

    def __deepcopy__(self, _):
        return self


def shown(value: Any) -> str:
    """A value in a message: one line, and no long one."""
    return f"{' '.join(repr(value).split()):.80}"


def of_kind(kind: type, value: Any, what: str):
    """The value, which has to be of this class."""
    if not isinstance(value, kind):
        raise TypeError(f"{what} is a {kind.__name__}, not {shown(value)}")
    return value


def text_in(value: Any, what: str) -> bytes:
    """A string for C, whole: a NUL would end it early."""
    if not isinstance(value, str):
        raise TypeError(f"{what} is a string, not {shown(value)}")
    if "\0" in value:
        raise InvalidError(f"{what} {shown(value)} has a NUL, which no name and no text has")
    try:
        return value.encode("utf-8", "surrogateescape")  # as os.fsdecode makes strings of files' names
    except UnicodeEncodeError:
        raise InvalidError(f"{what} {shown(value)} is no text in UTF-8") from None


def path_in(value: Any, what: str) -> bytes:
    """The same of a path: a string, bytes, or what has __fspath__."""
    try:
        return text_in(os.fsdecode(value), what)
    except TypeError:
        raise TypeError(f"{what} is a path, not {shown(value)}") from None


def whole(value: Any, what: str, least: int = 0, most: int = 2**32 - 1, error: type = InvalidError) -> int:
    """A whole number for C, which would wrap round or cut what it does not have: 4, np.int64(4) or 4.0; no bool, no
    string."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what}: a whole number is expected, not {value!r}")
    try:
        number = operator.index(value)
    except (TypeError, np.ma.MaskError):
        try:
            number = int(value) if not isinstance(value, (str, bytes)) and int(value) == value else None
        except (TypeError, ValueError, OverflowError, np.ma.MaskError):
            number = None
        if number is None:
            kind = error if isinstance(value, (float, np.floating)) else TypeError
            raise kind(f"{what}: a whole number is expected, not {shown(value)}") from None
    if not least <= number <= most:
        said = f"{number}" if number.bit_length() < 100 else f"a number of {number.bit_length()} bits"
        raise error(f"{what}: a number from {least} to {_power(most)} is expected, not {said}")
    return number


def _power(most: int) -> str:
    return f"2^{most.bit_length()} - 1" if most > 255 and most & (most + 1) == 0 else f"{most}"


def place(value: Any, what: str, count: int, of: str = "they are") -> int:
    """A whole number below count."""
    number = whole(value, what, -2**63, 2**63, IndexError)
    if not 0 <= number < count:
        raise IndexError(f"{what} {number} does not exist; {of} 0 to {count - 1}")
    return number


def array_of(values: Any, what: str) -> np.ndarray:
    """What NumPy makes of it, but for numbers beyond 64 bits with a sign, in a list, which it would make floats of."""
    try:
        array = np.asarray(values)
        return np.asarray(values, object) if array.dtype.kind == "f" and not hasattr(values, "dtype") else array
    except ValueError:
        raise InvalidError(f"{what}: an array is expected, whose rows are as long as each other, not {shown(values)}") from None


def wholes(values: Any, what: str, most: int = 2**32 - 1, floats: bool = True) -> np.ndarray:
    """An array of whole numbers from 0, of any type that has them, as C's: the smallest unsigned type for the most. A float
    stands for the number that it is, where floats are taken."""
    array = array_of(values, what)
    small = np.min_scalar_type(most)
    if array.size == 0:
        return array.astype(small)
    if array.dtype.kind == "O":
        if array.ndim == 0 or not floats and any(isinstance(value, float) for value in array.flat):
            raise InvalidError(f"{what}: an array of whole numbers is expected, not {shown(values)}")
        cells = [whole(value, what, 0, most) for value in array.flat]
        return np.array(cells, dtype=small).reshape(array.shape)
    if array.dtype.kind not in ("iuf" if floats else "iu"):
        raise InvalidError(f"{what}: whole numbers are expected, not {array.dtype}")
    fine = (array >= 0) & (array <= most) & (array == np.floor(array) if array.dtype.kind == "f" else True)
    if not fine.all():
        bad = array[~fine].ravel()[0]
        raise InvalidError(f"{what}: whole numbers from 0 to {_power(most)} are expected, not {bad.item()}")
    return np.ascontiguousarray(array.astype(small))


class Call:
    """One call of the library: its diagnostic, and a progress function that lets Ctrl-C through.

    with Call(progress) as call:
        call.check(lib.gfab_...(..., call.progress, ..., call.diag))
    """

    def __init__(self, progress: Optional[Progress] = None):
        if progress is not None and not callable(progress):
            raise TypeError(f"progress is a function of (what, done, total), not {shown(progress)}")
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
        """Raises what a status other than OK says, and what the progress function raised."""
        if self._raised is not None:
            raise self._raised
        if status == lib.GFAB_OK:
            return
        raise Error.of(int(status), text(lib.gfab_status_string(status)), text(self.diag.message), int(self.diag.line),
                       where)


def enum_parse(parse, value: str, what: str):
    """A value of an enum by its name, as the command line spells it."""
    out = ffi.new(ffi.typeof(parse).args[1].item.cname + " *")
    with Call() as call:
        call.check(parse(text_in(value, what), out, call.diag))
    return out[0]


class TextIn:
    """A file that C reads from a string, or from bytes as a file has them."""

    def __init__(self, content, what: str):
        data = bytes(content) if isinstance(content, (bytes, bytearray)) else text_in(content, what)
        self._buffer = ffi.new("char[]", data)
        self.file = libc.fmemopen(self._buffer, len(data), b"r")
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
        content = ffi.unpack(buffer[0], size[0])
        libc.free(buffer[0])
    return content.decode(errors="surrogateescape")
