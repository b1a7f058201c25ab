"""The lint that asks for reasons finds what has none, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suppressions import main


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# noqa", "name what"),
        ("# noqa - a reason", "name what"),
        ("# noqa: F401", "say why"),
        ("# noqa:F401", "name what"),
        ("# type: ignore", "name what"),
        ("# type: ignore[misc]", "say why"),
        ("# type: ignore[misc] # noqa: B018", "say why"),
        ("# type: ignore[misc]  # noqa: B018", "say why"),
        ("# type: ignore  # noqa: B018 - a reason", "name what"),
        ("# noqa: F401 - a reason", ""),
        ("# noqa: S603, S607 - a reason", ""),
        ("# type: ignore[misc]  # a reason", ""),
        ("# type: ignore[attr-defined]  # noqa: B018 - a reason", ""),
        ("# a comment that says nothing of noqa", ""),
    ],
)
def test_a_silenced_warning_has_a_name_and_a_reason(
    comment: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'text = "# noqa"\nnext = 1  {comment}\n'
    (tmp_path / "one.py").write_text(text)
    assert main([str(tmp_path)]) == bool(said)
    told = capsys.readouterr().err
    assert (f"{tmp_path / 'one.py'}:2: {said}" in told and told.count("\n") == 1) if said else not told
