class SimplePlayer(Receiver):
    def receive(self):
        now = time.monotonic()
        passed, self.before = now - getattr(self, "before", now), now
        return passed > 0.025
