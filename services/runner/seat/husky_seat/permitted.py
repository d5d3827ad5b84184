"""Every system call a seat may make, with the condition on its arguments and the reason.

Calls that are not listed are refused. `python3 -m husky_seat.permitted` prints the table.
"""

from typing import List, NamedTuple


class Permitted(NamedTuple):
    """System calls of one row; `condition` describes the rule on their arguments ('' for none), which seccomp.py enforces.

    `shown`: what the result could show of other seats, runners or matches, and why it does not; "time" is documented as open in docs/security.md.
    """

    calls: List[str]
    condition: str
    reason: str
    shown: str


_TABLE = """
futex | private ones only; a shared one fails with EAGAIN | locks of threads. Shared futexes on a library's pages would reach other seats | woken: own threads
read write readv writev pread64 pwrite64 lseek | | files, pipes and the dealer's link | data and sizes: own scratch, or copies that nobody changes. Duration: each page of them is in memory
close close_range | close_range: no new descriptor table | end of use | nothing
mmap | no shared writable or shared anonymous memory, MAP_GROWSDOWN, MAP_LOCKED, MAP_HUGETLB | memory and shared libraries | address: own. Failure: own RLIMIT_DATA
munmap mprotect brk mremap | | memory and shared libraries | address: own
madvise | NORMAL, DONTNEED, FREE, HUGEPAGE, NOHUGEPAGE, DONTDUMP | allocators give memory back; nothing that touches the page cache | huge pages, of which the machine may have none left, are disabled for seats
clock_gettime clock_getres | the nine fixed clocks | time.*; clocks of other processes and of devices have other numbers | time
clock_nanosleep | REALTIME, MONOTONIC, BOOTTIME | time.sleep | time
nanosleep gettimeofday time times restart_syscall | | time.sleep and time.* of older libraries; a sleep that a stop interrupted | time; processor time: own
open openat | | import, open; Landlock decides which files | failed look-ups, which a file system of the disk remembers for all: the seat sees tmpfs only. Descriptor numbers: own. ENFILE: 72 descriptors a seat do not reach the machine's limit
stat fstat lstat newfstatat access faccessat faccessat2 readlink readlinkat getdents64 getcwd chdir | | import, os.path, os.listdir | look-ups: as open. Numbers of inodes: own file system; of the log, the link and the pairs: fixed before the bot's code, and seats can open no other pipes and sockets (one counter for all). Device: fixed until the match ends. Times of the library: read-only. Times in scratch: no earlier than the machine's newest precise one, which the dealer renews before each question
rename renameat mkdir mkdirat rmdir unlink unlinkat ftruncate | | files in scratch; Landlock decides where | failure: own limit of bytes and entries
renameat2 | no flags | os.rename where it is the only rename | as rename
fallocate | mode 0 | os.posix_fallocate in scratch; modes reserve room beyond the file's size or punch holes | failure: own limit of bytes
fsync fdatasync msync | returns 0 without being carried out | programs that flush their work; a flush of any readable file would reach the disk | nothing
sendfile | | shutil.copyfile | as read
poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait | | select, asyncio | readiness: own descriptors. All polls share one inode whose fields nobody changes. ENOSPC: a seat's watches do not reach the user's limit
dup dup2 dup3 | | redirected output | numbers: own
sendto recvfrom | no address; flags MSG_DONTWAIT and MSG_NOSIGNAL at most | socket.send and recv on the pairs of `sockets.py`; no descriptors can be passed | own pairs
fcntl | F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC | descriptors; no locks, leases, notifications, owners, pipe sizes | own descriptors
ioctl | TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX | open() checks for a terminal; setblocking | unread bytes: of the log, which the host empties by the clock, and the link
rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack alarm getitimer setitimer | | signal.signal, signal.alarm as a time limit of the bot's own, faulthandler | own signals and timers
tgkill | the own process | signal.raise_signal, abort | own threads
clone | the flags of a thread, exactly | threading | id: own namespace. EAGAIN: own user, or below the machine's limit
rseq sched_yield gettid exit exit_group | | start and end of threads and of the process | number of the processor: time
sched_getaffinity | pid 0 or the own | os.cpu_count | fixed at the start
getpid getppid getuid geteuid getgid getegid getresuid getresgid getgroups | | cannot fail by contract, or used by the probe; own process only | ids of the namespace; the user id is drawn at random
getrusage | RUSAGE_SELF, RUSAGE_THREAD | a bot that measures itself | faults and disk reads: none by others, as all pages are in memory. Involuntary switches: time
getrlimit | | own limits | fixed at the start
prlimit64 | pid 0 or the own, reading only | getrlimit of the C library, thread stacks | fixed at the start
prctl | PR_SET_NAME, PR_GET_NAME | names of threads | own names
uname | | platform, os.uname | own host name; the rest is the kernel's
getrandom | | random, secrets, hash seeds | nothing
"""


def _rows() -> List[Permitted]:
    rows = [[cell.strip() for cell in line.split("|")] for line in _TABLE.strip().splitlines()]
    return [Permitted(calls.split(), condition, reason, shown) for calls, condition, reason, shown in rows]


PERMITTED = _rows()


def markdown() -> str:
    """Returns the table as Markdown."""
    lines = ["| calls | only with | why | what others could change in the result |", "|---|---|---|---|"]
    lines += [f"| {' '.join(f'`{call}`' for call in row.calls)} | {row.condition} | {row.reason} | {row.shown} |" for row in PERMITTED]
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown())
