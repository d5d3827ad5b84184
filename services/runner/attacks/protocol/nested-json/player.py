class SimplePlayer(Attacker):
    def attack(self):
        held("writing", "60,000 brackets")
        os.write(60, b"[" * 60_000 + b"\n")
