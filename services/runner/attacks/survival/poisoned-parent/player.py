import json
import random


class SimplePlayer(Attacker):
    def attack(self):
        for module in (json, random, os):
            if hasattr(module, "husky_attack"):
                escaped("mark of an earlier match", module.__name__)
            module.husky_attack = True
        held("modules", "no mark of an earlier match")
