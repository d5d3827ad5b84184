# Record locks on a shared file
# tries: one takes a lock by F_SETLK, the other tests it by F_GETLK
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp
# hands: 80

import fcntl
import struct


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            answer = fcntl.fcntl(shared, fcntl.F_GETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
        return struct.unpack("hhqqi", answer)[0] != fcntl.F_UNLCK

# --- partner.py
import fcntl
import struct


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.fcntl(self.shared, fcntl.F_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK if bit else fcntl.F_UNLCK, 0, 0, 0, 0))
