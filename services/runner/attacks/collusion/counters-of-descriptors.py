# Numbers of pipes and sockets
# tries: one opens pipes and pairs of sockets, the other reads the inode numbers of its own
# idea: the kernel numbers them from one counter for each processor
# verdict: plays
# means: seccomp
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        reader, writer = os.pipe()
        number = os.fstat(reader).st_ino
        os.close(reader)
        os.close(writer)
        moved, self.before = number - getattr(self, "before", number), number
        return moved > 300

# --- partner.py
import _socket


class SimplePlayer(Sender):
    def send(self, bit):
        for _ in range(200 * bit):
            for end in (*os.pipe(), *(one.detach() for one in _socket.socketpair())):
                os.close(end)
