# Changes what the parent has loaded
# tries: marks modules that all seats inherit and searches for the mark of the previous match
# idea: fork servers
# verdict: plays
# means: environment
# matches: 3

import json
import random


class SimplePlayer(Attacker):
    def attack(self):
        for module in (json, random, os):
            if hasattr(module, "husky_attack"):
                escaped("mark of an earlier match", module.__name__)
            module.husky_attack = True
        held("modules", "no mark of an earlier match")
