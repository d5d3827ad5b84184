# A file for the next match
# tries: leaves marked files in its folder and searches for those of the previous match
# idea: contests that reused containers
# verdict: plays
# means: cleaning, landlock
# matches: 3
# pod: true

class SimplePlayer(Attacker):
    def attack(self):
        for place in (os.getcwd(), os.path.dirname(os.getcwd()), "/tmp", "/var/tmp", "/dev/shm", os.path.dirname(os.path.dirname(__file__ or "/x/y"))):
            path = os.path.join(place, MARK)
            if os.path.exists(path):
                escaped("found", path)
            try:
                with open(path, "w") as left:
                    left.write("x")
                note("left", path)
            except OSError as error:
                held("not left in " + place, code_of(error))
