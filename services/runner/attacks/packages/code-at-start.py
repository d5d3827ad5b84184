# Code that runs at start
# tries: a .pth file, sitecustomize and usercustomize in a package
# idea: code execution by .pth
# verdict: plays
# means: landlock

import builtins


class SimplePlayer(Attacker):
    def attack(self):
        for name in ("pth", "sitecustomize", "usercustomize"):
            say("ESCAPED" if hasattr(builtins, "husky_" + name) else "held", name, "was not run")

# --- requirements.txt
attackstart

# --- wheel.py
from hostile_wheel import write

def mark(name):
    return f"import builtins; builtins.husky_{name} = 1\n".encode()


write("attackstart", [("attack.pth", mark("pth"), 0o644), ("sitecustomize.py", mark("sitecustomize"), 0o644), ("usercustomize.py", mark("usercustomize"), 0o644)])
