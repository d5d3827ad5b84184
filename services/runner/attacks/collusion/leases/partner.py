import fcntl


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.fcntl(self.shared, 1024, 0 if bit else 2)
