# Reads the dealer's line itself
# tries: reads the data waiting on the link, which must contain nothing of other seats
# idea: stealing frames
# verdict: plays
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        os.set_blocking(60, False)
        try:
            data = os.read(60, 65536)
            escaped("more than its own question", data[:80])
        except BlockingIOError:
            held("the link", "nothing waits there")
        os.set_blocking(60, True)
