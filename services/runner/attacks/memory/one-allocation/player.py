class SimplePlayer(Attacker):
    def attack(self):
        try:
            kept = bytearray(290 << 20)
            escaped("290 MiB", "given")
        except MemoryError:
            held("290 MiB", "MemoryError")
