"""Options of games, settings of players: dataclass fields read from keywords or from `name=value,...` text.

A value that holds a comma stands in double quotes, as JSON writes text: `net="a,b=c",simulations=200`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
import reprlib
import warnings
from collections.abc import Mapping
from typing import Any

from boardwright.contract.errors import InputError

KINDS = {"int": int, "float": float, "bool": bool, "str": str}


_QUOTED = re.compile(r'([^=,"]*)=\s*(?=")')  # a name whose value begins with a quote


def split_settings(owner: str, text: str) -> dict[str, str]:
    """`"size=5,line=4"` as a mapping; `owner` is named where the text does not fit."""
    found: dict[str, str] = {}
    at = 0
    while at < len(text):
        quoted = _QUOTED.match(text, at)
        if quoted:
            name, equals, (value, end) = quoted[1], "=", _unquoted(owner, text, quoted.end())
        else:
            end = text.find(",", at) % (len(text) + 1)  # the end of the text if there is no comma
            name, equals, value = text[at:end].partition("=")
        if end > at:
            if not equals or not name.strip() or '"' in name:  # which could not be written again
                part = text[at:end]
                raise InputError(
                    f"{owner}: {_short(part)} is no setting; write name=value, several with commas between"
                )
            found[name.strip()] = value if quoted else value.strip()
        at = end + 1
    return found


def join_settings(values: Mapping[str, str]) -> str:
    """What `split_settings` reads again."""
    return ",".join(f"{name}={_quoted(value)}" for name, value in values.items())


def _quoted(value: str) -> str:
    needs = "," in value or value.startswith('"') or value != value.strip()
    return json.dumps(value, ensure_ascii=False) if needs else value


def _unquoted(owner: str, text: str, at: int) -> tuple[str, int]:
    """The JSON text that begins at `at`, and where the comma after it is, or the end."""
    try:
        value, end = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        raise InputError(
            f"{owner}: {_short(text[at:])} begins with a quote and has no end; write it as JSON would"
        ) from None
    rest = len(text[end:]) - len(text[end:].lstrip())
    if text[end + rest : end + rest + 1] not in ("", ","):
        raise InputError(f"{owner}: after {_short(value)} a comma must follow, not {_short(text[end + rest :])}")
    return value, end + rest


def read_settings(kind: type, owner: str, values: Mapping[str, object]) -> dict[str, Any]:
    """`values`, each as the type of the dataclass field that it names. Unknown names and wrong types are
    refused with the list of what exists. A class may say in RENAMED what a setting was called: such a name is read for
    one version more."""
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    values = _by_present_names(kind, owner, values)
    for name in values:
        if name not in fields:
            raise InputError(f"{owner} has no setting {_short(name)}; {describe_settings(kind)}")
    return {name: _read(owner, name, value, field_kind(fields[name])) for name, value in values.items()}


def _by_present_names(kind: type, owner: str, values: Mapping[str, object]) -> dict[str, object]:
    found = dict(values)
    for old, new in getattr(kind, "RENAMED", {}).items():
        if old in found:
            if new in found:
                raise InputError(f"{owner}: {old} is what {new} was called; give one of them")
            warnings.warn(
                f"{owner}: {old} is called {new} now; the old name ends with the next version", DeprecationWarning, 3
            )
            found[new] = found.pop(old)
    return found


def describe_settings(kind: type) -> str:
    """The fields with their defaults, for messages and help."""
    known = ", ".join(f"{field.name}={_plain(field.default)}" for field in dataclasses.fields(kind) if field.init)
    return f"its settings are: {known}" if known else "it has none"


def field_kind(field: dataclasses.Field[Any]) -> type:
    """The type of a field, from its annotation (which may be text) or its default."""
    name = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "")
    return KINDS.get(name) or type(field.default)


def _plain(value: object) -> str:
    return "" if value is dataclasses.MISSING else value if isinstance(value, str) and value else json.dumps(value)


def _short(value: object) -> str:
    """A value for a message: as Python writes it, cut where it is long."""
    text = repr(value[:100]) if isinstance(value, str) else reprlib.repr(value)
    return text if len(text) <= 62 else text[:59] + "..."


def _read(owner: str, name: str, value: object, kind: type) -> object:
    if isinstance(value, str) and kind is not str:
        try:
            value = json.loads(value.lower() if kind is bool else value)
        except (ValueError, RecursionError):
            pass
    if kind is float and type(value) is int and abs(value) < 10**300:
        value = float(value)
    wrong = type(value) is not kind or (isinstance(value, float) and not math.isfinite(value))
    if wrong:
        what = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}.get(kind, kind.__name__)
        raise InputError(f"{owner}: {name}={_short(value)} does not fit; it must be {what}")
    return value
