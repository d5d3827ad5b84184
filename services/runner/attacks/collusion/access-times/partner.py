class SimplePlayer(Sender):
    def send(self, bit):
        import wave
        if bit:
            with open(wave.__file__, "rb") as shared:
                os.read(shared.fileno(), 1)
