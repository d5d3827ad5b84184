# Takes all memory
# tries: fills a list with zeroed megabytes and swallows MemoryError
# idea: fork bombs and heap bombs of every online judge
# verdict: memory
# means: sampler, rlimits

class SimplePlayer(Attacker):
    def attack(self):
        kept = []
        for _ in range(MAX_MIB):
            kept.append(b"x" * (1 << 20))
        escaped("memory", f"{len(kept)} MiB stayed")
