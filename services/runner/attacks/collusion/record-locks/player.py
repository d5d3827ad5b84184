import fcntl
import struct


class SimplePlayer(Receiver):
    def receive(self):
        with open(os.__file__) as shared:
            answer = fcntl.fcntl(shared, fcntl.F_GETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
        return struct.unpack("hhqqi", answer)[0] != fcntl.F_UNLCK
