# Changes its packages
# tries: writes to the folder of packages, which other seats use
# idea: a shared cache of packages
# verdict: plays
# means: landlock, own-user

import attackplain


class SimplePlayer(Attacker):
    def attack(self):
        place = attackplain.__file__
        refused("writing", lambda: open(place, "r+b"), *HIDDEN)
        refused("a file beside it", lambda: open(os.path.join(os.path.dirname(place), MARK), "w"), *HIDDEN)
        refused("removing", lambda: os.unlink(place), *HIDDEN)
        refused("compiled code beside it", lambda: open(attackplain.__cached__, "wb"), *HIDDEN)
        refused("compiled code of another module", lambda: open(os.path.join(os.path.dirname(attackplain.__cached__), MARK), "w"), *HIDDEN)

# --- requirements.txt
attackplain

# --- wheel.py
from hostile_wheel import write

write("attackplain", [("attackplain/__init__.py", b"", 0o644)])
