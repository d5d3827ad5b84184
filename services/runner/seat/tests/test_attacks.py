"""Attempts of a hostile bot against the machine and other seats, with the host as root and as an ordinary user."""

import os
import unittest

from tests.harness import HEADER, SeatHost, action, bot

ORDINARY_USER = 54321

TRY = """
import errno, fcntl
def outcome(attempt):
    try:
        attempt()
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    if libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) < 0:
        raise OSError(ctypes.get_errno(), "")
"""

SYSCALLS = {
    "process_vm_readv": (310, 270, "{host}, 0, 0, 0, 0, 0"),
    "ptrace (seize)": (101, 117, "0x4206, {host}, 0, 0"),
    "clone of a process": (56, 220, "17, 0, 0, 0, 0"),
    "clone of a thread into namespaces": (56, 220, "0x10003d0f00, 0, 0, 0, 0"),
    "prlimit of a neighbour": (302, 261, "{neighbour}, 7, 0, 0"),
    "prlimit of the host": (302, 261, "{host}, 7, 0, 0"),
    "sched_setaffinity": (203, 122, "{neighbour}, 8, b'\\1' * 8"),
    "setpriority of all of the user": (141, 140, "2, 0, 19"),
    "tkill": (200, 130, "{neighbour}, 9"),
    "tgkill": (234, 131, "{neighbour}, {neighbour}, 9"),
    "rt_sigqueueinfo": (129, 138, "{neighbour}, 9, b'\\0' * 128"),
    "pidfd_open": (434, 434, "{neighbour}, 0"),
    "keyctl": (250, 219, "0, -3, 1"),
    "io_uring_setup": (425, 425, "8, b'\\0' * 120"),
    "bpf": (321, 280, "0, 0, 0"),
    "userfaultfd": (323, 282, "1"),
    "perf_event_open": (298, 241, "b'\\0' * 128, 0, -1, -1, 0"),
    "memfd_create": (319, 279, "b'x', 0"),
    "shmget": (29, 194, "0, 4096, 0o1600"),
    "mq_open": (240, 180, "b'x', 0o102, 0o600, 0"),
    "unshare": (272, 97, "0x10000000"),
    "mount": (165, 40, "0, 0, 0, 0, 0"),
    "chroot": (161, 51, "b'.'"),
    "kexec_load": (246, 104, "0, 0, 0, 0"),
    "personality": (135, 92, "0"),
    "name_to_handle_at": (303, 264, "-100, b'.', 0, 0, 0"),
    "seccomp": (317, 277, "0, 0, 0"),
    "process_madvise": (440, 440, "0, 0, 0, 0, 0"),
    "fallocate beyond the size of a file": (285, 47, "open('f', 'w').fileno(), 1, 0, 1 << 20"),
    "a hole in a file": (285, 47, "open('f', 'w').fileno(), 3, 0, 1 << 20"),
    "getsid of a neighbour": (124, 156, "{neighbour}"),
    "getpgid of a neighbour": (121, 155, "{neighbour}"),
    "getpriority of a neighbour": (140, 141, "0, {neighbour}"),
    "sched_getaffinity of a neighbour": (204, 123, "{neighbour}, 8, b'\\0' * 8"),
    "sched_getscheduler of a neighbour": (145, 120, "{neighbour}"),
    "sched_getparam of a neighbour": (143, 121, "{neighbour}, b'\\0' * 8"),
    "sched_getattr of a neighbour": (315, 275, "{neighbour}, b'\\0' * 64, 64, 0"),
    "sched_rr_get_interval of a neighbour": (148, 127, "{neighbour}, b'\\0' * 16"),
    "ioprio_get of a neighbour": (252, 31, "1, {neighbour}"),
    "a timer on a neighbour's clock": (222, 107, "(~{neighbour} << 3) | 2, 0, b'\\0' * 8"),
    "memory and load of the machine": (99, 179, "b'\\0' * 128"),
    "free room of a file system": (137, 43, "b'/', b'\\0' * 128"),
    "what of a library is in memory": (27, 232, "id(0) & ~4095, 4096, b'\\0' * 8"),
    "madvise that pages out": (28, 233, "id(0) & ~4095, 4096, 21"),
    "inotify_init1": (294, 26, "0"),
    "fanotify_init": (300, 262, "0, 0"),
    "sync of everything": (162, 81, "0"),
    "a new limit of its own": (302, 261, "0, 7, b'\\1' * 16, 0"),
    "set_robust_list": (273, 99, "0, 24"),
    "set_tid_address": (218, 96, "id(0)"),
    "preadv2, which shows what is in memory": (327, 286, "60, 0, 0, 0, 0, 8"),
}

# Paths outside a seat's own root do not exist (ENOENT); without an own root Landlock refuses them (EACCES).
CLOSED = "EACCES ENOENT"

