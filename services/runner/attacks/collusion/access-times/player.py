class SimplePlayer(Receiver):
    def receive(self):
        import wave
        now = os.stat(wave.__file__).st_atime_ns
        changed, self.before = now != getattr(self, "before", now), now
        return changed
