"""Bots that exceed limits or crash affect only themselves."""

import os
import time

from tests.harness import ACT, HAND, WAIT_S, OneHost, SeatHost, action, bot


def state_of(pid):
    """Returns the state letter of a process (proc(5))."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


class Limits(OneHost):
    def beside_a_neighbour(self, source, **limits):
        """Opens a seat of this bot beside a neighbour, which must still play at the end of the test."""
        seat, neighbour = self.host.open(source, bot(""), **limits)
        self.addCleanup(self.host.close_match)
        self.addCleanup(lambda: self.assertEqual(neighbour.act(), [3, 0]))
        self.assertTrue(neighbour.receive()["ready"])
        return seat

    def exit_of(self, source, **limits):
        seat = self.beside_a_neighbour(source, **limits)
        if seat.receive() is not None:
            self.assertIsNone(seat.act())
        return self.host.event("exit", 0)

    def test_a_memory_bomb_is_killed_and_reported_with_its_size(self):
        event = self.exit_of(action("kept = []\nwhile True:\n    try:\n        kept.append(b'x' * 1000000)\n    except MemoryError:\n        pass"), memory_mib=64)
        self.assertEqual((event["reason"], event["signal"]), ("memory", 9))
        self.assertGreater(event["rss_kib"], 64 << 10)
        self.assertLess(event["rss_kib"], 300 << 10)

    def test_one_allocation_beyond_the_limit_raises_in_the_bot(self):
        seat = self.beside_a_neighbour(action("bytearray(1 << 30)"))
        seat.receive()
        self.assertEqual(seat.act(), [0, "MemoryError"])

    def wait_for_cpu(self, above_ms):
        """Waits until seat 0 has used more processor time than `above_ms`, however long that takes on a busy machine."""
        deadline = time.monotonic() + 30
        while self.host.request("usage")["seats"][0]["cpu_ms"] <= above_ms:
            self.assertLess(time.monotonic(), deadline, "the seat's processor time does not grow")
            time.sleep(0.01)

    def test_memory_above_100_mib_is_reported_once(self):
        seat = self.beside_a_neighbour(action("self.kept = b'x' * (120 << 20)"))
        seat.receive()
        self.assertEqual(seat.act(), [3, 0])
        warning = self.host.event("memory-warning", 0)
        self.assertGreater(warning["rss_kib"], 100 << 10)
        time.sleep(0.2)
        self.assertTrue(self.host.request("usage")["seats"][0]["alive"])
        self.assertEqual([event for event in self.host.events if event["event"] == "memory-warning"], [])

    def test_a_thread_bomb_is_bounded_and_harms_nobody(self):
        body = "started = 0\ntry:\n    while True:\n        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n        started += 1\n"
        seat = self.beside_a_neighbour(action(body + "except RuntimeError:\n    return PokerAction.RAISE, started"))
        seat.receive()
        reply = seat.act()
        self.assertTrue(reply is None or 8 <= reply[1] <= 32, reply)

    def test_a_thread_bomb_of_seats_that_share_a_user_is_killed(self):
        with SeatHost(run_as=54321 if os.geteuid() == 0 else None) as host:
            seat, neighbour = host.open(action("while True:\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"), bot(""), memory_mib=512)
            self.assertTrue(seat.receive()["ready"] and neighbour.receive()["ready"])
            seat.act()
            event = host.event("exit", 0)
            self.assertEqual(event["reason"], "crash")
            self.assertIn("threads", event["detail"])
            self.assertEqual(neighbour.act(), [3, 0])

    def test_printing_never_blocks_and_the_excess_is_dropped_with_a_note(self):
        seat = self.beside_a_neighbour(action("for n in range(3000):\n    print('line', n, 'x' * 300)"), log_bytes=20000)
        seat.receive()
        self.assertEqual(seat.act(), [3, 0])
        self.assertEqual(seat.act(), [3, 0])
        text = self.host.request("logs", seat=0)["text"]
        self.assertTrue(text.startswith("--- hand 0, get_action 1\nline 0 xxx"))
        self.assertLess(len(text), 21000)
        self.assertIn("bytes left out here]", text)

    def test_too_much_output_ends_the_seat(self):
        self.assertEqual(self.exit_of(action("while True:\n    print('x' * 10000)"))["reason"], "output")

    def test_a_flood_by_os_write_is_bounded_and_does_not_delay_the_host(self):
        seat = self.beside_a_neighbour(action("while True:\n    try:\n        os.write(1, b'x' * 65536)\n    except OSError:\n        pass"))
        seat.receive()
        seat.send([1, [["a", [0, [], 0, "", 0, "", [], "", []], 0, 0, 0]]])
        time.sleep(0.3)
        begun = time.monotonic()
        self.assertLess(len(self.host.request("logs", seat=0)["text"]), 70000)
        self.assertLess(time.monotonic() - begun, 10)

    def exit_on_disk(self, source):
        """Like exit_of, with a scratch directory that only the sampler limits."""
        with SeatHost("--without", "scratch_limit", "--allow-strangers-without-sandbox") as host:
            (seat,) = host.open(source)
            self.assertTrue(seat.receive()["ready"])
            self.assertIsNone(seat.act())
            event = host.event("exit", 0)
            host.close_match()
            self.assertEqual(os.listdir(os.path.join(host.run_dir, "scratch")), ["root"])
            return event

    def test_a_full_scratch_directory_on_a_disk_ends_the_seat(self):
        big = "while True:\n    for n in range(200):\n        with open(str(n), 'wb') as f:\n            try:\n                f.write(b'x' * (4 << 20))\n            except OSError:\n                pass"
        self.assertEqual(self.exit_on_disk(action(big))["reason"], "output")

    def test_a_file_larger_than_allowed_raises_in_the_bot(self):
        seat = self.beside_a_neighbour(action("open('x', 'wb').write(b'x' * (5 << 20))\nopen('x', 'ab').write(b'x')"))
        seat.receive()
        self.assertIn("OSError: [Errno 27] File too large", seat.act()[1])

    def test_deeply_nested_directories_on_a_disk_end_the_seat_and_are_removed(self):
        deep = "while True:\n    try:\n        os.mkdir('d')\n    except FileExistsError:\n        pass\n    os.chdir('d')"
        self.assertEqual(self.exit_on_disk(action(deep))["reason"], "output")

    def test_directories_whose_path_is_too_long_end_the_seat_and_are_removed(self):
        deep = "for n in range(30):\n    os.mkdir('d' * 250, 0o700 if n < 29 else 0o500)\n    os.chdir('d' * 250)\ntime.sleep(1)"
        self.assertEqual(self.exit_on_disk(action(deep))["reason"], "output")

    def test_files_fill_a_scratch_of_32_mib_and_no_more(self):
        body = """
