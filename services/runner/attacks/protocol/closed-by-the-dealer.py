# Ends as if the dealer had hung up
# tries: exit status 93
# idea: the sandbox's own attempts (seat/tests)
# verdict: crash
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("ending", "with status 93")
        os._exit(93)
