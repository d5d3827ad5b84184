class SimplePlayer(Attacker):
    def attack(self):
        held("closing", "all numbers")
        os.closerange(0, 64)
