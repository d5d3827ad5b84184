# Locks of open file descriptions
# tries: F_OFD_SETLK and F_OFD_GETLK on a shared file
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp
# hands: 80

import fcntl
import struct


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            answer = fcntl.fcntl(shared, 36, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        return struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK

# --- partner.py
import fcntl
import struct


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.fcntl(self.shared, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK if bit else fcntl.F_UNLCK, 0, 0, 0, 0))
