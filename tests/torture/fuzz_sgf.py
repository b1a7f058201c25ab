"""SGF: every game of a file is read, written and read again as the same, or the file is refused."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

import boardwright as bw
from boardwright.records.sgf import SgfWarning, all_from_sgf, decode_sgf, from_sgf, to_sgf
from tests.torture import mutate
from tests.torture.door import bound_memory, knock
from tests.torture.fuzz_records import played
from tests.torture.trial import Finding

FOREIGN = [
    "(;GM[4]FF[4]SZ[15]PB[A]PW[B];B[hh];W[hi](;B[gg])(;B[ii];W[jj]))",
    "(;FF[4]GM[4]SZ[9:7]C[a \\] b]RE[B+R]DT[2026-01-02];B[aa]BL[5.5];W[];B[ba])(;GM[4]SZ[15];B[aa])",
    "(;GM[4]CA[latin1]SZ[20]AB[aa]AW[bb]PL[W];W[cc])",
]


def attempt(seed: int, seconds: float, tell: Callable[[int], None]) -> None:
    luck = random.Random(seed)
    own = [to_sgf(played(bw.load("gomoku", size=size), seed, 20)) for size in (7, 9)]
    own.append(to_sgf(played(bw.load("tictactoe"), seed, 9)))
    seeds = [*own, *FOREIGN]
    bound_memory()
    warnings.simplefilter("ignore", SgfWarning)
    for _ in range(150):
        if luck.random() < 0.3:
            data = mutate.data(luck, [one.encode() for one in seeds])
            knock(read_bytes, data)
        else:
            text = mutate.text(luck, seeds)
            knock(read, text)
        tell(1)


def read_bytes(data: bytes) -> None:
    read(decode_sgf(data))


def read(text: str) -> None:
    for record in all_from_sgf(text, most=20):
        again = from_sgf(to_sgf(record))
        if again.plies != record.plies or again.options != record.options:
            raise Finding("an SGF is not read as it is written", f"{text!r}: {record.plies} then {again.plies}")
