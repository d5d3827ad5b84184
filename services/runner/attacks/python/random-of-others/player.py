import random


class SimplePlayer(Attacker):
    def attack(self):
        note("drawn", random.getrandbits(64))
        note("hash", hash("husky"))
        held("chance", "random is seeded anew in each seat; the hash of texts is the host's, as documented")
