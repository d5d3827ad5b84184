# A package that is built
# tries: has only a source distribution with a setup.py, which would run code
# idea: setup.py of every index
# verdict: plays
# means: package-bounds
# refusal:

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
attacksource
