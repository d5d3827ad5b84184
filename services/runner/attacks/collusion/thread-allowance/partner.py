class SimplePlayer(Sender):
    def send(self, bit):
        for end in getattr(self, "kept", []):
            end.set()
        self.kept = []
        if bit:
            try:
                for _ in range(24):
                    end = threading.Event()
                    threading.Thread(target=end.wait, args=(3,), daemon=True).start()
                    self.kept.append(end)
            except RuntimeError:
                pass
