class SimplePlayer(Attacker):
    def attack(self):
        held("duplicating", "the link over standard output")
        os.dup2(60, 1)
        os.write(1, b"garbage\n")
