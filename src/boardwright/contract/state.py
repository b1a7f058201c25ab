"""The state of a game: one NumPy record, and the view of it that rules see in the plain interpreter.

Compiled rules work on the record itself. In the interpreter `numpy.record` is slow, hides fields named
like its own attributes (`fill`, `size`, `round`...), and lets small integers wrap silently. Rules that run
there get a generated view instead: a memoryview a field, plain Python numbers out, range-checked numbers in.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from boardwright.contract.errors import RuleError

_FORMATS = {
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "f4": "f",
    "f8": "d",
    "b1": "?",
}


def record_dtype(name: str, layout: object) -> np.dtype[np.void]:
    """The aligned NumPy dtype of a layout, such as `[("cells", "i1", (9,)), ("turn", "i1")]`.

    `name` is the game's, for the message that says what is wrong with a layout.
    """
    try:
        dtype = np.dtype(layout, align=True)  # type: ignore[call-overload]  # NumPy's stubs know no list of triples
    except (TypeError, ValueError) as error:
        raise RuleError(
            f"{name}.layout: NumPy cannot read it ({error}); return a list such as "
            '[("cells", "i1", (9,)), ("turn", "i1")]'
        ) from None
    if not dtype.names:
        raise RuleError(f'{name}.layout: a state needs at least one field, such as ("turn", "i1")')
    for field in dtype.names:
        base = dtype[field].base
        if _code(base) not in _FORMATS:
            raise RuleError(f"{name}.layout: field {field!r} is of type {base}; use one of {', '.join(_FORMATS)}")
        if dtype[field].shape and base.kind == "b":
            raise RuleError(f"{name}.layout: {field!r} is an array of b1, which does not compile; use i1, 0 and 1")
        if not field.isidentifier() or keyword.iskeyword(field) or field.startswith("_"):
            raise RuleError(f"{name}.layout: {field!r} cannot be a field's name; rules write it as s.{field}")
    return _in_words(dtype)


def _in_words(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """The same fields in a record of whole 8-byte words, so that a state can be hashed word by word."""
    assert dtype.names is not None and dtype.fields is not None
    return np.dtype(
        {
            "names": list(dtype.names),
            "formats": [dtype.fields[name][0] for name in dtype.names],
            "offsets": [dtype.fields[name][1] for name in dtype.names],
            "itemsize": -(-dtype.itemsize // 8) * 8,
        },
        align=True,
    )


def _code(dtype: np.dtype[Any]) -> str:
    return f"{dtype.kind}{dtype.itemsize}"


def copy_record(record: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """A writable copy, byte for byte; NumPy's own copies the fields and leaves the gaps between to chance."""
    return np.frombuffer(bytearray(record.tobytes()), record.dtype)


class View:
    """One state as the interpreter's rules see it: a field of one number reads and writes as that number,
    a field of many as a memoryview of its shape."""

    __slots__ = ("_bytes",)
    _bytes: memoryview

    def __init__(self, data: memoryview) -> None:
        raise NotImplementedError("made by view_class")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


@cache
def view_class(dtype: np.dtype[np.void]) -> type[View]:
    """The View of one record type, generated once: attribute access must cost 0.1 us, not 3."""
    assert dtype.names is not None and dtype.fields is not None
    slots, lines, properties = ["_bytes"], ["self._bytes = data"], []
    for name in dtype.names:
        field, offset = dtype.fields[name][:2]
        cut = f"data[{offset}:{offset + field.itemsize}].cast('B').cast({_FORMATS[_code(field.base)]!r}"
        if field.shape:
            slots.append(name)
            lines.append(f"self.{name} = {cut}, {list(field.shape)!r})")
        else:
            slots.append(f"_{name}")
            lines.append(f"self._{name} = {cut})")
            properties += [
                f"    @property\n    def {name}(self): return self._{name}[0]",
                f"    @{name}.setter\n    def {name}(self, value): self._{name}[0] = value",
            ]
    source = "\n".join(
        [
            f"class StateView(View):\n    __slots__ = {tuple(slots)!r}",
            "    def __init__(self, data):",
            *[f"        {line}" for line in lines],
            *properties,
        ]
    )
    namespace: dict[str, Any] = {"View": View, "__name__": __name__}
    exec(source, namespace)  # noqa: S102 - our own text; field names were checked to be identifiers
    made: type[View] = namespace["StateView"]
    return made


def copied(s: View) -> View:
    """A copy of a state that may be changed: for texts and pictures that try something out."""
    return type(s)(memoryview(bytearray(s._bytes)))


class States:
    """An array of records as an interpreted kernel sees it: `states[i]` is a View, `states[i] = states[j]` copies."""

    def __init__(self, records: npt.NDArray[np.void]) -> None:
        assert records.ndim == 1 and records.flags.c_contiguous
        size = records.dtype.itemsize
        self._data = records.view(np.uint8).reshape(-1).data.cast("B")
        self._records = records
        self._size, self._count = size, len(records)
        self._make = view_class(records.dtype)
        self._views: dict[int, View] = {}

    def part(self, begin: int, end: int) -> States:
        """The states from begin to end, as a slice of the array would be."""
        return States(self._records[begin:end])

    def __getitem__(self, index: int) -> View:
        view = self._views.get(index)
        if view is None:
            if not 0 <= index < self._count:
                raise IndexError(f"state {index} of {self._count}")
            view = self._views[int(index)] = self._make(self._data[index * self._size : (index + 1) * self._size])
        return view

    def __setitem__(self, index: int, source: View) -> None:
        self[index]._bytes[:] = source._bytes

    def __len__(self) -> int:
        return self._count


def join_records(parts: Sequence[npt.NDArray[np.void]], kind: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Arrays of states as one, a copy. NumPy's own concatenate drops the padding that aligns records."""
    return np.frombuffer(bytearray().join(part.tobytes() for part in parts), kind)
