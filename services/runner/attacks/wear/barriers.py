# Interrupts all processors
# tries: calls membarrier for all cores as often as possible
# idea: membarrier(2), global commands
# verdict: plays
# means: seccomp, clock

class SimplePlayer(Attacker):
    def attack(self):
        end, count = time.monotonic() + 0.4, 0
        try:
            while time.monotonic() < end:
                kernel(324, 283, 1, 0, 0)
                count += 1
            note("barriers", count)
            held("barriers", f"{count}: each waits for the others, and on its own time")
        except OSError as error:
            held("barriers", code_of(error))
