class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")
