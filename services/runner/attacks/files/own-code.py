# Changes its own code and the interface
# tries: writes, truncates, renames and removes player.py, the api folder, the library
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays
# means: landlock, own-user

import bot


class SimplePlayer(Attacker):
    def attack(self):
        for name, path in (("player.py", __file__), ("bot.py", bot.__file__), ("os.py", os.__file__)):
            refused(f"writing {name}", lambda: open(path, "r+b"), *HIDDEN)
            refused(f"truncating {name}", lambda: os.truncate(path, 0), *HIDDEN)
            refused(f"removing {name}", lambda: os.unlink(path), *HIDDEN)
            refused(f"a file beside {name}", lambda: open(path + ".husky-attack", "w"), *HIDDEN)