ATTEMPTS = {
    "a unix socket": ("socket.socket(socket.AF_UNIX)", "EPERM"),
    "an internet socket": ("socket.socket(socket.AF_INET)", "EPERM"),
    "a netlink socket": ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "EPERM"),
    "a pair of datagram sockets": ("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)", "EPERM"),
    "a message over a pair": ("socket.socketpair()[0].sendmsg([b'x'])", "EPERM"),
    "receiving descriptors over a pair": ("socket.socketpair()[0].recvmsg(1, 64)", "EPERM"),
    "urgent data over a pair": ("socket.socketpair()[0].send(b'x', socket.MSG_OOB)", "EPERM"),
    "connecting a pair elsewhere": ("socket.socketpair()[0].connect('{run}/host.sock')", "EPERM"),
    "a socket that the machine numbers": ("__import__('_socket').socketpair()", "EPERM"),
    "a pipe that the machine numbers": ("os.pipe()", "EPERM"),
    "the path of the link": ("socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(60)).getsockname()", "EPERM"),
    "who is at the other end of the link": ("socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, os.dup(60)).getsockopt(1, 17, 12)", "EPERM"),
    "fork": ("os.fork()", "EPERM"),
    "posix_spawn": ("os.posix_spawn('/bin/true', ['true'], {{}})", "EPERM"),
    "execve": ("os.execv('/bin/true', ['true'])", "EPERM"),
    "reading /etc/passwd": ("open('/etc/passwd')", CLOSED),
    "reading /proc": ("open('/proc/self/maps')", CLOSED),
    "reading the host's environment": ("open('/proc/{host}/environ')", CLOSED),
    "listing /": ("os.listdir('/')", "EACCES"),
    "listing /sys": ("os.listdir('/sys')", CLOSED),
    "reading a neighbour's bot": ("open('{run}/bots/2/player.py')", CLOSED),
    "listing all bots": ("os.listdir('{run}/bots')", CLOSED),
    "listing the folder of all scratch folders": ("os.listdir('{run}/scratch')", CLOSED),
    "listing the folder above its scratch": ("os.listdir('..')", "EACCES"),
    "listing a neighbour's scratch": ("os.listdir('/proc/{neighbour}/cwd')", CLOSED),
    "writing to a neighbour's scratch": ("open('/proc/{neighbour}/root/scratch/x', 'w')", CLOSED),
    "writing its own code": ("open(sys.modules['player'].__file__, 'r+')", "EACCES EROFS"),
    "writing its own code by its name": ("open('player.py', 'r+')", "EACCES EROFS"),
    "truncating its own code": ("os.truncate(sys.modules['player'].__file__, 0)", "EPERM"),
    "writing to /tmp": ("open('/tmp/husky-escape', 'w')", "EACCES EROFS"),
    "writing beside its scratch": ("open('../x', 'w')", "EACCES EROFS"),
    "a link out of its scratch": ("os.symlink('/etc/passwd', 'x')", "EPERM"),
    "a hard link": ("os.link('player.py', 'x')", "EPERM"),
    "a named pipe": ("os.mkfifo('x')", "EPERM"),
    "chmod of the host's socket": ("os.chmod('{run}/host.sock', 0)", "EPERM"),
    "chmod of its own directory": ("os.chmod('.', 0o777)", "EPERM"),
    "removing the host's socket": ("os.unlink('{run}/host.sock')", "EACCES ENOENT EROFS"),
    "killing the neighbour": ("os.kill({neighbour}, 9)", "EPERM"),
    "killing the host": ("os.kill({host}, 9)", "EPERM"),
    "killing its parent": ("os.kill(os.getppid(), 9)", "EPERM"),
    "killing everything": ("os.kill(-1, 9)", "EPERM"),
    "killing its group": ("os.kill(0, 9)", "EPERM"),
    "directing signals at a neighbour": ("fcntl.fcntl(60, 8, {neighbour})", "EPERM"),
    "directing signals by ioctl": ("fcntl.ioctl(60, 0x8901, b'\\0\\0\\0\\1')", "EPERM"),
    "becoming root": ("os.setuid(0)", "EPERM"),
    "another group": ("os.setgroups([0])", "EPERM"),
    "moving to another core": ("os.sched_setaffinity(0, [0])", "EPERM"),
    "undoing its death with its parent": ("call(157 if os.uname().machine == 'x86_64' else 167, 1, 0)", "EPERM"),
    "shared memory without a file": ("__import__('mmap').mmap(-1, 4096)", "EPERM"),
    "opening the host's channel by its number": ("os.write(3, b'x')", "EBADF"),
    "flock on Python's library": ("fcntl.flock(open(os.__file__), fcntl.LOCK_SH | fcntl.LOCK_NB)", "EPERM"),
    "a record lock on Python's library": ("fcntl.lockf(open(os.__file__), fcntl.LOCK_SH | fcntl.LOCK_NB)", "EPERM"),
    "querying another's record lock": ("fcntl.fcntl(open(os.__file__), 5, b'\\1' + b'\\0' * 31)", "EPERM"),
    "a lock of an open file": ("fcntl.fcntl(open(os.__file__), 37, b'\\0' * 32)", "EPERM"),
    "a lease": ("fcntl.fcntl(open(os.__file__), 1024, 0)", "EPERM"),
    "notices about a directory": ("fcntl.fcntl(open(os.__file__), 1026, 1)", "EPERM"),
    "a neighbour's processor time": ("time.clock_gettime((~{neighbour} << 3) | 2)", "EPERM"),
    "the host's processor time": ("time.clock_gettime((~{host} << 3) | 2)", "EPERM"),
    "a neighbour's main thread's time": ("time.clock_gettime((~{neighbour} << 3) | 6)", "EPERM"),
    "the resolution of a neighbour's clock": ("time.clock_getres((~{neighbour} << 3) | 2)", "EPERM"),
    "a clock behind a descriptor": ("time.clock_gettime((~60 << 3) | 3)", "EPERM"),
    "dropping a library from memory": ("os.posix_fadvise(open(os.__file__).fileno(), 0, 0, 4)", "EPERM"),
    "room on the machine's disk": ("os.statvfs(os.__file__)", "EPERM"),
    "waking a neighbour through a library's page": (
        "call(202 if os.uname().machine == 'x86_64' else 98, ctypes.cast(libc.getpid, ctypes.c_void_p), 1, 1, 0)",
        "EAGAIN",
    ),
}


