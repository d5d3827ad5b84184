# Signals to others by descriptors
# tries: F_SETOWN, F_SETSIG, FIOSETOWN, SIOCSPGRP aim SIGIO at a neighbour
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: seccomp

import fcntl
import socket


class SimplePlayer(Attacker):
    def attack(self):
        pair = socket.socketpair()
        target = neighbours()[0]
        for name, attempt in (("F_SETOWN", lambda: fcntl.fcntl(60, 8, target)), ("F_SETSIG", lambda: fcntl.fcntl(60, 10, 9)),
                              ("F_SETOWN_EX", lambda: fcntl.fcntl(60, 15, b"\0" * 8)), ("FIOSETOWN", lambda: fcntl.ioctl(60, 0x8901, b"\0\0\0\1")),
                              ("SIOCSPGRP", lambda: fcntl.ioctl(60, 0x8902, b"\0\0\0\1")), ("of a pair", lambda: fcntl.fcntl(pair[0], 8, target))):
            refused(name, attempt)
