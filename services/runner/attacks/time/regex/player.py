import re


class SimplePlayer(Attacker):
    def attack(self):
        held("matching", "until the dealer gives up")
        re.match(r"(a+)+$", "a" * 64 + "b")
