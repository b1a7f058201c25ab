"""A linker for one object: what LLVM writes for wasm32 becomes a module that a browser can run.

With one object every index of a function, type and global is right already. What is left: move the data away from
address 0, give the module a memory and a stack of its own instead of imported ones, put tables behind the data, and
name what is exported. Formats: the WebAssembly core specification, and the tool conventions' Linking.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

MAGIC = b"\0asm\1\0\0\0"
TYPE, IMPORT, FUNCTION, TABLE, MEMORY, GLOBAL, EXPORT, START, ELEMENT, CODE, DATA, DATA_COUNT = range(1, 13)
WRITTEN = (TYPE, IMPORT, FUNCTION, MEMORY, GLOBAL, EXPORT, DATA_COUNT, CODE, DATA)  # the order that a module must have
I32, CONSTANT, VARIABLE = b"\x7f", b"\0", b"\1"
I32_CONST, END = b"\x41", b"\x0b"
FIRST_ADDRESS = 1024  # so that no data lies at 0, which stands for nothing
STACK_BYTES = 1 << 20
PAGE = 65536
ALIGNED = 64

ADDRESS_LEB, ADDRESS_SLEB, ADDRESS_I32 = 3, 4, 5  # relocations that hold an address
INDICES = (0, 6, 7)  # those that hold an index of a function, type or global, right already
WITH_ADDEND = (3, 4, 5, 8, 9)
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40


class LinkError(Exception):
    """The object holds what this linker does not know."""


class Reader:
    """Walks through bytes."""

    def __init__(self, data: bytes | bytearray, at: int = 0) -> None:
        self.data, self.at = data, at

    @property
    def more(self) -> bool:
        return self.at < len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self) -> int:
        return self._digits()[0]

    def signed(self) -> int:
        number, bits = self._digits()
        return number - (1 << bits) if number >> (bits - 1) else number

    def _digits(self) -> tuple[int, int]:
        """A number of 7 bits a byte, the lowest first (LEB128), and in how many bits it was written."""
        number = bits = 0
        more = 0x80
        while more:
            byte = self.byte()
            number |= (byte & 0x7F) << bits
            bits += 7
            more = byte & 0x80
        return number, bits

    def bytes(self, count: int) -> bytes:
        self.at += count
        return bytes(self.data[self.at - count : self.at])

    def name(self) -> str:
        return self.bytes(self.unsigned()).decode()


def unsigned(number: int) -> bytes:
    """A whole number as LEB128."""
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        out.append(byte | (0x80 if number else 0))
        if not number:
            return bytes(out)


def signed(number: int) -> bytes:
    """A whole number, perhaps negative, as signed LEB128."""
    out = bytearray()
    while True:
        byte, number = number & 0x7F, number >> 7
        done = number == (-1 if byte & 0x40 else 0)
        out.append(byte if done else byte | 0x80)
        if done:
            return bytes(out)


def padded(number: int) -> bytes:
    """As LEB128 in the five bytes that an address has in an object."""
    return bytes((number >> 7 * i & 0x7F) | (0x80 if i < 4 else 0) for i in range(5))


def named(name: str) -> bytes:
    return unsigned(len(name.encode())) + name.encode()


@dataclass
class Linked:
    """A module and what whoever runs it must know. Addresses are also exported, as globals."""

    code: bytes
    imports: tuple[str, ...]  # the functions that it needs


@dataclass
class _Object:
    """LLVM's object, taken apart."""

    sections: list[tuple[int, bytearray]] = field(default_factory=list)  # in the object's order; id 0: custom
    custom: dict[str, tuple[bytearray, int]] = field(default_factory=dict)  # name: body, and where its content begins
    functions: dict[str, int] = field(default_factory=dict)  # symbol: index
    data: dict[str, tuple[int, int]] = field(default_factory=dict)  # symbol: segment, offset in it


def _take_apart(code: bytes) -> _Object:
    if code[:8] != MAGIC:
        raise LinkError("this is no WebAssembly object")
    found, reader = _Object(), Reader(code, 8)
    while reader.more:
        kind = reader.byte()
        body = bytearray(reader.bytes(reader.unsigned()))
        found.sections.append((kind, body))
        if kind == 0:
            inner = Reader(body)
            name = inner.name()
            found.custom[name] = body, inner.at
    _read_symbols(found)
    return found


def _read_symbols(found: _Object) -> None:
    reader = Reader(*found.custom["linking"])
    if reader.unsigned() != 2:
        raise LinkError("the object's linking section has another version")
    while reader.more:
        kind, size = reader.byte(), reader.unsigned()
        end = reader.at + size
        if kind == 8:  # the symbol table
            for _ in range(reader.unsigned()):
                _read_symbol(found, reader)
        reader.at = end


