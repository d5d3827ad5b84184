"""Hints beside errors, and what texts for participants show of the machine. The mistakes of first bots are in ../../fixtures/mistakes.json."""

import os
import sys
import tempfile
import unittest

from tests.harness import CALLER, HAND, SEAT_DIR, STATE, OneHost, action, bot

sys.path.insert(0, SEAT_DIR)
from husky_seat import hints  # noqa: E402
from husky_seat.advice import with_advice  # noqa: E402
from husky_seat.log import BoundedLog  # noqa: E402

# What an honest bot may try, by the rule of the sandbox that it meets. Each line is one bot.
ATTEMPTS = {
    "Memory": "bytearray(2 << 30)",
    "32 threads": """
        [threading.Thread(target=time.sleep, args=(.3,), daemon=True).start() for _ in range(60)]
        __import__('concurrent.futures').futures.ThreadPoolExecutor(99).map(time.sleep, [.3] * 99)""",
    "64 open files": """
        held = [open('player.py') for _ in range(99)]
        held = [socket.socketpair() for _ in range(99)]""",
    "32 MiB, 256 entries, 4 MiB a file": """
        [open(f'f{n}', 'wb').write(bytes(3 << 20)) for n in range(20)]
        open('f', 'wb').write(bytes(5 << 20))
        [open(f'f{n}', 'w').close() for n in range(999)]""",
    "SQLite without locks": """
        import sqlite3; sqlite3.connect('mem.db').execute('create table t(a)')
        import sqlite3; sqlite3.connect('/tmp/mem.db').execute('create table t(a)')
        import sqlite3; sqlite3.connect(os.path.expanduser('~/mem.db')).execute('create table t(a)')""",
    "No processes": """
        from multiprocessing import shared_memory; shared_memory.SharedMemory(create=True, size=9)
        import multiprocessing; multiprocessing.Process(target=print).start()
        import multiprocessing; multiprocessing.Pool(2)
        import multiprocessing; multiprocessing.Value('i', 3)
        import multiprocessing; multiprocessing.Queue()
        import multiprocessing; multiprocessing.Manager()
        import multiprocessing; multiprocessing.get_context('spawn').Process(target=print).start()
        from concurrent.futures import ProcessPoolExecutor as Pool; list(Pool(2).map(str, [1, 2]))""",
    "No other programs": """
        import subprocess; subprocess.run(['ls'])
        import subprocess; subprocess.check_output('ls', shell=True)
        os.fork()
        os.popen('ls')
        os.execv('/bin/ls', ['ls'])
        os.posix_spawn('/bin/ls', ['ls'], {})
        import asyncio; asyncio.run(asyncio.create_subprocess_exec('ls'))""",
    "No shared memory": "import mmap; mmap.mmap(-1, 99)",
    "No locks on files": """
        import fcntl; fcntl.flock(open('q', 'w'), fcntl.LOCK_EX)
        import fcntl; fcntl.lockf(open('q', 'w'), fcntl.LOCK_EX)
        os.lockf(open('q', 'w').fileno(), os.F_LOCK, 0)""",
    "No network": """
        socket.socket()
        socket.socket(socket.AF_UNIX)
        socket.create_connection(('192.0.2.1', 80))
        socket.getaddrinfo('example.org', 80)
        import urllib.request; urllib.request.urlopen('http://example.org')
        import urllib.request; urllib.request.urlopen('http://192.0.2.1')
        import http.client; http.client.HTTPConnection('example.org').request('GET', '/')
        import asyncio; asyncio.run(asyncio.open_connection('192.0.2.1', 80))""",
    "No signals, priorities, limits": """
        os.kill(os.getpid(), 10)
        os.nice(1)
        os.sched_setaffinity(0, {0})
        import resource; resource.setrlimit(resource.RLIMIT_STACK, (1 << 26, 1 << 26))""",
    "Files have names and contents only": """
        open('q', 'w').close(); os.chmod('q', 0o600)
        open('q', 'w').close(); os.utime('q')
        import shutil; open('q', 'w').close(); shutil.copy2('q', 'r')
        os.symlink('a', 'b')
        import shutil; shutil.disk_usage('.')""",
    "No files beyond the upload": """
        open('weights.json')
        open(os.path.join(os.path.dirname(__file__), 'weights.json'))
        import pathlib; pathlib.Path('data/table.csv').read_text()""",
    "Files in the current folder only": """
        open('/tmp/x', 'w')
        open('/home/me/x', 'w')
        os.makedirs('/data/x')
        open(os.path.join(os.path.dirname(__file__), 'x.json'), 'w')
        open('player.py', 'a')
        import tempfile; tempfile.mkdtemp(dir='/tmp')
        open('/proc/meminfo')""",
    "No terminal, no display, no users": """
        input('?')
        import curses; curses.initscr()
        import getpass; getpass.getuser()
        import locale; locale.setlocale(locale.LC_ALL, 'de_DE.UTF-8')""",
    "Other calls": "import dbm.dumb; dbm.dumb.open('x', 'c')",
    "Modules of the platform": """
        from bot import BaseBot
        from type import PokerAction
        import type.cards""",
    "One file": "from .evaluator import rank",
    "Parts of Python that are missing": "import pip",
    "Packages": """
        import sklearn
        import importlib.metadata; importlib.metadata.version('numpy')""",
    "Leaving": """
        exit()
        sys.exit('done')""",
}
# What an honest bot may do instead, by the hints.
WAYS_OUT = """
import sqlite3; sqlite3.connect("file:x.db?nolock=1", uri=True).execute('create table t(a)')
import mmap; mmap.mmap(-1, 99, flags=mmap.MAP_PRIVATE)[0] = 1
import mmap; mmap.mmap(os.open('player.py', os.O_RDONLY), 0, access=mmap.ACCESS_READ)[0]
import shutil; shutil.copyfile('player.py', 'q'); os.rename('q', 'r')
open('notes.txt', 'w').close()
from concurrent.futures import ThreadPoolExecutor as Pool; list(Pool(4).map(str, [1, 2]))
import tempfile; tempfile.NamedTemporaryFile().write(b'x')
import shelve; shelve.open('x').close()
"""


