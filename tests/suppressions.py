"""Every `noqa` and `type: ignore` names what it silences and says why: `# noqa: S603 - our own words`,
`# type: ignore[misc]  # Numba's classes have no types`. `make lint` runs this over the folders that it is given."""

from __future__ import annotations

import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

MARK = re.compile(r"#\s*(noqa|type:\s*ignore)\b")
NAMED = re.compile(r"noqa: [A-Z]+[0-9]+(, [A-Z]+[0-9]+)*|type: ignore\[[a-z, -]+\]")
REASON = re.compile(r" - \S|  # (?!noqa|type:)\S")


def unexplained(path: Path) -> Iterator[str]:
    """One line for each comment of the file that silences a tool without a name or without a reason."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type != tokenize.COMMENT or not MARK.search(token.string):
                continue
            marks = len(MARK.findall(token.string))
            if len(list(NAMED.finditer(token.string))) < marks:
                yield f"{path}:{token.start[0]}: name what is silenced: {token.string}"
            elif not REASON.search(token.string):
                yield f"{path}:{token.start[0]}: say why, after ` - ` or a second `#`: {token.string}"


def main(folders: list[str]) -> int:
    found = [line for folder in folders for path in sorted(Path(folder).rglob("*.py")) for line in unexplained(path)]
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
