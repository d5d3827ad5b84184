class SimplePlayer(Attacker):
    at_decision = 1

    def attack(self):
        burn()
        held("burning", "in the turns of others")
