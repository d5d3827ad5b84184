# Empties the processor's caches
# tries: copies 40 MiB back and forth for half a second
# idea: noisy neighbours
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        first, end = bytearray(20 << 20), time.monotonic() + 0.5
        while time.monotonic() < end:
            second = bytes(first)
        held("copied", "on its own time")
