# How long a turn takes on the wall
# tries: one sleeps 30 ms for a one, the other measures the wall time between its own turns
# idea: covert channels between processes of one machine (Lampson 1973)
# verdict: plays
# means: clock
# hands: 60
# open: A bot that thinks longer or shorter tells its accomplice a bit a turn by the clock on the wall: every player at a table sees how long the others take.

class SimplePlayer(Receiver):
    def receive(self):
        now = time.monotonic()
        passed, self.before = now - getattr(self, "before", now), now
        return passed > 0.025

# --- partner.py
class SimplePlayer(Sender):
    def send(self, bit):
        time.sleep(0.03 if bit else 0)
