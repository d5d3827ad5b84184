# Locks on a file that all seats share
# tries: the sender takes or drops flock on a file of the library, the receiver tries it
# idea: tried by strangers against this platform
# verdict: plays
# means: seccomp
# hands: 80

import fcntl


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            try:
                fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return 1
            return 0

# --- partner.py
import fcntl


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.flock(self.shared, (fcntl.LOCK_SH if bit else fcntl.LOCK_UN) | fcntl.LOCK_NB)
