# Predicts chance of others
# tries: prints random numbers and the hash of a word, to test whether another seat's generator has the same state
# idea: forked processes share the state of random
# verdict: plays
# means: environment

import random


class SimplePlayer(Attacker):
    def attack(self):
        note("drawn", random.getrandbits(64))
        note("hash", hash("husky"))
        held("chance", "random is seeded anew in each seat; the hash of texts is the host's, as documented")
