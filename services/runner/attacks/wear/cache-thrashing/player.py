class SimplePlayer(Attacker):
    def attack(self):
        first, end = bytearray(20 << 20), time.monotonic() + 0.5
        while time.monotonic() < end:
            second = bytes(first)
        held("copied", "on its own time")
