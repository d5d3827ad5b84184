"""Every system call a seat may make, with the condition on its arguments and the reason. README.md shows the same table.

Calls that are not listed are refused. `python3 -m husky_seat.permitted` prints the table for README.md; a test compares the two.
"""

from typing import List, NamedTuple


class Permitted(NamedTuple):
    """System calls of one row; `condition` describes the rule on their arguments ('' for none), which seccomp.py enforces."""

    calls: List[str]
    condition: str
    reason: str


_TABLE = """
futex | private ones only; a shared one fails with EAGAIN | locks of threads. Shared futexes on a library's pages would reach other seats
read write readv writev pread64 pwrite64 lseek | | files, pipes and the dealer's link
close close_range | close_range: no new descriptor table | end of use
mmap | no shared writable or shared anonymous memory, MAP_GROWSDOWN, MAP_LOCKED, MAP_HUGETLB | memory and shared libraries
munmap mprotect brk mremap | | memory and shared libraries
madvise | NORMAL, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP | allocators give memory back; nothing that touches the page cache
clock_gettime clock_getres | the nine fixed clocks | time.*; clocks of other processes and of devices have other numbers
clock_nanosleep | REALTIME, MONOTONIC, BOOTTIME | time.sleep
nanosleep gettimeofday time times restart_syscall | | time.sleep and time.* of older libraries; a sleep that a stop interrupted
open openat | | import, open; Landlock decides which files
stat fstat lstat newfstatat access faccessat faccessat2 readlink readlinkat getdents64 getcwd chdir | | import, os.path, os.listdir
rename renameat mkdir mkdirat rmdir unlink unlinkat ftruncate | | files in scratch; Landlock decides where
renameat2 | no flags | os.rename where it is the only rename
fallocate | mode 0 | os.posix_fallocate in scratch; modes reserve room beyond the file's size or punch holes
fsync fdatasync msync | returns 0 without being carried out | programs that flush their work; a flush of any readable file would reach the disk
sendfile | | shutil.copyfile
poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait | | select, asyncio
dup dup2 dup3 | | redirected output
sendto recvfrom | no address; flags MSG_DONTWAIT and MSG_NOSIGNAL at most | socket.send and recv on the pairs of `sockets.py`; no descriptors can be passed
fcntl | F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC | descriptors; no locks, leases, notifications, owners, pipe sizes
ioctl | TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX | open() checks for a terminal; setblocking
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack alarm getitimer setitimer | | signal.signal, signal.alarm as a time limit of the bot's own, faulthandler
tgkill | the own process | signal.raise_signal, abort
clone | the flags of a thread, exactly | threading
rseq sched_yield gettid exit exit_group | | start and end of threads and of the process
sched_getaffinity | pid 0 or the own | os.cpu_count
getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups | | cannot fail by contract, or used by the probe; own process only
getrusage | RUSAGE_SELF, RUSAGE_THREAD | a bot that measures itself
getrlimit | | own limits
prlimit64 | pid 0 or the own, reading only | getrlimit of the C library, thread stacks
prctl | PR_SET_NAME, PR_GET_NAME | names of threads
uname | | platform, os.uname
getrandom | | random, secrets, hash seeds
"""


def _rows() -> List[Permitted]:
    rows = [[cell.strip() for cell in line.split("|")] for line in _TABLE.strip().splitlines()]
    return [Permitted(calls.split(), condition, reason) for calls, condition, reason in rows]


PERMITTED = _rows()


def markdown() -> str:
    """Returns the table as Markdown, as in README.md."""
    lines = ["| calls | only with | why |", "|---|---|---|"]
    lines += [f"| {' '.join(f'`{call}`' for call in row.calls)} | {row.condition} | {row.reason} |" for row in PERMITTED]
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown())
