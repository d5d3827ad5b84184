import _socket


class SimplePlayer(Sender):
    def send(self, bit):
        for _ in range(200 * bit):
            for end in (*os.pipe(), *(one.detach() for one in _socket.socketpair())):
                os.close(end)
