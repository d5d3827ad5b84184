import fcntl
import struct


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.fcntl(self.shared, fcntl.F_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK if bit else fcntl.F_UNLCK, 0, 0, 0, 0))
