"""Atomic writes: a file appears complete or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO


@contextmanager
def atomic_file(path: Path, private: bool = False) -> Iterator[BinaryIO]:
    """Opens a temporary file beside `path`, which replaces `path` at the end of the block, or is deleted if the block fails.

    A private file can be read by its owner only; others have the rights of a new file of this process.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:
            os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise


def write_atomically(path: Path, data: bytes, private: bool = False) -> None:
    """Writes data to a file by means of atomic_file."""
    with atomic_file(path, private) as file:
        file.write(data)


def write_json(path: Path, value: Any, private: bool = False) -> None:
    """Replaces a file by a value as JSON. What is no Unicode becomes a question mark."""
    write_atomically(path, (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace"), private)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
