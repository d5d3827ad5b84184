# Closes all descriptors
# tries: closes the link, the log and standard input
# idea: the sandbox's own attempts (seat/tests)
# verdict: crash
# means: dealer

class SimplePlayer(Attacker):
    def attack(self):
        held("closing", "all numbers")
        os.closerange(0, 64)
