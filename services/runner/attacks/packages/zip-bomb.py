# A package that grows
# tries: 300 MiB of zeros in a wheel of 300 KiB
# idea: 42.zip
# verdict: plays
# means: package-bounds
# refusal:

class SimplePlayer(Attacker):
    def attack(self):
        raise RuntimeError("it was never to be played")

# --- requirements.txt
attackbomb

# --- wheel.py
from hostile_wheel import write

write("attackbomb", [(f"attackbomb/z{n}.bin", bytes(50 << 20), 0o644) for n in range(6)])
