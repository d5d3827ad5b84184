"""Third-party wheels inside the sandbox, from a directory as submission unpacks it."""

import os
import shutil
import tempfile
import unittest

from tests.harness import SeatHost, bot

PACKAGES = ("numpy", "eval7")


def installed_packages():
    """Returns the folder with PACKAGES that `make test` has put on this interpreter's path, or None."""
    for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
        if folder and all(os.path.isdir(os.path.join(folder, name)) for name in PACKAGES):
            return folder
    return None


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        packages = installed_packages()
        if packages is None:
            reason = "skipped: numpy and eval7 are not on PYTHONPATH; `make test` installs them"
            print(reason)
            raise unittest.SkipTest(reason)
        # The seats' users may not be able to read the project's folder.
        cls.folder = tempfile.mkdtemp(prefix="husky-packages-")
        os.chmod(cls.folder, 0o755)
        shutil.copytree(packages, cls.folder, dirs_exist_ok=True)
        os.chmod(cls.folder, 0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def play(self, source, **host_options):
        with SeatHost(**host_options) as host:
            (seat,) = host.open(source, packages_dir=self.folder)
            first = seat.receive()
            self.assertTrue(first["ready"], first)
            reply = seat.act()
            return reply, host.request("usage")["seats"][0]

    def test_numpy_works_in_a_seat_with_one_thread(self):
        body = "    def get_action(self, s, r):\n        a = np.random.default_rng().random((200, 200))\n        b = np.linalg.inv(a @ a.T + np.eye(200))\n"
        body += "        assert np.isfinite(b).all() and threading.active_count() == 1\n        return PokerAction.RAISE, np.int64(42)\n"
        for user in (None, 54321) if os.geteuid() == 0 else (None,):
            with self.subTest(run_as=user):
                reply, usage = self.play("import numpy as np\n" + bot(body), run_as=user)
                self.assertEqual(reply, [4, 42])
                self.assertLess(usage["peak_kib"], 100 << 10)

    def test_eval7_works_in_a_seat(self):
        body = "    def get_action(self, s, r):\n        hand = [eval7.Card(c) for c in ('As', 'Ah', 'Ad', 'Ac', 'Kd')]\n"
        body += "        assert eval7.handtype(eval7.evaluate(hand)) == 'Quads'\n        return PokerAction.CALL, np.float64(1.5)\n"
        reply, _ = self.play("import eval7\nimport numpy as np\n" + bot(body))
        self.assertEqual(reply, [3, 1.5])
