import fcntl


class SimplePlayer(Sender):
    def send(self, bit):
        if not hasattr(self, "shared"):
            self.shared = open(os.__file__)
        fcntl.flock(self.shared, (fcntl.LOCK_SH if bit else fcntl.LOCK_UN) | fcntl.LOCK_NB)
