"""A file of TensorBoard events, written here and now.

tensorboardX's own writers have a thread that waits for ever once a full disk has ended it, or leave their file open
when they cannot flush; only its records and their check sums are used.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Mapping
from pathlib import Path

VERSION = "brain.Event:2"  # the first event of a file names its format


class EventsFile:
    """Appends figures over steps. What the disk refuses is an OSError, and `close` closes the file all the same."""

    def __init__(self, folder: Path) -> None:
        from tensorboardX.proto.event_pb2 import Event

        self._file = (folder / f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}").open("wb")
        self._write(Event(wall_time=time.time(), file_version=VERSION).SerializeToString())

    def add(self, step: int, figures: Mapping[str, float]) -> None:
        from tensorboardX.proto.event_pb2 import Event
        from tensorboardX.summary import scalar

        for name, value in figures.items():
            event = Event(step=step, wall_time=time.time(), summary=scalar(name, value))
            self._write(event.SerializeToString())

    def flush(self) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def _write(self, event: bytes) -> None:
        """One record: length and event, each with its check sum."""
        from tensorboardX.record_writer import masked_crc32c

        length = struct.pack("<Q", len(event))
        sums = [struct.pack("<I", masked_crc32c(part)) for part in (length, event)]
        self._file.write(length + sums[0] + event + sums[1])
