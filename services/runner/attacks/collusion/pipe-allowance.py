# The user's allowance of pipes
# tries: one fills pipes, the other checks the size of its own new pipes
# idea: pipe-user-pages-soft
# verdict: plays
# means: own-user, rlimits
# hands: 80

class SimplePlayer(Receiver):
    def receive(self):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        size = os.write(writer, b"x" * (1 << 20))
        os.close(reader)
        os.close(writer)
        return size < 65536

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        for pair in getattr(self, "kept", []):
            os.close(pair[0])
            os.close(pair[1])
        self.kept = [os.pipe() for _ in range(20)] if bit else []
