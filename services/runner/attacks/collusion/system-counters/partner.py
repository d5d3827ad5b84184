class SimplePlayer(Sender):
    def send(self, bit):
        if bit:
            ends = [threading.Event() for _ in range(20)]
            for end in ends:
                threading.Thread(target=end.wait, args=(5,), daemon=True).start()
            self.kept = ends
        else:
            for end in getattr(self, "kept", []):
                end.set()