class Hints(OneHost):
    def test_the_documents_show_the_list_of_the_source(self):
        with open(os.path.join(SEAT_DIR, "../../../docs/bots.md"), encoding="utf-8") as document:
            self.assertTrue(hints.markdown() in document.read(), f"put this list into docs/bots.md:\n{hints.markdown()}")

    def test_every_rule_of_the_sandbox_that_a_bot_meets_ends_in_its_hint(self):
        for rule, statements in ATTEMPTS.items():
            ways_out = {hint.way_out.replace("{}", ".+") for hint in hints.HINTS if hint.rule == rule}
            for statement in statements.strip().splitlines():
                with self.subTest(statement.strip()):
                    (seat,) = self.host.open(action(statement))
                    ready, reply, (usage,) = seat.receive()["ready"], seat.act(HAND), self.host.close_match()
                    self.assertEqual((ready, reply[0], seat.line), (True, 0, action(statement).split("\n").index(f"        {statement.strip()}") + 1))
                    self.assertRegex(str(seat.way_out), "|".join(f"^{way_out}$" for way_out in map(escape, ways_out)))
                    self.assertIn(seat.way_out, usage["log"].splitlines())

    def test_what_the_hints_name_works(self):
        for statement in WAYS_OUT.strip().splitlines():
            with self.subTest(statement):
                (seat,) = self.host.open(action(statement))
                ready, reply = seat.receive()["ready"], seat.act(HAND)
                self.host.close_match()
                self.assertEqual((ready, reply), (True, [3, 0]))

    def test_the_end_of_a_process_has_a_hint(self):
        for reason, detail in (
            ("memory", "300000 KiB used, 262144 allowed"),
            ("crash", "33 threads, 32 allowed"),
            ("crash", "ended with status 0"),
            ("signal", "ended by SIGSEGV"),
            ("startup", "not ready after 30 s"),
            ("output", "more than 67108864 bytes printed"),
            ("output", "more than 33554432 bytes or 256 entries in the scratch directory"),
        ):
            self.assertRegex(with_advice(reason, detail), f"^{detail}; .+")
        self.assertEqual(with_advice("closed", "the connection was closed"), "the connection was closed")

    def test_exceptions_in_threads_of_libraries_and_behind_others_have_hints(self):
        body = """
def work(): 1 / 0
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(os.system('ls'))
try:
    open('weights.json')
except OSError as error:
    raise RuntimeError('no weights') from error
"""
        seat = self.ready(action(body))
        self.assertEqual((seat.act(HAND), seat.way_out), ([0, "RuntimeError: no weights"], "only player.py is uploaded: put the data into it, or make the file first"))
        log = self.host.request("logs", seat=0)["text"]
        self.assertRegex(log, r"(?s)^--- hand 1, get_action 1\nException in thread .*line \d+, in work.*division by zero\ncheck the divisor.*\nos\.system\('ls'\).*; no other programs.*\n32512\n")

    def test_wrong_parameters_are_answered_by_those_that_the_method_gets(self):
        state, money = "(self, round_state, remaining_chips)", "(self, round_state, player_score, all_scores, active_players_hands)"
        start = "(self, starting_chips, player_hands, blind_amount, big_blind_player_id, small_blind_player_id, all_players)"
        events = [HAND, ["r", STATE, 20, 9995, 9995], ["e", STATE, 0, 0, 9995], ["g", STATE, 0, 0, 1, 0, [0, 0], "", []]]
        for method, gets, variants in (
            ("set_id", "(self, player_id)", ["(self)", "(self, a, b)"]),
            ("on_start", start, ["(self, starting_chips, all_players)", "()", "(self, a, b, c, d, e, f, g)"]),
            ("on_round_start", state, ["(self, round_state)", "(self, *, round_state)"]),
            ("get_action", state, ["(self, round_state)", "(self, round_state, remaining_chips, hand)", "(self)"]),
            ("on_end_round", state, ["(self)"]),
            ("on_end_game", money, ["(self, round_state, score)"]),
        ):
            for parameters in [*variants, f"static{gets}"]:
                static, bare = parameters.startswith("static"), parameters.removeprefix("static")
                source = bot(("    @staticmethod\n" if static else "") + f"    def {method}{bare}: pass\n")
                with self.subTest(method, parameters=parameters):
                    (seat,) = self.host.open(source)
                    seat.receive()
                    reply = seat.act(*events)
                    log = self.host.close_match()[0]["log"]
                    text = f"{reply[1]}; {seat.way_out}" if method == "get_action" else seat.failed_calls[0][1]
                    self.assertIn(f"; {method} gets {gets}", text)
                    self.assertEqual(seat.line or int(text.rpartition("line ")[2].rstrip(")")), CALLER.count("\n") + 4)
                    self.assertRegex(log, rf"^--- hand 1, {method}(?: 1)?\nTraceback \(most recent call last\):\nTypeError: ")

    def test_methods_that_do_not_run_when_they_are_called_are_reported(self):
        for head, name in (("async def {}(self, *a): pass", "coroutine"), ("def {}(self, *a): yield", "generator"), ("async def {}(self, *a): yield", "async_generator")):
            (seat,) = self.host.open(bot(f"    {head.format('on_start')}\n    {head.format('get_action')}\n"))
            seat.receive()
            reply = seat.act(HAND)
            self.host.close_match()
            self.assertEqual((reply[1].rpartition(", ")[2], seat.way_out), (f"not {name}", "write def, not async def, and return, not yield"))
            self.assertRegex(seat.failed_calls[0][1], rf"^NeverRan: on_start is a {name}, so its code never ran; write def, .* \(line \d+\)$")

    def test_no_text_shows_paths_or_lines_of_the_platform(self):
        body = """
import bot, faulthandler, inspect, json, logging, traceback, types, warnings
print(sys.path, sys.prefix, sys.executable, sys.orig_argv, sys.argv, __file__, os.getcwd(), os.environ)
print([getattr(module, '__file__', None) for module in sys.modules.values()])
print(inspect.getsourcefile(bot.Bot), inspect.stack(), [frame.filename for frame in traceback.extract_stack()])
faulthandler.dump_traceback(all_threads=True)
traceback.print_stack()
logging.error('here', stack_info=True)
warnings.warn('here', stacklevel=3)
try: json.loads('{')
except ValueError: traceback.print_exc()
thread = threading.Thread(target=json.loads, args=('{',))
thread.start()
thread.join()
class Left:
    def __del__(self): json.loads('{')
del Left
space = {}
exec('def called(): raise ExceptionGroup("several", [OSError(__import__("sys").path[1])])', space)
space['called']()
"""
        seat = self.ready(action(body))
        reply = seat.act(HAND)
        log = self.host.request("logs", seat=0)["text"]
        for text in (log, str(reply)):
            for path in (SEAT_DIR, self.host.run_dir, os.path.dirname(os.__file__), "husky_seat/", "dialogue.py"):
                self.assertNotIn(path, text)
        for part in ('File "player.py", line', "/bot/player.py", "/api/bot.py", 'File "<string>", line 1, in called', "JSONDecodeError: ", "OSError: /api"):
            self.assertIn(part, log)

    def test_tracebacks_show_files_of_packages_relative_to_their_folder(self):
        with tempfile.TemporaryDirectory() as packages:
            os.chmod(packages, 0o755)
            os.mkdir(os.path.join(packages, "charts"))
            with open(os.path.join(packages, "charts", "ranges.py"), "w", encoding="utf-8") as module:
                module.write("import json\ndef read(): return json.load(open('charts.json'))\n")
            seat = self.ready("import charts.ranges\n" + action("charts.ranges.read()"), packages_dir=packages)
            self.assertEqual(seat.act(HAND)[0], 0)
            log = self.host.request("logs", seat=0)["text"]
        self.assertRegex(log, r'^--- hand 1, get_action 1\nTraceback .*\n  File "player.py", line \d+, in get_action\n(    .*\n)+  File "charts/ranges.py", line 2, in read\n(    .*\n)+FileNotFoundError: ')

    def test_a_log_that_is_cut_has_whole_lines_and_no_part_of_a_path(self):
        log = BoundedLog(100)
        for _ in range(20):
            log.add(b"/home/operator/seat/file.py\n")
        self.assertEqual(set(log.text().splitlines()), {"/home/operator/seat/file.py", "[504 bytes left out here]"})


def escape(text: str) -> str:
    return "".join(f"\\{one}" if one in "()?'\"" else one for one in text)
