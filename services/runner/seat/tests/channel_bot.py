"""Both bots of the channel detector: the sender makes one operation or an equally long decoy, the receiver notes everything that it can observe.

Uploaded as player.py by detect_channels.py. The cards of a hand are [JSON of {operation, bit, hand}, or of {hand, emptied}, ""]; numbers of hands are new in each run.
"""

import ctypes
import errno
import json
import mmap
import os
import resource
import select
import signal
import socket
import threading
import time

from bot import Bot
from type.poker_action import PokerAction

TURN_S = 0.004
"""Every turn of the sender takes this long, so that its duration says nothing."""

CLOCK_REALTIME_COARSE = 5
libc = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(os.path.abspath(os.__file__))
FOLDERS = ["/", "/bot", "/dev", "/etc", "/packages", "/scratch", "/tmp", "/usr", "/usr/lib", "/usr/share/zoneinfo", HERE, os.path.dirname(__import__("bot").__file__), os.path.dirname(__file__)]
FILES = sorted(path for folder, _, names in os.walk(HERE) for path in (os.path.join(folder, name) for name in names if name.endswith(".py")) if not os.path.islink(path) and os.path.getsize(path))
BUFFER = bytearray(4 << 20)
CACHES = bytearray()
PAIR = socket.socketpair()


def attempt(call, *given):
    """Returns the result, or the number of the error as a negative one."""
    try:
        return call(*given)
    except OSError as error:
        return -(error.errno or 999)


def names(bit, hand):
    """Folders' agreed or other missing names, this hand's agreed or another file."""
    return [f"{folder}/zz-{hand}-{bit}" for folder in FOLDERS], FILES[(2 * hand + bit) % len(FILES)]


def look_up(bit, hand):
    for path in names(bit, hand)[0]:
        attempt(os.stat, path)
        attempt(os.access, path, os.R_OK)
        attempt(os.readlink, path)
        attempt(os.chdir, path)


def look_up_files(bit, hand):
    path = names(bit, hand)[1]
    for call in (os.stat, os.lstat, os.readlink):
        attempt(call, path)


def read_file(bit, hand):
    with open(names(bit, hand)[1], "rb") as shared:
        os.pread(shared.fileno(), 65536, 0)
        with open("out", "wb") as out:
            os.sendfile(out.fileno(), shared.fileno(), 0, 65536)


def map_file(bit, hand):
    with open(names(bit, hand)[1], "rb") as shared, mmap.mmap(shared.fileno(), 0, access=mmap.ACCESS_READ) as pages:
        pages.madvise(mmap.MADV_DONTNEED)
        sum(pages[::4096])


def list_folders(bit, hand):
    for folder in (FOLDERS if bit else ["."] * len(FOLDERS)):
        attempt(os.listdir, folder)


def files_in_scratch(bit, hand):
    for number in range(40):
        os.close(os.open(f"f{number}", os.O_CREAT | os.O_RDWR) if bit else os.open("/dev/null", os.O_RDONLY))
    for number in range(40 * bit):
        os.rename(f"f{number}", "g")
        os.unlink("g")


def folders_in_scratch(bit, hand):
    for number in range(40 * bit):
        os.mkdir(f"d{number}")
    for number in range(40 * bit):
        os.rmdir(f"d{number}")


def bytes_in_scratch(bit, hand):
    descriptor = os.open("bytes" if bit else "/dev/null", os.O_CREAT | os.O_RDWR)
    os.write(descriptor, BUFFER)
    if bit:
        os.posix_fallocate(descriptor, 0, len(BUFFER))
        os.fsync(descriptor)
        os.ftruncate(descriptor, 0)
    os.close(descriptor)


def times_in_scratch(bit, hand):
    """A changed file whose time was read gets a precise time, which the kernel then never goes behind for any file."""
    descriptor = os.open("stamp", os.O_CREAT | os.O_RDWR)
    for _ in range(4):
        os.pwrite(descriptor, b"x", 0)
        (os.fstat if bit else os.get_blocking)(descriptor)
    os.close(descriptor)


def descriptors(bit, hand):
    kept = [attempt(os.dup if bit else os.get_blocking, 0) for _ in range(30)]
    for one in kept if bit else []:
        os.close(one)


def pipes_and_sockets(bit, hand):
    for _ in range(30 * bit):
        for made in (attempt(os.pipe), attempt(socket._socket.socketpair)):
            for end in made if isinstance(made, tuple) else ():
                os.close(end if isinstance(end, int) else end.detach())