class Attacks:
    """Each attempt is one request to one bot. Afterwards the neighbour and the host must still work."""

    run_as = None
    options = ()

    def play(self, source):
        """Starts a host with a seat of this bot and a neighbour that calls; returns when both are ready."""
        host = SeatHost(*self.options, run_as=self.run_as)
        self.addCleanup(host.__exit__)
        attacker, neighbour = host.open(source, bot(""), seeds=["00" * 32] * 2)
        self.assertTrue(attacker.receive()["ready"])
        self.assertTrue(neighbour.receive()["ready"])
        return host, attacker, neighbour

    def test_every_forbidden_attempt_is_refused_and_harms_nobody(self):
        source = HEADER + TRY + "\nGIVEN = {}\n" + action("raise RuntimeError(outcome(lambda: eval(GIVEN['attempt'])))")
        # Attempts are sent as hand cards, the only data that a bot receives.
        source += "\n    def on_start(self, chips, cards, *rest): GIVEN['attempt'] = cards[0]\n"
        host, attacker, neighbour = self.play(source)
        places = {"run": host.run_dir, "host": host.process.pid, "neighbour": host.seat_pid(1)}
        column = 0 if os.uname().machine == "x86_64" else 1
        attempts = {name: (text.format(**places), expected) for name, (text, expected) in ATTEMPTS.items()}
        for name, call in SYSCALLS.items():
            attempts[name] = (f"call({call[column]}, {call[2].format(**places)})", "EPERM")
        attempts["clone3"] = ("call(435, 0, 0)", "ENOSYS")
        attempts["numbers of mounts"] = (f"call({(332, 291)[column]}, 1, b'', 0x1000, 0x7ff, b'\\0' * 256)", "ENOSYS")
        attempts["an unknown system call"] = ("call(1000)", "ENOSYS")
        for name, (text, expected) in attempts.items():
            with self.subTest(name):
                reply = attacker.act(["h", 10000, [text, "2s"], 10, 2, 1, [1, 2]])
                self.assertIn(reply[1], [f"RuntimeError: {code}" for code in expected.split()])
                self.assertEqual(neighbour.act(), [3, 0])
        self.assertTrue(host.request("hello")["ok"])
        self.assertEqual([event for event in host.events if event["event"] != "scratch-used"], [])
        self.assertEqual([seat["alive"] for seat in host.request("usage")["seats"]], [True, True])

    def test_a_system_call_of_another_architecture_kills_the_bot(self):
        if os.uname().machine != "x86_64":
            print("skipped: i386 and x32 calls exist on x86_64 only")
            self.skipTest("x86_64 only")
        host, attacker, neighbour = self.play(action("ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 41), 1, 1, 0)"))
        self.assertIsNone(attacker.act())
        event = host.event("exit", 0)
        self.assertEqual((event["reason"], event["signal"]), ("signal", 31))
        self.assertIsNotNone(neighbour.act())

    def test_the_environment_and_the_stack_of_the_host_hold_no_secret(self):
        body = """
start = ctypes.c_void_p.in_dll(ctypes.CDLL(None), '__progname_full').value
stack = ctypes.string_at(start, 4096 - start % 4096)
raise RuntimeError(f"{b'husky_seat' in stack} {b'do-not-inherit' in stack} {','.join(sorted(os.environ))}")
"""
        host, attacker, _ = self.play(action(body))
        of_command, secret, names = attacker.act()[1].split()[1:]
        self.assertEqual((of_command, secret), ("True", "False"))
        self.assertNotIn("SECRET", names)
        with open(f"/proc/{host.process.pid}/environ", encoding="utf-8") as environment:
            self.assertNotIn("SECRET", environment.read())

    def test_only_the_link_the_pairs_and_the_standard_descriptors_are_open(self):
        source = action("raise RuntimeError([fd for fd in range(4096) if is_open(fd)])")
        source = HEADER + "def is_open(fd):\n    try:\n        os.fstat(fd)\n        return True\n    except OSError:\n        return False\n" + source
        _, attacker, _ = self.play(source)
        self.assertEqual(attacker.act(), [0, f"RuntimeError: {[0, 1, 2, 60, *range(64, 72)]}"])

    def test_a_bot_that_closes_every_descriptor_harms_only_itself(self):
        host, attacker, neighbour = self.play(action("os.closerange(0, 72)"))
        self.assertIsNone(attacker.act())
        self.assertEqual(host.event("exit", 0)["reason"], "crash")
        self.assertIsNotNone(neighbour.act())

    def test_writes_to_every_descriptor_reach_only_the_bots_own_connection(self):
        source = action("for fd in range(72):\n    try:\n        os.write(fd, b'garbage\\n')\n    except OSError:\n        pass")
        host, attacker, neighbour = self.play(source)
        attacker.send([1, [["a", [0, [], 0, "", 0, "", [], "", []], 0, 0, 0]]])
        self.assertEqual(attacker.receive_line(), b"garbage")
        self.assertIsNotNone(neighbour.act())
        self.assertTrue(host.request("hello")["ok"])

    def test_each_seat_has_its_own_scratch_and_random_numbers(self):
        source = bot(
            "    def get_action(self, s, r):\n        import random, tempfile\n        with tempfile.NamedTemporaryFile('w+') as f:\n"
            "            f.write('x'); f.flush(); f.seek(0); assert f.read() == 'x'\n"
            "            raise RuntimeError('%s %s' % (os.path.dirname(f.name), random.random()))\n"
        )
        host = SeatHost(run_as=self.run_as)
        self.addCleanup(host.__exit__)
        seats = host.open(source, source)
        for seat in seats:
            self.assertTrue(seat.receive()["ready"])
        first, second = (seat.act()[1].split() for seat in seats)
        self.assertEqual([first[1], second[1]], ["/scratch", "/scratch"])
        self.assertNotEqual(first[2], second[2])
        host.close_match()
        self.assertEqual(os.listdir(os.path.join(host.run_dir, "scratch")), ["root"])


