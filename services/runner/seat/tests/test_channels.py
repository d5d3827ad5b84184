"""The detector of channels between seats, on the means that close the widest ones."""

import os
import unittest
from unittest import mock

from tests import detect_channels

ORDINARY_USER = 54321


class Channels(unittest.TestCase):
    def found(self, operation, *options, run_as=None):
        return [one for one in detect_channels.search(operation, list(options), run_as) if not one.allowed()]

    def test_what_a_seat_looks_up_reads_and_changes_does_not_show_in_another(self):
        for run_as in (None, ORDINARY_USER) if os.geteuid() == 0 else (None,):
            for operation in ("look_up", "read_file", "times_in_scratch", "pipes_and_sockets"):
                with self.subTest(operation, run_as=run_as):
                    self.assertEqual(self.found(operation, run_as=run_as), [])

    def test_the_search_finds_failed_look_ups_on_a_file_system_of_the_machine(self):
        found = self.found("look_up", "--without", "own_root", "--allow-strangers-without-sandbox")
        self.assertTrue(any("missing name" in one.observation for one in found), found)

    @unittest.skipIf(tuple(map(int, os.uname().release.split(".")[:2])) < (6, 13), "precise times of files came with Linux 6.13")
    def test_the_search_finds_times_of_files_that_the_dealer_does_not_renew(self):
        # Every program of the machine that reads times of changed files adds noise.
        for _ in range(6):
            with mock.patch.object(detect_channels, "renew_file_times"):
                found = self.found("times_in_scratch")
            if any("new file" in one.observation for one in found):
                return
        self.fail("not found")


if __name__ == "__main__":
    unittest.main()