def _read_symbol(found: _Object, reader: Reader) -> None:
    kind, flags = reader.byte(), reader.unsigned()
    if kind in (0, 2, 4, 5):  # function, global, tag, table
        index = reader.unsigned()
        if not flags & UNDEFINED or flags & EXPLICIT_NAME:
            name = reader.name()
            if kind == 0:
                found.functions[name] = index
    elif kind == 1:  # data
        name = reader.name()
        if not flags & UNDEFINED:
            segment, offset, _ = reader.unsigned(), reader.unsigned(), reader.unsigned()
            found.data[name] = segment, offset
    else:  # a section
        reader.unsigned()


def _relocate(found: _Object) -> None:
    """Every address in code and data moves up by FIRST_ADDRESS."""
    for name, place in found.custom.items():
        if not name.startswith("reloc."):
            continue
        reader = Reader(*place)
        target = found.sections[reader.unsigned()][1]
        for _ in range(reader.unsigned()):
            kind, at = reader.byte(), reader.unsigned()
            reader.unsigned()
            if kind in WITH_ADDEND:
                reader.signed()
            if kind == ADDRESS_LEB:
                target[at : at + 5] = padded(Reader(target, at).unsigned() + FIRST_ADDRESS)
            elif kind == ADDRESS_SLEB:
                target[at : at + 5] = padded(Reader(target, at).signed() + FIRST_ADDRESS)
            elif kind == ADDRESS_I32:
                old = int.from_bytes(target[at : at + 4], "little")
                target[at : at + 4] = (old + FIRST_ADDRESS).to_bytes(4, "little")
            elif kind not in INDICES:
                raise LinkError(f"the object has a relocation of kind {kind}")


def _read_segments(body: bytes | bytearray) -> list[tuple[int, bytes]]:
    """The object's data: addresses, moved already, and bytes."""
    reader, segments = Reader(body), []
    for _ in range(reader.unsigned()):
        if reader.unsigned() != 0 or reader.bytes(1) != I32_CONST:
            raise LinkError("the object's data lies at no fixed address")
        at = reader.signed() + FIRST_ADDRESS
        reader.byte()
        segments.append((at, reader.bytes(reader.unsigned())))
    return segments


def _functions_imported(body: bytes | bytearray) -> tuple[list[bytes], list[str], int]:
    """The imports of functions, as they are and by name, and how many globals are imported."""
    reader = Reader(body)
    kept, names, variables = [], [], 0
    for _ in range(reader.unsigned()):
        begin = reader.at
        reader.name()
        name, kind = reader.name(), reader.byte()
        if kind == 0:
            reader.unsigned()
            kept.append(bytes(body[begin : reader.at]))
            names.append(name)
        elif kind == 2:  # the memory, for which we have our own
            limits = reader.unsigned()
            reader.unsigned()
            if limits & 1:
                reader.unsigned()
        elif kind == 3 and name == "__stack_pointer":
            reader.bytes(2)
            variables += 1
        else:
            raise LinkError(f"the object imports {name}: it calls functions by pointers")
    return kept, names, variables


def link(code: bytes, exports: list[str], tables: dict[str, bytes], addresses: tuple[str, ...] = ()) -> Linked:
    """A module that exports these functions, its `memory`, and as globals the address of each table by name, `free`
    (where memory begins that nobody uses) and the addresses of these data symbols, where they exist."""
    found = _take_apart(code)
    _relocate(found)
    sections = {kind: bytes(body) for kind, body in found.sections if kind}
    segments = _read_segments(sections.get(DATA, b"\0"))
    starts = [at for at, _ in segments]
    top = max((at + len(data) for at, data in segments), default=FIRST_ADDRESS)
    numbers = {}
    for name, table in tables.items():
        numbers[name] = top = _aligned(top)
        if table:
            segments.append((top, table))
        top += len(table)
    stack = _aligned(top + STACK_BYTES)  # grows down
    kept, names, variables = _functions_imported(sections.get(IMPORT, b"\0"))

    numbers["free"] = stack
    for name in addresses:
        if name in found.data:
            segment, offset = found.data[name]
            numbers[name] = starts[segment] + offset
    globals_ = [I32 + VARIABLE + I32_CONST + signed(stack) + END] * variables
    first = len(globals_)
    globals_ += [I32 + CONSTANT + I32_CONST + signed(number) + END for number in numbers.values()]
    exported = [named("memory") + b"\2\0"]
    exported += [named(name) + b"\3" + unsigned(first + i) for i, name in enumerate(numbers)]
    exported += [named(name) + b"\0" + unsigned(found.functions[name]) for name in exports]

    sections[IMPORT] = _vector(kept)
    sections[MEMORY] = b"\1\0" + unsigned(-(-stack // PAGE))
    sections[GLOBAL] = _vector(globals_)
    sections[EXPORT] = _vector(exported)
    sections[DATA] = _vector(
        [b"\0" + I32_CONST + signed(at) + END + unsigned(len(data)) + data for at, data in segments]
    )
    sections[DATA_COUNT] = unsigned(len(segments))
    body = b"".join(
        bytes([kind]) + unsigned(len(sections[kind])) + sections[kind] for kind in WRITTEN if kind in sections
    )
    return Linked(MAGIC + body, tuple(names))


def _vector(items: list[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def _aligned(address: int) -> int:
    return -(-address // ALIGNED) * ALIGNED
