# Reads other bots
# tries: lists and reads folders of bots and packages beside its own
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        own = os.path.dirname(os.path.realpath(__file__))
        for folder in (os.path.dirname(own), os.path.dirname(os.path.dirname(own)), os.path.join(own, "..", "..", "packages")):
            if folder in ("/", "//"):
                note("root of its own", folder)
            refused(f"listing {'../' * 2}", lambda: os.listdir(folder), *HIDDEN) if folder != own else None
        refused("the first bot of the run", lambda: open(os.path.join(os.path.dirname(own), "1", "player.py")), *HIDDEN)