class AttacksWhenTheHostIsRoot(Attacks, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0:
            print("skipped: only root gives each seat a user id of its own")
            raise unittest.SkipTest("needs root")

    def test_each_seat_has_a_user_of_its_own(self):
        source = bot("    def get_action(self, s, r): return PokerAction.RAISE, os.getuid()\n")
        with SeatHost() as host:
            seats = host.open(source, source)
            for seat in seats:
                self.assertTrue(seat.receive()["ready"])
            uids = [seat.act()[1] for seat in seats]
            self.assertTrue(all(61000 <= uid <= 61183 for uid in uids), uids)
            self.assertNotEqual(*uids)


class AttacksWhenSeatsShareOneUser(Attacks, unittest.TestCase):
    run_as = ORDINARY_USER if os.geteuid() == 0 else None

    def test_hello_reports_that_seats_share_the_user(self):
        with SeatHost(run_as=self.run_as) as host:
            sandbox = host.request("hello")["sandbox"]
            self.assertEqual((sandbox["own_uid"], sandbox["missing"]), (False, []))


class AttacksFromTheMachinesOwnRoot(Attacks, unittest.TestCase):
    """As in a pod, where nothing can be mounted for a seat: only Landlock protects files."""

    run_as = ORDINARY_USER if os.geteuid() == 0 else None
    options = ("--without", "own_root", "--without", "pid_namespace", "--allow-strangers-without-sandbox")

    def test_each_seat_has_its_own_scratch_and_random_numbers(self):
        source = action("raise RuntimeError(os.path.basename(os.getcwd()))")
        with SeatHost(*self.options, run_as=self.run_as) as host:
            seats = host.open(source, source)
            for seat in seats:
                self.assertTrue(seat.receive()["ready"])
            names = [seat.act()[1].removeprefix("RuntimeError: ") for seat in seats]
            self.assertTrue(all(len(name) == 32 and int(name, 16) for name in names), names)
            self.assertNotEqual(*names)
