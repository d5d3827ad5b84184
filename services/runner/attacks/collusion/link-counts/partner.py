class SimplePlayer(Sender):
    def send(self, bit):
        if bit and not os.path.isdir("one"):
            os.mkdir("one")
        elif not bit and os.path.isdir("one"):
            os.rmdir("one")