size = 0
try:
    for n in range(200):
        with open(str(n), 'wb', buffering=0) as file:
            size += file.write(b'x' * (4 << 20))
except OSError as error:
    raise RuntimeError(f'{error.errno} {size >> 20}')
"""
        seat = self.beside_a_neighbour(action(body))
        seat.receive()
        self.assertIn(seat.act(), ([0, "RuntimeError: 28 31"], [0, "RuntimeError: 28 32"]))

    def test_files_that_were_deleted_but_are_mapped_count_too(self):
        body = """
import mmap
held = []
try:
    while True:
        with open('f', 'w+b') as file:
            os.posix_fallocate(file.fileno(), 0, 4 << 20)
            os.unlink('f')
            held.append(mmap.mmap(file.fileno(), 4 << 20, access=mmap.ACCESS_READ))
except OSError as error:
    raise RuntimeError(f'{error.errno} {len(held)}')
"""
        seat = self.beside_a_neighbour(action(body))
        seat.receive()
        self.assertIn(seat.act(), ([0, "RuntimeError: 28 7"], [0, "RuntimeError: 28 8"]))

    def test_files_are_charged_to_the_seats_memory(self):
        body = """
for n in range(7):
    with open(str(n), 'wb') as file:
        file.write(b'x' * (4 << 20))
"""
        seat = self.beside_a_neighbour(action(body))
        seat.receive()
        before = self.host.request("usage")["seats"][0]["rss_kib"]
        self.assertEqual(seat.act(), [3, 0])
        self.assertGreaterEqual(self.host.request("usage")["seats"][0]["rss_kib"] - before, 28 << 10)

    def test_entries_of_the_scratch_are_bounded(self):
        body = """
made = 0
try:
    while True:
        os.mkdir(str(made))
        os.chdir(str(made))
        made += 1
except OSError as error:
    raise RuntimeError(f'{error.errno} {256 <= made < 400}')
