"""Copies of package folders in memory, which all seats of a host read. A copy is made before the first match that needs it."""

import os
from typing import Dict, List

from husky_seat import library, mounts, seat_root

_KEPT_BYTES = 512 << 20
"""Copies beyond it are dropped, the least recently used first, unless the next match needs them."""


class Packages:
    """The copies in the mount table of the calling process."""

    def __init__(self) -> None:
        # Last used last: source and its state -> (folder, bytes).
        self._held: Dict[str, List] = {}

    def hold(self, folder: str, sources: List[str]) -> Dict[str, str]:
        """Returns the copy of each source, below `folder`, a file system in memory. Makes those that are missing; raises OSError."""
        names = {source: _name(source) for source in sources}
        for source, name in names.items():
            copy = self._held.pop(name, None) or self._copy(source, os.path.join(folder, name))
            self._held[name] = copy
        for name in [name for name in self._held if name not in names.values()]:
            if sum(size for _, size in self._held.values()) > _KEPT_BYTES:
                mounts.detach(self._held.pop(name)[0])
        return {source: self._held[name][0] for source, name in names.items()}

    def _copy(self, source: str, target: str) -> List:
        os.makedirs(target, exist_ok=True)
        seat_root.hold(source, target)
        library.settle(target)
        state = os.statvfs(target)
        return [target, (state.f_blocks - state.f_bfree) * state.f_frsize]


def _name(source: str) -> str:
    state = os.stat(source)
    return f"packages-{state.st_dev}-{state.st_ino}-{state.st_mtime_ns}"
