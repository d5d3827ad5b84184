# Paths out of a package
# tries: files named ../../ and with absolute paths
# idea: zip slip
# verdict: plays
# means: package-bounds

import attackslip


class SimplePlayer(Attacker):
    def attack(self):
        folder = os.path.dirname(os.path.dirname(attackslip.__file__))
        say("held" if sorted(os.listdir(folder))[:1] == ["attackslip"] else "note", "unpacked", " ".join(sorted(os.listdir(folder)))[:200])
        for place in ("/tmp/husky-attack-slip", "../husky-attack-slip", os.path.join(folder, "..", "husky-attack-slip")):
            say("ESCAPED" if os.path.lexists(place) else "held", place, "is not there")

# --- requirements.txt
attackslip

# --- wheel.py
from hostile_wheel import write

write("attackslip", [("../../../../tmp/husky-attack-slip", b"x", 0o644), ("/tmp/husky-attack-slip", b"x", 0o644), ("attackslip/__init__.py", b"", 0o644)])
