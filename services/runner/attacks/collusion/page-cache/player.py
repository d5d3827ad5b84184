class SimplePlayer(Receiver):
    def receive(self):
        import wave
        with open(wave.__file__, "rb") as shared:
            try:
                os.preadv(shared.fileno(), [bytearray(16)], 4096, os.RWF_NOWAIT)
                return 0
            except BlockingIOError:
                os.pread(shared.fileno(), 16, 4096)
                return 1
