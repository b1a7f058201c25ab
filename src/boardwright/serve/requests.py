"""What requests ask for, read from JSON: every field has a type and a range, and what does not fit is told."""

from __future__ import annotations

import json
from typing import Any

from boardwright.contract.errors import InputError


class Refused(InputError):
    """A request that cannot be met; `status` is HTTP's number for it."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


def read_object(text: str | bytes) -> dict[str, Any]:
    """One JSON object; no NaN, no endless nesting, no half of a character, which no answer could repeat."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
        if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # type: ignore[operator]  # of one type each
            json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused("a text holds half of a character (a lone surrogate such as \\ud800)") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"not JSON: {str(error)[:100]}") from None
    if not isinstance(data, dict):
        raise Refused("send a JSON object, such as {}")
    return data


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


class Fields:
    """The fields of one request. `done()` refuses those that nobody asked about: a misspelt field is an error."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = dict(data)

    def text(self, name: str, default: str | None = None, most: int = 200) -> str:
        value = self._take(name, default)
        if not isinstance(value, str) or len(value) > most:
            raise Refused(f"{name!r} must be text of up to {most:,} characters")
        return value

    def whole(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self._take(name, default)
        if type(value) is not int or not low <= value <= high:
            raise Refused(f"{name!r} must be a whole number from {low:,} to {high:,}")
        return value

    def number(self, name: str, low: float, high: float, default: float | None = None) -> float:
        value = self._take(name, default)
        if type(value) not in (int, float) or not low <= value <= high:
            raise Refused(f"{name!r} must be a number from {low:g} to {high:g}")
        return float(value)

    def truth(self, name: str, default: bool = False) -> bool:
        value = self._take(name, default)
        if type(value) is not bool:
            raise Refused(f"{name!r} must be true or false")
        return value

    def object(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        value = self._take(name, default)
        if not isinstance(value, dict):
            raise Refused(f"{name!r} must be an object")
        return value

    def items(self, name: str) -> list[Any]:
        value = self._take(name, None)
        if not isinstance(value, list):
            raise Refused(f"{name!r} must be a list")
        return value

    def texts(self, name: str, most: int, default: list[str] | None = None) -> list[str]:
        value = self._take(name, default)
        if not isinstance(value, list) or len(value) > most:
            raise Refused(f"{name!r} must be a list of at most {most:,} texts")
        if not all(isinstance(one, str) and len(one) <= 200 for one in value):
            raise Refused(f"{name!r} must hold texts of up to 200 characters")
        return value

    def wholes(self, name: str, most: int, default: list[int] | None = None) -> list[int]:
        value = self._take(name, default)
        if not isinstance(value, list) or len(value) > most or not all(type(one) is int for one in value):
            raise Refused(f"{name!r} must be a list of at most {most:,} whole numbers")
        return value

    def has(self, name: str) -> bool:
        return self._data.get(name) is not None

    def peek(self, name: str) -> Any:
        return self._data.get(name)

    def done(self) -> None:
        if self._data:
            raise Refused(f"{str(next(iter(self._data)))[:40]!r} is nothing that this request knows")

    def _take(self, name: str, default: Any) -> Any:
        value = self._data.pop(name, None)
        if value is None:
            if default is None:
                raise Refused(f"{name!r} is missing")
            return default
        return value
