# Walks up the stack into the seat's own code
# tries: reads every frame above it for links, seeds, cards of others
# idea: known escapes of Python jails
# verdict: plays
# means: descriptors, environment

class SimplePlayer(Attacker):
    def attack(self):
        found, frame = [], sys._getframe()
        while frame is not None:
            found += [f"{frame.f_code.co_name}.{name}" for name in frame.f_locals]
            frame = frame.f_back
        note("locals seen", " ".join(found))
        secrets = [name for name in found if any(word in name for word in ("seed", "deck", "token", "lease", "key"))]
        bounded("secrets in frames", len(secrets), 0, "names")
