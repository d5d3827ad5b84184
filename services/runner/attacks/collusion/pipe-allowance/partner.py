class SimplePlayer(Sender):
    def send(self, bit):
        for pair in getattr(self, "kept", []):
            os.close(pair[0])
            os.close(pair[1])
        self.kept = [os.pipe() for _ in range(20)] if bit else []
