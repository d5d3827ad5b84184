class SimplePlayer(Attacker):
    def attack(self):
        held("looping", "until the dealer gives up")
        while True:
            pass