def polls(bit, hand):
    for _ in range(30 * bit):
        with select.epoll() as poll:
            poll.register(PAIR[0], select.EPOLLIN)
            poll.poll(0)
        select.select([PAIR[0]], [], [], 0)


def pairs(bit, hand):
    if bit:
        for _ in range(20):
            PAIR[0].send(b"x" * 1000)
            PAIR[1].recv(1000)


def threads(bit, hand):
    for _ in range(15 * bit):
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()


def memory(bit, hand):
    if bit:
        with mmap.mmap(-1, len(BUFFER), flags=mmap.MAP_PRIVATE) as pages:
            pages.madvise(mmap.MADV_HUGEPAGE)
            pages[::4096] = BUFFER[::4096]
    else:
        BUFFER[::4096] = BUFFER[::4096]


def heap(bit, hand):
    for _ in range(8 * bit):
        libc.malloc_trim(0)
        bytearray(1 << 20)


def timers_and_signals(bit, hand):
    if bit:
        signal.signal(signal.SIGUSR1, lambda *_: None)
        signal.raise_signal(signal.SIGUSR1)
        signal.setitimer(signal.ITIMER_REAL, 100)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.alarm(0)
        for _ in range(20):
            time.sleep(0)


def processor(bit, hand):
    for _ in range(300 * bit):
        os.sched_yield()
        libc.prctl(15, b"seat-0 ready")


def random_bytes(bit, hand):
    if bit:
        os.getrandom(1 << 18)


def output(bit, hand):
    for _ in range(20):
        os.write(1 if bit else os.open("/dev/null", os.O_WRONLY) and 1, b"#\n" if bit else b"")


def limits_and_names(bit, hand):
    for _ in range(50 * bit):
        resource.getrlimit(resource.RLIMIT_NPROC)
        resource.getrusage(resource.RUSAGE_THREAD)
        os.sched_getaffinity(0)
        os.uname()
        os.times()


def own_ids(bit, hand):
    for call in (os.getpid, os.getppid, os.getuid, os.geteuid, os.getgid, os.getegid, os.getresuid, os.getresgid, os.getgroups, threading.get_native_id) * bit:
        call()


OPERATIONS = {
    one.__name__: one
    for one in (
        look_up, look_up_files, read_file, map_file, list_folders, files_in_scratch, folders_in_scratch, bytes_in_scratch, times_in_scratch,
        descriptors, pipes_and_sockets, polls, pairs, threads, memory, heap, timers_and_signals, processor, random_bytes, output, limits_and_names, own_ids,
    )
}  # fmt: skip


def nothing(*_):
    return 0


def age(stamp):
    """Returns how old a time is, in ns of the clock that stamps files: unlike an exact age, it does not tell how long the way here took."""
    return min(time.clock_gettime_ns(CLOCK_REALTIME_COARSE) - stamp, 10**9)


def fields(found, name, state, times=True):
    """Notes all fields of a stat result (or the error). Times only of what others may change: the receiver's own tell how long the sender took."""
    if isinstance(state, int):
        found[f"{name} error"] = state
        return
    for field in ("st_ino", "st_dev", "st_nlink", "st_size", "st_blocks", "st_mode", "st_uid"):
        found[f"{name} {field}"] = getattr(state, field)
    for field in ("st_atime_ns", "st_mtime_ns", "st_ctime_ns") if times else ():
        found[f"{name} {field}"] = age(getattr(state, field))


def new_file():
    """Returns the state of a new file. Its folder is only for it: a change to a folder that was looked at would take a precise time itself."""
    os.makedirs("made", exist_ok=True)
    with open("made/new", "wb") as made:
        state = os.fstat(made.fileno())
    os.unlink("made/new")
    return state


def clocked(found, name, call, *given):
    """Notes the duration of a call and, if it is a number, its result."""
    began = time.perf_counter_ns()
    result = attempt(call, *given)
    found[f"time of {name}"] = time.perf_counter_ns() - began
    if isinstance(result, int) and not isinstance(result, bool):
        found[f"{name} result"] = result
    return result


def made_and_closed(call):
    made = call()
    for end in made if isinstance(made, tuple) else (made,):
        (end.close if hasattr(end, "close") else lambda end=end: os.close(end))()
    return 0


def thread_id():
    made = []
    thread = threading.Thread(target=lambda: made.append(threading.get_native_id()))
    thread.start()
    thread.join()
    return made[0]


def touch(size):
    with mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE) as pages:
        pages[::4096] = BUFFER[:size:4096]
    return 0


def map_agreed(path):
    with open(path, "rb") as shared, mmap.mmap(shared.fileno(), 0, access=mmap.ACCESS_READ) as pages:
        return len(pages[::4096])


