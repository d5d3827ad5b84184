# A package that is nowhere
# tries: a name that no index has
# idea: typosquatting
# verdict: plays
# means: package-bounds
# refusal:

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
attack-that-is-nowhere
