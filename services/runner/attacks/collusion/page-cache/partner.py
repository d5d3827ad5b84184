class SimplePlayer(Sender):
    def send(self, bit):
        import wave
        if bit:
            with open(wave.__file__, "rb") as shared:
                os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
