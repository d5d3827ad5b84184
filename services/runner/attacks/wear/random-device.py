# Drains random bytes
# tries: 10 MiB of getrandom and /dev/urandom
# idea: entropy pools
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        for _ in range(10):
            os.urandom(1 << 20)
        held("random", "10 MiB on its own time")
