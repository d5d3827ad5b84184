# Compiled code for the next start
# tries: leaves __pycache__ beside its code and in the library, with another bot's name
# idea: poisoned byte code
# verdict: plays
# means: landlock, own-user
# matches: 3

import importlib.util


class SimplePlayer(Attacker):
    def attack(self):
        for path in (__file__, os.__file__):
            target = importlib.util.cache_from_source(path) + ".husky-attack"
            refused(f"cache of {os.path.basename(path)}", lambda: open(target, "wb"), *HIDDEN)
            folder = os.path.join(os.path.dirname(path), "__pycache__")
            refused(f"a folder beside {os.path.basename(path)}", lambda: os.mkdir(folder + "-husky-attack"), *HIDDEN)
