# Access times of a shared file
# tries: one reads a file of the library, the other reads its access time
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: landlock, scratch
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        import wave
        now = os.stat(wave.__file__).st_atime_ns
        changed, self.before = now != getattr(self, "before", now), now
        return changed

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        import wave
        if bit:
            with open(wave.__file__, "rb") as shared:
                os.read(shared.fileno(), 1)
