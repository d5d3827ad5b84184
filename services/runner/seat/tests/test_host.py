"""The host's control protocol, start and end."""

import ctypes
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from tests.harness import SEAT_DIR, WAIT_S, SeatHost, action, bot, python_for_seats

sys.path.insert(0, SEAT_DIR)
from husky_seat.syscalls import ARCHITECTURES, NUMBERS  # noqa: E402


def children(pid):
    """Returns the process ids of all descendants."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(line.split()[0]): int(line.split()[1]) for line in listed.splitlines()}
    found = [pid]
    for ancestor in found:
        found += [child for child in parents if parents[child] == ancestor]
    return found[1:]


def is_zygote(pid):
    with open(f"/proc/{pid}/comm", encoding="ascii") as name:
        return name.read() == "seat-zygote\n"


def memory_of(pid):
    """Returns the writable memory of a process."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        parts = []
        for line in maps:
            area, rights = line.split()[:2]
            if rights.startswith("rw"):
                start, end = (int(address, 16) for address in area.split("-"))
                memory.seek(start)
                parts.append(memory.read(end - start))
    return b"".join(parts)


def wait_until(condition, what):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {WAIT_S} s for: {what}")
        time.sleep(0.01)


def deny(*calls):
    """Makes the kernel refuse these system calls with EPERM, and those of Landlock with ENOSYS, as a kernel without it does.

    Call it in the child process before exec.
    """
    column, arch = ARCHITECTURES[os.uname().machine]
    program = [(0x20, 0, 0, 4), (0x15, 1, 0, arch), (0x06, 0, 0, 0x7FFF0000), (0x20, 0, 0, 0)]
    for name in calls:
        program += [(0x15, 0, 1, NUMBERS[name][column]), (0x06, 0, 0, 0x00050000 | (38 if name.startswith("landlock") else 1))]
    program.append((0x06, 0, 0, 0x7FFF0000))
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in program)

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    libc = ctypes.CDLL(None)
    libc.prctl(38, 1, 0, 0, 0)
    libc.prctl(22, 2, ctypes.byref(Program(len(program), code)), 0, 0)


def without_landlock():
    """Hides Landlock, as on an older kernel."""
    deny("landlock_create_ruleset")


def without_namespaces():
    """Refuses namespaces like the default seccomp profile of containers."""
    deny("unshare", "setns", "mount", "fsopen", "open_tree", "move_mount", "mount_setattr")


