class SimplePlayer(Receiver):
    def receive(self):
        free = os.statvfs(".").f_bfree * os.statvfs(".").f_frsize
        worth, self.before = free - getattr(self, "before", free), free
        if abs(worth) > 3 << 20:
            self.state = worth < 0
        return getattr(self, "state", False)
