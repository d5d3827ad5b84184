# Excuses itself
# tries: exits with the statuses and messages of a failure of the host
# idea: the sandbox's own attempts (seat/tests)
# verdict: crash
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("ending", "as if the host had failed")
        os.write(1, b'{"failed": "landlock", "why": "x"}\n')
        os._exit(94)
