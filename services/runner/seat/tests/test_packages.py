"""Third-party wheels inside the sandbox, from a directory as submission unpacks it."""

import os
import shutil
import subprocess
import tempfile
import unittest

from tests.harness import SeatHost, bot, python_for_seats

PACKAGES = ("numpy", "eval7")


def install(folder):
    """Unpack wheels for the seats' interpreter; returns what went wrong, or None."""
    command = [python_for_seats(), "-m", "pip", "install", "--quiet", "--no-input", "--only-binary=:all:", "--target", folder, *PACKAGES]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return done.stderr.strip().splitlines()[-1] if done.returncode else None


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="husky-packages-")
        os.chmod(cls.folder, 0o755)
        problem = install(cls.folder)
        if problem:
            shutil.rmtree(cls.folder)
            print(f"skipped: numpy and eval7 cannot be installed here: {problem}")
            raise unittest.SkipTest(problem)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def play(self, source, **host_options):
        with SeatHost(**host_options) as host:
            (seat,) = host.open(source, packages_dir=self.folder)
            first = seat.receive()
            self.assertTrue(first["ready"], first)
            answer = seat.act()
            return answer, host.ask("usage")["seats"][0]

    def test_numpy_works_in_a_seat_with_one_thread(self):
        body = "    def get_action(self, s, r):\n        a = np.random.default_rng().random((200, 200))\n        b = np.linalg.inv(a @ a.T + np.eye(200))\n"
        body += "        assert np.isfinite(b).all() and threading.active_count() == 1\n        return PokerAction.RAISE, np.int64(42)\n"
        for user in (None, 54321) if os.geteuid() == 0 else (None,):
            with self.subTest(run_as=user):
                answer, usage = self.play("import numpy as np\n" + bot(body), run_as=user)
                self.assertEqual(answer, [4, 42])
                self.assertLess(usage["peak_kib"], 100 << 10)

    def test_eval7_works_in_a_seat(self):
        body = "    def get_action(self, s, r):\n        hand = [eval7.Card(c) for c in ('As', 'Ah', 'Ad', 'Ac', 'Kd')]\n"
        body += "        assert eval7.handtype(eval7.evaluate(hand)) == 'Quads'\n        return PokerAction.CALL, np.float64(1.5)\n"
        answer, _ = self.play("import eval7\nimport numpy as np\n" + bot(body))
        self.assertEqual(answer, [3, 1.5])
