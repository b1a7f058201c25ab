"""Valid inputs made wrong: in their text, their bytes, or the values of their JSON. All chance comes from `luck`."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

# What parsers stumble over: ends of ranges, other alphabets' digits, halves of characters, what steers terminals.
WORDS = (
    "", " ", "0", "-0", "-1", "1", "²", "٣", "9" * 5000, "9" * 400, "1e999", "-1e999", "1e-999", "NaN",
    "Infinity", "null",
    "true", "False", "None", "[", "[" * 3000, "]", "{", "}", "{}", '"', "'", "\\", "\\u0000", "\\ud800",
    "\ud800", "\0",
    "\x1b[31m", "\x7f", "\r\n", "\n", "\t", ",", "=", ":", ";", "(", ")", "@", "%00", "%s", "../", "/", "~", "é",
    "汉字", "\u202e", "🎲", "0x10", "1_000", "+1", ".5", "5.", "1.0", "2147483648", "9223372036854775808",
    "18446744073709551616",
    "x" * 300, "x" * 70_000, "__class__", "size", "seed", "simulations",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 127, 128, 255, -129, 2**31, -(2**31) - 1, 2**53, 2**63, -(2**63), 2**64,
    10**30, 0.0,
    -0.0, 0.5, 1.5, 1e308, -1e308, 5e-324, "", "0", "x", "\0", "\ud800", "²", "x" * 300, "random", "human", [],
    [[]], [0],
    {}, {"": 0}, [None], [1, "1"], "a" * 5000,
)  # fmt: skip
NUMBER = re.compile(r"\d+")


def text(luck: random.Random, seeds: list[str]) -> str:
    """One of the seeds, changed once or a few times."""
    made = luck.choice(seeds)
    for _ in range(_few(luck)):
        made = _change_text(luck, made, seeds)
    return made


def _few(luck: random.Random) -> int:
    return min(1 + int(luck.expovariate(0.9)), 8)


def _change_text(luck: random.Random, old: str, seeds: list[str]) -> str:
    at = luck.randint(0, len(old))
    end = min(len(old), at + 1 + int(luck.expovariate(0.3)))
    way = luck.randrange(9)
    if way == 0:
        return old[:at] + old[end:]
    if way == 1:
        return old[:at] + luck.choice(WORDS) + old[at:]
    if way == 2:
        return old[:at] + luck.choice(WORDS) + old[end:]
    if way == 3:
        return old[:end] + old[at:end] * luck.choice((1, 2, 50)) + old[end:]
    if way == 4:
        return old[:at]
    if way == 5:
        other = luck.choice(seeds)
        return old[:at] + other[luck.randint(0, len(other)) :]
    if way == 6:
        return old[:at] + chr(luck.choice((luck.randrange(128), luck.randrange(0x3000)))) + old[at + 1 :]
    numbers = list(NUMBER.finditer(old))
    if numbers and way == 7:
        found = luck.choice(numbers)
        return old[: found.start()] + str(_number(luck, int(found[0][:18]))) + old[found.end() :]
    words = [found.span() for found in re.finditer(r"\w+", old)]
    if not words:
        return old + luck.choice(WORDS)
    (a, b), (c, d) = sorted((luck.choice(words), luck.choice(words)))
    return old if b > c else old[:a] + old[c:d] + old[b:c] + old[a:b] + old[d:]


def _number(luck: random.Random, old: int) -> object:
    return luck.choice(
        (old + 1, old - 1, -old, 2 * old, old * 1000, 0, 2**31, 2**63, 10**18, luck.randrange(100), old / 2)
    )


def data(luck: random.Random, seeds: list[bytes]) -> bytes:
    """One of the seeds with some bytes flipped, cut out, doubled or overwritten."""
    made = bytearray(luck.choice(seeds))
    for _ in range(_few(luck)):
        at = luck.randint(0, max(len(made) - 1, 0))
        if luck.random() < 0.5:  # headings come first, and they are what is read
            at = luck.randint(0, min(at, 2000))
        end = at + 1 + int(luck.expovariate(0.2))
        way = luck.randrange(6)
        if way == 0 and made:
            made[at] ^= 1 << luck.randrange(8)
        elif way == 1:
            del made[at:end]
        elif way == 2:
            made[at:at] = made[at:end]
        elif way == 3:
            made[at:end] = luck.randbytes(min(end - at, 8))
        elif way == 4:
            del made[at:]
        else:
            made[at:end] = luck.choice(WORDS).encode("utf-8", "surrogatepass")[:200]
    return bytes(made)


def value(luck: random.Random, seed: Any) -> Any:
    """A JSON value with some of its parts changed, taken away, put elsewhere or made deep."""
    made = copy.deepcopy(seed)
    for _ in range(_few(luck)):
        made = _change_value(luck, made)
    return made


def _change_value(luck: random.Random, old: Any) -> Any:
    inside = isinstance(old, dict | list) and old and luck.random() < 0.9
    if not inside:
        return _other(luck, old)
    keys = list(old) if isinstance(old, dict) else list(range(len(old)))
    key = luck.choice(keys)
    way = luck.randrange(8)
    if way < 4:
        old[key] = _change_value(luck, old[key])
    elif way == 4:
        del old[key]
    elif way == 5:
        old[key] = copy.deepcopy(old[luck.choice(keys)])
    elif isinstance(old, dict):
        name = luck.choice(keys) if way == 6 else luck.choice(WORDS)[:300]
        old[name] = luck.choice(VALUES)
    else:
        old.insert(key, copy.deepcopy(luck.choice((*VALUES, old[key]))))
    return old


def _other(luck: random.Random, old: Any) -> Any:
    if isinstance(old, bool) or luck.random() < 0.5:
        return copy.deepcopy(luck.choice(VALUES))
    if isinstance(old, int | float):
        return _number(luck, int(old) if abs(old) < 1e18 else 1)
    if isinstance(old, str):
        return _change_text(luck, old, [old])
    deep: Any = old
    for _ in range(luck.choice((1, 20, 80))):  # some changes on top of each other stay within what Python can copy
        deep = [deep]
    return deep


def json_text(luck: random.Random, seeds: list[Any]) -> str:
    """The text of a changed value; now and then of a valid one that is changed as text."""
    if luck.random() < 0.2:
        return text(luck, [json.dumps(luck.choice(seeds))])
    return json.dumps(value(luck, luck.choice(seeds)))
