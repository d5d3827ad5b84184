# Changes the interface for the next
# tries: writes to the api folder and to site-packages, where the next bot would import it
# idea: poisoned fork servers
# verdict: plays
# means: landlock, own-user
# matches: 3

import bot
import site


class SimplePlayer(Attacker):
    def attack(self):
        places = {os.path.dirname(bot.__file__), os.path.dirname(os.__file__), *sys.path}
        for place in sorted(places - {"", os.getcwd(), os.environ.get("HOME", "")}):
            if os.path.realpath(place) == os.path.realpath(os.getcwd()):
                continue
            refused(f"a module in {os.path.basename(place)}", lambda: open(os.path.join(place, "husky_attack.py"), "w"), *HIDDEN)
