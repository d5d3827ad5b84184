"""What a hostile bot tries against the machine and its neighbours; run as root and as an ordinary user."""

import os
import unittest

from tests.harness import HEADER, SeatHost, action, bot

ORDINARY_USER = 54321

TRY = """
import errno
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
}

ATTEMPTS = {
    "a unix socket": ("socket.socket(socket.AF_UNIX)", "EPERM"),
    "an internet socket": ("socket.socket(socket.AF_INET)", "EPERM"),
    "a netlink socket": ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", "EPERM"),
    "a socket pair": ("socket.socketpair()", "EPERM"),
    "fork": ("os.fork()", "EPERM"),
    "posix_spawn": ("os.posix_spawn('/bin/true', ['true'], {{}})", "EPERM"),
    "execve": ("os.execv('/bin/true', ['true'])", "EPERM"),
    "reading /etc/passwd": ("open('/etc/passwd')", "EACCES"),
    "reading /proc": ("open('/proc/self/maps')", "EACCES"),
    "reading the host's environment": ("open('/proc/{host}/environ')", "EACCES"),
    "listing /": ("os.listdir('/')", "EACCES"),
    "listing /sys": ("os.listdir('/sys')", "EACCES"),
    "reading a neighbour's bot": ("open('{run}/bots/2/player.py')", "EACCES"),
    "listing all bots": ("os.listdir('{run}/bots')", "EACCES"),
    "listing a neighbour's scratch": ("os.listdir('{run}/scratch/seat-1')", "EACCES"),
    "writing to a neighbour's scratch": ("open('{run}/scratch/seat-1/x', 'w')", "EACCES"),
    "writing its own code": ("open('{run}/bots/1/player.py', 'r+')", "EACCES"),
    "truncating its own code": ("os.truncate('{run}/bots/1/player.py', 0)", "EPERM"),
    "writing to /tmp": ("open('/tmp/husky-escape', 'w')", "EACCES"),
    "writing beside its scratch": ("open('../x', 'w')", "EACCES"),
    "a link out of its scratch": ("os.symlink('/etc/passwd', 'x')", "EPERM"),
    "a hard link": ("os.link('{run}/bots/1/player.py', 'x')", "EPERM"),
    "a named pipe": ("os.mkfifo('x')", "EPERM"),
    "chmod of the host's socket": ("os.chmod('{run}/host.sock', 0)", "EPERM"),
    "chmod of a neighbour's directory": ("os.chmod('{run}/scratch/seat-1', 0)", "EPERM"),
    "removing the host's socket": ("os.unlink('{run}/host.sock')", "EACCES"),
    "killing the neighbour": ("os.kill({neighbour}, 9)", "EPERM"),
    "killing the host": ("os.kill({host}, 9)", "EPERM"),
    "killing its parent": ("os.kill(os.getppid(), 9)", "EPERM"),
    "killing everything": ("os.kill(-1, 9)", "EPERM"),
    "killing its group": ("os.kill(0, 9)", "EPERM"),
    "directing signals at a neighbour": ("__import__('fcntl').fcntl(60, 8, {neighbour})", "EPERM"),
    "directing signals by ioctl": ("__import__('fcntl').ioctl(60, 0x8901, b'\\0\\0\\0\\1')", "EPERM"),
    "becoming root": ("os.setuid(0)", "EPERM"),
    "another group": ("os.setgroups([0])", "EPERM"),
    "moving to another core": ("os.sched_setaffinity(0, [0])", "EPERM"),
    "undoing its death with its parent": ("call(157 if os.uname().machine == 'x86_64' else 167, 1, 0)", "EPERM"),
    "shared memory without a file": ("__import__('mmap').mmap(-1, 4096)", "EPERM"),
    "opening the host's channel by its number": ("os.write(3, b'x')", "EBADF"),
}


class Attacks:
    """Every attempt is one request to one bot; afterwards the neighbour and the host go on as before."""

    run_as = None

    def play(self, source):
        """A host, a seat with this bot and a calling neighbour that answers its process id; both are ready."""
        neighbour_source = bot("    def get_action(self, s, r): return PokerAction.RAISE, os.getpid()\n")
        host = SeatHost(run_as=self.run_as)
        self.addCleanup(host.__exit__)
        attacker, neighbour = host.open(source, neighbour_source)
        self.assertTrue(attacker.receive()["ready"])
        self.assertTrue(neighbour.receive()["ready"])
        return host, attacker, neighbour

    def test_every_forbidden_attempt_is_refused_and_harms_nobody(self):
        source = HEADER + TRY + "\nGIVEN = {}\n" + action("raise RuntimeError(outcome(lambda: eval(GIVEN['attempt'])))")
        # The attempts arrive as hand cards: the one channel into the bot.
        source += "\n    def on_start(self, chips, cards, *rest): GIVEN['attempt'] = cards[0]\n"
        host, attacker, neighbour = self.play(source)
        places = {"run": host.run_dir, "host": host.process.pid, "neighbour": neighbour.act()[1]}
        column = 0 if os.uname().machine == "x86_64" else 1
        attempts = {name: (text.format(**places), expected) for name, (text, expected) in ATTEMPTS.items()}
        for name, call in SYSCALLS.items():
            attempts[name] = (f"call({call[column]}, {call[2].format(**places)})", "EPERM")
        attempts["clone3"] = ("call(435, 0, 0)", "ENOSYS")
        attempts["an unknown system call"] = ("call(1000)", "ENOSYS")
        for name, (text, expected) in attempts.items():
            with self.subTest(name):
                answer = attacker.act(["h", 10000, [text, "2s"], 10, 2, 1, [1, 2]])
                self.assertEqual(answer, [0, f"RuntimeError: {expected}"])
                self.assertEqual(neighbour.act()[1], places["neighbour"])
        self.assertTrue(host.ask("hello")["ok"])
        self.assertEqual(host.events, [])
        self.assertEqual([seat["alive"] for seat in host.ask("usage")["seats"]], [True, True])

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

    def test_only_the_link_and_the_standard_descriptors_are_open(self):
        source = action("raise RuntimeError([fd for fd in range(4096) if is_open(fd)])")
        source = HEADER + "def is_open(fd):\n    try:\n        os.fstat(fd)\n        return True\n    except OSError:\n        return False\n" + source
        _, attacker, _ = self.play(source)
        self.assertEqual(attacker.act(), [0, "RuntimeError: [0, 1, 2, 60]"])

    def test_a_bot_that_closes_every_descriptor_harms_only_itself(self):
        host, attacker, neighbour = self.play(action("os.closerange(0, 64)"))
        self.assertIsNone(attacker.act())
        self.assertEqual(host.event("exit", 0)["reason"], "crash")
        self.assertIsNotNone(neighbour.act())

    def test_garbage_on_every_descriptor_reaches_only_the_bots_own_dealer_line(self):
        source = action("for fd in range(64):\n    try:\n        os.write(fd, b'garbage\\n')\n    except OSError:\n        pass")
        host, attacker, neighbour = self.play(source)
        attacker.send([1, [["a", [0, [], 0, [], 0, {}, {}, []], 0, 0, 0]]])
        self.assertEqual(attacker.receive_line(), b"garbage")
        self.assertIsNotNone(neighbour.act())
        self.assertTrue(host.ask("hello")["ok"])

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
        self.assertTrue(first[1].endswith("/scratch/seat-0"), first)
        self.assertTrue(second[1].endswith("/scratch/seat-1"), second)
        self.assertNotEqual(first[2], second[2])
        host.close_match()
        self.assertEqual(os.listdir(os.path.join(host.run_dir, "scratch")), [])


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

    def test_hello_says_that_seats_share_the_user(self):
        with SeatHost(run_as=self.run_as) as host:
            sandbox = host.ask("hello")["sandbox"]
            self.assertEqual((sandbox["own_uid"], sandbox["missing"]), (False, []))
