class SimplePlayer(Attacker):
    def attack(self):
        held("ending", "with status 93")
        os._exit(93)
