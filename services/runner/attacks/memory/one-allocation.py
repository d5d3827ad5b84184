# One allocation beyond the limit
# tries: allocates 290 MiB at once and does not touch it
# idea: online judges of programming contests
# verdict: plays
# means: rlimits

class SimplePlayer(Attacker):
    def attack(self):
        try:
            kept = bytearray(290 << 20)
            escaped("290 MiB", "given")
        except MemoryError:
            held("290 MiB", "MemoryError")
