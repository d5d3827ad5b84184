# A resolution without an end
# tries: requires a version of itself that does not exist
# idea: backtracking resolvers
# verdict: plays
# means: package-bounds
# refusal:

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
attackloop

# --- wheel.py
from hostile_wheel import write

write("attackloop", [("attackloop/__init__.py", b"", 0o644)], extra_metadata="Requires-Dist: attackloop==2.0\n")
