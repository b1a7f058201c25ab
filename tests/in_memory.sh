#!/bin/sh
# sh tests/in_memory.sh COMMAND...: what it writes into temporary folders lies in memory, if there is room and programs can be
# started there, and is gone at its end. Libraries of games and Chromium's profiles wait for the disk otherwise.
least=4000000 # kilobytes
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
free=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)
if [ -z "$TMPDIR" ] && [ "${room:-0}" -gt "$least" ] && [ "${free:-0}" -gt "$least" ] &&
    folder=$(mktemp -d /dev/shm/bw.XXXXXX 2>/dev/null); then
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    printf '#!/bin/sh\n' >"$folder/starts" && chmod +x "$folder/starts"
    if "$folder/starts" 2>/dev/null; then export TMPDIR="$folder"; fi
fi
"$@"
