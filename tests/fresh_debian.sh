#!/bin/sh
# sh tests/fresh_debian.sh [SUITE]: a Debian that has never seen this tree (debootstrap; bookworm unless another is named). In
# it a plain user installs the wheel, asks the page, and trains by the shortest preset. TESTS=all: and runs `make test` in
# the unpacked sdist; TESTS="tests/test_line.py ..." only these files. Root and the network are needed. Of this machine come
# along how the network is reached (names, certificates, pip's settings), the wheel and the sdist. It is gone at the end.
set -eu
if [ "${1:-}" != --inside ]; then # what is mounted and started below ends with the script, however that ends
    place=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh-debian.XXXXXX")
    trap 'rm -rf --one-file-system "$place"' EXIT
    trap 'exit 130' INT TERM
    unshare --mount --pid --fork --kill-child sh "$0" --inside "$place" "${1:-bookworm}"
    exit 0
fi
place=$2 suite=$3 tree=$(cd "$(dirname "$0")/.." && pwd) home=$place/debian/home/someone

tell() { echo "== $* ($(date -u +%H:%M:%S))"; }
root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$place/debian" "$@"; }
user() { # a plain user, in a home of its own, with nothing of this environment
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/someone LANG=C.UTF-8 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_PROGRESS_BAR=off \
        chroot --userspec=1000:1000 "$place/debian" sh -euc "cd && $1"
}

tell "Debian $suite"
debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$suite" "$place/debian" >"$place/log" ||
    { tail "$place/log" >&2; exit 1; }
cp /etc/resolv.conf "$place/debian/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$place/debian/etc/ssl/certs/"
[ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$place/debian/etc/"
mount -t proc proc "$place/debian/proc"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$place/debian/dev/pts"
ln -sf pts/ptmx "$place/debian/dev/ptmx"
mkdir -p "$place/debian/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$place/debian/dev/shm"
root useradd --uid 1000 --create-home someone

tell "the wheel, with the locked versions"
"${BUILD_PYTHON:-$tree/.venv/bin/python}" "$tree/tests/dist.py" "$home/dist"
sed -n 's/^\([a-z].*[^ \\]\) *\\$/\1/p' "$tree/requirements.lock" >"$home/constraints.txt"
user 'python3 -m venv env && env/bin/pip install --quiet --constraint constraints.txt dist/*.whl && env/bin/pip check'
user 'env/bin/python --version; env/bin/boardwright --version; du -sh env'

tell "the page"
cat >"$home/ask.py" <<'END'
import re, subprocess, urllib.request
with subprocess.Popen(["env/bin/boardwright", "serve", "--no-open"], stdout=subprocess.PIPE, text=True) as serving:
    address = re.search(r"http://\S+", serving.stdout.readline())[0]
    for route in ("", "api/games"):
        with urllib.request.urlopen(address + route) as answer:
            print(answer.status, address + route, len(answer.read()), "bytes")
    serving.terminate()
END
user 'env/bin/python ask.py'

tell "the shortest preset"
user 'env/bin/boardwright train tictactoe --preset quick --out run'
user 'env/bin/boardwright match tictactoe value:model=run random --games 50'

if [ -n "${TESTS:-}" ]; then
    tell "the tests of the sdist: $TESTS"
    root apt-get install -qq -y --no-install-recommends make chromium-headless-shell libatomic1 >"$place/log" 2>&1 ||
        { tail "$place/log" >&2; exit 1; }
    user 'tar xf dist/*.tar.gz'
    if [ "$TESTS" = all ]; then
        user 'cd boardwright-* && make test'
    else
        user "cd boardwright-* && make setup && .venv/bin/python -m pytest -q -m 'not slow' $TESTS"
    fi
fi
tell "done"
