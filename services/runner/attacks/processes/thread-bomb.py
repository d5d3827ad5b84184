# Threads without end
# tries: starts sleeping threads until it is stopped
# idea: the sandbox's own attempts (seat/tests)
# verdict: plays, crash
# means: rlimits, sampler

class SimplePlayer(Attacker):
    def attack(self):
        until("threads", lambda number: threading.Thread(target=time.sleep, args=(2,), daemon=True).start(), 2000, "threads", 400)
        time.sleep(0.2)
