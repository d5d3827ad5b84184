# What lies in the page cache
# tries: one drops pages of a shared file from memory or reads them, the other tests them by RWF_NOWAIT
# idea: Gruss et al., Page Cache Attacks, 2019
# verdict: plays
# means: seccomp
# hands: 80

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

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        import wave
        if bit:
            with open(wave.__file__, "rb") as shared:
                os.posix_fadvise(shared.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
