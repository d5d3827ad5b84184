class SimplePlayer(Attacker):
    def attack(self):
        for _ in range(10):
            os.urandom(1 << 20)
        held("random", "10 MiB on its own time")