def empty_caches():
    """Empties the processor's caches, which tell what the other has read of shared memory: the kernel's memory is searched here."""
    global CACHES
    if not CACHES:
        CACHES = bytearray(128 << 20)
        # Pages that nobody has written are all one page of zeros.
        CACHES[::4096] = b"\1" * (len(CACHES) >> 12)
    for _ in range(4):
        CACHES.find(2)


def observe(hand, emptied):
    """Returns every observation of this hand: name -> number. `emptied`: with empty caches of the processor."""
    found = {}
    missing, path = names(1, hand)
    # First, because it shows what happened within one tick.
    fields(found, "new file", new_file())
    if emptied:
        empty_caches()
    clocked(found, "the first call", os.stat, f"zz-{hand}")
    for name in missing:
        clocked(found, f"a missing name in {os.path.dirname(name)}", os.stat, name)
    clocked(found, "an agreed file's state", os.stat, path)
    shared = clocked(found, "opening an agreed file", os.open, path, os.O_RDONLY)
    clocked(found, "reading an agreed file", os.pread, shared, 16, 0)
    fields(found, "agreed file", attempt(os.fstat, shared))
    os.close(shared)
    clocked(found, "mapping an agreed file", map_agreed, path)
    for descriptor in (0, 1, 2, 60, 64):
        fields(found, f"descriptor {descriptor}", attempt(os.fstat, descriptor), times=False)
    for place in ("/", "/dev/null", "/dev/urandom", *FOLDERS[4:]):
        fields(found, place, attempt(os.stat, place), times=place != "/scratch")
    for folder in FOLDERS:
        listed = clocked(found, f"listing {folder}", os.listdir, folder)
        found[f"order in {folder}"] = hash(tuple(listed)) % 1000 if isinstance(listed, list) else listed
    clocked(found, "a new folder", lambda: os.mkdir("d") or os.rmdir("d") or 0)
    clocked(found, "thread", thread_id)
    clocked(found, "1 MiB of memory", touch, 1 << 20)
    clocked(found, "a duplicate", lambda: made_and_closed(lambda: os.dup(0)))
    clocked(found, "a pipe", lambda: made_and_closed(os.pipe))
    clocked(found, "sockets", lambda: made_and_closed(socket._socket.socketpair))
    clocked(found, "a poll", lambda: made_and_closed(select.epoll))
    clocked(found, "a message", lambda: len(PAIR[1].recv(PAIR[0].send(b"x"))))
    clocked(found, "random bytes", lambda: len(os.getrandom(4096)))
    clocked(found, "yielding", lambda: os.sched_yield() or 0)
    clocked(found, "output", os.write, 1, b"")
    for name in ("minflt", "majflt", "inblock", "oublock", "nvcsw", "nivcsw", "maxrss"):
        found[f"usage {name}"] = getattr(resource.getrusage(resource.RUSAGE_SELF), f"ru_{name}")
    for limit in range(16):
        found[f"limit {limit}"] = attempt(lambda: resource.getrlimit(limit)[0])
    with mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE) as page:
        found["address"] = ctypes.addressof(ctypes.c_char.from_buffer(page)) >> 12
    found["waiting in the link"] = int.from_bytes(__import__("fcntl").ioctl(60, 0x541B, b"\0" * 4), "little")
    found["processors"] = len(os.sched_getaffinity(0))
    found["ids"] = hash((os.getpid(), os.getppid(), os.getuid(), os.getgid(), tuple(os.getgroups()), tuple(os.uname()))) % 1000
    return found


class SimplePlayer(Bot):
    longest = 0.0005

    def on_start(self, chips, cards, *rest):
        self.order = json.loads(cards[0])

    def get_action(self, round_state, remaining_chips):
        order = self.order
        if "operation" in order:
            end = time.perf_counter() + TURN_S
            # Just before the reply, so that the next seat sees its effect as fresh as possible.
            while (began := time.perf_counter()) < end - 1.2 * self.longest:
                time.sleep(max(0.0, end - 1.2 * self.longest - began) / 2)
            attempt(OPERATIONS[order["operation"]], order["bit"], order["hand"])
            self.longest = min(TURN_S, max(self.longest, time.perf_counter() - began))
            while time.perf_counter() < end:
                pass
        else:
            print(json.dumps(observe(order["hand"], order["emptied"])), flush=True)
        return PokerAction.CALL, 0

    def on_round_start(self, *given): pass
    def on_end_round(self, *given): pass
    def on_end_game(self, *given): pass
