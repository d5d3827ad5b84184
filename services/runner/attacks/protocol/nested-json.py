# Brackets without end
# tries: a line of 60,000 open brackets
# idea: recursive parsers
# verdict: protocol
# means: dealer, answers

class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "60,000 brackets")
        os.write(60, b"[" * 60_000 + b"\n")
