# Leases on a shared file
# tries: one takes a read lease, the other tests whether it exists
# idea: fcntl(2)
# verdict: plays
# means: seccomp
# hands: 80

import fcntl


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            return fcntl.fcntl(shared, 1025) != 2

# --- partner.py
import fcntl


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.fcntl(self.shared, 1024, 0 if bit else 2)
