# Prints without end
# tries: prints 20 MiB in one decision
# idea: every contest that shows output
# verdict: plays
# means: log, dealer

class SimplePlayer(Attacker):
    def attack(self):
        line = "x" * 1000
        for _ in range(20_000):
            print(line)
        time.sleep(1)
        held("printed", "20 MB, bounded by the log")
