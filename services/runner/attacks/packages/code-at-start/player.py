import builtins


class SimplePlayer(Attacker):
    def attack(self):
        for name in ("pth", "sitecustomize", "usercustomize"):
            say("ESCAPED" if hasattr(builtins, "husky_" + name) else "held", name, "was not run")
