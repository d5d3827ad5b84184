# Programs with rights in a package
# tries: files with setuid and world-writable modes
# idea: tar archives as root
# verdict: plays
# means: package-bounds

import attacksuid


class SimplePlayer(Attacker):
    def attack(self):
        folder = os.path.dirname(attacksuid.__file__)
        for name in sorted(os.listdir(folder)):
            mode = os.stat(os.path.join(folder, name)).st_mode
            bounded(f"mode of {name}", mode & 0o6022, 0, "of setuid and writable bits")

# --- requirements.txt
attacksuid

# --- wheel.py
from hostile_wheel import write

write("attacksuid", [("attacksuid/__init__.py", b"", 0o644), ("attacksuid/root.sh", b"#!/bin/sh\n", 0o6755), ("attacksuid/open.txt", b"", 0o666)])
