import json
import bot
import type.poker_action


class SimplePlayer(Attacker):
    def attack(self):
        for module in (bot, type.poker_action, json):
            say("ESCAPED" if "shadow" in (module.__doc__ or "") else "held", module.__name__, "is the platform's or the library's")
