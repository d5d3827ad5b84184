import fcntl
import struct


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            answer = fcntl.fcntl(shared, 36, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
        return struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK
