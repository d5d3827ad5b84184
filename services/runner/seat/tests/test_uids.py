"""Folders that a seat's user may pass through."""

import os
import struct
import tempfile
import unittest

from husky_seat.uids import may_pass


class MayPass(unittest.TestCase):
    def test_a_folder_admits_everybody_or_users_of_its_access_control_list(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o711)
            self.assertTrue(may_pass(folder, 61000))
            os.chmod(folder, 0o770)
            self.assertFalse(may_pass(folder, 61000))
            nobody = 0xFFFFFFFF
            entries = [(1, 7, nobody), (2, 1, 61000), (4, 0, nobody), (16, 1, nobody), (32, 0, nobody)]
            acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
            os.setxattr(folder, "system.posix_acl_access", acl)
            self.assertTrue(may_pass(folder, 61000))
            self.assertFalse(may_pass(folder, 61001))
            # The list's mask removes all rights from the entry.
            os.chmod(folder, 0o700)
            self.assertFalse(may_pass(folder, 61000))
