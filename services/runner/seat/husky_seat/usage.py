"""Resource usage of a seat, measured from outside its process."""

import os
import time
from contextlib import suppress
from typing import Dict, NamedTuple, Optional, Tuple

# Private memory: resident, swapped out, and page tables (which mapping alone can grow).
_FIELDS = (b"\nRssAnon:", b"\nVmSwap:", b"\nVmPTE:")
_CLOCK_OF_PROCESS = 2


class Sample(NamedTuple):
    """Private memory in KiB, mapped tmpfs files in KiB, number of threads."""

    rss_kib: int
    shared_kib: int
    threads: int


class Meter:
    """Reads the usage of one process through descriptors that stay bound to it even if its pid is reused."""

    def __init__(self, pid: int) -> None:
        # clock_getcpuclockid(3): counts all threads, in nanoseconds; needs no permission for the process.
        self._clock = ((~pid) << 3) | _CLOCK_OF_PROCESS
        self._status = os.open(f"/proc/{pid}/status", os.O_RDONLY | os.O_CLOEXEC)
        self._tasks = os.open(f"/proc/{pid}/task", os.O_RDONLY | os.O_CLOEXEC)
        self._main = str(pid)
        self._waits: Dict[str, int] = {}
        self._wait_ns = self._main_wait_ns = 0

    def cpu_ms(self) -> Optional[float]:
        """Returns the CPU time since the fork in milliseconds; None after the process has ended."""
        try:
            return time.clock_gettime_ns(self._clock) / 1e6
        except OSError:
            return None

    def wait_ms(self) -> Tuple[float, float]:
        """Returns how long any thread, and the main thread, was ready to run without a processor, in milliseconds.

        Between two calls, the thread that waited longest counts. Not their sum: threads that wait for each other must not gain time.
        Both are 0 if the kernel has no scheduler statistics.
        """
        waits: Dict[str, int] = {}
        with suppress(ProcessLookupError, FileNotFoundError):
            for thread in os.listdir(self._tasks):
                # The thread may have ended.
                with suppress(ProcessLookupError, FileNotFoundError):
                    waits[thread] = self._wait_of(thread)
        self._wait_ns += max((ns - self._waits.get(thread, 0) for thread, ns in waits.items()), default=0)
        self._main_wait_ns = waits.get(self._main, self._main_wait_ns)
        self._waits = waits
        return self._wait_ns / 1e6, self._main_wait_ns / 1e6

    def _wait_of(self, thread: str) -> int:
        file = os.open(f"{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._tasks)
        try:
            return int(os.read(file, 100).split()[1])
        finally:
            os.close(file)

    def sample(self) -> Optional[Sample]:
        """Returns the current figures; None after the process has ended."""
        try:
            text = os.pread(self._status, 8192, 0)
        except ProcessLookupError:
            return None
        rss = sum(_number(text, field) for field in _FIELDS)
        return Sample(rss, _number(text, b"\nRssShmem:"), _number(text, b"\nThreads:"))

    def close(self) -> None:
        """Closes the descriptors."""
        os.close(self._status)
        os.close(self._tasks)


def _number(text: bytes, field: bytes) -> int:
    at = text.find(field)
    return int(text[at + len(field) : text.index(b"\n", at + 1)].split()[0]) if at >= 0 else 0
