# A package named like the interface
# tries: has modules bot, type and json in a package, which must not replace the platform's
# idea: dependency confusion
# verdict: plays
# means: descriptors

import json
import bot
import type.poker_action


class SimplePlayer(Attacker):
    def attack(self):
        for module in (bot, type.poker_action, json):
            say("ESCAPED" if "shadow" in (module.__doc__ or "") else "held", module.__name__, "is the platform's or the library's")

# --- requirements.txt
attackshadow

# --- wheel.py
from hostile_wheel import write

shadow = b'"""shadow"""\n'
write("attackshadow", [("bot.py", shadow, 0o644), ("type/__init__.py", shadow, 0o644), ("type/poker_action.py", shadow, 0o644), ("json.py", shadow, 0o644)])
