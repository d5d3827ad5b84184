"""Resource usage of a seat, measured from outside its process."""

import os
import time
from typing import NamedTuple, Optional

# Private memory: resident, swapped out, and page tables (which mapping alone can grow).
_FIELDS = (b"\nRssAnon:", b"\nVmSwap:", b"\nVmPTE:")
_CLOCK_OF_PROCESS = 2


class Sample(NamedTuple):
    """Private memory in KiB, mapped tmpfs files in KiB, number of threads, name of the process."""

    rss_kib: int
    shared_kib: int
    threads: int
    name: str


class Meter:
    """Reads the usage of one process through descriptors that stay bound to it even if its pid is reused."""

    def __init__(self, pid: int) -> None:
        # clock_getcpuclockid(3): counts all threads, in nanoseconds; needs no permission for the process.
        self._clock = ((~pid) << 3) | _CLOCK_OF_PROCESS
        self._status = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
        try:
            self._schedule = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            # The kernel has no scheduler statistics.
            self._schedule = -1

    def cpu_ms(self) -> Optional[float]:
        """Returns the CPU time since the fork in milliseconds; None after the process has ended."""
        try:
            return time.clock_gettime_ns(self._clock) / 1e6
        except OSError:
            return None

    def wait_ms(self) -> Optional[float]:
        """Returns how long the main thread was ready to run without a processor, in milliseconds; None if unknown or after the process has ended."""
        if self._schedule < 0:
            return None
        try:
            return int(os.pread(self._schedule, 100, 0).split()[1]) / 1e6
        except (ProcessLookupError, IndexError):
            return None

    def sample(self) -> Optional[Sample]:
        """Returns the current figures; None after the process has ended."""
        try:
            text = os.pread(self._status, 8192, 0)
        except ProcessLookupError:
            return None
        rss = sum(_number(text, field) for field in _FIELDS)
        return Sample(rss, _number(text, b"\nRssShmem:"), _number(text, b"\nThreads:"), text[6 : text.index(b"\n")].decode("ascii", "replace"))

    def close(self) -> None:
        """Closes the descriptors."""
        os.close(self._status)
        if self._schedule >= 0:
            os.close(self._schedule)


def _number(text: bytes, field: bytes) -> int:
    at = text.find(field)
    return int(text[at + len(field) : text.index(b"\n", at + 1)].split()[0]) if at >= 0 else 0
