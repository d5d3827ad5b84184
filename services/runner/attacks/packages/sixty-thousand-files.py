# A package of 60,000 files
# tries: has a wheel with 60,000 empty modules, whose unpacking would delay every match
# idea: tried by strangers against this platform
# verdict: plays
# means: package-bounds
# refusal: files

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
attackmany

# --- wheel.py
from hostile_wheel import write

write("attackmany", [(f"attackmany/m{number}.py", b"", 0o644) for number in range(60_000)])
