"""`make dist`: an sdist of this tree, and a wheel made from that sdist, so that what is missing there is noticed.

The same files give the same bytes, wherever and by whom they are built: names in order, one date (SOURCE_DATE_EPOCH, or
the last commit's), no owner, plain permissions. `python tests/dist.py FOLDER` writes both into a folder.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LEFT_OUT = re.compile(r"(^|/)(__pycache__|[^/]*\.egg-info|\.hypothesis|\.venv[^/]*|\.\w+_cache)/|^(build|dist|site)/")


def build(out: Path, root: Path = ROOT) -> tuple[Path, Path]:
    """Writes (sdist, wheel) of the tree at `root` into the folder `out`."""
    date = int(os.environ.get("SOURCE_DATE_EPOCH") or date_of(root))
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        aside = Path(place)
        copy_tree(root, aside / "tree")
        made = _hook("build_sdist", aside / "tree", aside, date)
        sdist = out / made.name
        repack(made, sdist, date)
        unpack(sdist, aside / "unpacked")
        (unpacked,) = (aside / "unpacked").iterdir()
        wheel = Path(shutil.copy(_hook("build_wheel", unpacked, aside, date), out))
    return sdist, wheel


def build_wheel(out: Path, root: Path = ROOT) -> Path:
    """The wheel alone, made from the tree itself: in a third of the time."""
    with tempfile.TemporaryDirectory() as place:
        aside = Path(place)
        copy_tree(root, aside / "tree")
        return Path(shutil.copy(_hook("build_wheel", aside / "tree", aside, date_of(root)), out))


def date_of(root: Path) -> int:
    """When the tree was last committed; of an unpacked sdist, the date that its files have."""
    if (root / ".git").exists():
        told = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=True
        )
        return int(told.stdout)
    return int((root / "pyproject.toml").stat().st_mtime)


def copy_tree(root: Path, to: Path) -> None:
    """What belongs to a tree, with plain permissions."""
    for name in listed(root):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, to / name)
        (to / name).chmod(0o755 if os.access(root / name, os.X_OK) else 0o644)


def listed(root: Path) -> list[str]:
    """The files that git knows or would take, or all of an unpacked sdist that no tool has left there."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
        return sorted(name for name in told.stdout.split("\0") if name and (root / name).is_file())
    found = (path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    return sorted(name for name in found if not LEFT_OUT.search(name))


def _hook(name: str, tree: Path, out: Path, date: int) -> Path:
    """What a hook of the build backend makes of a tree; the backend is the locked one."""
    program = f"import sys; from setuptools import build_meta; print(build_meta.{name}(sys.argv[1]), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(out)],
        cwd=tree,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(date)},
        umask=0o022 if os.name == "posix" else -1,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")
    return out / done.stderr.splitlines()[-1]


def unpack(sdist: Path, place: Path) -> None:
    with tarfile.open(sdist) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 has it first
        archive.extractall(place)


def repack(made: Path, to: Path, date: int) -> None:
    """The archive again, with nothing in it of when, where and by whom it was made."""
    with (
        tarfile.open(made) as old,
        to.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=date) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime, member.mode = date, 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isfile() else None)


if __name__ == "__main__":
    for path in build(Path(sys.argv[1])):
        print(f"{path}  {path.stat().st_size:,} bytes")
