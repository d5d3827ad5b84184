class SimplePlayer(Sender):
    def send(self, bit):
        os.nice(1) if bit else None