class Host(unittest.TestCase):
    def start(self, *options, **more):
        host = SeatHost(*options, **more)
        self.addCleanup(host.__exit__)
        return host

    def test_hello_reports_versions_and_a_complete_sandbox(self):
        hello = self.start().request("hello")
        self.assertRegex(hello["python"], r"^3\.\d+\.\d+$")
        self.assertIn("cpython-3", hello["abi"])
        self.assertEqual((hello["sandbox"]["seccomp"], hello["sandbox"]["missing"], hello["strangers"]), (True, [], True))
        self.assertGreaterEqual(hello["sandbox"]["landlock"], 3)

    def test_bots_are_refused_when_a_means_is_missing_unless_the_option_allows_them(self):
        for options, accepted in (((), False), (("--allow-strangers-without-sandbox",), True)):
            with self.subTest(options):
                host = SeatHost(*options, prepare=without_landlock)
                self.addCleanup(host.__exit__)
                hello = host.request("hello")
                self.assertEqual((hello["sandbox"]["landlock"], hello["strangers"]), (0, accepted))
                self.assertEqual(len(hello["sandbox"]["missing"]), 1)
                self.assertTrue(hello["sandbox"]["missing"][0].startswith("landlock: the kernel has ABI 0"))
                if accepted:
                    (seat,) = host.open(bot(""))
                    self.assertTrue(seat.receive()["ready"])
                else:
                    with self.assertRaisesRegex(AssertionError, "the sandbox is incomplete and bots are refused: landlock"):
                        host.open(bot(""))

    def test_an_interpreter_in_a_closed_home_works_with_own_root_and_is_reported_without_it(self):
        if sys.executable == python_for_seats():
            reason = "skipped: needs root and a Python in a closed home, as under /root/.pyenv"
            print(reason)
            self.skipTest(reason)
        self.assertEqual(self.start(python=sys.executable).request("hello")["sandbox"]["missing"], [])
        host = self.start("--without", "own_root", "--allow-strangers-without-sandbox", python=sys.executable)
        self.assertRegex(" ".join(host.request("hello")["sandbox"]["missing"]), "own_uid: .*cannot read Python's library")
        (seat,) = host.open(bot("    def get_action(self, s, r): return PokerAction.RAISE, os.getuid()\n"))
        self.assertTrue(seat.receive()["ready"])
        self.assertEqual(seat.act(), [4, 0])

    def test_hello_reports_each_removed_means_and_bots_are_refused(self):
        has = {"seccomp": True, "own_root": True, "pid_namespace": True, "limits": True, "scratch": "tmpfs", "lacking": []}
        has["own_uid"] = os.geteuid() == 0
        if not has["own_uid"]:
            has["lacking"] = ["own_uid: the host is not root, seats share its user"]
        for means, changed in (
            ("seccomp", {"seccomp": False}),
            ("landlock", {}),
            ("limits", {"limits": False}),
            ("own_uid", {"own_uid": False}),
            ("own_root", {"own_root": False}),
            ("pid_namespace", {"pid_namespace": False}),
            ("scratch_limit", {"scratch": "disk"}),
            ("sampler", {}),
        ):
            with self.subTest(means):
                host = self.start("--without", means)
                hello = host.request("hello")
                sandbox = hello["sandbox"]
                self.assertEqual(sandbox.pop("landlock") == 0, means == "landlock")
                self.assertEqual(sandbox, {**has, **changed, "missing": [f"{means}: removed by --without"]})
                self.assertFalse(hello["strangers"])
                with self.assertRaisesRegex(AssertionError, "the sandbox is incomplete and bots are refused"):
                    host.open(bot(""))

    def test_an_unknown_means_cannot_be_removed(self):
        with self.assertRaisesRegex(AssertionError, "--without takes seccomp, landlock, .* not luck"):
            SeatHost("--without", "luck")

    def test_seats_on_a_machine_without_namespaces_have_no_writable_files_or_volumes_of_a_size(self):
        source = bot("    def get_action(self, s, r): raise RuntimeError(os.listdir('.'), 'TMPDIR' in os.environ, open('x', 'w'))\n")
        host = self.start(prepare=without_namespaces)
        sandbox = host.request("hello")["sandbox"]
        self.assertEqual((sandbox["own_root"], sandbox["pid_namespace"], sandbox["scratch"], sandbox["missing"]), (False, False, "none", []))
        lacking = [sentence.split(":")[0] for sentence in sandbox["lacking"] if not sentence.startswith("own_uid")]
        self.assertEqual(lacking, ["pid_namespace", "own_root", "scratch"])
        (seat,) = host.open(source)
        self.assertTrue(seat.receive()["ready"])
        self.assertIn("Permission denied: 'x'", seat.act()[1])
        self.assertEqual(host.close_match()[0]["exit"]["reason"], "closed")

    def test_volumes_of_a_size_limit_files_where_nothing_can_be_mounted(self):
        if os.geteuid() != 0:
            print("skipped: only root mounts the volumes of this test")
            self.skipTest("needs root")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        os.chmod(folder, 0o755)
        for name in ("0", "1", "too-large"):
            os.mkdir(os.path.join(folder, name))

        def prepare():
            libc = ctypes.CDLL(None)
            libc.unshare(0x20000)
            libc.mount(b"none", b"/", None, 0x4000 | 1 << 18, None)
            for name, size in (("0", b"size=32m"), ("1", b"size=32m"), ("too-large", b"size=1g")):
                libc.mount(b"none", os.fsencode(os.path.join(folder, name)), b"tmpfs", 0, size)
            without_namespaces()

        body = "    def get_action(self, s, r):\n        for n in range(9):\n            with open(str(n), 'wb') as file:\n"
        body += "                file.write(b'x' * (4 << 20))\n"
        host = self.start("--scratch-volumes", folder, prepare=prepare)
        self.assertEqual(host.request("hello")["sandbox"]["scratch"], "volume")
        for _ in range(2):
            seats = host.open(*[bot(body)] * 3)
            self.assertTrue(all(seat.receive()["ready"] for seat in seats))
            replies = [seat.act()[1] for seat in seats]
            self.assertEqual([reply.split("]")[0] for reply in replies], ["OSError: [Errno 28"] * 2 + ["PermissionError: [Errno 13"])
            self.assertGreater(host.close_match()[0]["peak_kib"], 32 << 10)
        (seat,) = host.open(bot("    def get_action(self, s, r):\n        for n in range(10 ** 6): open(f'n{n}', 'w').close()\n"))
        self.assertTrue(seat.receive()["ready"])
        self.assertIsNone(seat.act())
        self.assertEqual(host.event("exit", 0)["reason"], "output")

    def test_wrong_requests_are_refused_and_do_not_affect_the_host(self):
        host = self.start()
        folder = host.add_bot(bot(""))
        good = {"seat": 0, "player_id": 1, "bot_dir": folder, "packages_dir": None}
        for fields, error in (
            ({"op": "dance"}, "unknown op 'dance'"),
            ({"op": "usage"}, "no match is open on this connection"),
            ({"op": "open"}, "open needs a match name and 1 to 10 seats"),
            ({"op": "open", "match": "m", "seats": [7]}, "a seat is an object"),
            ({"op": "open", "match": "m", "seats": [{**good, "seat": "x"}]}, "seat must be a whole number from 0 to 99"),
            ({"op": "open", "match": "m", "seats": [{**good, "seed": "00"}]}, "seed must be 64 hex digits, or null"),
            ({"op": "open", "match": "m", "seats": [good, good]}, "two seats have the same number"),
            ({"op": "open", "match": "m", "seats": [{**good, "bot_dir": "/nowhere"}]}, "bot_dir is no directory that a seat's user can read"),
        ):
            with self.subTest(error):
                response = host.request(**fields)
                self.assertEqual((response["ok"], response["error"]), (False, error))
        (seat,) = host.open(bot(""))
        self.assertIn("one match at a time", host.request("open", match="n", seats=[good])["error"])
        self.assertEqual(host.request("kill", seat=5)["error"], "no seat 5 in this match")
        host.control.socket.sendall(b"nonsense\n")
        self.assertFalse(host.control.receive()["ok"])
        self.assertIsNone(host.control.receive())
        seat.close()
        host.control = host.connect()
        self.assertTrue(host.request("hello")["ok"])

    def test_consecutive_matches_and_paths_relative_to_the_run_directory_work(self):
        host = self.start()
        for _ in range(3):
            seats = host.open(bot(""), bot(""))
            self.assertTrue(all(seat.receive()["ready"] for seat in seats))
            usage = host.close_match()
            self.assertEqual([seat["exit"]["reason"] for seat in usage], ["closed", "closed"])
            self.assertEqual([seat["log"] for seat in usage], ["", ""])
        name = os.path.relpath(host.add_bot(bot("")), host.run_dir)
        response = host.request("open", match="m", seats=[{"seat": 3, "player_id": 4, "bot_dir": name}])
        self.assertEqual(response["seats"], [{"seat": 3, "socket": os.path.join(host.run_dir, "seat-3.sock")}])

    def test_a_seed_repeats_all_randomness_that_python_derives_from_it_and_each_seed_has_its_own(self):
        seeds = [f"{first:02x}" + "5a" * 31 for first in (0, 1, 0xFF)]
        source = "import random, tempfile, uuid\nfrom random import random as draw\n" + action(
            """first, made = draw(), (random.Random(), random.Random())
random.seed()
values = first, draw(), *(one.random() for one in made), hash("chips"), os.path.basename(tempfile.mktemp()), *{"a", "b", "c", "d", "e"}
print(*values, "| own", uuid.uuid4(), random.SystemRandom().random())"""
        )
        printed = []
        for options in ((), ("--without", "own_root", "--without", "pid_namespace", "--allow-strangers-without-sandbox")):
            host = self.start(*options)
            for _ in range(2):
                seats = host.open(*[source] * 4, seeds=[*seeds, None])
                self.assertTrue(all(seat.receive()["ready"] and seat.act() for seat in seats))
                printed.append([seat["log"].split("| own") for seat in host.close_match()])
        repeated = [[log[0] for log in logs] for logs in printed]
        self.assertEqual([logs[:3] for logs in repeated], [repeated[0][:3]] * 4)
        self.assertEqual(len(set(repeated[0])), 4)
        self.assertEqual(len({logs[3] for logs in repeated}), 4)
        self.assertEqual(len({log[1] for logs in printed for log in logs}), 16)

    def test_numpy_is_seeded_when_the_bot_imports_it_and_not_imported_before(self):
        host = self.start()
        packages = os.path.join(host.run_dir, "packages")
        os.makedirs(os.path.join(packages, "numpy", "random"))
        files = {
            "__init__": "from numpy import random",
            "random/bit_generator": "from secrets import randbits",
            "random/__init__": "from numpy.random import bit_generator\nseeds = []\ndef seed(words): seeds.append(words)",
        }
        for name, text in files.items():
            with open(os.path.join(packages, "numpy", f"{name}.py"), "w", encoding="ascii") as module:
                module.write(text)
        source = "print('numpy' in sys.modules)\nimport numpy\nprint(numpy.random.seeds, numpy.random.bit_generator.randbits(128))\n"
        logs = []
        for seed in ("01" * 32, "01" * 32, None):
            (seat,) = host.open(bot("").replace("class SimplePlayer", source + "class SimplePlayer"), seeds=[seed], packages_dir=packages)
            self.assertTrue(seat.receive()["ready"])
            logs.append(host.close_match()[0]["log"])
        self.assertTrue(logs[0].startswith(f"False\n[{[0x01010101] * 8}] "), logs[0])
        self.assertEqual(logs[0], logs[1])
        self.assertTrue(logs[2].startswith("False\n[] "), logs[2])

    @unittest.skipUnless(os.geteuid() == 0, "reads the memory of other processes")
    def test_zygotes_whose_memory_seats_inherit_hold_no_seed(self):
        host = self.start()
        seeds = ["00" + os.urandom(31).hex() for _ in range(3)]
        seats = host.open(*[bot("")] * 3, seeds=seeds)
        self.assertTrue(all(seat.receive()["ready"] for seat in seats))
        zygotes = [pid for pid in children(host.process.pid) if is_zygote(pid)]
        self.assertEqual(len(zygotes), 2)
        for pid in zygotes:
            memory = memory_of(pid)
            self.assertIn(b"hash_seed", memory)
            for seed in map(bytes.fromhex, seeds):
                self.assertNotIn(seed, memory)
                self.assertNotIn(seed.hex().encode(), memory)

    def test_zygotes_end_without_a_match_and_start_again_with_the_next_one(self):
        host = self.start("--rest-s", "0.1")
        for _ in range(2):
            seats = host.open(bot(""), bot(""), seeds=["00" * 32, "01" * 32])
            self.assertTrue(all(seat.receive()["ready"] for seat in seats))
            self.assertEqual(len(children(host.process.pid)), 5)
            host.close_match()
            wait_until(lambda: len(children(host.process.pid)) == 1, "the end of the zygotes")

    def test_a_lost_control_connection_kills_its_match_and_frees_the_host(self):
        host = self.start()
        (seat,) = host.open(bot(""))
        self.assertTrue(seat.receive()["ready"])
        host.control.close()
        self.assertIsNone(seat.receive())
        host.control = host.connect()
        (seat,) = host.open(bot(""))
        self.assertTrue(seat.receive()["ready"])

    def test_the_host_and_all_seats_die_when_standard_input_closes_or_on_sigterm(self):
        for end in (lambda host: host.process.stdin.close(), lambda host: host.process.terminate(), lambda host: host.process.kill()):
            host = self.start()
            (seat,) = host.open(bot(""), seeds=["00" * 32])
            self.assertTrue(seat.receive()["ready"])
            family = children(host.process.pid)
            self.assertEqual(len(family), 3)
            end(host)
            host.process.wait(WAIT_S)
            wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in family), "the seats' end")
            self.assertIsNone(seat.receive())

    def test_the_host_ends_when_a_zygote_is_killed(self):
        for killed in (0, 1):
            host = self.start()
            (seat,) = host.open(bot(""), seeds=["00" * 32])
            self.assertTrue(seat.receive()["ready"])
            zygotes = [pid for pid in children(host.process.pid) if is_zygote(pid)]
            os.kill(zygotes[killed], signal.SIGKILL)
            self.assertEqual(host.process.wait(WAIT_S), 1)

    def test_host_and_seats_run_on_the_core_of_the_option(self):
        host = self.start("--cpu", "0")
        source = bot("    def get_action(self, s, r): raise RuntimeError(os.sched_getaffinity(0))\n")
        (seat,) = host.open(source)
        self.assertTrue(seat.receive()["ready"])
        self.assertEqual(seat.act(), [0, "RuntimeError: {0}"])