"""
        seat = self.beside_a_neighbour(action(body))
        seat.receive()
        self.assertEqual(seat.act(), [0, "RuntimeError: 28 True"])

    def test_threads_of_a_neighbour_do_not_show_in_thread_numbers(self):
        body = "    def get_action(self, s, r):\n        threads = [threading.Thread(target=lambda: None) for _ in range(%s)]\n"
        body += "        [thread.start() or thread.join() for thread in threads]\n"
        body += "        one = threading.Thread(target=lambda: None)\n        one.start()\n        return PokerAction.RAISE, one.native_id\n"
        seat, neighbour = self.host.open(bot(body % 0), bot(body % 17))
        self.addCleanup(self.host.close_match)
        self.assertTrue(seat.receive()["ready"] and neighbour.receive()["ready"])
        numbers = []
        for _ in range(3):
            numbers.append(seat.act()[1])
            neighbour.act()
        self.assertEqual(numbers, [numbers[0], numbers[0] + 1, numbers[0] + 2])

    def test_a_paused_seat_uses_no_processor_and_continues_when_it_is_resumed(self):
        seat = self.beside_a_neighbour(action("threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"))
        seat.receive()
        seat.act()
        self.wait_for_cpu(above_ms=30)
        self.assertTrue(self.host.request("pause", seat=0)["ok"])
        self.assertTrue(self.host.request("logs", seat=0)["ok"])
        pid = self.host.seat_pid(0)
        deadline = time.monotonic() + 30
        while state_of(pid) != "T":  # the kernel stops a process when it next has a processor
            self.assertLess(time.monotonic(), deadline, "the seat is not stopped")
            time.sleep(0.01)
        seat.send([2, [HAND, ACT]])
        self.assertTrue(self.host.request("resume", seat=0)["ok"])
        self.assertEqual(seat.receive(), [2, 3, 0])

    def test_an_endless_loop_can_be_killed_without_an_event(self):
        seat = self.beside_a_neighbour(action("while True:\n    pass"))
        seat.receive()
        seat.send([1, [["a", [0, [], 0, "", 0, "", [], "", []], 0, 0, 0]]])
        self.wait_for_cpu(above_ms=50)
        self.assertTrue(self.host.request("kill", seat=0, reason="time")["ok"])
        self.assertIsNone(seat.receive())
        while self.host.request("usage")["seats"][0]["alive"]:
            time.sleep(0.01)
        self.assertEqual(self.host.request("usage")["seats"][0]["exit"], {"reason": "time", "signal": 9, "code": None})
        self.assertEqual([event for event in self.host.events if event["event"] == "exit"], [])

    def test_cpu_of_a_bots_threads_is_counted_from_outside(self):
        seat = self.beside_a_neighbour(action("threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"))
        seat.receive()
        seat.act()
        before = self.host.request("usage")["seats"][0]["cpu_ms"]
        self.wait_for_cpu(above_ms=before + 60)

    def test_waiting_for_a_processor_is_distinguished_from_sleeping(self):
        compute = "def compute():\n    end = time.process_time() + 0.2\n    while time.process_time() < end: pass\n"
        in_thread = "thread = threading.Thread(target=compute)\nthread.start()\nthread.join()"
        with SeatHost("--cpu", "0") as host:
            seats = host.open(action(f"{compute}compute()"), action(compute + in_thread), action("time.sleep(0.3)"))
            for seat in seats:
                seat.receive()
            for seat in seats:
                seat.send([1, [HAND, ACT]])
            for seat in seats:
                seat.receive()
            first, second, sleeper = [seat["wait_ms"] for seat in host.request("usage")["seats"]]
        self.assertGreater(min(first, second), 50)
        self.assertLess(sleeper, (first + second) / 2)

    def test_every_kind_of_end_is_reported_with_its_reason(self):
        for statement, reason, signal_number, code in (
            ("os._exit(7)", "crash", None, 7),
            ("os._exit(0)", "crash", None, 0),
            ("os._exit(93)", "crash", None, 93),
            ("os._exit(94)", "crash", None, 94),
            ("ctypes.string_at(0)", "signal", 11, None),
            # The first process of a namespace ignores SIGABRT; abort() then ends it by an illegal instruction.
            ("os.abort()", "signal", 11, None),
            ("os.close(60)", "crash", None, 1),
        ):
            with self.subTest(statement):
                seat, neighbour = self.host.open(action(statement), bot(""))
                first = (seat.receive()["ready"], neighbour.receive()["ready"])
                seat.act()
                event = self.host.event("exit", 0)
                reply = neighbour.act()
                self.host.close_match()
                self.assertEqual((event["reason"], event["signal"], event["code"]), (reason, signal_number, code))
                self.assertEqual((first, reply), ((True, True), [3, 0]))

    def test_a_bot_cannot_fake_a_failure_of_the_host(self):
        event = self.exit_of("import os\nos.write(1, b'{\"failed\": \"landlock\", \"why\": \"x\"}\\n')\nos._exit(94)\n")
        self.assertRegex(f"{event['reason']}: {event['detail']}", "^crash: ended with status 94; return an action")

    def test_a_recursion_bomb_ends_only_itself(self):
        source = "import sys\nsys.setrecursionlimit(10**9)\ndef down(): return down()\n" + action("down()")
        seat = self.beside_a_neighbour(source, memory_mib=64)
        seat.receive()
        reply = seat.act()
        if reply is None:
            self.assertIn(self.host.event("exit", 0)["reason"], ("memory", "signal"))
        else:
            self.assertEqual(reply[0], 0)

    def test_a_seat_ends_when_its_dealer_closes_the_connection(self):
        seat = self.beside_a_neighbour(bot(""))
        seat.receive()
        seat.close()
        self.assertEqual(self.host.event("exit", 0)["reason"], "closed")
