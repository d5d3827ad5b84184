class SimplePlayer(Attacker):
    def attack(self):
        kept = []
        for _ in range(MAX_MIB):
            kept.append(b"x" * (1 << 20))
        escaped("memory", f"{len(kept)} MiB stayed")
