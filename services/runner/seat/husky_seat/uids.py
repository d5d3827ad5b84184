"""User ids of seats if the host is root: one per running seat, which no other process of this machine has."""

import os
import pwd
import random
import socket
import struct

# Unassigned in systemd's table of user ids (60578 to 61183).
_FIRST, _LAST = 61000, 61183

_ACL_USER = 0x02


class UidError(Exception):
    """No user id is free."""


class SeatUid:
    """A user id reserved by this host until release() or the end of the host."""

    def __init__(self) -> None:
        # In random order: the number must not tell how many seats the machine has.
        for number in random.sample(range(_FIRST, _LAST + 1), _LAST + 1 - _FIRST):
            if _known(number):
                continue
            # The abstract socket's name is a lock for all hosts of this machine; the kernel releases it when the host ends.
            holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                holder.bind(f"\0husky-seat-uid-{number}")
            except OSError:
                holder.close()
                continue
            self.number = number
            self._holder = holder
            return
        raise UidError(f"all user ids from {_FIRST} to {_LAST} are taken")

    def release(self) -> None:
        """Releases the id. Call it after the seat's processes have ended and its files are removed."""
        self._holder.close()


def may_pass(folder: str, uid: int) -> bool:
    """Returns whether a user may pass through a folder by its mode or its access control list (linux/posix_acl_xattr.h)."""
    mode = os.stat(folder).st_mode
    if mode & 0o001:
        return True
    try:
        entries = os.getxattr(folder, "system.posix_acl_access")[4:]
    except OSError:
        return False
    # The group's bits are the list's mask.
    return bool(mode & 0o010) and any(
        tag == _ACL_USER and user == uid and rights & 1 for tag, rights, user in struct.iter_unpack("<HHI", entries)
    )


def _known(number: int) -> bool:
    try:
        pwd.getpwuid(number)
    except KeyError:
        return False
    return True
