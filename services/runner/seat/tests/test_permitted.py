"""The list of permitted system calls."""

import sys
import unittest

from tests.harness import SEAT_DIR

sys.path.insert(0, SEAT_DIR)
from husky_seat import permitted, seccomp, syscalls  # noqa: E402


class PermittedCalls(unittest.TestCase):
    def test_each_call_is_listed_once_with_a_reason_and_has_a_number(self):
        calls = [call for row in permitted.PERMITTED for call in row.calls]
        self.assertEqual(len(calls), len(set(calls)))
        self.assertEqual([call for call in calls if call not in syscalls.NUMBERS], [])
        self.assertTrue(all(row.reason for row in permitted.PERMITTED))

    def test_each_condition_of_the_table_is_in_the_filter(self):
        described = {call for row in permitted.PERMITTED if row.condition for call in row.calls} - {"close"}
        self.assertEqual(described, set(seccomp.CONDITIONS))
