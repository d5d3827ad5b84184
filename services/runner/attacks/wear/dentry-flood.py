# Fills the cache of names
# tries: 100,000 names that do not exist
# idea: negative dentries
# verdict: plays
# means: clock

class SimplePlayer(Attacker):
    def attack(self):
        end, count = time.monotonic() + 1, 0
        while count < 100_000 and time.monotonic() < end:
            os.path.lexists(f"none-{count}")
            count += 1
        held("names", f"{count} asked for on its own time")
