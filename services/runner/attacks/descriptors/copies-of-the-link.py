# Many copies of the link
# tries: duplicates the link to every number and to standard output, then prints
# idea: log and link mixed up
# verdict: plays, protocol, crash
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("duplicating", "the link over standard output")
        os.dup2(60, 1)
        os.write(1, b"garbage\n")
