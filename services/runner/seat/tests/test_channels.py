"""The detector of channels between seats, on the means that close the widest ones."""

import os
import unittest

from tests import detect_channels

ORDINARY_USER = 54321


class Channels(unittest.TestCase):
    def found(self, operation, *options, run_as=None):
        return [one for one in detect_channels.search(operation, list(options), run_as) if not one.allowed()]

    def test_what_a_seat_looks_up_reads_and_changes_does_not_show_in_another(self):
        for run_as in (None, ORDINARY_USER) if os.geteuid() == 0 else (None,):
            for operation in ("look_up", "times_in_scratch", "pipes_and_sockets"):
                with self.subTest(operation, run_as=run_as):
                    self.assertEqual(self.found(operation, run_as=run_as), [])

    def test_the_search_finds_failed_look_ups_on_a_file_system_of_the_machine(self):
        found = self.found("look_up", "--without", "own_root", "--allow-strangers-without-sandbox")
        self.assertTrue(any("missing name" in one.observation for one in found), found)


if __name__ == "__main__":
    unittest.main()
