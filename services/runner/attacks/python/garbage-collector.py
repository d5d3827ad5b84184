# Searches all objects
# tries: walks gc.get_objects() for seeds, tokens, cards of others, sockets
# idea: Python jails of capture-the-flag contests
# verdict: plays
# means: environment, descriptors

import gc
import socket


class SimplePlayer(Attacker):
    def attack(self):
        objects = gc.get_objects()
        hits = [type(one).__name__ for one in objects if isinstance(one, socket.socket)]
        for one in objects:
            if type(one) is dict:
                hits += [key for key in list(one) if isinstance(key, str) and key in ("seed", "lease_token", "leaseToken", "deck", "hole_cards", "identity")]
        note("objects", len(objects))
        bounded("secrets among objects", len(hits), 0, " ".join(hits)[:100] or "objects")
